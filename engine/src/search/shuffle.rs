//! Counting the moves of a line that lead nowhere, for the evaluation's anti-shuffle term (PRO-07).

use super::statistics::Statistics;
use super::worker::Worker;
use crate::eval::LineFacts;
use crate::types::{Color, Move};

impl<S: Statistics> Worker<'_, S> {
    /// A quiet move of a piece in the middle game counts for its colour, unless it solves a threat:
    /// unless its side stands to lose less than before (AMB-76). Other moves count for nothing, and
    /// the present position is not charged for earlier ones.
    pub(super) fn make_and_count(&mut self, mv: Move, ply: usize) {
        let mover = self.position.turn();
        let is_candidate = !mv.is_capture()
            && !self.position.piece_at(mv.from()).is_pawn()
            && !self.setup.evaluator.stage(&self.position).endgame;
        let loss_before = if is_candidate { self.loss_here(ply, mover) } else { 0 };
        self.position.make(mv);
        let mut shuffles = self.buffers.stack[ply].shuffles;
        let mut line = LineFacts::default();
        if is_candidate && self.loss_ahead(mover) >= loss_before {
            shuffles[mover] = shuffles[mover].saturating_add(1);
            line.shuffles = shuffles[mover];
        }
        let next = &mut self.buffers.stack[ply + 1];
        (next.shuffles, next.facts) = (shuffles, line);
    }

    /// What the dearest man of `color` stands to lose on `ply`, in pawns.
    pub(super) fn loss_here(&self, ply: usize, color: Color) -> i32 {
        let evaluation = self.buffers.stack[ply].evaluation.as_ref();
        match evaluation.and_then(|evaluation| evaluation.hanging.of(color)) {
            Some(list) => list.highest(),
            None => self.setup.evaluator.hanging(&self.position, color).highest(),
        }
    }

    /// The same in a position that is likely to be evaluated next.
    fn loss_ahead(&mut self, color: Color) -> i32 {
        let threats = self.setup.evaluator.threats(&self.position);
        self.buffers.threats = Some((self.position.key(), threats));
        threats.hanging[color].highest()
    }
}

#[cfg(test)]
mod tests {
    use crate::search::testing::{after, only};

    /// The facts of each ply after playing the moves.
    fn shuffles(fen: &str, moves: &[&str]) -> Vec<u8> {
        after(only("shuffle.on"), fen, moves, |worker, plies| {
            (1..=plies).map(|ply| worker.ply(ply).facts.shuffles).collect()
        })
    }

    /// AMB-76: each side counts its own; a pawn move or a capture is charged nothing and the count
    /// goes on behind it.
    #[test]
    fn quiet_piece_moves_count_for_their_side() {
        let start = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 1";
        let moves = ["b1c3", "d7d6", "a1b1", "a8b8", "a2a3", "b8a8", "b1a1"];
        assert_eq!(shuffles(start, &moves), [1, 0, 2, 1, 0, 2, 3]);
    }

    /// "Cases like h2-h3 Pg4-f6": who steps out of a threat does not shuffle.
    #[test]
    fn solving_a_threat_is_no_shuffle() {
        let fen = "rnbqkb1r/pppppp1p/5n2/8/6p1/5N1P/PPPPPPP1/RNBQKB1R w KQkq - 0 1";
        assert_eq!(shuffles(fen, &["f3d4"]), [0], "the knight leaves the pawn's reach");
        assert_eq!(shuffles(fen, &["b1c3"]), [1], "another knight moves, the threat stays");
    }

    #[test]
    fn the_end_game_is_free() {
        assert_eq!(shuffles("4k3/8/8/8/8/8/8/R3K3 w - - 0 1", &["a1a2", "e8e7"]), [0, 0]);
    }
}
