//! Making and unmaking moves in the search; each new ply gets the line's counters.

use super::stack::StackEntry;
use super::statistics::Statistics;
use super::worker::Worker;
use crate::types::Move;

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
