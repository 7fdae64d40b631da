//! Equal games: what repeats an earlier pair says nothing new.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{GameRecord, Side};

/// What tells a game from others, without keeping its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Likeness {
    /// Of start position and moves.
    pub(super) hash: u64,
    /// Whether the game ended by chess: games that a fault ended are like no other.
    pub(super) sound: bool,
    /// Whether test had the white men.
    pub(super) test_is_white: bool,
}

impl Likeness {
    /// The likeness of a game.
    #[must_use]
    pub fn of(game: &GameRecord) -> Likeness {
        let mut hasher = DefaultHasher::new();
        game.hash.hash(&mut hasher);
        Likeness {
            hash: hasher.finish(),
            sound: !game.termination.is_fault(),
            test_is_white: game.white == Side::Test,
        }
    }
}

/// Finds pairs that repeat an earlier one: test's white game and test's black game both equal to
/// those of that pair.
#[derive(Debug, Clone, Default)]
pub struct Repeats {
    seen: HashSet<[u64; 2]>,
}

impl Repeats {
    /// Notes a pair; true when it repeats one noted before.
    pub fn note(&mut self, pair: [Likeness; 2]) -> bool {
        if !pair.iter().all(|game| game.sound) {
            return false;
        }
        let [first, second] = pair;
        let (white, black) = if first.test_is_white { (first, second) } else { (second, first) };
        !self.seen.insert([white.hash, black.hash])
    }
}
