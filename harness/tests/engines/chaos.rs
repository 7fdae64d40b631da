//! Which of their vices the engines of the chaos test have in which game: a pure function of the
//! seed, the game's start position and the colour, so that the test knows what has to come of it.
//! Before a game begins an engine cannot know which it will be: what goes wrong at the start of a
//! process depends on how many were started before.
#![allow(dead_code, reason = "each program uses its part")]

use std::fs::OpenOptions;
use std::hash::Hasher;
use std::io::Write;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

/// The start position, which UCI has a word for.
pub(crate) const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Moves of which no position allows both.
pub(crate) const ILLEGAL: [&str; 2] = ["e1e8", "a8h1"];
/// Names the file that counts the starts of a session.
pub(crate) const STARTS: &str = "CHAOS_STARTS";

/// How an engine misbehaves: its vices, and how that ends a game; `""`: it does not.
pub(crate) type Way = (&'static [&'static str], &'static str);

/// How scoundrel does.
pub(crate) const UCI: [Way; 15] = [
    (&["exit-in-search"], "crash"),
    (&["segfault"], "crash"),
    (&["panic"], "crash"),
    (&["nephew", "exit-in-search"], "crash"),
    (&["torn"], "crash"),
    (&["close-stdout"], "crash"),
    (&["close-stdin"], "broken-pipe"),
    (&["hang-go"], "hang"),
    (&["until-stop"], "hang"),
    (&["illegal"], "illegal-move"),
    (&["null"], "illegal-move"),
    (&["no-move"], "garbage"),
    (&["endless-garbage"], "garbage"),
    (&["chatter"], "answered-twice"),
    (&["loud"], ""),
];

/// How rascal does.
pub(crate) const XBOARD: [Way; 12] = [
    (&["exit-in-search"], "crash"),
    (&["hang"], "hang"),
    (&["garbage"], "hang"),
    (&["no-move"], "garbage"),
    (&["refuse"], "garbage"),
    (&["illegal"], "illegal-move"),
    (&["claim-draw"], "false-claim"),
    (&["claim-win"], "false-claim"),
    (&["resign"], "resignation"),
    (&["lose"], "resignation"),
    (&["resign-late"], "resignation"),
    (&["claim-and-move"], ""),
];

/// How a process misbehaves before its first game.
pub(crate) const AT_START: [&str; 2] = ["exit-at-start", "hang-ready"];

/// Of so many games or starts one goes wrong.
const ONE_GAME_IN: u64 = 3;
const ONE_START_IN: u64 = 20;
/// The first starts of a session try both programs, and nothing is played if one fails.
const TRIES: u64 = 2;

/// What an engine does in a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Whim {
    /// How.
    pub(crate) way: Way,
    /// After so many moves of its own, at least one.
    pub(crate) moves: u64,
}

/// The random numbers of a game, and its whim.
pub(crate) fn whim(ways: &[Way], seed: u64, fen: &str, white: bool) -> (ChaCha8Rng, Option<Whim>) {
    let mut rng = rng(&[seed.to_le_bytes().as_slice(), fen.as_bytes(), &[u8::from(white)]]);
    let mut below = |limit: usize| (rng.next_u64() % limit as u64) as usize;
    let misbehaves = below(ONE_GAME_IN as usize) == 0;
    let (way, moves) = (ways[below(ways.len())], 1 + below(12) as u64);
    (rng, misbehaves.then_some(Whim { way, moves }))
}

/// The vice of a process that starts now, if it has one; said on standard error.
pub(crate) fn vice_at_start(seed: u64) -> Option<&'static str> {
    let path = std::env::var_os(STARTS)?;
    let mut file = OpenOptions::new().append(true).create(true).open(path).ok()?;
    file.lock().ok()?;
    file.write_all(b".").ok()?;
    let number = file.metadata().ok()?.len();
    let mut rng = rng(&[&seed.to_le_bytes(), &number.to_le_bytes()]);
    let misbehaves = rng.next_u64().is_multiple_of(ONE_START_IN) && number > TRIES;
    let vice = AT_START[(rng.next_u64() % AT_START.len() as u64) as usize];
    if misbehaves {
        eprintln!("chaos: {vice}");
    }
    misbehaves.then_some(vice)
}

fn rng(parts: &[&[u8]]) -> ChaCha8Rng {
    // Not DefaultHasher: two programs, perhaps of different builds, have to agree.
    let mut hasher = Fnv(0xcbf2_9ce4_8422_2325);
    parts.iter().for_each(|part| hasher.write(part));
    ChaCha8Rng::seed_from_u64(hasher.finish())
}

/// The 64-bit hash of Fowler, Noll and Vo, 1a.
struct Fnv(u64);

impl Hasher for Fnv {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}
