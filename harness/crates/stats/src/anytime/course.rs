//! The pairs of a match in the order in which they were played, as far as rules need them.

use super::effects::EffectBets;
use crate::counts::Pentanomial;

/// What a rule judges by: counts, and bets that depend on the order.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Course {
    pub counts: Pentanomial,
    pub bets: EffectBets,
}

impl Course {
    /// The next pair, by the half points of the test engine; above 4 counts as 4. Pairs that repeat
    /// earlier ones must not be added.
    pub fn add_pair(&mut self, half_points: u8) {
        self.counts.add_pair(half_points);
        self.bets.add(half_points);
    }
}
