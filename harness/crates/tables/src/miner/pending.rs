//! Words of a game that wait to be played. Reading and playing take turns, up to 256 words at a time: so
//! each keeps its registers and branch predictions.

use pgn::ShortWord;
use pgn::san::{KnownMove, KnownWords};
use shakmaty::Color;

/// Most words that wait: a power of two.
const MOST: usize = 256;

#[derive(Debug)]
pub(super) struct PendingMoves {
    /// Each with its line.
    words: Box<[(u64, ShortWord); MOST]>,
    len: usize,
    known: KnownWords,
    /// What the words say.
    says: Box<[KnownMove; MOST]>,
}

impl Default for PendingMoves {
    fn default() -> PendingMoves {
        PendingMoves {
            words: Box::new([(0, ShortWord::default()); MOST]),
            len: 0,
            known: KnownWords::default(),
            says: Box::new([KnownMove::NOTHING; MOST]),
        }
    }
}

impl PendingMoves {
    /// Returns whether they must be taken before the next.
    #[inline(always)]
    pub(super) fn push(&mut self, line: u64, word: ShortWord) -> bool {
        self.words[self.len % MOST] = (line, word);
        self.len += 1;
        self.len == MOST
    }

    pub(super) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Looks up what they say, the first of them of this side, and returns how many they are. They
    /// can be read until the next is pushed.
    pub(super) fn take(&mut self, first: Color) -> usize {
        let mut turn = first;
        let len = std::mem::take(&mut self.len).min(MOST);
        for (says, (_, word)) in self.says[..len].iter_mut().zip(&self.words[..len]) {
            *says = *self.known.get(turn, *word);
            turn = !turn;
        }
        len
    }

    #[inline(always)]
    pub(super) fn says(&self, index: usize) -> &KnownMove {
        &self.says[index % MOST]
    }

    /// With its line.
    pub(super) fn word(&self, index: usize) -> (u64, ShortWord) {
        self.words[index % MOST]
    }
}
