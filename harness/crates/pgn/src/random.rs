//! Random numbers whose sequence is fixed for ever: results of matches and the bytes of books
//! depend on them.
//!
//! A stream is ChaCha with 8 rounds, nonce 0, counter from 0, keyed by 32 bytes: the seed and an
//! index as little-endian `u64`, then 16 bytes naming the purpose. It is read as little-endian
//! `u32` words.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};

/// The finisher of SplitMix64: a permutation of all numbers of 64 bits. What is drawn by it is as fixed
/// as the streams.
#[must_use]
#[inline]
pub fn mix(mut bits: u64) -> u64 {
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    bits ^ (bits >> 31)
}

pub struct RandomWords(ChaCha8Rng);

impl RandomWords {
    pub fn new(purpose: &[u8; 16], seed: u64, index: u64) -> RandomWords {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&index.to_le_bytes());
        key[16..].copy_from_slice(purpose);
        RandomWords(ChaCha8Rng::from_seed(key))
    }

    /// A number below `bound`, every one equally likely; 0 when `bound` is 0.
    ///
    /// The high half of word × bound (Lemire, 2019); words whose low half falls into the
    /// incomplete first 2³² mod `bound` are dropped.
    pub fn below(&mut self, bound: u32) -> u32 {
        if bound == 0 {
            return 0;
        }
        let incomplete = bound.wrapping_neg() % bound;
        loop {
            let product = u64::from(self.0.next_u32()) * u64::from(bound);
            if product as u32 >= incomplete {
                return (product >> 32) as u32;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_below_the_bound_and_even() {
        let mut words = RandomWords::new(b"a test of evenes", 7, 0);
        let mut counts = [0u32; 6];
        for _ in 0..60_000 {
            counts[words.below(6) as usize] += 1;
        }
        // Standard deviation of each count: 91.
        assert!(counts.iter().all(|&n| n.abs_diff(10_000) < 500), "{counts:?}");
        assert_eq!(words.below(1), 0);
        assert_eq!(words.below(0), 0);
    }

    #[test]
    fn seed_index_and_purpose_each_change_the_stream() {
        let take = |purpose, seed, index| {
            let mut words = RandomWords::new(purpose, seed, index);
            [(); 8].map(|()| words.below(u32::MAX))
        };
        let first = take(b"0123456789abcdef", 1, 0);
        assert_eq!(first, take(b"0123456789abcdef", 1, 0));
        assert_ne!(first, take(b"0123456789abcdef", 2, 0));
        assert_ne!(first, take(b"0123456789abcdef", 1, 1));
        assert_ne!(first, take(b"0123456789abcdeF", 1, 0));
    }
}
