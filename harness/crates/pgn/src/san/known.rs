//! A cache of parsed words. A few thousand words make up nearly all games; each is kept with all that
//! it says of a move on any board.

use shakmaty::{Color, Square};

use super::board::{EMPTY, Man, PAWN, bit, side};
use super::reach::{CAPTURES, REACH};
use super::spelling::ManSpelling;
use crate::ShortWord;

/// Words that are remembered: a power of two. A word that comes to the place of another takes it.
const WORDS: usize = 8192;

/// What a word says of a move of one side, whatever the board: in one register.
#[derive(Debug, Clone, Copy)]
#[repr(align(16))]
pub struct KnownMove {
    /// The squares that the man may come from, if nothing stands in between.
    pub(super) reach: u64,
    pub(super) man: Man,
    pub(super) to: Square,
    /// The least code of a man that may stand on `to`, and the number of these codes.
    goals: (Man, Man),
}

impl KnownMove {
    /// Of a word that tells of no plain move: castling, a promotion, anything odd.
    pub const NOTHING: KnownMove =
        KnownMove { reach: 0, man: EMPTY, to: Square::A1, goals: (0, 0) };

    /// `None` if no such move is legal on any board.
    pub(super) fn of(spelling: ManSpelling, turn: Color) -> Option<KnownMove> {
        let ManSpelling { role, to, origin, captures, becomes } = spelling;
        let is_pawn = usize::from(role) == PAWN;
        let is_last = bit(to) & (0xff | 0xff << 56) != 0;
        if (is_pawn & is_last) != (becomes != role) {
            return None;
        }
        let (side, man) = (side(turn), 6 * side(turn) as Man + role);
        let row = if is_pawn & captures { CAPTURES + side } else { usize::from(man) };
        let reach = REACH[row][usize::from(to)] & origin;
        let goals = if captures { (6 - 6 * side as Man, 6) } else { (EMPTY, 1) };
        Some(KnownMove { reach, man, to, goals })
    }

    /// Whether it may go to a square with that man, or [`EMPTY`].
    #[inline(always)]
    pub(super) fn may_take(&self, captured: Man) -> bool {
        captured.wrapping_sub(self.goals.0) < self.goals.1
    }
}

/// What words say, remembered from one game to the next: about 500 KiB.
#[derive(Debug)]
pub struct KnownWords {
    /// 0 is no word.
    words: Box<[u64; WORDS]>,
    /// What each says of a move of White, and of Black.
    says: Box<[[KnownMove; 2]; WORDS]>,
}

impl Default for KnownWords {
    fn default() -> KnownWords {
        KnownWords { words: Box::new([0; WORDS]), says: Box::new([[KnownMove::NOTHING; 2]; WORDS]) }
    }
}

impl KnownWords {
    /// What the word says, of a side's plain move.
    #[inline(always)]
    pub fn get(&mut self, turn: Color, word: ShortWord) -> &KnownMove {
        let place = word.bits().wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - WORDS.ilog2());
        let place = place as usize;
        if self.words[place] != word.bits() {
            self.learn(place, word);
        }
        &self.says[place][side(turn)]
    }

    #[inline(never)]
    fn learn(&mut self, place: usize, word: ShortWord) {
        let spelling = ManSpelling::plain(word);
        let says = [Color::White, Color::Black].map(|turn| {
            let says = spelling.and_then(|spelling| KnownMove::of(spelling, turn));
            says.unwrap_or(KnownMove::NOTHING)
        });
        self.words[place] = word.bits();
        self.says[place] = says;
    }
}
