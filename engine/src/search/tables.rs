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
