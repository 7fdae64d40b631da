//! One position of the hash table, which all threads read and write at once without locks.
//!
//! The two words of an entry are written one after the other, and each thread may see the writes of another
//! in any order. The first word is the key xor the second: where the two are of different writes, the
//! entry is that of no position that anybody asks for, but for a chance of one in 2⁶⁴ (Hyatt and Mann,
//! "A lock-less transposition table implementation for parallel search", 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::Bound;

/// What is known of a position, in one word. All zero: nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Knowledge(u64);

impl Knowledge {
    /// Depth in quarter plies.
    #[inline]
    pub(super) fn new(mv: u16, value: i16, depth: u8, bound: Bound, age: u8) -> Knowledge {
        let [value, depth, bound, age] = [
            u64::from(value.cast_unsigned()) << 16,
            u64::from(depth) << 32,
            (bound as u64) << 40,
            u64::from(age) << 48,
        ];
        Knowledge(u64::from(mv) | value | depth | bound | age)
    }

    #[inline]
    pub(super) fn mv(self) -> u16 {
        self.0 as u16
    }

    #[inline]
    pub(super) fn with_mv(self, mv: u16) -> Knowledge {
        Knowledge(self.0 & !0xffff | u64::from(mv))
    }

    #[inline]
    pub(super) fn value(self) -> i16 {
        (self.0 >> 16) as i16
    }

    #[inline]
    pub(super) fn depth(self) -> u8 {
        (self.0 >> 32) as u8
    }

    #[inline]
    pub(super) fn with_age(self, age: u8) -> Knowledge {
        Knowledge(self.0 & !(0xff << 48) | u64::from(age) << 48)
    }

    /// `None` where nothing is known.
    #[inline]
    pub(super) fn bound(self) -> Option<Bound> {
        match (self.0 >> 40) as u8 {
            1 => Some(Bound::Upper),
            2 => Some(Bound::Lower),
            3 => Some(Bound::Exact),
            _ => None,
        }
    }

    #[inline]
    pub(super) fn age(self) -> u8 {
        (self.0 >> 48) as u8
    }
}

/// One position: 16 bytes. Key 0 with nothing known is empty.
#[derive(Debug, Default)]
pub(super) struct TtEntry {
    /// The key xor the other word.
    check: AtomicU64,
    knowledge: AtomicU64,
}

impl TtEntry {
    /// The key and what is known of its position; a key that nobody has where another thread is just
    /// writing.
    #[inline]
    pub(super) fn read(&self) -> (u64, Knowledge) {
        let knowledge = self.knowledge.load(Relaxed);
        (self.check.load(Relaxed) ^ knowledge, Knowledge(knowledge))
    }

    #[inline]
    pub(super) fn write(&self, key: u64, knowledge: Knowledge) {
        self.check.store(key ^ knowledge.0, Relaxed);
        self.knowledge.store(knowledge.0, Relaxed);
    }

    #[inline]
    pub(super) fn clear(&self) {
        self.write(0, Knowledge(0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_is_unpacked() {
        for (mv, value, depth, bound, age) in [
            (0, 0, 0, Bound::Upper, 0),
            (u16::MAX, -1, u8::MAX, Bound::Exact, u8::MAX),
            (77, i16::MIN, 3, Bound::Lower, 200),
            (1, i16::MAX, 128, Bound::Exact, 1),
        ] {
            let known = Knowledge::new(mv, value, depth, bound, age);
            let unpacked = (known.mv(), known.value(), known.depth(), known.bound(), known.age());
            assert_eq!(unpacked, (mv, value, depth, Some(bound), age));
            let other = known.with_mv(!mv);
            assert_eq!((other.mv(), other.with_mv(mv)), (!mv, known));
        }
        assert_eq!(Knowledge(0).bound(), None);
    }

    /// Every way in which the writes of threads can mix: as each word is written whole and in no
    /// certain order, a reader sees any of the first words beside any of the second. It must take
    /// none of the mixtures for something that was written.
    #[test]
    fn no_reader_takes_a_mixture_for_an_entry() {
        let known = |mv, depth| Knowledge::new(mv, -30, depth, Bound::Lower, 7);
        let written = [
            (0, Knowledge(0)),
            (0x1234_5678_9abc_def0, known(77, 9)),
            (0x1234_5678_9abc_def0, known(77, 10)),
            (0x1234_5678_9abc_def0, known(78, 9)),
            (0xfedc_ba98_7654_3210, known(77, 9)),
            (0xfedc_ba98_7654_3210, known(12, 40)),
            (1, known(1, 1)),
        ];
        let words = written.map(|(key, knowledge)| {
            let entry = TtEntry::default();
            entry.write(key, knowledge);
            (entry.check.into_inner(), entry.knowledge.into_inner())
        });
        let mut mixtures = 0;
        for (first, (check, _)) in words.into_iter().enumerate() {
            for (second, (_, knowledge)) in words.into_iter().enumerate() {
                let seen = TtEntry { check: check.into(), knowledge: knowledge.into() };
                let (key, known) = seen.read();
                let is_asked_for = written.iter().any(|&(asked, _)| asked == key);
                if first == second {
                    assert_eq!((key, known), written[first]);
                } else if is_asked_for {
                    assert!(written.contains(&(key, known)), "{first} and {second}");
                } else {
                    mixtures += 1;
                }
            }
        }
        assert!(mixtures > 30, "{mixtures} of 42");
    }
}
