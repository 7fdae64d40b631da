//! Why a match cannot be played as it was asked for.

use std::num::{NonZeroU64, NonZeroUsize};

use super::Size;
use super::check::{MOST_CONCURRENCY, MOST_PAIRS, MOST_SLOTS};
use crate::{player::spec::SpecError, record::Side, runner::Shortage};
use stats::Rule;

/// Why a plan was refused, before the first game.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// It could not be recorded, so nobody could go on with it.
    #[error("the run's description cannot be written: {0}; expected paths in UTF-8")]
    Unwritable(String),
    /// A player could not play.
    #[error("--{side} {spec}: {source}")]
    Player { side: Side, spec: String, source: SpecError },
    /// `--pairs` and the rule disagree.
    #[error("--pairs {pairs} is less than the {wanted} pairs that --rule {rule} asks for")]
    TooFewPairs { pairs: u64, wanted: u64, rule: Rule },
    /// Too little hash.
    #[error("{flag} {size}: expected at least {least} for {whom}")]
    Hash {
        flag: &'static str,
        size: Size,
        least: Size,
        /// Who needs it.
        whom: &'static str,
    },
    /// More search threads than any machine has processors.
    #[error("--slots {0}: expected at most {MOST_SLOTS}")]
    Slots(NonZeroUsize),
    /// More games in flight than any machine can carry.
    #[error("--concurrency {0}: expected at most {MOST_CONCURRENCY}")]
    Concurrency(NonZeroUsize),
    /// `--pin` with more search threads than there are processors to keep them to.
    #[error(
        "--slots {slots} --pin: expected at most {processors}, one for each processor that they \
         may keep to"
    )]
    Pin {
        /// Search threads.
        slots: NonZeroUsize,
        /// Processors.
        processors: usize,
    },
    /// `--pin` with a processor that is not there, or not for this process.
    #[error(
        "--pin: expected processors of {there:?}, which this process may use, found {processor}"
    )]
    NoProcessor {
        /// The first such one.
        processor: usize,
        /// Those that are.
        there: Vec<usize>,
    },
    /// A player whose name has nothing in it.
    #[error("--{0}-name: expected a name, found nothing but blanks")]
    Name(Side),
    /// A hash table that is said to have two sizes.
    #[error(
        "--{side} has option Hash={option}, and --hash {size} holds for it: expected one of them, or \
         the same"
    )]
    TwoHashes {
        side: Side,
        /// What its option says, in MiB.
        option: String,
        size: Size,
    },
    /// More hash than the machine has memory.
    #[error(
        "--hash {size} for {engines} embedded engines in flight is more than the {memory} of \
         memory here: expected less hash or a lower --concurrency"
    )]
    Memory {
        size: Size,
        /// Engines at once.
        engines: u64,
        /// The machine's memory.
        memory: Size,
    },
    /// More programs at once than the system lets run.
    #[error(transparent)]
    Limits(#[from] Shortage),
    /// More pairs than can be numbered.
    #[error("--pairs {0}: expected at most {MOST_PAIRS}")]
    Pairs(u64),
    /// `--nodes-clock` where no clock runs.
    #[error("--nodes-clock {0} nodes/ms: expected a clock, like --tc 1+0.01")]
    NoClock(NonZeroU64),
    /// `--scale-to` where no time is given.
    #[error("--scale-to {0} nodes/s: expected times, like --tc 1+0.01 or --movetime 100ms")]
    NoTime(NonZeroU64),
    /// `--ponder` with a player that cannot.
    #[error("--ponder: expected programs, the {0} player is embedded in this one")]
    Ponder(Side),
    /// `--ponder` where each slot keeps to one processor.
    #[error("--ponder --pin: a game with pondering needs two processors; expected --pin off")]
    PonderPinned,
    /// `--opening-plies` of a book without moves.
    #[error("--opening-plies {plies}: expected a book with moves (--book FILE.pgn or FILE.bin)")]
    Plies {
        /// The plies.
        plies: u32,
    },
}
