//! Equal games: what repeats an earlier pair says nothing new.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};

use super::{GameRecord, Side};

/// Pages explain twins that are more than this share of the pairs.
pub const MANY_TWINS: f64 = 0.1;

/// Tells a game from others without keeping its moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GameKey {
    /// Of start position and moves.
    pub(super) hash: u64,
    /// Whether no fault ended the game: games with faults equal no other.
    pub(super) sound: bool,
    pub test_is_white: bool,
    /// See [`Termination::is_void`](super::Termination::is_void).
    pub(super) void: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PairStatus {
    New,
    Repeated,
    /// A game did not begin, or the harness has spoilt it.
    Void,
}

impl GameKey {
    /// The key with test and base exchanged.
    pub fn from_the_other_side(self) -> GameKey {
        GameKey { test_is_white: !self.test_is_white, ..self }
    }

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

/// Finds pairs whose test's white game and test's black game both equal those of an earlier pair.
#[derive(Debug, Clone, Default)]
pub struct Repeats {
    seen: HashSet<[u64; 2]>,
}

impl Repeats {
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
