//! Whether moving a parameter or option changes play at all: node counts, scores and moves on fixed
//! positions.
//!
//! - [`embedded`]: the engine in this program; [`program`]: any other, which may not repeat itself,
//!   may forget its options, or read them only when it starts.

pub mod embedded;
pub mod program;

use std::cmp::Reverse;

use engine::bench;

use crate::tunable::Tunable;

#[derive(Debug, Clone)]
pub struct TunableSpan<'a> {
    pub tunable: &'a Tunable,
    pub start: f64,
    /// The values it is moved to.
    pub ends: [f64; 2],
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Probe {
    pub name: String,
    pub change: Change,
}

/// What moving a value changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Change {
    /// Play: the limit at which it first differed, and in how many positions.
    Differs(ProbeLimit, usize),
    NoOp,
    /// Play, but only until the program is told of a new game.
    ForgottenAtNewGame,
    /// Play, but otherwise where the program is told it between games than where it is started with
    /// it: it keeps something of the values before.
    MixedBetweenGames,
    /// Play, but only where the program is started with it.
    ReadAtStart,
    /// Nobody knows: the engine does not repeat itself.
    Unknown,
}

/// The limit of a search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, strum::Display)]
pub enum ProbeLimit {
    #[strum(to_string = "depth {0}")]
    Depth(u32),
    #[strum(to_string = "{0} nodes")]
    Nodes(u64),
}

impl Change {
    /// Of changes by several values the one that counts: a fault first, then the earliest and
    /// greatest difference.
    fn strongest(changes: impl Iterator<Item = Change>) -> Change {
        let rank = |change: &Change| match change {
            Change::MixedBetweenGames => (0, None),
            Change::ReadAtStart => (1, None),
            Change::Differs(limit, count) => (2, Some((*limit, Reverse(*count)))),
            Change::ForgottenAtNewGame => (3, None),
            Change::Unknown => (4, None),
            Change::NoOp => (5, None),
        };
        changes.min_by_key(rank).unwrap_or(Change::NoOp)
    }
}

pub fn positions() -> usize {
    bench::POSITIONS.len()
}
