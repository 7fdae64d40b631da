//! The hash table: buckets of two, one that prefers depth and one that is always new (HSH-04).

use crate::memory::{filled, prefetch, touch};
use crate::types::{Depth, Move, Value};

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

/// One position: 16 bytes. Key 0 with bound 0 is empty.
#[derive(Debug, Clone, Copy, Default)]
struct TtEntry {
    key: u64,
    mv: u16,
    value: i16,
    /// Quarter plies, at most 255: deeper results claim 63 plies and three quarters.
    depth: u8,
    bound: u8,
    age: u8,
}

#[derive(Debug, Clone, Copy, Default)]
#[repr(align(32))]
struct Bucket {
    deep: TtEntry,
    new: TtEntry,
}

/// A table of positions already searched.
#[derive(Debug)]
pub(crate) struct HashTable {
    buckets: Vec<Bucket>,
    age: u8,
}

impl HashTable {
    /// See [`crate::Engine::warm`]: a table that no cache can hold is left alone.
    pub(crate) fn warm(&self) {
        const LARGEST: usize = 1 << 20;
        if size_of_val(self.buckets.as_slice()) <= LARGEST {
            touch(&self.buckets);
        }
    }

    /// A table of the size, or of the greatest half, quarter … of it that the machine has.
    pub(crate) fn new(size: HashSize) -> HashTable {
        HashTable { buckets: filled(size.0 / size_of::<Bucket>(), Bucket::default()), age: 0 }
    }

    /// Its size.
    pub(crate) fn size(&self) -> HashSize {
        HashSize(self.buckets.len() * size_of::<Bucket>())
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.buckets.fill(Bucket::default());
        self.age = 0;
    }

    /// A new search begins: what is in the table grows old.
    pub(crate) fn grow_old(&mut self) {
        self.age = self.age.wrapping_add(1);
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
        let entry = [&bucket.deep, &bucket.new].into_iter().find(|entry| entry.key == key)?;
        let bound = match entry.bound {
            1 => Bound::Upper,
            2 => Bound::Lower,
            3 => Bound::Exact,
            _ => return None,
        };
        Some(TtHit {
            mv: Move::from_bits(entry.mv),
            value: from_table(entry.value, ply),
            depth: Depth::quarters(i32::from(entry.depth)),
            bound,
        })
    }

    /// Remembers a position, `ply` plies below the root. Without a move, the one known stays; what
    /// this search found out much deeper stays, too, but for the move.
    pub(crate) fn store(&mut self, key: u64, found: TtHit, ply: usize) {
        /// Quarter plies by which a bound may be shallower than what it replaces.
        const SHALLOWER: u8 = 12;
        let (age, index) = (self.age, self.index(key));
        let Bucket { deep, new } = &mut self.buckets[index];
        let known =
            [&*deep, &*new].into_iter().find(|entry| entry.key == key).map(|entry| entry.mv);
        let mv = match found.mv.to_bits() {
            0 => known.unwrap_or(0),
            bits => bits,
        };
        let depth = found.depth.to_quarters().clamp(0, 255) as u8;
        let slot = if deep.key == key || deep.age != age || depth >= deep.depth {
            if new.key == key {
                *new = TtEntry::default();
            }
            deep
        } else {
            new
        };
        let deeper = depth.saturating_add(SHALLOWER) < slot.depth;
        if slot.key == key && slot.age == age && deeper && found.bound != Bound::Exact {
            slot.mv = mv;
            return;
        }
        let value = to_table(found.value, ply);
        *slot = TtEntry { key, mv, value, depth, bound: found.bound as u8, age };
    }

    /// How full it is of this search's entries, per mille, from a sample.
    pub(crate) fn permille(&self) -> usize {
        let sample = &self.buckets[..self.buckets.len().min(1000)];
        let ours = |entry: &TtEntry| usize::from(entry.bound != 0 && entry.age == self.age);
        let used: usize = sample.iter().map(|bucket| ours(&bucket.deep) + ours(&bucket.new)).sum();
        used * 1000 / (2 * sample.len())
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::types::MAX_PLY;

    fn found(value: Value, plies: i32) -> TtHit {
        TtHit { mv: Move::from_bits(77), value, depth: Depth::plies(plies), bound: Bound::Exact }
    }

    #[test]
    fn mates_keep_their_distance() {
        let mut table = HashTable::new(HashSize::MIN);
        for value in [Value::mate_in(9), Value::mated_in(8), Value::table_win(9), Value::new(-300)]
        {
            table.store(5, found(value, 1), 4);
            let there = table.probe(5, 4).expect("just stored");
            assert_eq!(there, found(value, 1));
            let nearer = table.probe(5, 2).expect("just stored");
            assert_eq!(nearer.value.mate().map(i32::abs), value.mate().map(|m| m.abs() - 1));
        }
        assert!(to_table(Value::mate_in(MAX_PLY), MAX_PLY) > 0);
        for sign in [1, -1] {
            let far = sign * (Value::MATE_BOUND.binary() + 3);
            assert!(from_table(far as i16, 9).is_mate(), "a mate stays one, however far");
            for ply in [0, 9, MAX_PLY] {
                let win = Value::new(sign * Value::table_win(ply).binary());
                assert_eq!(from_table(to_table(win, ply), ply), win);
                for (stored, read) in [(MAX_PLY, 0), (0, MAX_PLY)] {
                    let there = from_table(to_table(win, stored), read);
                    assert!(there.is_decided() && !there.is_mate(), "{ply} {stored} {read}");
                }
            }
        }
    }

    /// HSH-04.
    #[test]
    fn deep_stays_and_new_is_replaced() {
        let mut table = HashTable::new(HashSize::MIN);
        let same_bucket = [1, 2, 3];
        table.store(same_bucket[0], found(Value::ZERO, 9), 0);
        table.store(same_bucket[1], found(Value::ZERO, 3), 0);
        table.store(same_bucket[2], found(Value::ZERO, 2), 0);
        let known = same_bucket.map(|key| table.probe(key, 0).is_some());
        assert_eq!(known, [true, false, true]);
        table.grow_old();
        table.store(same_bucket[1], found(Value::ZERO, 1), 0);
        let known = same_bucket.map(|key| table.probe(key, 0).is_some());
        assert_eq!(known, [false, true, true], "the old deep entry gives way");
    }

    #[test]
    fn the_same_position_again() {
        let mut table = HashTable::new(HashSize::MIN);
        let bound = |plies, bound, mv| TtHit { mv, bound, ..found(Value::ZERO, plies) };
        let mv = Move::from_bits(88);
        table.store(1, found(Value::ZERO, 9), 0);
        table.store(1, bound(0, Bound::Upper, mv), 0);
        let known = table.probe(1, 0).expect("stored");
        assert_eq!((known.depth, known.mv), (Depth::plies(9), mv), "the move alone is new");
        table.store(1, bound(7, Bound::Lower, Move::NONE), 0);
        let known = table.probe(1, 0).expect("stored");
        assert_eq!((known.depth, known.mv), (Depth::plies(7), mv), "almost as deep");
        table.grow_old();
        table.store(1, bound(0, Bound::Upper, Move::NONE), 0);
        let known = table.probe(1, 0).expect("stored");
        assert_eq!((known.depth, known.mv), (Depth::ZERO, mv), "an older search's");
        table.store(2, found(Value::ZERO, 9), 0);
        table.store(3, bound(2, Bound::Lower, mv), 0);
        table.store(3, bound(12, Bound::Upper, Move::NONE), 0);
        assert_eq!(
            table.probe(3, 0).map(|known| known.mv),
            Some(mv),
            "from one place to the other"
        );
    }

    #[test]
    fn an_empty_table_knows_nothing() {
        let table = HashTable::new(HashSize::from_bytes(1));
        assert_eq!(size_of::<Bucket>(), 32);
        assert!(table.probe(0, 0).is_none() && table.probe(u64::MAX, 0).is_none());
        assert_eq!(table.permille(), 0);
    }
}
