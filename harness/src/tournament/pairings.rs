//! Who plays whom.

use std::fmt;
use std::num::NonZeroUsize;

use serde::{Deserialize, Serialize};

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TournamentKind {
    /// Everybody against everybody.
    RoundRobin,
    /// The first so many players against all the others, not against each other.
    Gauntlet { seeds: NonZeroUsize },
}

impl TournamentKind {
    /// The pairings of so many players, by their numbers from 0: test and base. The earlier player
    /// is test, so that all Elo of a gauntlet are its first player's.
    pub fn pairings(self, players: usize) -> Vec<(usize, usize)> {
        let all = (0..players).flat_map(|test| (test + 1..players).map(move |base| (test, base)));
        match self {
            TournamentKind::RoundRobin => all.collect(),
            TournamentKind::Gauntlet { seeds } => {
                all.filter(|&(test, base)| test < seeds.get() && base >= seeds.get()).collect()
            }
        }
    }
}

impl fmt::Display for TournamentKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TournamentKind::RoundRobin => f.write_str("round robin"),
            TournamentKind::Gauntlet { seeds } => write!(f, "gauntlet of the first {seeds}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_meets_as_the_kind_says() {
        let gauntlet =
            |seeds| TournamentKind::Gauntlet { seeds: NonZeroUsize::new(seeds).unwrap() };
        assert_eq!(TournamentKind::RoundRobin.pairings(3), [(0, 1), (0, 2), (1, 2)]);
        assert_eq!(TournamentKind::RoundRobin.pairings(10).len(), 45);
        assert_eq!(gauntlet(1).pairings(4), [(0, 1), (0, 2), (0, 3)]);
        assert_eq!(gauntlet(2).pairings(4), [(0, 2), (0, 3), (1, 2), (1, 3)]);
        assert_eq!(gauntlet(4).pairings(4), []);
    }
}
