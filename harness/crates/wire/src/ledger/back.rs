//! What is taken back: games that were struck, chunks of workers that may not play, and those that
//! nobody is to play.

use super::Ledger;
use super::open::{Open, Place};
use crate::chunk::Chunk;

impl Ledger {
    /// What was recorded of these pairs counts for nothing any more, and is handed out again.
    pub fn strike(&mut self, pairs: &[u64]) {
        let first = pairs.iter().copied().min().unwrap_or(u64::MAX).min(self.prefix);
        self.beyond.extend(2 * first..2 * self.prefix);
        self.prefix = first;
        for &pair in pairs {
            let was_recorded = !self.is_missing(pair);
            self.beyond.remove(&(2 * pair));
            self.beyond.remove(&(2 * pair + 1));
            if !was_recorded {
                continue;
            }
            self.finished -= 1;
            let number = self.split.number_of(pair);
            self.front = self.front.min(number);
            match self.open.get_mut(&number) {
                // Who has it does not know that it is to play this, too.
                Some(open) => {
                    open.left += 1;
                    open.wait();
                }
                None => _ = self.open_at(number, self.first_round),
            }
        }
    }

    /// A worker that has a chunk may not play it: it is given to others.
    pub fn refuse(&mut self, first: u64) {
        if let Some(open) = self.open.get_mut(&self.split.number_of(first)) {
            open.wait();
        }
    }

    /// Nobody is given this chunk any more: it kills its workers. What comes of it is recorded all the
    /// same.
    pub fn poison(&mut self, first: u64) {
        if let Some(open) = self.open_at(self.split.number_of(first), self.first_round) {
            open.place = Place::Poisoned;
        }
    }

    pub fn is_poisoned(&self, first: u64) -> bool {
        let open = self.open.get(&self.split.number_of(first));
        open.is_some_and(|open| open.place == Place::Poisoned)
    }

    /// The chunks that nobody is given.
    pub fn poisoned(&self) -> impl Iterator<Item = Chunk> {
        let poisoned = self.open.values().filter(|open| open.place == Place::Poisoned);
        poisoned.map(|open| open.chunk)
    }

    /// Whether nothing is missing but what nobody is given. What comes after the limit will never be
    /// known where that is missing before it.
    pub fn is_exhausted(&mut self) -> bool {
        let front = self.front();
        let mut known = self.open.range(..self.limit).map(|(_, open)| open);
        self.split.at(front).is_none()
            || front >= self.limit && known.any(|open| open.place == Place::Poisoned)
    }

    /// The first chunk of which anything is missing that is not poisoned.
    pub(super) fn front(&mut self) -> u64 {
        self.front = self.front.max(self.split.number_of(self.prefix));
        while let Some(chunk) = self.split.at(self.front) {
            let is_passed = match self.open.get(&self.front) {
                Some(Open { place, .. }) => *place == Place::Poisoned,
                None => self.missing(chunk).is_empty(),
            };
            if !is_passed {
                break;
            }
            self.front += 1;
        }
        self.front
    }
}
