//! Piece-square tables that history has taught (PRO-09): what did well in the last search counts a
//! little more in the evaluation of the next. Stored scores then are out of date (HSH-08).

use std::sync::Arc;

use super::heuristics::Heuristics;
use super::setup::Setup;
use super::statistics::Statistics;
use super::tt::HashTable;
use super::worker::Worker;
use crate::params::HistoryPst;
use crate::position::{Position, SquareTable};
use crate::types::{Piece, Square};

/// What is added to each man's square so far; nothing while the switch is off.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Learned {
    added: Box<[i32]>,
}

const SQUARES: usize = 64;

impl Learned {
    /// No cell is ever taught more than a hundred searches of the greatest score can teach it, which no
    /// game reaches: the paper has no limit, the sums of a position have (AMB-78).
    const MOST: i32 = 2000;

    /// Adds what the history says, to nothing or to what is there (AMB-78).
    fn learn(&mut self, rules: &HistoryPst, history: impl Fn(Piece, Square) -> i32) {
        if !rules.cumulative || self.added.is_empty() {
            self.added = vec![0; Piece::CODES * SQUARES].into_boxed_slice();
        }
        for (piece, _, _) in Piece::all() {
            for sq in Square::ALL {
                let place = (history(piece, sq) / 200 + 10).clamp(0, 21) as usize;
                let added = &mut self.added[piece.code() * SQUARES + sq as usize];
                *added = (*added + rules.table[place]).clamp(-Learned::MOST, Learned::MOST);
            }
        }
    }

    fn of(&self, piece: Piece, sq: Square) -> i32 {
        self.added.get(piece.code() * SQUARES + sq as usize).copied().unwrap_or(0)
    }
}

impl Heuristics {
    /// The table for the search to come, made of the pristine one or, where they add up over a game as the
    /// paper stores them back, of the last search's. Not when a side has little left: then the tables are the
    /// pristine ones, or those that earlier searches made where they add up.
    pub(super) fn square_table(
        &mut self,
        setup: &Setup,
        position: &Position,
        hash: &HashTable,
    ) -> Arc<SquareTable> {
        let rules = &setup.params.history_pst;
        let pristine = &setup.evaluator.table;
        if !rules.on {
            return Arc::clone(pristine);
        }
        let pieces = setup.evaluator.stage(position).pieces;
        let enough = pieces.white.min(pieces.black) > rules.least_pieces;
        let before = self.learned.clone();
        let mut learned = std::mem::take(&mut self.learned);
        if enough {
            learned.learn(rules, |piece, sq| self.piece_to(piece, sq));
        } else if !rules.cumulative {
            learned = Learned::default();
        }
        let table = pristine.with_added(|piece, sq| learned.of(piece, sq));
        self.learned = learned;
        // Scores by another table are none by this one.
        if rules.clear_hash && self.learned != before {
            hash.clear();
        }
        Arc::new(table)
    }
}

impl<S: Statistics> Worker<'_, S> {
    /// The same between two iterations, the papers' failure (PRO-10).
    pub(super) fn learn_between_iterations(&mut self) {
        let rules = &self.setup.params.history_pst;
        // A helper goes on by the table that the search began with.
        let is_helper = self.seat.as_ref().is_some_and(|seat| seat.helper().is_some());
        if rules.on && rules.each_iteration && !is_helper {
            let table = self.heuristics.square_table(self.setup, &self.position, self.hash);
            self.position.set_table(&table);
            self.plan.i_score = self.setup.evaluator.i_score(&self.position);
            self.buffers.change_table();
        }
    }
}

#[cfg(test)]
mod tests;
