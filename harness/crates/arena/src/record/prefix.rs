//! What counts: the longest gap-free prefix of pairs in schedule order.
//!
//! Counting games as they finish, short ones first, would favour results that come quickly; so a
//! pair counts once all pairs before it are finished. A resumed run feeds its recorded games in
//! whatever order the journal has them.

use std::collections::BTreeMap;

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("pair {0} is finished already")]
pub struct DuplicatePair(pub u64);

/// Holds finished pairs back until all pairs before them are finished.
#[derive(Debug, Clone)]
pub struct Prefix<T> {
    next: u64,
    waiting: BTreeMap<u64, T>,
}

impl<T> Default for Prefix<T> {
    fn default() -> Prefix<T> {
        Prefix { next: 0, waiting: BTreeMap::new() }
    }
}

impl<T> Prefix<T> {
    /// Adds a finished pair and returns the pairs that became contiguous by it, in order. After
    /// [`DuplicatePair`] nothing has changed. O(log w) for w waiting pairs, amortised.
    pub fn add(&mut self, pair: u64, value: T) -> Result<Vec<(u64, T)>, DuplicatePair> {
        if pair < self.next || self.waiting.contains_key(&pair) {
            return Err(DuplicatePair(pair));
        }
        if pair > self.next {
            self.waiting.insert(pair, value);
            return Ok(Vec::new());
        }
        let mut ready = vec![(pair, value)];
        self.next += 1;
        while let Some(entry) = self.waiting.first_entry()
            && *entry.key() == self.next
        {
            ready.push(entry.remove_entry());
            self.next += 1;
        }
        Ok(ready)
    }

    pub fn len(&self) -> u64 {
        self.next
    }

    pub fn is_empty(&self) -> bool {
        self.next == 0
    }

    /// The finished pairs beyond the first gap, in order.
    pub fn waiting(&self) -> impl Iterator<Item = (u64, &T)> {
        self.waiting.iter().map(|(&pair, value)| (pair, value))
    }
}

/// Joins the two games of a pair, whichever finishes first.
#[derive(Debug, Clone)]
pub struct PairJoiner<T> {
    unpaired: BTreeMap<u64, T>,
}

impl<T> Default for PairJoiner<T> {
    fn default() -> PairJoiner<T> {
        PairJoiner { unpaired: BTreeMap::new() }
    }
}

impl<T> PairJoiner<T> {
    /// Returns both games of a pair, the lower number first, once both are here. A game that is
    /// here already is replaced.
    pub fn add(&mut self, game: u64, value: T) -> Option<[T; 2]> {
        match self.unpaired.remove(&(game ^ 1)) {
            Some(partner) if game & 1 == 0 => Some([value, partner]),
            Some(partner) => Some([partner, value]),
            None => {
                self.unpaired.insert(game, value);
                None
            }
        }
    }

    /// In order of their numbers.
    pub fn unpaired(&self) -> impl Iterator<Item = (u64, &T)> {
        self.unpaired.iter().map(|(&game, value)| (game, value))
    }
}
