//! The candidates of all games: each position once, and of too many a random choice.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use super::candidate::Candidate;

/// What became of a position that was offered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offered {
    New,
    Duplicate,
    /// The pool is full, and it or another one has gone.
    Beyond,
}

/// The `most` candidates of the lowest priorities. That is a random choice which does not depend on
/// the order of the games. Memory: about 70 bytes a candidate and two for each of its moves, whatever the number of games.
#[derive(Debug)]
pub(super) struct Pool {
    most: usize,
    candidates: BTreeMap<u64, Candidate>,
}

impl Pool {
    pub(super) fn new(most: usize) -> Pool {
        Pool { most, candidates: BTreeMap::new() }
    }

    /// Takes a candidate, unless its position is there already. Of equal ones the first offered stays.
    pub(super) fn offer(
        &mut self,
        priority: u64,
        candidate: impl FnOnce() -> Candidate,
    ) -> Offered {
        let is_full = self.candidates.len() >= self.most;
        if is_full && self.candidates.last_key_value().is_none_or(|(last, _)| priority > *last) {
            return Offered::Beyond;
        }
        match self.candidates.entry(priority) {
            Entry::Occupied(_) => return Offered::Duplicate,
            Entry::Vacant(free) => _ = free.insert(candidate()),
        }
        if is_full {
            self.candidates.pop_last();
            return Offered::Beyond;
        }
        Offered::New
    }

    pub(super) fn len(&self) -> usize {
        self.candidates.len()
    }

    /// By priority.
    pub(super) fn iter(&self) -> impl Iterator<Item = &Candidate> {
        self.candidates.values()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(game: u64) -> Candidate {
        Candidate { game, moves: Box::default() }
    }

    #[test]
    fn the_lowest_priorities_stay_whatever_their_order() {
        let priorities = [50, 10, 40, 10, 30, 20, 50, 60];
        let kept = |order: &[u64]| {
            let mut pool = Pool::new(3);
            let offered: Vec<_> =
                order.iter().map(|&one| pool.offer(one, || candidate(one))).collect();
            assert_eq!(pool.len(), 3);
            let new = offered.iter().filter(|one| **one == Offered::New).count();
            assert_eq!(new, 3);
            pool.iter().map(|one| one.game).collect::<Vec<_>>()
        };
        assert_eq!(kept(&priorities), [10, 20, 30]);
        let mut backwards = priorities;
        backwards.reverse();
        assert_eq!(kept(&backwards), [10, 20, 30]);
    }

    #[test]
    fn what_is_there_is_a_duplicate() {
        let mut pool = Pool::new(10);
        assert_eq!(pool.offer(7, || candidate(1)), Offered::New);
        assert_eq!(pool.offer(7, || candidate(2)), Offered::Duplicate);
        assert_eq!(pool.iter().next().map(|one| one.game), Some(1));
        let mut none = Pool::new(0);
        assert_eq!(none.offer(7, || candidate(1)), Offered::Beyond);
    }
}
