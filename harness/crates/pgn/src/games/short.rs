//! A word of movetext in a register.

use super::words::is_plain_start;

/// A word of one to eight bytes without zeros, as nearly all moves are. The default is no word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ShortWord([u8; 8]);

impl ShortWord {
    /// `None` for other words.
    pub fn new(word: &[u8]) -> Option<ShortWord> {
        let mut bytes = [0; 8];
        bytes.get_mut(..word.len())?.copy_from_slice(word);
        (!word.is_empty() && !word.contains(&0)).then_some(ShortWord(bytes))
    }

    /// The first `len` of these bytes, 1 to 8, none of which is zero.
    #[inline]
    pub(super) fn front(bytes: [u8; 8], len: usize) -> ShortWord {
        ShortWord((u64::from_le_bytes(bytes) & (!0 >> (64 - 8 * len))).to_le_bytes())
    }

    /// Whether it is a move by its first two bytes already.
    #[inline]
    pub(super) fn is_plain_move(&self) -> bool {
        is_plain_start(self.0[0], self.0[1])
    }

    /// The number of bytes.
    #[inline]
    pub fn length(&self) -> u32 {
        8 - self.bits().leading_zeros() / 8
    }

    #[inline]
    pub fn first(&self) -> u8 {
        self.0[0]
    }

    #[inline]
    pub fn as_bytes(&self) -> &[u8] {
        &self.0[..self.length() as usize]
    }

    /// The last byte highest, the first ones in order below it, zeros below these.
    #[inline]
    pub fn bits_to_end(&self) -> u64 {
        self.bits() << (self.bits().leading_zeros() & !7)
    }

    /// The first byte lowest, zeros above the last.
    #[inline]
    pub fn bits(&self) -> u64 {
        u64::from_le_bytes(self.0)
    }
}
