//! Results of recorded games for a tuner.

use std::collections::HashMap;
use std::path::Path;

use arena::record::{GameRecord, Games, RecordError};

/// Half points of an even pair.
const EVEN: u8 = 2;

/// Half points by game number.
#[derive(Debug, Default)]
pub(super) struct Points(HashMap<u64, Option<u8>>);

impl Points {
    /// From the journal of `dir`.
    pub(super) fn recorded(dir: &Path) -> Result<Points, RecordError> {
        let mut points = Points::default();
        for game in Games::open(dir)? {
            points.add(&game?);
        }
        Ok(points)
    }

    pub(super) fn add(&mut self, record: &GameRecord) {
        let shown = (!record.termination.is_void()).then(|| record.test_half_points());
        self.0.insert(record.game, shown);
    }

    pub(super) fn has(&self, game: u64) -> bool {
        self.0.contains_key(&game)
    }

    /// The numbers of all games.
    pub(super) fn games(&self) -> impl Iterator<Item = u64> + '_ {
        self.0.keys().copied()
    }

    /// The half points of the test player in a pair of games, 0 to 4; `None` when a game is
    /// missing. A pair with a game that says nothing of the players counts as even.
    pub(super) fn of_pair(&self, pair: u64) -> Option<u8> {
        let [first, second] = [2 * pair, 2 * pair + 1].map(|game| self.0.get(&game).copied());
        let (first, second) = (first?, second?);
        Some(first.zip(second).map_or(EVEN, |(first, second)| first + second))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::record::{Termination, sample};

    #[test]
    fn a_pair_that_the_harness_spoilt_is_even() {
        let mut points = Points::default();
        let won = GameRecord { game: 6, ..sample(6) };
        points.add(&won);
        assert!(points.has(6) && !points.has(7));
        assert_eq!(points.of_pair(3), None);
        points.add(&GameRecord { game: 7, ..won.clone() });
        assert_eq!(points.of_pair(3), Some(2 * won.test_half_points()));
        let spoilt = GameRecord { game: 7, termination: Termination::LateHarness, ..won };
        points.add(&spoilt);
        assert_eq!(points.of_pair(3), Some(EVEN));
    }
}
