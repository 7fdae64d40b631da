//! A word of movetext in a register.

use super::words::is_plain_start;

/// A word of one to eight bytes without zeros, as nearly all moves are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

    /// Whether it is a move number of up to three digits.
    #[inline]
    pub(super) fn is_number(&self) -> bool {
        let [a, b, c, d, ..] = self.0;
        let is_digit_or_none = |byte: u8| byte.is_ascii_digit() | (byte == 0);
        a.is_ascii_digit() & is_digit_or_none(b) & is_digit_or_none(c) & (d == 0)
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

    /// The first byte lowest.
    #[inline]
    fn bits(&self) -> u64 {
        u64::from_le_bytes(self.0)
    }
}
