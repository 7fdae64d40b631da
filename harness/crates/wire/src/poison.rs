//! Chunks that kill their workers: what takes machine after machine down is not given to others for ever.

use std::collections::BTreeMap;

use crate::names::WorkerName;

/// A chunk is poison after so many of its holders died.
pub const DEATHS: usize = 4;

/// Workers that vanished while they played a chunk, by its first pair. Who leaves in good order has not
/// died.
#[derive(Debug, Default)]
pub struct Poison(BTreeMap<u64, Vec<WorkerName>>);

impl Poison {
    /// Returns who has died of the chunk that begins at `first` if that is poison by this death. Only
    /// once.
    pub fn died(&mut self, first: u64, worker: &WorkerName) -> Option<&[WorkerName]> {
        let deaths = self.0.entry(first).or_default();
        deaths.push(worker.clone());
        (deaths.len() == DEATHS).then_some(deaths)
    }

    /// Those of a chunk.
    pub fn deaths(&self, first: u64) -> &[WorkerName] {
        self.0.get(&first).map_or(&[], Vec::as_slice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn four_deaths_of_one_chunk_are_poison() {
        let mut poison = Poison::default();
        let names: Vec<WorkerName> =
            ["a.1", "a.2", "a.1", "b.1", "c.1"].map(|name| name.parse().unwrap()).into();
        let died: Vec<usize> =
            names.iter().map(|name| poison.died(4, name).map_or(0, <[_]>::len)).collect();
        assert_eq!(died, [0, 0, 0, 4, 0]);
        assert_eq!(poison.died(5, &names[0]), None);
        assert_eq!((poison.deaths(4).len(), poison.deaths(5).len()), (5, 1));
        assert!(poison.deaths(6).is_empty());
    }
}
