//! The words that nearly all movetexts consist of: move numbers and moves, with blanks and points
//! between them, and comments. Here they are found by blocks of bytes; whatever else stands there is
//! left to the reader of all words.

use super::ends::{BLOCK, Marks};
use super::short::ShortWord;
use super::{GameText, Parser};
use crate::work::looked_at;

/// The longest word that is read here.
const LONGEST: usize = 8;

impl<G: GameText> Parser<'_, G> {
    /// Reads such words at the front of `text`, and comments. Returns how many bytes they take; none
    /// where the game does not go on for sure. `ahead` begins with `text` and goes on beyond its line:
    /// the last bytes of it are not read, so that no block is cut.
    #[inline]
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
            let Marks { ends, blanks } = Marks::of(block);
            let stop = ((ends & !blanks).trailing_zeros() as usize).min(text.len() - at);
            // The bytes of words before anything else than blanks and points.
            let mut words = !ends & u64::MAX.checked_shr((BLOCK - stop) as u32).unwrap_or(0);
            let mut read = stop;
            while words != 0 {
                let begin = words.trailing_zeros() as usize;
                if begin >= BLOCK - LONGEST {
                    // The next block has it whole.
                    read = begin;
                    break;
                }
                let len = (ends >> begin).trailing_zeros() as usize;
                let Some(bytes) = block[begin..].first_chunk() else { break };
                if len > LONGEST {
                    return at + begin;
                }
                let word = ShortWord::front(*bytes, len);
                let end = begin + len;
                let is_number = word.first().is_ascii_digit();
                let next = block[end % BLOCK];
                let is_plain = match is_number {
                    true => word.is_number() && next < 0x80,
                    false => word.is_plain_move() && !goes_on_with(next),
                };
                if !is_plain {
                    return at + begin;
                }
                looked_at(len);
                if !is_told {
                    self.begin_moves(number);
                    is_told = true;
                }
                self.is_behind_number = is_number;
                if !is_number {
                    self.game.short(number, word);
                    if !self.game.wants_moves() {
                        return at + end;
                    }
                }
                words &= !0 << (end % BLOCK);
            }
            at += read;
            if stop < BLOCK && read == stop {
                let Some(inner) = text[at..].strip_prefix(b"{") else { break };
                looked_at(1);
                at += 1 + self.take_comment(number, inner);
            }
        }
        at
    }
}

/// Whether a word may go on with that byte, which is none of its letters: as in `exd6e.p.` and
/// `e8(Q)`, and with all beyond ASCII.
#[inline]
fn goes_on_with(byte: u8) -> bool {
    byte != b' ' && matches!(byte, b'.' | b'(' | 0x80..)
}
