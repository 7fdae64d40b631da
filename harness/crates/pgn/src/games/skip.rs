//! Where moves are not wanted: move numbers and moves are passed over, and comments, as far as nothing
//! else stands between them.

use super::ends::{BLOCK, above, louds, places};
use super::words::{LOUD, is_word_end};
use super::{GameText, Parser};
use crate::work::{looked_at, reads_blocks};

impl<G: GameText> Parser<'_, G> {
    /// Whether move numbers and moves would change nothing here.
    pub(super) fn may_skip(&self) -> bool {
        !self.game.wants_moves() && (self.depth > 0 || self.extent.is_among_moves())
    }

    /// Passes over them at the front of `text`, and returns how many bytes they take. `ahead` begins
    /// with `text`, and may go on behind it.
    pub(super) fn skip_words(&mut self, number: u64, text: &[u8], ahead: &[u8]) -> usize {
        let mut at = 0;
        // Behind the last comment.
        let mut from = 0;
        let end = loop {
            let block = ahead[at..].first_chunk::<BLOCK>();
            let Some(block) = block.filter(|_| at < text.len() && reads_blocks()) else {
                let end = at + quiet(&text[at..]);
                break word_begin(text, from, end);
            };
            let limit = (text.len() - at).min(BLOCK);
            looked_at(limit);
            let (loud, closes) = (louds(block), places(block, b'}'));
            let mut open = !0;
            at += loop {
                let stop = ((loud & open).trailing_zeros() as usize).min(limit);
                if stop == limit {
                    break limit;
                }
                if block[stop] != b'{' {
                    return self.skipped(number, from, word_begin(text, from, at + stop));
                }
                self.skipped(number, from, at + stop);
                let begin = at + stop + 1;
                let close = (closes & above(stop)).trailing_zeros() as usize;
                if close >= limit {
                    from = begin + self.take_comment(number, &text[begin..]);
                    break from - at;
                }
                if self.depth == 0 {
                    self.game.comment(text.get(begin..at + close).unwrap_or_default());
                }
                from = at + close + 1;
                open = above(close);
            };
        };
        self.skipped(number, from, end)
    }

    /// What stands between two places is passed over. Returns the second.
    #[inline(always)]
    fn skipped(&mut self, number: u64, from: usize, end: usize) -> usize {
        if from < end && self.depth == 0 {
            self.extent.touch(number);
        }
        end
    }
}

/// How much of a text, from its front, is but blanks, marks, move numbers and moves, and the front of
/// what is more.
fn quiet(text: &[u8]) -> usize {
    let loud = text.iter().position(|&byte| LOUD[usize::from(byte)]).unwrap_or(text.len());
    looked_at(loud);
    loud
}

/// The front of the word at whose byte `at` it is seen that it may be more than a move.
fn word_begin(text: &[u8], from: usize, at: usize) -> usize {
    match text.get(at) {
        Some(&loud) if !is_word_end(loud) => {
            let end = text[from..at].iter().rposition(|&byte| is_word_end(byte));
            end.map_or(from, |end| from + end + 1)
        }
        _ => at,
    }
}
