//! Chunks that kill their workers: what takes machine after machine down is not given to others for ever.

use std::collections::{BTreeMap, BTreeSet};

use crate::names::{Label, WorkerName};

/// A chunk is poison after so many of its holders died. Where machines of other invitations play, these are
/// not all of one: whoever has it could take chunks from everybody, by machines that seem to die.
pub const DEATHS: usize = 4;

/// Workers that vanished while they played a chunk, by its first pair. Who leaves in good order has not
/// died.
#[derive(Debug, Default)]
pub struct Poison {
    deaths: BTreeMap<u64, Vec<WorkerName>>,
    poison: BTreeSet<u64>,
}

impl Poison {
    /// Whether the chunk that begins at `first` is poison by this death. Only once. `present`: workers that
    /// play the run.
    pub fn died<'a>(
        &mut self,
        first: u64,
        worker: &WorkerName,
        present: impl Iterator<Item = &'a WorkerName>,
    ) -> bool {
        let deaths = self.deaths.entry(first).or_default();
        deaths.push(worker.clone());
        let dead: BTreeSet<&Label> = deaths.iter().map(|dead| &dead.name).collect();
        let is_of_all = dead.len() > 1 || present.map(|it| &it.name).all(|it| dead.contains(it));
        deaths.len() >= DEATHS && is_of_all && self.poison.insert(first)
    }

    /// Those of a chunk.
    pub fn deaths(&self, first: u64) -> &[WorkerName] {
        self.deaths.get(&first).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> WorkerName {
        text.parse().unwrap()
    }

    fn died(poison: &mut Poison, first: u64, by: &str, present: &[&str]) -> bool {
        let present: Vec<WorkerName> = present.iter().map(|it| name(it)).collect();
        poison.died(first, &name(by), present.iter())
    }

    #[test]
    fn four_deaths_of_one_chunk_are_poison() {
        let mut poison = Poison::default();
        let found =
            ["a.1", "a.2", "a.1", "b.1", "c.1"].map(|by| died(&mut poison, 4, by, &["d.1"]));
        assert_eq!(found, [false, false, false, true, false]);
        assert!(!died(&mut poison, 5, "a.1", &[]));
        assert_eq!((poison.deaths(4).len(), poison.deaths(5).len()), (5, 1));
        assert!(poison.deaths(6).is_empty());
    }

    #[test]
    fn one_invitation_takes_no_chunk_from_others() {
        let mut poison = Poison::default();
        for number in 1..10 {
            assert!(!died(&mut poison, 0, &format!("eve.{number}"), &["eve.20", "bob.1"]));
        }
        assert!(died(&mut poison, 0, "bob.1", &["eve.20", "bob.1"]));
        // Where nobody else is, four are enough.
        let found = [1, 2, 3, 4].map(|_| died(&mut poison, 1, "eve.1", &["eve.20"]));
        assert_eq!(found, [false, false, false, true]);
    }
}
