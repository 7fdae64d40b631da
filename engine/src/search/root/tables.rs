//! Endgame tablebases at the root: only moves that keep the best result are searched.

use std::cmp::Reverse;

use shakmaty_syzygy::Wdl;

use super::super::statistics::Statistics;
use super::super::tables::decided;
use super::super::worker::Worker;
use super::moves::RootMove;
use crate::tablebase::Probing;
use crate::types::Value;

/// Beyond every count of plies.
const FAR: i32 = 1 << 20;
/// Plies of the fifty-move rule.
const FIFTY_MOVES: i32 = 100;

/// What the tables say of a root move.
#[derive(Debug, Clone, Copy)]
pub(super) struct Known {
    /// Greater is better; among moves of one rank the search is free to choose.
    pub(super) rank: i32,
    /// Told in place of a search's score.
    pub(super) value: Value,
    /// Plies to the next capture or pawn move, this move among them; negative where it loses.
    plies: i32,
}

impl<S: Statistics> Worker<'_, S> {
    /// Keeps the moves that keep the best result under the fifty-move rule, those first that soonest lead to a
    /// capture or a pawn move; where several lines are asked for, as many moves at least. False where the tables
    /// do not know the position.
    pub(super) fn keep_best_of_tables(&mut self, moves: &mut Vec<RootMove>) -> bool {
        let probing = &self.setup.probing;
        if self.position.occupied().count() as u32 > self.table_men || self.position.may_castle() {
            return false;
        }
        // Once the position has stood before, the search has had its choice.
        let is_free = self.position.repetitions() == 0;
        let passed = self.position.halfmoves() as i32;
        let with_distances =
            self.ask_of(moves, |worker| worker.by_distance(probing, passed, is_free));
        let has_distances = with_distances.is_some();
        let known =
            with_distances.or_else(|| self.ask_of(moves, |worker| worker.by_result(probing)));
        let Some(known) = known else { return false };
        self.tbhits += known.len() as u64;
        for (root, known) in moves.iter_mut().zip(known) {
            root.table = Some(known);
        }
        moves.sort_by_key(|root| root.table.map(|known| (Reverse(known.rank), known.plies)));
        let lines = self.limits.multipv.clamp(1, moves.len().max(1));
        let least = moves.get(lines - 1).map(RootMove::rank);
        moves.retain(|root| Some(root.rank()) >= least);
        let is_won = moves
            .first()
            .and_then(|root| root.table)
            .is_some_and(|known| known.value >= Value::TABLE_BOUND);
        // With distances the way is known, and what the tables say inside of the tree would hide the mates.
        // Without, it shows the way to a win.
        if has_distances || !is_won {
            self.table_men = 0;
        }
        true
    }

    /// What is known of each move; `None` unless all are known.
    fn ask_of(
        &mut self,
        moves: &[RootMove],
        know: impl Fn(&Self) -> Option<Known>,
    ) -> Option<Vec<Known>> {
        let ask = |root: &RootMove| {
            self.position.make(root.mv);
            let known = know(self);
            self.position.unmake(root.mv);
            known
        };
        moves.iter().map(ask).collect()
    }

    /// Wins that are in time for the fifty-move rule are equal, so that the search may find a mate, if it `is_free`
    /// to choose. Of other wins the nearest, of losses the farthest may still make the difference. `passed` is
    /// the counter before the move.
    fn by_distance(&self, probing: &Probing, passed: i32, is_free: bool) -> Option<Known> {
        let plies = self.plies_with_move(probing)?;
        let counted = if probing.fifty_moves { plies.abs() + passed } else { 0 };
        let rank = match plies.signum() {
            // What tables tell may be a ply too few.
            1 if is_free && counted < FIFTY_MOVES => 2 * FAR,
            1 => FAR - plies - passed,
            -1 if counted - plies < FIFTY_MOVES => -2 * FAR,
            -1 => passed - plies - FAR,
            _ => 0,
        };
        let value = match plies.signum() {
            sign if counted > FIFTY_MOVES => self.drawn(sign, 0),
            0 => self.drawn(0, 0),
            sign => Value::table_win(0) * sign,
        };
        Some(Known { rank, value, plies })
    }

    /// Where distances are unknown the result alone counts.
    fn by_result(&self, probing: &Probing) -> Option<Known> {
        let is_draw = self.is_draw(1, self.position.in_check());
        let result = if is_draw { Wdl::Draw } else { -probing.result(&self.position)? };
        let value = match decided(result, probing) {
            0 => self.drawn(result.signum(), 0),
            sign => Value::table_win(0) * sign,
        };
        Some(Known { rank: value.binary(), value, plies: 0 })
    }

    /// Plies to the next capture or pawn move, the root move just made among them, from the side that made it:
    /// positive for a win, negative for a loss, 0 for a draw.
    fn plies_with_move(&self, probing: &Probing) -> Option<i32> {
        let in_check = self.position.in_check();
        if self.is_draw(1, in_check) {
            return Some(0);
        }
        if self.position.halfmoves() == 0 {
            return Some(match probing.result(&self.position)? {
                Wdl::Loss => 1,
                Wdl::BlessedLoss => FIFTY_MOVES + 1,
                Wdl::Draw => 0,
                Wdl::CursedWin => -FIFTY_MOVES - 1,
                Wdl::Win => -1,
            });
        }
        let plies = -probing.distance(&self.position)?;
        let is_mate = plies == 1 && in_check && self.has_no_move();
        Some(if is_mate { 1 } else { plies + plies.signum() })
    }
}
