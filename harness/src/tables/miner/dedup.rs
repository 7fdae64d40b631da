//! Games that were there before.

use std::collections::HashSet;
use std::sync::Mutex;

use crate::tables::replay::Change;

/// Sets that are locked one by one, so that threads seldom wait for each other.
const SHARDS: usize = 64;

/// A game's moves as 128 bits. Two different games have the same ones with a probability of
/// n² / 2^129: for ten million games 10^-25.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(in crate::tables) struct Fingerprint(u64, u64);

impl Fingerprint {
    /// Of a start position.
    pub(super) fn begin(fen: &[u8]) -> Fingerprint {
        let mut print = Fingerprint(0, !0);
        for part in fen.chunks(8) {
            let mut word = [0; 8];
            word[..part.len()].copy_from_slice(part);
            print.mix(u64::from_le_bytes(word));
        }
        print
    }

    /// Half of it.
    pub(super) fn word(self) -> u64 {
        self.0
    }

    /// With a move more.
    #[inline]
    pub(super) fn play(&mut self, change: &Change) {
        let word = u64::from(u32::from(change.from))
            | u64::from(u32::from(change.to)) << 8
            | u64::from(change.becomes) << 16;
        self.mix(word);
    }

    /// With any number more.
    #[inline]
    pub(super) fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
        self.1 = (self.1.rotate_left(23) ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.1 ^= self.1 >> 32;
    }
}

/// The games that were counted, by fingerprint: 16 bytes each and a byte of the set's own, times
/// the room that a growing set keeps free.
#[derive(Debug)]
pub(in crate::tables) struct Seen {
    shards: Vec<Mutex<HashSet<Fingerprint>>>,
}

impl Seen {
    /// Those of an earlier part of the run.
    pub(in crate::tables) fn new(earlier: &[[u64; 2]]) -> Seen {
        let mut shards = vec![HashSet::new(); SHARDS];
        for &[a, b] in earlier {
            let print = Fingerprint(a, b);
            shards[shard(print)].insert(print);
        }
        Seen { shards: shards.into_iter().map(Mutex::new).collect() }
    }

    /// Whether a game is the first of its kind. Which of several that are read at once, makes no
    /// difference to any count: they are equal.
    pub(super) fn is_new(&self, print: Fingerprint) -> bool {
        let mut set = match self.shards[shard(print)].lock() {
            Ok(set) => set,
            Err(poisoned) => poisoned.into_inner(),
        };
        set.insert(print)
    }

    /// All of them, ascending.
    pub(in crate::tables) fn into_sorted(self) -> Vec<[u64; 2]> {
        let sets = self.shards.into_iter().map(|set| match set.into_inner() {
            Ok(set) => set,
            Err(poisoned) => poisoned.into_inner(),
        });
        let mut all: Vec<[u64; 2]> = sets.flatten().map(|Fingerprint(a, b)| [a, b]).collect();
        all.sort_unstable();
        all
    }
}

fn shard(print: Fingerprint) -> usize {
    (print.0 >> 58) as usize % SHARDS
}
