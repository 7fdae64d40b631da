//! Endgame tablebases inside of the tree: a position just reached by a capture or a pawn move, of as few men as
//! the tables know, has the value that they give it.

use shakmaty_syzygy::Wdl;

use super::statistics::Statistics;
use super::tt::{Bound, TtHit};
use super::worker::Worker;
use crate::tablebase::Probing;
use crate::types::{Depth, Move, Value};

/// What a table says counts as searched so many plies deeper than the node: it is not to be soon forgotten.
const DEEPER: Depth = Depth::plies(6);

impl<S: Statistics> Worker<'_, S> {
    /// What the tables say of the node; a win is worth as much at least, a loss at most, for it may be a mate.
    #[inline]
    pub(super) fn probe_tables(&mut self, depth: Depth, ply: usize) -> Option<TtHit> {
        if self.table_men == 0 { None } else { self.probe_tables_at(depth, ply) }
    }

    #[cold]
    fn probe_tables_at(&mut self, depth: Depth, ply: usize) -> Option<TtHit> {
        let probing = &self.setup.probing;
        let position = &self.position;
        let men = position.occupied().count() as u32;
        // What a table says holds when the fifty moves begin anew. A pass begins nothing.
        let counts_anew = position.halfmoves() == 0 && !self.buffers.stack[ply].mv.is_none();
        let is_wanted =
            men < self.table_men || men == self.table_men && depth >= Depth::plies(probing.depth);
        if !counts_anew || !is_wanted {
            return None;
        }
        let result = probing.result(position)?;
        self.tbhits += 1;
        let (value, bound) = match decided(result, probing) {
            1 => (Value::table_win(ply), Bound::Lower),
            -1 => (-Value::table_win(ply), Bound::Upper),
            _ => (self.drawn(result.signum(), ply), Bound::Exact),
        };
        Some(TtHit { mv: Move::NONE, value, depth: depth + DEEPER, bound })
    }

    /// A draw on `ply`, a little better for the side that only the fifty-move rule keeps from winning: `sign` is 1
    /// where that is the side to move, -1 where it is the other.
    pub(super) fn drawn(&self, sign: i32, ply: usize) -> Value {
        self.draw_value(ply) + Value::new(sign)
    }
}

/// 1 for a win of the side to move, -1 for a loss, 0 for a draw, as the fifty-move rule counts or does not.
pub(super) fn decided(result: Wdl, probing: &Probing) -> i32 {
    match result {
        Wdl::CursedWin | Wdl::BlessedLoss if probing.fifty_moves => 0,
        _ => result.signum(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::{after_by, with_tables};

    /// The value of the node behind a move, two plies deep, how many positions were found, and whether the node
    /// was searched.
    fn behind(
        fen: &str,
        mv: &str,
        beta: Value,
        change: impl FnOnce(&mut Probing),
    ) -> (Value, u64, bool) {
        after_by(&with_tables(change), fen, &[mv], |worker, ply| {
            let value = worker.alpha_beta(-Value::INFINITE, beta, Depth::plies(2), ply);
            (value, worker.tbhits, worker.nodes > 1)
        })
    }

    const ALL: Value = Value::INFINITE;
    /// The rook takes the queen; Black to move has lost.
    const QUEEN: (&str, &str) = ("8/8/8/8/4k3/8/8/K2R3q w - - 5 60", "d1h1");
    /// The king takes the pawn; White to move has won.
    const PAWN: (&str, &str) = ("8/8/8/3k4/3P4/8/8/K6R b - - 5 60", "d5d4");

    /// A draw is exact; a win may be a mate, and so may a loss.
    #[test]
    fn values_and_bounds() {
        let drawn = ("8/8/8/4k3/4p3/8/8/4K3 b - - 0 1", "e4e3");
        assert_eq!(behind(drawn.0, drawn.1, ALL, |_| {}), (Value::ZERO, 1, false));
        let (lost, hits, searched) = behind(QUEEN.0, QUEEN.1, ALL, |_| {});
        assert!(lost <= -Value::table_win(1) && hits > 0 && searched, "{lost:?} {hits}");
        let (won, hits, searched) = behind(PAWN.0, PAWN.1, ALL, |_| {});
        assert!(won >= Value::table_win(1) && hits > 0 && searched, "{won:?} {hits}");
        let cut = behind(PAWN.0, PAWN.1, Value::ZERO, |_| {});
        assert_eq!(cut, (Value::table_win(1), 1, false));
    }

    /// Where the tables do not know, or are not to be asked.
    #[test]
    fn what_is_not_asked() {
        let hits = |(fen, mv), change: fn(&mut Probing)| behind(fen, mv, Value::ZERO, change).1;
        assert_eq!(hits(PAWN, |_| {}), 1);
        assert_eq!(hits(PAWN, |probing| probing.depth = 2), 1);
        assert_eq!(hits(PAWN, |probing| probing.depth = 3), 0);
        assert_eq!(hits(PAWN, |probing| probing.limit = 2), 0);
        assert_eq!(hits(PAWN, |probing| probing.tables = None), 0);
        assert_eq!(hits(("8/8/8/2k5/8/8/8/K6R w - - 0 1", "h1h5"), |_| {}), 0, "no capture");
        assert_eq!(hits(("k7/8/8/8/8/8/1p6/K7 w - - 9 60", "a1b2"), |_| {}), 0, "kings alone");
        assert_eq!(hits(("8/8/8/8/4k3/8/8/KR1R3q w - - 5 60", "d1h1"), |_| {}), 0, "four men");
        let passed = after_by(&with_tables(|_| {}), QUEEN.0, &[QUEEN.1], |worker, ply| {
            worker.make_null(ply);
            worker.probe_tables(Depth::plies(9), ply + 1).is_some()
        });
        assert!(!passed, "a pass is no capture");
    }

    /// Three men, and more than they are: the depth matters at the largest tables only.
    #[test]
    fn depth_counts_for_the_largest() {
        let asked = |limit, depth| {
            after_by(&with_tables(|_| {}), PAWN.0, &[PAWN.1], |worker, ply| {
                worker.table_men = limit;
                worker.probe_tables(Depth::quarters(depth), ply).is_some()
            })
        };
        assert_eq!(
            [(3, 4), (3, 3), (4, 3)].map(|(men, depth)| asked(men, depth)),
            [true, false, true]
        );
    }

    #[test]
    fn the_fifty_move_rule() {
        let mut probing = Probing::default();
        let of = |probing: &Probing| {
            [Wdl::Loss, Wdl::BlessedLoss, Wdl::Draw, Wdl::CursedWin, Wdl::Win]
                .map(|result| decided(result, probing))
        };
        assert_eq!(of(&probing), [-1, 0, 0, 0, 1]);
        probing.fifty_moves = false;
        assert_eq!(of(&probing), [-1, -1, 0, 1, 1]);
    }
}
