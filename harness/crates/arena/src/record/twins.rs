//! Equal games: what repeats an earlier pair says nothing new.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{GameRecord, Side};

/// What tells a game from others, without keeping its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameKey {
    /// Of start position and moves.
    pub(super) hash: u64,
    /// Whether the game ended by chess: games that a fault ended are like no other.
    pub(super) sound: bool,
    /// Whether test had the white men.
    pub(super) test_is_white: bool,
    /// Whether it shows nothing of the players: see [`Termination::is_void`](super::Termination::is_void).
    pub(super) void: bool,
}

/// What a pair adds to what is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairStatus {
    /// A result of its own.
    New,
    /// It repeats an earlier pair.
    Repeated,
    /// One of its games did not begin, or the harness has spoilt it: it is left out.
    Void,
}

impl GameKey {
    /// The same with the men of the player that counts as test given to the other one.
    pub fn from_the_other_side(self) -> GameKey {
        GameKey { test_is_white: !self.test_is_white, ..self }
    }

    /// The key of a game.
    pub fn of(game: &GameRecord) -> GameKey {
        let mut hasher = DefaultHasher::new();
        game.hash.hash(&mut hasher);
        GameKey {
            hash: hasher.finish(),
            sound: !game.termination.is_fault(),
            test_is_white: game.white == Side::Test,
            void: game.termination.is_void(),
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
    /// Notes a pair; says whether it shows something that none noted before has shown.
    pub fn note(&mut self, pair: [GameKey; 2]) -> PairStatus {
        if pair.iter().any(|game| game.void) {
            return PairStatus::Void;
        }
        if !pair.iter().all(|game| game.sound) {
            return PairStatus::New;
        }
        let [first, second] = pair;
        let (white, black) = if first.test_is_white { (first, second) } else { (second, first) };
        if self.seen.insert([white.hash, black.hash]) {
            PairStatus::New
        } else {
            PairStatus::Repeated
        }
    }
}
