//! Early-opening tuning (PRO-19): a root move into a position of the table of openings gets a bonus,
//! and so does all that follows it in the tree; so do moves inside of the tree where that is wanted.

use super::statistics::Statistics;
use super::worker::Worker;
use crate::types::Value;

/// The bonus of one move: its search sees every score without it, its node with it. Mates are mates,
/// with or without.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct MoveBonus(pub(super) Value);

impl MoveBonus {
    /// A score of the move's search as its node compares it.
    #[inline]
    pub(super) fn added(self, score: Value) -> Value {
        if score.is_decided() { score } else { (score + self.0).clamp_evaluation() }
    }

    /// A bound at the node as the move's search must see it, and a score as it is reported.
    #[inline]
    pub(super) fn removed(self, score: Value) -> Value {
        if score.is_decided() { score } else { (score - self.0).clamp_evaluation() }
    }
}

impl<S: Statistics> Worker<'_, S> {
    /// The bonus of the move that has just been made.
    pub(super) fn bonus(&self) -> MoveBonus {
        let table = self.setup.opening_table();
        let worth = table.is_some_and(|table| table.contains(&self.position));
        MoveBonus(Value::new(if worth { self.setup.params.opening.bonus } else { 0 }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bonus_leaves_mates_alone() {
        let bonus = MoveBonus(Value::new(51));
        for score in [-300, 0, 7, 2_500].map(Value::new) {
            assert_eq!(bonus.added(score), score + Value::new(51));
            assert_eq!(bonus.removed(bonus.added(score)), score);
        }
        for score in [Value::mate_in(3), Value::mated_in(8), Value::INFINITE, -Value::INFINITE] {
            assert_eq!((bonus.added(score), bonus.removed(score)), (score, score));
        }
        assert!(!bonus.added(Value::MATE_BOUND - Value::new(1)).is_mate());
    }
}
