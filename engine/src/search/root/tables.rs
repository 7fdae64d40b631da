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
        // Once a position has stood before, the search has had its choice: the opponent could come back to it.
        let is_free = !self.position.has_repeated();
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::testing::{after_by, with_tables};

    /// The moves that are kept behind some others, in UCI's words and in order; and whether the tree is still
    /// looked up.
    fn kept_behind(
        fen: &str,
        moves: &[&str],
        change: impl FnOnce(&mut Probing),
    ) -> (Vec<String>, bool) {
        after_by(&with_tables(change), fen, moves, |worker, _| {
            let kept = worker.root_moves();
            let words = kept.iter().map(|root| root.mv.to_uci(false).to_string());
            (words.collect(), worker.table_men > 0)
        })
    }

    fn kept(fen: &str) -> Vec<String> {
        kept_behind(fen, &[], |_| {}).0
    }

    const ROOK: &str = "8/8/8/3k4/8/8/8/K6R w - - 0 1";

    /// What the tables tell of the moves kept.
    fn told(fen: &str, change: impl FnOnce(&mut Probing)) -> Value {
        after_by(&with_tables(change), fen, &[], |worker, _| {
            worker.root_moves()[0].table.expect("known").value
        })
    }

    #[test]
    fn only_moves_that_keep_the_result() {
        let pawn = kept("4k3/8/4K3/4P3/8/8/8/8 w - - 0 1");
        assert!(pawn == ["e6d6", "e6f6"] || pawn == ["e6f6", "e6d6"], "{pawn:?}");
        assert_eq!(kept("8/4k3/8/4K3/4P3/8/8/8 b - - 0 1").len(), 5, "lost all the same");
        assert_eq!(kept("4k3/8/8/4K3/4P3/8/8/8 b - - 0 1"), ["e8e7"], "the opposition");
        assert!(kept("8/8/8/3k4/8/8/8/K5RR w - - 0 1").len() > 20, "four men");
    }

    /// All wins in time are the search's to choose from, until a position has stood before, or time is short.
    #[test]
    fn progress() {
        let all = kept(ROOK);
        let optimal = kept("8/8/8/3k4/8/8/8/K6R w - - 70 60");
        assert!(all.len() > 10 && optimal.len() < 5, "{all:?} {optimal:?}");
        assert_eq!(all[..optimal.len()], optimal, "the quickest come first");
        let around = ["h1h2", "d5d4", "h2h1", "d4d5"];
        assert_eq!(kept_behind(ROOK, &around, |_| {}).0, optimal);
        let and_on = [&around[..], &["h1h3", "d5d4"]].concat();
        let behind = kept_behind(ROOK, &and_on, |_| {}).0;
        assert!(behind.len() < 10, "another position did: {behind:?}");
        let only_two = kept_behind(ROOK, &around[..2], |_| {}).0;
        assert!(only_two.len() > 10, "another position: {only_two:?}");
    }

    /// A win too late is a draw, for who holds out as long as can be; without the fifty-move rule it is a win.
    #[test]
    fn the_fifty_move_rule() {
        let late = "8/8/8/3k4/8/8/8/K6R w - - 90 60";
        assert_eq!(told(ROOK, |_| {}), Value::table_win(0));
        assert!(!told(late, |_| {}).is_decided() && told(late, |_| {}) > Value::ZERO);
        assert_eq!(told(late, |probing| probing.fifty_moves = false), Value::table_win(0));
        let (held, lost) = (ROOK.replace("w - - 0", "b - - 90"), ROOK.replace("w", "b"));
        assert!(!told(&held, |_| {}).is_decided() && told(&held, |_| {}) < Value::ZERO);
        assert_eq!(told(&lost, |_| {}), -Value::table_win(0));
        assert!(kept(&held).len() < kept(&lost).len(), "who is lost may choose");
    }

    /// Once the way is known by distances, the tree is searched for mates; by results alone it is not known.
    #[test]
    fn the_tree_below() {
        assert!(!kept_behind(ROOK, &[], |_| {}).1);
        assert!(kept_behind("8/8/8/3k4/8/8/8/K5RR w - - 0 1", &[], |_| {}).1);
        assert_eq!(kept_behind(ROOK, &[], |probing| probing.limit = 2).0.len(), kept(ROOK).len());
    }
}
