//! The words that nearly all movetexts consist of: move numbers and moves, with blanks and points
//! between them, and comments. Here they are found by blocks of bytes; whatever else stands there is
//! left to the reader of all words.

use super::block::{Block, Part, Then};
use super::ends::{BLOCK, above, below};
use super::{GameText, Parser};
use crate::work::{looked_at, reads_blocks};

impl<G: GameText> Parser<'_, G> {
    /// Reads such words at the front of `text`, and comments. Returns how many bytes they take; none
    /// where the game does not go on for sure. `ahead` begins with `text` and goes on beyond its line:
    /// the last bytes of it are not read, so that no block is cut.
    pub(super) fn plain_words(&mut self, number: u64, text: &[u8], ahead: &[u8]) -> usize {
        let goes_on = self.depth == 0 && self.extent.is_among_moves() && self.zeros.is_none();
        if !goes_on || !self.game.wants_moves() || !reads_blocks() {
            return 0;
        }
        let mut at = 0;
        let mut is_told = false;
        // Where the text of a comment begins that the block before did not end.
        let mut comment: Option<usize> = None;
        while at < text.len()
            && let Some(bytes) = ahead[at..].first_chunk::<BLOCK>()
        {
            let limit = (text.len() - at).min(BLOCK);
            looked_at(limit);
            let block = Block::new(bytes, limit);
            // The bytes behind the last comment.
            let mut open = !0;
            if let Some(begin) = comment.take() {
                let Some(end) = block.comment_end(0) else {
                    at = begin + self.take_comment(number, &text[begin..]);
                    continue;
                };
                self.game.comment(text.get(begin..at + end).unwrap_or_default());
                open = above(end);
            }
            at += loop {
                let Part { words, then } = block.part(open);
                if let Some(end) = self.take_words(number, &block, words, &mut is_told) {
                    return at + end;
                }
                match then {
                    Then::Comment(begin) => {
                        let Some(end) = block.comment_end(begin) else {
                            comment = Some(at + begin);
                            break limit;
                        };
                        self.game.comment(text.get(at + begin..at + end).unwrap_or_default());
                        open = above(end);
                    }
                    Then::Block(begin) => break begin,
                    Then::Other(begin) => return at + begin,
                }
            };
        }
        match comment {
            Some(begin) => begin + self.take_comment(number, &text[begin..]),
            None => at,
        }
    }

    /// Takes the words of a block that begin at these bytes. Returns where to stop before the last: at
    /// a word that may be no move, or where the game wants no more moves. `is_told` says whether the
    /// game knows that moves begin.
    #[inline(always)]
    fn take_words(
        &mut self,
        number: u64,
        block: &Block<'_>,
        words: u64,
        is_told: &mut bool,
    ) -> Option<usize> {
        let mut moves = block.moves(words);
        while moves != 0 {
            let begin = moves.trailing_zeros() as usize;
            let Some((word, end)) = block.plain_move(begin) else {
                self.pass(number, block, words & below(begin), is_told);
                return Some(begin);
            };
            self.tell(number, is_told);
            self.game.short(number, word);
            if !self.game.wants_moves() {
                self.is_behind_number = false;
                return Some(end);
            }
            moves &= moves - 1;
        }
        self.pass(number, block, words, is_told);
        None
    }

    /// Words of a block are read.
    #[inline(always)]
    fn pass(&mut self, number: u64, block: &Block<'_>, words: u64, is_told: &mut bool) {
        if words != 0 {
            self.tell(number, is_told);
            self.is_behind_number = block.ends_with_number(words);
        }
    }

    #[inline(always)]
    fn tell(&mut self, number: u64, is_told: &mut bool) {
        if !std::mem::replace(is_told, true) {
            self.begin_moves(number);
        }
    }
}
