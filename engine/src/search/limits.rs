//! What ends a search, and who is told of its progress.

use std::num::NonZeroU64;
use std::time::{Duration, Instant};

use super::strength::Strength;
use super::tt::Bound;
use crate::types::{Move, Value};

/// What ends a search. All that are given hold at once; with none it goes on until stopped.
#[derive(Debug, Clone, Default)]
pub struct Limits {
    /// Nodes at most; never exceeded.
    pub nodes: Option<u64>,
    /// Iterations at most, plies.
    pub depth: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<ClockLimit>,
    /// Stop when a mate in so many moves is found.
    pub mate: Option<u32>,
    /// Consider only these root moves; empty means all.
    pub searchmoves: Vec<Move>,
    /// How many root moves get a score and a line of their own, the best first; 0 means 1.
    pub multipv: usize,
    /// Time limits begin to count when [`Observer::pondering`] says no.
    pub ponder: bool,
    /// Kept back from every time limit for the way to the opponent's clock.
    pub overhead: Duration,
    /// When the search was asked for: what it had to wait for, memory perhaps, is taken from its time.
    /// By default it is when it begins.
    pub since: Option<Instant>,
    /// So many nodes count as a millisecond of every time limit, so that games on a clock can be
    /// repeated; by default time is time.
    pub nodes_per_ms: Option<NonZeroU64>,
    /// Play weaker: with its nodes a move at most, with mistakes, with one thread and without endgame tablebases.
    /// By default at full strength.
    pub strength: Option<Strength>,
}

impl Limits {
    /// Nodes at most, by `nodes` and by strength.
    pub(super) fn most_nodes(&self) -> Option<u64> {
        let by_strength = self.strength.map(|strength| strength.nodes());
        self.nodes.into_iter().chain(by_strength).min()
    }

    /// What is kept back: nothing of a clock that counts nodes, for no way costs any.
    pub(super) fn kept_back(&self) -> Duration {
        if self.nodes_per_ms.is_some() { Duration::ZERO } else { self.overhead }
    }
}

/// The clock of the side to move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockLimit {
    /// Time left.
    pub remaining: Duration,
    /// Increment a move.
    pub increment: Duration,
    /// Moves to the next control, this one among them.
    pub moves_to_go: Option<u32>,
}

/// What the search found at the root, told as soon as it is known.
#[derive(Debug, Clone, Copy)]
pub struct IterationInfo<'a> {
    /// Iteration, plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Which line this is, from 1, the best: more than one only with [`Limits::multipv`].
    pub multipv: usize,
    /// Score of the line, side to move.
    pub score: Value,
    /// What the score says of the true one.
    pub bound: Bound,
    /// Nodes so far.
    pub nodes: u64,
    /// Time so far.
    pub time: Duration,
    /// How full the hash table is of this search, per mille.
    pub hashfull: usize,
    /// Positions found in endgame tablebases so far.
    pub tbhits: u64,
    /// The principal variation, at least one move.
    pub pv: &'a [Move],
}

impl IterationInfo<'_> {
    /// Nodes per second so far.
    #[must_use]
    pub fn nps(&self) -> u128 {
        u128::from(self.nodes) * 1_000_000 / self.time.as_micros().max(1)
    }
}

/// Watches a search and can end it. Every method has a default: `()` watches nothing.
pub trait Observer {
    /// Asked every thousand nodes or so, on a clock more often: true ends the search with the best move so far.
    fn stop(&self) -> bool {
        false
    }

    /// Whether the search is still on the opponent's time.
    fn pondering(&self) -> bool {
        false
    }

    /// A new best move, a line of a finished iteration, or where a stopped search stands. The last
    /// told of line 1 begins with the move that is played. Scores are exact, except for a move that
    /// was proved better at the very end (parameter `root.take_fail_high`).
    fn iteration(&self, _info: &IterationInfo<'_>) {}

    /// A root score fell outside its window and is searched again: a bound, and the line it came
    /// from.
    fn root_fail(&self, _info: &IterationInfo<'_>) {}

    /// The root move now being searched, and its number from 1.
    fn root_move(&self, _mv: Move, _number: usize, _time: Duration) {}
}

impl Observer for () {}
