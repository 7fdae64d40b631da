//! Where words end, for a block of bytes at once.

use super::words::{ASCII_ENDS, LOUD};

/// Bytes of a block.
pub(super) const BLOCK: usize = 64;

/// A bit for each byte of a block, the first lowest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Marks {
    /// Those that end a word or are not of ASCII.
    pub(super) ends: u64,
    /// The blanks and points among these.
    pub(super) blanks: u64,
    pub(super) digits: u64,
    /// Those that end a comment.
    pub(super) closes: u64,
}

/// The bits of the first bytes of a block.
#[inline]
pub(super) fn below(end: usize) -> u64 {
    u64::MAX.checked_shr((BLOCK - end) as u32).unwrap_or(0)
}

/// The bits above one.
#[inline]
pub(super) fn above(bit: usize) -> u64 {
    !1 << bit
}

impl Marks {
    #[inline]
    pub(super) fn of(block: &[u8; BLOCK]) -> Marks {
        #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
        {
            // SAFETY: compiled for processors that have it.
            unsafe { avx2::marks(block) }
        }
        #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
        {
            Marks::one_by_one(block)
        }
    }

    #[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
    fn one_by_one(block: &[u8; BLOCK]) -> Marks {
        let mut marks = Marks { ends: 0, blanks: 0, digits: 0, closes: 0 };
        for (at, &byte) in block.iter().enumerate() {
            marks.ends |= u64::from(ASCII_ENDS[usize::from(byte)]) << at;
            marks.blanks |= u64::from(matches!(byte, b' ' | b'.')) << at;
            marks.digits |= u64::from(byte.is_ascii_digit()) << at;
            marks.closes |= u64::from(byte == b'}') << at;
        }
        marks
    }
}

/// A bit for each byte of a block that is `byte`, the first lowest.
#[inline]
pub(super) fn places(block: &[u8; BLOCK], byte: u8) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        // SAFETY: compiled for processors that have it.
        unsafe { avx2::places(block, byte) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        places_one_by_one(block, byte)
    }
}

/// A bit for each byte of a block with which more than a move may begin or go on, the first lowest.
#[inline]
pub(super) fn louds(block: &[u8; BLOCK]) -> u64 {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        // SAFETY: compiled for processors that have it.
        unsafe { avx2::louds(block) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        louds_one_by_one(block)
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn louds_one_by_one(block: &[u8; BLOCK]) -> u64 {
    block
        .iter()
        .enumerate()
        .fold(0, |louds, (at, &b)| louds | u64::from(LOUD[usize::from(b)]) << at)
}

/// How many bytes behind the first one are letters, digits or `_`, as in the name of a tag: up to
/// 31 of them.
#[inline]
pub(super) fn name_length(block: &[u8; BLOCK]) -> usize {
    #[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
    {
        // SAFETY: compiled for processors that have it.
        unsafe { avx2::name_length(block) }
    }
    #[cfg(not(all(target_arch = "x86_64", target_feature = "avx2")))]
    {
        name_length_one_by_one(block)
    }
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn name_length_one_by_one(block: &[u8; BLOCK]) -> usize {
    let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
    block[1..BLOCK / 2].iter().take_while(is_name).count()
}

#[cfg(any(test, not(all(target_arch = "x86_64", target_feature = "avx2"))))]
fn places_one_by_one(block: &[u8; BLOCK], byte: u8) -> u64 {
    block.iter().enumerate().fold(0, |places, (at, &b)| places | u64::from(b == byte) << at)
}

#[cfg(all(target_arch = "x86_64", target_feature = "avx2"))]
mod avx2 {
    use std::arch::x86_64::*;

    use super::{ASCII_ENDS, BLOCK, LOUD, Marks};

    /// For a set of bytes that has all beyond ASCII: by the half of a byte that is low, the groups (bits)
    /// of high halves with which it is in the set; by the half that is high, its group.
    const fn halves_of(set: &[bool; 256]) -> ([u8; 16], [u8; 16]) {
        let (mut low, mut high) = ([0; 16], [0; 16]);
        let groups = [0x00, 0x20, 0x30, 0x50, 0x70];
        let mut group = 0;
        while group < groups.len() {
            high[groups[group] >> 4] = 1 << group;
            let mut half = 0;
            while half < 16 {
                if set[groups[group] | half] {
                    low[half] |= 1 << group;
                }
                half += 1;
            }
            group += 1;
        }
        let mut half = 0;
        while half < 16 {
            low[half] |= 0x80;
            if half >= 8 {
                high[half] = 0x80;
            }
            half += 1;
        }
        (low, high)
    }

    const ENDS: ([u8; 16], [u8; 16]) = halves_of(&ASCII_ENDS);
    const LOUDS: ([u8; 16], [u8; 16]) = halves_of(&LOUD);

    #[target_feature(enable = "avx2")]
    #[inline]
    fn halves(block: &[u8; BLOCK]) -> (__m256i, __m256i) {
        let (low, high) = block.split_at(BLOCK / 2);
        // SAFETY: each has 32 bytes, and the load asks for no alignment.
        let load = |half: &[u8]| unsafe { _mm256_loadu_si256(half.as_ptr().cast()) };
        (load(low), load(high))
    }

    fn both(low: u32, high: u32) -> u64 {
        u64::from(low) | u64::from(high) << 32
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn places(block: &[u8; BLOCK], byte: u8) -> u64 {
        let (low, high) = halves(block);
        both(half_places(low, byte), half_places(high, byte))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn half_places(bytes: __m256i, byte: u8) -> u32 {
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(byte as i8))) as u32
    }

    // Inlined, the masks' bits are at times computed one by one: LLVM 21 takes them for vectors of
    // single bits.
    #[target_feature(enable = "avx2")]
    #[inline(never)]
    pub(super) fn marks(block: &[u8; BLOCK]) -> Marks {
        let (low, high) = halves(block);
        Marks {
            ends: both(half_in(low, ENDS), half_in(high, ENDS)),
            blanks: both(half_blanks(low), half_blanks(high)),
            digits: both(half_range(low, b'0', b'9'), half_range(high, b'0', b'9')),
            closes: both(half_places(low, b'}'), half_places(high, b'}')),
        }
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn name_length(block: &[u8; BLOCK]) -> usize {
        let (bytes, _) = halves(block);
        let small = _mm256_or_si256(bytes, _mm256_set1_epi8((b'a' ^ b'A') as i8));
        let low_lines = half_places(bytes, b'_');
        let names = half_range(small, b'a', b'z') | half_range(bytes, b'0', b'9') | low_lines;
        (names >> 1).trailing_ones() as usize
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn half_range(bytes: __m256i, first: u8, last: u8) -> u32 {
        let values = _mm256_sub_epi8(bytes, _mm256_set1_epi8(first as i8));
        let least = _mm256_min_epu8(values, _mm256_set1_epi8((last - first) as i8));
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(values, least)) as u32
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn half_blanks(bytes: __m256i) -> u32 {
        let blanks = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b' ' as i8));
        let points = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(b'.' as i8));
        _mm256_movemask_epi8(_mm256_or_si256(blanks, points)) as u32
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn half_in(bytes: __m256i, set: ([u8; 16], [u8; 16])) -> u32 {
        let table = |halves: [u8; 16]| {
            let number = i128::from_le_bytes(halves);
            let (low, high) = (number as i64, (number >> 64) as i64);
            _mm256_setr_epi64x(low, high, low, high)
        };
        let halves = _mm256_set1_epi8(0x0f);
        let low = _mm256_shuffle_epi8(table(set.0), _mm256_and_si256(bytes, halves));
        let high = _mm256_and_si256(_mm256_srli_epi16::<4>(bytes), halves);
        let high = _mm256_shuffle_epi8(table(set.1), high);
        let others = _mm256_cmpeq_epi8(_mm256_and_si256(low, high), _mm256_setzero_si256());
        !_mm256_movemask_epi8(others) as u32
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    pub(super) fn louds(block: &[u8; BLOCK]) -> u64 {
        let (low, high) = halves(block);
        both(half_in(low, LOUDS), half_in(high, LOUDS))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_byte_in_every_place() {
        for byte in 0..=u8::MAX {
            for at in 0..BLOCK {
                let mut block = [b'e'; BLOCK];
                block[at] = byte;
                let marks = Marks::of(&block);
                assert_eq!(marks, Marks::one_by_one(&block), "{byte} at {at}");
                assert_eq!(marks.ends, u64::from(ASCII_ENDS[usize::from(byte)]) << at);
                assert_eq!(name_length(&block), name_length_one_by_one(&block));
                assert_eq!(louds(&block), louds_one_by_one(&block));
                for other in [b'}', byte] {
                    assert_eq!(places(&block, other), places_one_by_one(&block, other));
                }
            }
        }
    }
}
