//! Why a match cannot be played as it was asked for.

use std::num::{NonZeroU64, NonZeroUsize};

use super::Size;
use super::check::{MOST_CONCURRENCY, MOST_PAIRS, MOST_SLOTS};
use crate::{player::spec::SpecError, record::Side, runner::Shortage};
use stats::Rule;

/// Why a plan was refused, before the first game.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// Without a record nobody could go on with it.
    #[error("the run's description cannot be written: {0}; expected paths in UTF-8")]
    Unwritable(String),
    #[error("--{side} {spec}: {source}")]
    Player { side: Side, spec: String, source: SpecError },
    #[error("--pairs {pairs} is less than the {wanted} pairs that --rule {rule} asks for")]
    TooFewPairs { pairs: u64, wanted: u64, rule: Rule },
    #[error("{flag} {size}: expected at least {least} for {whom}")]
    Hash {
        flag: &'static str,
        size: Size,
        least: Size,
        /// Who needs it.
        whom: &'static str,
    },
    #[error("--slots {0}: expected at most {MOST_SLOTS}")]
    Slots(NonZeroUsize),
    #[error("--concurrency {0}: expected at most {MOST_CONCURRENCY}")]
    Concurrency(NonZeroUsize),
    #[error(
        "--slots {slots} --pin: expected at most {processors}, one for each processor that they \
         may keep to"
    )]
    Pin { slots: NonZeroUsize, processors: usize },
    #[error(
        "--pin: expected processors of {there:?}, which this process may use, found {processor}"
    )]
    NoProcessor {
        /// The first such one.
        processor: usize,
        there: Vec<usize>,
    },
    #[error("--{0}-name: expected a name, found nothing but blanks")]
    Name(Side),
    #[error(
        "--{side} has option Hash={option}, and --hash {size} holds for it: expected one of them, or \
         the same"
    )]
    TwoHashes {
        side: Side,
        /// In MiB.
        option: String,
        size: Size,
    },
    #[error(
        "--hash {size} for {engines} embedded engines in flight is more than the {memory} of \
         memory here: expected less hash or a lower --concurrency"
    )]
    Memory {
        size: Size,
        /// At once.
        engines: u64,
        memory: Size,
    },
    #[error(transparent)]
    Limits(#[from] Shortage),
    #[error("--pairs {0}: expected at most {MOST_PAIRS}")]
    Pairs(u64),
    #[error("--nodes-clock {0} nodes/ms: expected a clock, like --tc 1+0.01")]
    NoClock(NonZeroU64),
    #[error("--scale-to {0} nodes/s: expected times, like --tc 1+0.01 or --movetime 100ms")]
    NoTime(NonZeroU64),
    #[error("--ponder: expected programs, the {0} player is embedded in this one")]
    Ponder(Side),
    #[error("--ponder --pin: a game with pondering needs two processors; expected --pin off")]
    PonderPinned,
    #[error("--opening-plies {plies}: expected a book with moves (--book FILE.pgn or FILE.bin)")]
    Plies { plies: u32 },
}
