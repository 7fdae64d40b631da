//! Chunks that kill their workers. An engine that brings its machine down has a fault; the chunk is
//! not handed out for ever.

use std::collections::BTreeMap;

use arena::record::Side;

use crate::message::Playing;
use crate::names::WorkerName;

/// A chunk is poison after so many of its holders died.
pub const DEATHS: usize = 4;
/// So many of them must name the same side as thinking for it to be charged.
const NAMED: usize = 3;

/// A worker that vanished while it held a chunk. Leaving in good order is not a death.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Death {
    pub worker: WorkerName,
    /// Games under way in its last beat.
    pub playing: Vec<Playing>,
}

/// Deaths by chunk.
#[derive(Debug, Default)]
pub struct Poison {
    /// By the chunk's first pair.
    deaths: BTreeMap<u64, Vec<Death>>,
}

impl Poison {
    /// Notes a death. Returns whether it makes the chunk that begins at `first` poison; then the
    /// coordinator plays it itself. True only once.
    pub fn died(&mut self, first: u64, death: Death) -> bool {
        let deaths = self.deaths.entry(first).or_default();
        deaths.push(death);
        deaths.len() == DEATHS
    }

    /// Whether a chunk whose deliveries are used up is to be given up: only if a holder died.
    /// Workers that leave in good order use up deliveries, too.
    pub fn is_given_up(&self, first: u64) -> bool {
        self.deaths(first) > 0
    }

    /// Number of holders of this chunk that died.
    pub fn deaths(&self, first: u64) -> usize {
        self.deaths.get(&first).map_or(0, Vec::len)
    }

    /// The side that is charged with a game of a poisoned chunk: the one that was thinking at three
    /// of the last four deaths. `None`: neither; the game is void.
    pub fn charged(&self, first: u64, game: u64) -> Option<Side> {
        let deaths = self.deaths.get(&first)?;
        let last = deaths.iter().rev().take(DEATHS);
        let thinking = last.filter_map(|death| {
            let playing = death.playing.iter().find(|playing| playing.game == game);
            playing.map(|playing| playing.to_move)
        });
        let thinking: Vec<Side> = thinking.collect();
        let names = |side: Side| thinking.iter().filter(|named| **named == side).count() >= NAMED;
        [Side::Base, Side::Test].into_iter().find(|side| names(*side))
    }

    /// The chunk is recorded; forget it.
    pub fn done(&mut self, first: u64) {
        self.deaths.remove(&first);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn death(worker: &str, thinking: Option<Side>) -> Death {
        let playing = thinking.map(|to_move| Playing { game: 8, plies: 3, to_move });
        Death { worker: worker.parse().unwrap(), playing: playing.into_iter().collect() }
    }

    #[test]
    fn four_deaths_are_poison_and_the_one_who_thought_is_charged() {
        let mut poison = Poison::default();
        assert!(!poison.is_given_up(4));
        let thinking = [None, Some(Side::Test), Some(Side::Test), Some(Side::Test)];
        let died = thinking.map(|side| poison.died(4, death("a.1", side)));
        assert_eq!(died, [false, false, false, true]);
        assert!(!poison.died(4, death("b.1", None)));
        assert!(poison.is_given_up(4) && !poison.is_given_up(5));
        assert_eq!(poison.charged(4, 8), Some(Side::Test));
        assert_eq!((poison.charged(4, 9), poison.charged(5, 8)), (None, None));
        poison.done(4);
        assert_eq!(poison.deaths(4), 0);
    }

    #[test]
    fn nobody_is_charged_where_the_last_beats_disagree() {
        let mut poison = Poison::default();
        for side in [Side::Test, Side::Test, Side::Test, Side::Base, Side::Base] {
            poison.died(4, death("a.1", Some(side)));
        }
        // Of the last four, two name each side.
        assert_eq!(poison.charged(4, 8), None);
        poison.died(4, death("a.1", Some(Side::Base)));
        assert_eq!(poison.charged(4, 8), Some(Side::Base));
    }
}
