//! Detection of duplicate games.

use std::collections::HashSet;
use std::sync::Mutex;

use shakmaty::{Chess, EnPassantMode, Position as _, Role, Setup};

use pgn::san::Change;

/// Sets that are locked one by one, so that threads seldom wait for each other.
const SHARDS: usize = 64;

/// Version of the fingerprint algorithm: only those of equal versions can be compared.
pub const FINGERPRINTS: u32 = 1;

/// A game's start and moves as 128 bits. Two different games have the same ones with a probability
/// of n² / 2^129: for ten million games 10^-25.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub(crate) struct Fingerprint(u64, u64);

impl Fingerprint {
    /// Of the standard start position.
    pub(super) fn begin() -> Fingerprint {
        Fingerprint(0, !0)
    }

    /// Of another start. Independent of the FEN's spelling and of its counters, on which no move
    /// depends.
    pub(super) fn begin_from(start: &Chess) -> Fingerprint {
        let mut print = Fingerprint::begin();
        let words = numbers(&start.to_setup(EnPassantMode::Legal));
        if words != numbers(&Setup::initial()) {
            words.into_iter().for_each(|word| print.mix(word));
        }
        print
    }

    pub(super) fn word(self) -> u64 {
        self.0
    }

    /// Adds a move.
    #[inline]
    pub(super) fn play(&mut self, change: &Change) {
        let word = u64::from(u32::from(change.from))
            | u64::from(u32::from(change.to)) << 8
            | u64::from(change.becomes) << 16;
        self.mix(word);
    }

    #[inline]
    pub(super) fn mix(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 ^= self.0 >> 29;
        self.1 = (self.1.rotate_left(23) ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
        self.1 ^= self.1 >> 32;
    }
}

/// The games that were counted, by fingerprint: 16 bytes each and a byte of the set's own, times
/// the room that a growing set keeps free.
#[derive(Debug)]
pub(crate) struct SeenGames {
    shards: Vec<Mutex<HashSet<Fingerprint>>>,
}

impl SeenGames {
    /// Begins with the games of an earlier part of the run.
    pub(crate) fn new(earlier: &[[u64; 2]]) -> SeenGames {
        let mut shards = vec![HashSet::new(); SHARDS];
        for &[a, b] in earlier {
            let print = Fingerprint(a, b);
            shards[shard(print)].insert(print);
        }
        SeenGames { shards: shards.into_iter().map(Mutex::new).collect() }
    }

    /// Whether a game is the first of its kind. Which of several read in parallel counts as the
    /// first does not matter: they are equal.
    pub(super) fn is_new(&self, print: Fingerprint) -> bool {
        let mut set = match self.shards[shard(print)].lock() {
            Ok(set) => set,
            Err(poisoned) => poisoned.into_inner(),
        };
        set.insert(print)
    }

    /// Ascending.
    pub(crate) fn into_sorted(self) -> Vec<[u64; 2]> {
        let sets = self.shards.into_iter().map(|set| match set.into_inner() {
            Ok(set) => set,
            Err(poisoned) => poisoned.into_inner(),
        });
        let mut all: Vec<[u64; 2]> = sets.flatten().map(|Fingerprint(a, b)| [a, b]).collect();
        all.sort_unstable();
        all
    }
}

/// A position as numbers; equal positions give equal ones.
fn numbers(setup: &Setup) -> [u64; 9] {
    let [pawns, knights, bishops, rooks, queens, kings] =
        Role::ALL.map(|role| setup.board.by_role(role).0);
    let (white, castling) = (setup.board.white().0, setup.castling_rights.0);
    let passed = setup.ep_square.map_or(0, |square| 1 + u64::from(u32::from(square)));
    let rest = passed << 1 | u64::from(setup.turn.is_black());
    [pawns, knights, bishops, rooks, queens, kings, white, castling, rest]
}

fn shard(print: Fingerprint) -> usize {
    (print.0 >> 58) as usize % SHARDS
}
