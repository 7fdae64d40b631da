//! The hash table: buckets of two, one that prefers depth and one that is always new (HSH-04). All threads
//! of a search share it.
//!
//! - `entry`: one position, read and written without locks.

mod entry;
#[cfg(test)]
mod tests;

use std::sync::atomic::{AtomicU8, Ordering::Relaxed};

use crate::memory::{filled, prefetch, touch_by};
use crate::types::{Depth, Move, Value};
use entry::{Knowledge, TtEntry};

/// The size of an engine's hash tables, from 64 KiB on: seven eighths for positions searched, 64 KiB
/// at the least, and one for evaluations.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct HashSize(usize);

impl HashSize {
    /// The smallest table.
    pub const MIN: HashSize = HashSize(64 << 10);

    /// What users get who do not ask, MiB.
    pub const DEFAULT_MIB: usize = 16;

    /// The most that users may ask for, MiB.
    pub const MAX_MIB: usize = 1 << 16;

    /// A size in bytes, raised to [`HashSize::MIN`] and rounded down to whole buckets.
    #[must_use]
    pub fn from_bytes(bytes: usize) -> HashSize {
        HashSize(bytes.max(HashSize::MIN.0) / size_of::<Bucket>() * size_of::<Bucket>())
    }

    /// A size in MiB.
    #[must_use]
    pub fn from_mib(mib: usize) -> HashSize {
        HashSize::from_bytes(mib << 20)
    }

    /// What of it goes to positions searched.
    pub(crate) fn table(self) -> HashSize {
        HashSize::from_bytes(self.0 - self.evaluations())
    }

    /// What of it goes to evaluations met before, bytes.
    pub(crate) fn evaluations(self) -> usize {
        self.0 / 8
    }

    /// The size in bytes.
    #[must_use]
    pub fn bytes(self) -> usize {
        self.0
    }
}

/// How a value bounds the true one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most this.
    Upper = 1,
    /// The true value is at least this.
    Lower = 2,
    /// The true value.
    Exact = 3,
}

/// What the table knows of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct TtHit {
    pub(crate) mv: Move,
    /// From the side to move, mates counted from the probing ply's root.
    pub(crate) value: Value,
    pub(crate) depth: Depth,
    pub(crate) bound: Bound,
}

impl TtHit {
    /// The value, if the entry is deep enough and its bound settles the window.
    #[inline]
    pub(crate) fn cutoff(&self, alpha: Value, beta: Value, depth: Depth) -> Option<Value> {
        let settles = match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        };
        (settles && self.depth >= depth).then_some(self.value)
    }
}

#[derive(Debug, Default)]
#[repr(align(32))]
struct Bucket {
    deep: TtEntry,
    new: TtEntry,
}

/// A table of positions already searched.
#[derive(Debug)]
pub(crate) struct HashTable {
    buckets: Vec<Bucket>,
    age: AtomicU8,
}

impl HashTable {
    /// See [`crate::Engine::warm`]: a table that no cache can hold is left alone.
    pub(crate) fn warm(&self) {
        const LARGEST: usize = 1 << 20;
        if size_of_val(self.buckets.as_slice()) <= LARGEST {
            touch_by(&self.buckets, |bucket| bucket.deep.read());
        }
    }

    /// A table of the size, or of the greatest half, quarter … of it that the machine has.
    pub(crate) fn new(size: HashSize) -> HashTable {
        let buckets = filled(size.0 / size_of::<Bucket>(), Bucket::default);
        HashTable { buckets, age: AtomicU8::new(0) }
    }

    /// Its size.
    pub(crate) fn size(&self) -> HashSize {
        HashSize(self.buckets.len() * size_of::<Bucket>())
    }

    /// Forgets everything.
    pub(crate) fn clear(&self) {
        for bucket in &self.buckets {
            bucket.deep.clear();
            bucket.new.clear();
        }
        self.age.store(0, Relaxed);
    }

    /// A new search begins: what is in the table grows old.
    pub(crate) fn grow_old(&self) {
        self.age.fetch_add(1, Relaxed);
    }

    #[inline]
    fn index(&self, key: u64) -> usize {
        ((u128::from(key) * self.buckets.len() as u128) >> 64) as usize
    }

    /// A position will be asked for soon.
    #[inline]
    pub(crate) fn prefetch(&self, key: u64) {
        prefetch(&self.buckets[self.index(key)]);
    }

    /// What is known of a position, `ply` plies below the root.
    #[inline]
    pub(crate) fn probe(&self, key: u64, ply: usize) -> Option<TtHit> {
        let bucket = &self.buckets[self.index(key)];
        let (of, mut known) = bucket.deep.read();
        if of != key {
            let (of, newer) = bucket.new.read();
            if of != key {
                return None;
            }
            known = newer;
        }
        let bound = known.bound()?;
        Some(TtHit {
            mv: Move::from_bits(known.mv()),
            value: from_table(known.value(), ply),
            depth: Depth::quarters(i32::from(known.depth())),
            bound,
        })
    }

    /// Remembers a position, `ply` plies below the root. Without a move, the one known stays; what
    /// was found out much deeper, in this search or an earlier one, stays, too, but for the move.
    pub(crate) fn store(&self, key: u64, found: TtHit, ply: usize) {
        /// Quarter plies by which a bound may be shallower than what it replaces.
        const SHALLOWER: u8 = 12;
        let (age, bucket) = (self.age.load(Relaxed), &self.buckets[self.index(key)]);
        let [deep, new] = [bucket.deep.read(), bucket.new.read()];
        let mv = match found.mv.to_bits() {
            0 if deep.0 == key => deep.1.mv(),
            0 if new.0 == key => new.1.mv(),
            bits => bits,
        };
        let depth = found.depth.to_quarters().clamp(0, 255) as u8;
        let is_deep = deep.0 == key || deep.1.age() != age || depth >= deep.1.depth();
        let (entry, (of, before)) = if is_deep {
            if new.0 == key {
                bucket.new.clear();
            }
            (&bucket.deep, deep)
        } else {
            (&bucket.new, new)
        };
        let deeper = depth.saturating_add(SHALLOWER) < before.depth();
        let stays = of == key && deeper && found.bound != Bound::Exact;
        let knowledge = if stays {
            before.with_mv(mv).with_age(age)
        } else {
            Knowledge::new(mv, to_table(found.value, ply), depth, found.bound, age)
        };
        entry.write(key, knowledge);
    }

    /// How full it is of this search's entries, per mille, from a sample.
    pub(crate) fn permille(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let age = self.age.load(Relaxed);
        let is_ours = |(_, known): (u64, Knowledge)| known.bound().is_some() && known.age() == age;
        let entries = sample.iter().flat_map(|bucket| [&bucket.deep, &bucket.new]);
        entries.filter(|entry| is_ours(entry.read())).count() * 1000 / (2 * sample.len())
    }
}

/// Mates, and wins that a tablebase knows, are stored as counted from the position itself. One that lies beyond
/// the longest line, counted from the root, is still a mate, of the longest; and neither becomes the other.
fn to_table(value: Value, ply: usize) -> i16 {
    if !value.is_decided() {
        return value.binary() as i16;
    }
    let (sign, size) = parts(value);
    let nearest = if value.is_mate() { i32::MAX } else { Value::table_win(0).binary() };
    (sign * (size + ply as i32).min(nearest)) as i16
}

fn from_table(stored: i16, ply: usize) -> Value {
    let value = Value::new(i32::from(stored));
    if !value.is_decided() {
        return value;
    }
    let (sign, size) = parts(value);
    let furthest = if value.is_mate() { Value::MATE_BOUND } else { Value::TABLE_BOUND };
    Value::new(sign * (size - ply as i32).max(furthest.binary()))
}

fn parts(value: Value) -> (i32, i32) {
    let binary = value.binary();
    (binary.signum(), binary.abs())
}
