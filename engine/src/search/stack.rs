//! What each ply of the line knows of itself and of the plies before it (GEN-08), and how a move
//! hands it on.
//!
//! Counters of the line lie on the stack too: a move copies them to the next ply, so taking it back
//! restores them by itself (AMB-23, AMB-27, AMB-32).

use super::statistics::Statistics;
use super::worker::Worker;
use crate::eval::{Evaluation, LineFacts};
use crate::types::{ByColor, Color, Move, Piece, Value};

/// One ply of the line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The move that led here; [`Move::NONE`] at the root and after a null move.
    pub(super) mv: Move,
    /// The man that made it.
    pub(super) piece: Piece,
    /// The man it took.
    pub(super) taken: Piece,
    /// `I_SCORE` before it, White minus Black.
    pub(super) i_score_before: Value,
    /// It takes more than it gives, or promotes to a queen.
    pub(super) wins: bool,
    /// It was its node's hash move.
    pub(super) from_hash: bool,
    /// It was extended: no second time (EXT-10).
    pub(super) extended: bool,
    /// It is searched less deep, by what was known before its evaluation: no second time (RED-06).
    pub(super) reduced: bool,
    /// The side to move is in check.
    pub(super) in_check: bool,
    /// The moves out of that check are searched deeper (EXT-01): they are extended already.
    pub(super) evasions_extended: bool,
    /// The evaluation of the position; in check none but that of quiescence's first trick (HOR-02).
    pub(super) evaluation: Option<Evaluation>,
    /// No null move here: one is being verified.
    pub(super) no_null: bool,
    /// The hash move that a search without it leaves out, to see whether it stands alone.
    pub(super) excluded: Move,
    /// Counters of the line so far.
    pub(super) counters: Counters,
    /// Shuffling moves of both colours on the line so far.
    pub(super) shuffles: ByColor<u8>,
    /// What the evaluation must know of the line.
    pub(super) facts: LineFacts,
}

/// What is counted along a line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counters {
    /// Checks answered (EXT-02).
    pub(super) checks: u8,
    /// Hash moves behind hash moves (EXT-12).
    pub(super) hash_moves: u8,
    /// Reductions made (RED-14).
    pub(super) reductions: u8,
    /// Reduction 1 was made (RED-03).
    pub(super) reduction1: bool,
    /// The ply up to which quiescence searches quiet checks (QS-06, QS-07).
    pub(super) check_limit: u8,
    /// Extensions made, quarter plies (EXT-15).
    pub(super) extensions: i16,
}

impl StackEntry {
    /// What searching the position will count on the line, to be restored before it is searched
    /// again under another window.
    #[inline]
    pub(super) fn mark(&self) -> (Counters, bool) {
        (self.counters, self.extended)
    }

    /// Forgets what a search of the position has counted.
    #[inline]
    pub(super) fn rewind(&mut self, mark: (Counters, bool)) {
        (self.counters, self.extended) = mark;
    }

    /// The evaluation seen by a colour, if there is one.
    #[inline]
    pub(super) fn value(&self, color: Color) -> Option<Value> {
        self.evaluation.map(|evaluation| seen_by(color, evaluation.value))
    }
}

/// A value that is White's, seen by a colour.
#[inline]
pub(super) fn seen_by(color: Color, white: Value) -> Value {
    if color.is_white() { white } else { -white }
}

impl<S: Statistics> Worker<'_, S> {
    /// Plays a move on `ply`; the next ply learns what it must know of the line.
    #[inline]
    pub(super) fn make(&mut self, mv: Move, ply: usize) {
        let stack = &mut self.buffers.stack;
        let here = stack[ply];
        stack[ply + 1] = StackEntry {
            mv,
            piece: self.position.piece_at(mv.from()),
            taken: self.position.taken_by(mv),
            i_score_before: self.setup.evaluator.i_score(&self.position),
            counters: here.counters,
            shuffles: here.shuffles,
            ..StackEntry::default()
        };
        if self.setup.params.shuffle.on {
            self.make_and_count(mv, ply);
        } else {
            self.position.make(mv);
        }
        self.look_forward(ply + 1);
    }

    /// Takes the move back.
    #[inline]
    pub(super) fn unmake(&mut self, mv: Move) {
        self.position.unmake(mv);
    }

    /// Passes on `ply`.
    #[inline]
    pub(super) fn make_null(&mut self, ply: usize) {
        let stack = &mut self.buffers.stack;
        let here = stack[ply];
        stack[ply + 1] = StackEntry {
            counters: here.counters,
            shuffles: here.shuffles,
            ..StackEntry::default()
        };
        self.position.make_null();
        self.look_forward(ply + 1);
    }

    /// Lets the caches fetch what the tables may know of the position just reached on `ply`.
    #[inline]
    fn look_forward(&self, ply: usize) {
        self.hash.prefetch(self.position.key());
        self.buffers.prefetch(self.evaluation_key(ply));
    }
}

#[cfg(test)]
mod tests {
    use crate::Params;
    use crate::search::testing::{after, personality};

    /// GEN-08: each ply keeps what the evaluation said of it, and the move that led to it.
    #[test]
    fn every_ply_keeps_what_it_was() {
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let moves = ["e2e4", "d7d5", "e4d5", "d8d5", "b1c3"];
        after(personality("rebel"), start, &moves, |worker, last| {
            let takes = (0..=last).map(|ply| !worker.ply(ply).taken.is_empty());
            assert_eq!(takes.collect::<Vec<_>>(), [false, false, false, true, true, false]);
            for (ply, text) in moves.iter().enumerate().rev() {
                let kept = worker.ply(ply + 1).evaluation.expect("not in check").value;
                assert_eq!(worker.evaluate_anew(ply + 1).value, kept, "behind {text}");
                let (mv, before) = (worker.ply(ply + 1).mv, worker.ply(ply + 1).i_score_before);
                assert_eq!(mv.to_uci(false).to_string(), *text);
                worker.unmake(mv);
                assert_eq!(worker.setup.evaluator.i_score(&worker.position), before, "{text}");
            }
        });
    }

    /// AMB-32: how far quiet checks go is the line's: behind another move it is as before.
    #[test]
    fn the_limit_of_checks_belongs_to_its_line() {
        let mut params = Params::default();
        params.long_checks.on = true;
        after(params, "6k1/5pp1/7p/8/8/8/8/R3K3 w - - 0 1", &[], |worker, ply| {
            worker.ply(ply).counters.check_limit = 7;
            let limits = ["a1a8", "a1b1", "a1a8"].map(|text| {
                let mv = worker.position.parse_uci(text).expect("legal");
                worker.make(mv, ply);
                if worker.position.in_check() {
                    worker.raise_check_limit(ply + 1);
                }
                worker.unmake(mv);
                worker.ply(ply + 1).counters.check_limit
            });
            assert_eq!(limits, [9, 7, 9], "Kh7 is the only answer to the check");
        });
    }
}
