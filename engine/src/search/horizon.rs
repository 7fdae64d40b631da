//! What spares a quiescence search (HOR-01..04).

use shakmaty::attacks;

use super::statistics::{SearchEvent, Statistics};
use super::worker::Worker;
use crate::types::{Bitboard, Color, Rank, Role, Square, Value};

impl<S: Statistics> Worker<'_, S> {
    /// Whether the side that has just moved stands so well that no answer matters: `value` is the
    /// evaluation seen by the side to move, which needs `alpha`.
    ///
    /// Trick one asks for the dearest hanging man and some pawns to spare; trick two, which does not
    /// hold in check, for nine pawns.
    pub(super) fn is_hopeless(&mut self, value: Value, alpha: Value, ply: usize) -> bool {
        let params = &self.setup.params.horizon;
        if !params.trick_one && !params.trick_two || ply == 0 {
            return false;
        }
        let turn = self.position.turn();
        let (before, here) = self.around(ply);
        let (came_out_of_check, in_check) = (before.in_check, here.in_check);
        let promotes = self.can_promote(turn);
        if params.trick_one {
            let hanging = here.evaluation.as_ref().map_or(0, |e| e.hanging[turn.other()].highest());
            let mut margin = Value::new(params.safety) + Value::PAWN * hanging;
            if came_out_of_check {
                margin += Value::new(params.check);
            }
            if promotes {
                margin += Value::new(params.promotion);
            }
            if value + margin < alpha {
                self.stats.count(SearchEvent::TrickOne);
                return true;
            }
        }
        let far = Value::new(params.far);
        let trick_two =
            params.trick_two && !in_check && !came_out_of_check && !promotes && value + far < alpha;
        if trick_two {
            self.stats.count(SearchEvent::TrickTwo);
        }
        trick_two
    }

    /// Whether a pawn of a colour can step or take to its last rank, pins and checks apart.
    fn can_promote(&self, color: Color) -> bool {
        let position = &self.position;
        let (seventh, last) =
            color.fold_wb((Rank::Seventh, Rank::Eighth), (Rank::Second, Rank::First));
        let pawns = position.men_of(color, Role::Pawn) & Bitboard::from_rank(seventh);
        pawns.into_iter().any(|pawn| {
            let ahead = Square::from_coords(pawn.file(), last);
            let takes = attacks::pawn_attacks(color, pawn) & position.by_color(color.other());
            !position.occupied().contains(ahead) || takes.any()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::{after, personality};
    use crate::types::cp;

    /// Whether the tricks spare a search when the evaluation lies `below` alpha.
    fn spares(tricks: [bool; 2], fen: &str, moves: &[&str], below: i32) -> bool {
        let mut params = personality("rebel");
        [params.horizon.trick_one, params.horizon.trick_two] = tricks;
        after(params, fen, moves, |worker, ply| {
            let value = worker.value_here(ply);
            worker.is_hopeless(value, value + Value::new(below), ply)
        })
    }

    /// The greatest distance that does not spare the search: the margin, in centipawns.
    fn margin(tricks: [bool; 2], fen: &str, moves: &[&str]) -> Option<i32> {
        [300, 500, 600, 800, 900, 1200, 1500].into_iter().find(|&centipawns| {
            let exact = cp(centipawns);
            !spares(tricks, fen, moves, exact) && spares(tricks, fen, moves, exact + 1)
        })
    }

    const ONE: [bool; 2] = [true, false];
    const TWO: [bool; 2] = [false, true];

    /// HOR-02, AMB-17: 3.00, the dearest hanging man, 9.00 out of check, 6.00 before a promotion,
    /// all added up.
    #[test]
    fn trick_one() {
        let at = |fen, mv| margin(ONE, fen, &[mv]);
        assert_eq!(at("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "a1b1"), Some(300));
        assert_eq!(at("4k3/8/1p6/8/8/8/4P3/R3K3 w - - 0 1", "a1a5"), Some(800), "a rook hangs");
        assert_eq!(at("4k3/8/8/8/8/8/4P1p1/R3K3 w - - 0 1", "a1b1"), Some(900), "g2 promotes");
        assert_eq!(at("3rk3/8/8/8/8/8/4P3/R2K4 w - - 0 1", "d1c2"), Some(1200), "out of check");
        let blocked = "4k3/8/8/8/8/8/4P1p1/R3K1B1 w - - 0 1";
        assert_eq!(at(blocked, "a1b1"), Some(300), "a bishop on g1 stops the pawn");
        let takes = "4k3/8/8/8/8/8/4P1p1/R3K1BN w - - 0 1";
        assert_eq!(at(takes, "a1b1"), Some(1200), "it takes the knight, which hangs, and promotes");
    }

    /// HOR-03: 9.00, but neither out of check nor before a promotion.
    #[test]
    fn trick_two() {
        let at = |fen, mv| margin(TWO, fen, &[mv]);
        assert_eq!(at("4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1", "a1b1"), Some(900));
        assert_eq!(at("4k3/8/1p6/8/8/8/4P3/R3K3 w - - 0 1", "a1a5"), Some(900));
        assert!(!spares(TWO, "4k3/8/8/8/8/8/4P1p1/R3K3 w - - 0 1", &["a1b1"], 9999));
        assert!(!spares(TWO, "3rk3/8/8/8/8/8/4P3/R2K4 w - - 0 1", &["d1c2"], 9999));
    }

    /// AMB-17: a check with a huge score is cut by trick one, not by trick two.
    #[test]
    fn checks() {
        let fen = "4k3/8/8/8/8/8/4P3/R3K3 w - - 0 1";
        assert!(spares(ONE, fen, &["a1a8"], 9999) && !spares(TWO, fen, &["a1a8"], 9999));
        assert!(!spares([false; 2], fen, &["a1b1"], 9999));
    }
}
