//! Results that are not believed from one worker alone: games that it could not play, and, at node
//! and depth limits, faults. A real fault happens on every machine. Otherwise one bad machine could
//! charge players with its own faults, and stop the run.

use std::collections::BTreeMap;

use arena::record::GameRecord;
use wire::names::{Label, WorkerName};

/// The same invitation is believed at the third time: there may be no other worker.
const INSISTED: usize = 3;

#[derive(Debug)]
pub(super) struct Doubts {
    /// Whether the same players always play the same game.
    repeats_itself: bool,
    /// Who has sent such a result, by pair.
    brought: BTreeMap<u64, Vec<Label>>,
}

impl Doubts {
    pub(super) fn new(repeats_itself: bool) -> Doubts {
        Doubts { repeats_itself, brought: BTreeMap::new() }
    }

    pub(super) fn must_be_seen_twice(&self, game: &GameRecord) -> bool {
        // With a clock, a replay is another game.
        game.termination.is_void() || self.repeats_itself && game.termination.is_fault()
    }

    /// Whether such a result of a pair is believed, now that `worker` sends it.
    pub(super) fn is_believed(&mut self, pair: u64, worker: &WorkerName) -> bool {
        let brought = self.brought.entry(pair).or_default();
        brought.push(worker.name.clone());
        let is_believed =
            brought.len() >= INSISTED || brought.iter().any(|name| *name != worker.name);
        if is_believed {
            self.brought.remove(&pair);
        }
        is_believed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_names_or_three_times() {
        let [alice, alice2, bob] =
            ["alice.1", "alice.2", "bob.1"].map(|name| name.parse::<WorkerName>().unwrap());
        let mut doubts = Doubts::new(true);
        assert!(!doubts.is_believed(1, &alice) && !doubts.is_believed(1, &alice2));
        assert!(!doubts.is_believed(2, &alice) && doubts.is_believed(2, &bob));
        assert!(doubts.is_believed(1, &alice));
    }
}
