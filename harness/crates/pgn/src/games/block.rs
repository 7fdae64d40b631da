//! A block of a movetext: its words, up to what is neither a move number nor a move.

use super::ends::{BLOCK, Marks, above, below};
use super::short::ShortWord;

/// The longest word that is read in a block.
const LONGEST: usize = 8;
/// Where a word may begin that is not whole in a block.
const LATE: u64 = !0 << (BLOCK - LONGEST);

pub(super) struct Block<'t> {
    bytes: &'t [u8; BLOCK],
    marks: Marks,
    /// Where the line ends, or the block.
    limit: usize,
    /// The first bytes of words.
    begins: u64,
    /// As [`odd_numbers`] has it.
    odd: u64,
    /// What is neither part of a word nor between two.
    stops: u64,
}

/// The words of a block from one comment to the next.
pub(super) struct Part {
    /// The first bytes of move numbers and of moves, as far as can be told by these.
    pub(super) words: u64,
    pub(super) then: Then,
}

/// What follows words in a block.
pub(super) enum Then {
    /// A comment, whose text begins there.
    Comment(usize),
    /// The next block is to begin there.
    Block(usize),
    /// Something there that is not read by blocks.
    Other(usize),
}

impl<'t> Block<'t> {
    /// Of `bytes`, `limit` belong to the line.
    #[inline(always)]
    pub(super) fn new(bytes: &'t [u8; BLOCK], limit: usize) -> Block<'t> {
        let marks = Marks::of(bytes);
        let Marks { ends, blanks, digits, .. } = marks;
        let begins = !ends & !(!ends << 1) & below(limit);
        let odd = odd_numbers(begins, digits, blanks);
        Block { bytes, marks, limit, begins, odd, stops: (ends & !blanks) | !below(limit) }
    }

    /// The words up to the first stop of `open`, the bytes behind the last comment.
    #[inline(always)]
    pub(super) fn part(&self, open: u64) -> Part {
        let stops = self.stops & open;
        let stop = stops.trailing_zeros() as usize;
        // With the stop itself, which tells that a number before it is odd.
        let part = (stops ^ stops.wrapping_sub(1)) & open;
        let begins = self.begins & part;
        // The next block has these whole.
        let late = begins & LATE;
        let words = begins ^ late;
        let first_late = late.trailing_zeros() as usize;
        let odd = self.odd & part;
        if odd != 0 {
            let numbers = begins & self.marks.digits & !above(odd.trailing_zeros() as usize);
            let number = 63 - numbers.leading_zeros() as usize;
            if number < first_late {
                return Part { words: words & below(number), then: Then::Other(number) };
            }
        }
        let then = if late != 0 {
            Then::Block(first_late)
        } else if stop >= self.limit {
            Then::Block(self.limit)
        } else if self.bytes[stop] == b'{' {
            Then::Comment(stop + 1)
        } else {
            Then::Other(stop)
        };
        Part { words, then }
    }

    /// The moves among words.
    #[inline(always)]
    pub(super) fn moves(&self, words: u64) -> u64 {
        words & !self.marks.digits
    }

    /// Whether the last of these words, of which there are some, is a move number.
    #[inline(always)]
    pub(super) fn ends_with_number(&self, words: u64) -> bool {
        self.marks.digits >> (63 - words.leading_zeros()) & 1 != 0
    }

    /// The move that begins there, and where it ends; none if the word may be anything else.
    #[inline(always)]
    pub(super) fn plain_move(&self, begin: usize) -> Option<(ShortWord, usize)> {
        let len = (self.marks.ends >> begin).trailing_zeros() as usize;
        let bytes = self.bytes[begin..].first_chunk()?;
        if len > LONGEST {
            return None;
        }
        let word = ShortWord::front(*bytes, len);
        let is_whole = !goes_on_with(self.bytes[(begin + len) % BLOCK]);
        (word.is_plain_move() & is_whole).then_some((word, begin + len))
    }

    /// Where the comment ends whose text begins at `begin`.
    #[inline(always)]
    pub(super) fn comment_end(&self, begin: usize) -> Option<usize> {
        let end = (self.marks.closes & !below(begin)).trailing_zeros() as usize;
        (end < self.limit).then_some(end)
    }
}

/// Words that begin with a digit and are no move number of up to three digits with a blank or a
/// point behind it: a bit within each of them, or for the byte behind its first digits.
#[inline]
fn odd_numbers(begins: u64, digits: u64, blanks: u64) -> u64 {
    let numbers = begins & digits;
    // Adding a run's first bit carries to the byte behind the run.
    let behind = numbers.wrapping_add(digits) & !digits;
    let long = numbers & digits >> 1 & digits >> 2 & digits >> 3;
    (behind & !blanks) | long
}

/// Whether a word may go on with that byte, which is none of its letters: as in `exd6e.p.` and
/// `e8(Q)`, and with all beyond ASCII.
#[inline]
fn goes_on_with(byte: u8) -> bool {
    byte != b' ' && matches!(byte, b'.' | b'(' | 0x80..)
}
