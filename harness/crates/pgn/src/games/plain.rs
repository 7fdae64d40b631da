//! The words that nearly all movetexts consist of: move numbers and moves, with blanks and points
//! between them, and comments. Here they are found by blocks of bytes; whatever else stands there is
//! left to the reader of all words.

use super::ends::{BLOCK, Marks, below};
use super::short::ShortWord;
use super::{GameText, Parser};
use crate::work::looked_at;

/// The longest word that is read here.
const LONGEST: usize = 8;

impl<G: GameText> Parser<'_, G> {
    /// Reads such words at the front of `text`, and comments. Returns how many bytes they take; none
    /// where the game does not go on for sure. `ahead` begins with `text` and goes on beyond its line:
    /// the last bytes of it are not read, so that no block is cut.
    pub(super) fn plain_words(&mut self, number: u64, text: &[u8], ahead: &[u8]) -> usize {
        let goes_on = self.depth == 0 && self.extent.is_among_moves() && self.zeros.is_none();
        if !goes_on || !self.game.wants_moves() {
            return 0;
        }
        let mut at = 0;
        let mut is_told = false;
        while at < text.len()
            && let Some(block) = ahead[at..].first_chunk::<BLOCK>()
        {
            let Marks { ends, blanks, digits } = Marks::of(block);
            let stop = ((ends & !blanks).trailing_zeros() as usize).min(text.len() - at);
            // The bytes of words before anything else than blanks and points.
            let words = !ends & below(stop);
            let begins = words & !(words << 1);
            // The next block has these whole.
            let late = begins & !below(BLOCK - LONGEST);
            let read = stop.min(late.trailing_zeros() as usize);
            let begins = begins ^ late;
            let odd = odd_number(words, begins & digits, digits, blanks);
            let usual = begins & below(odd.unwrap_or(BLOCK));
            let mut moves = usual & !digits;
            while moves != 0 {
                let begin = moves.trailing_zeros() as usize;
                let len = (ends >> begin).trailing_zeros() as usize;
                let Some(bytes) = block[begin..].first_chunk() else { break };
                let word = ShortWord::front(*bytes, len.min(LONGEST));
                let end = begin + len;
                if len > LONGEST || !word.is_plain_move() || goes_on_with(block[end % BLOCK]) {
                    self.pass(number, usual & below(begin), digits, is_told);
                    return at + begin;
                }
                looked_at(len);
                if !is_told {
                    self.begin_moves(number);
                    is_told = true;
                }
                self.game.short(number, word);
                if !self.game.wants_moves() {
                    self.is_behind_number = false;
                    return at + end;
                }
                moves &= moves - 1;
            }
            is_told |= self.pass(number, usual, digits, is_told);
            if let Some(odd) = odd {
                return at + odd;
            }
            looked_at(read);
            at += read;
            if stop < BLOCK && read == stop {
                let Some(inner) = text[at..].strip_prefix(b"{") else { break };
                looked_at(1);
                at += 1 + self.take_comment(number, inner, &ahead[at + 1..]);
            }
        }
        at
    }

    /// Words of a block are read: those that begin there. Returns whether there are any.
    #[inline]
    fn pass(&mut self, number: u64, begins: u64, digits: u64, is_told: bool) -> bool {
        if begins == 0 {
            return false;
        }
        if !is_told {
            self.begin_moves(number);
        }
        self.is_behind_number = digits >> (63 - begins.leading_zeros()) & 1 != 0;
        true
    }
}

/// Where the first of the words begins that begin with a digit and are no move number of up to three
/// digits with a blank or a point behind it. Each argument has a bit for each byte of a block.
#[inline]
fn odd_number(words: u64, numbers: u64, digits: u64, blanks: u64) -> Option<usize> {
    let figures = words & digits;
    // Adding a run's first bit carries to the byte behind the run.
    let ends = numbers.wrapping_add(figures) & !figures;
    let long = numbers & figures >> 1 & figures >> 2 & figures >> 3;
    let odd = (ends & !blanks) | long;
    if odd == 0 {
        return None;
    }
    let before = numbers & !(!1 << odd.trailing_zeros());
    Some(63 - before.leading_zeros() as usize)
}

/// Whether a word may go on with that byte, which is none of its letters: as in `exd6e.p.` and
/// `e8(Q)`, and with all beyond ASCII.
#[inline]
fn goes_on_with(byte: u8) -> bool {
    byte != b' ' && matches!(byte, b'.' | b'(' | 0x80..)
}
