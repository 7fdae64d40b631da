//! Why a tuner does not run.

use super::{clop::RangeError, spsa::LineError};
use crate::{simulated_engine::PeakError, sweep::SweepError};
use arena::record::{ManifestError, RecordError};
use stats::Rule;

/// Why there is no run.
#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    /// The base has no parameters.
    #[error(transparent)]
    Base(SweepError),
    /// A parameter of SPSA.
    #[error("{place}: {error}")]
    Line {
        /// The file and line, or the flag.
        place: String,
        error: LineError,
    },
    /// A range that is none, or that the engine no longer has.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A simulated engine of other parameters.
    #[error("--truth: {0}")]
    SimulatedEngine(#[from] PeakError),
    /// A parameter given again.
    #[error("'{0}' is there twice, or in a group: expected each parameter once")]
    Twice(String),
    /// More than a quadratic can follow.
    #[error("{found} parameters, expected at most {most}; for many there is verdict tune spsa")]
    TooMany {
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// More pairs than a tuner can remember.
    #[error("--pairs {found}: expected at most {most}, a tuner remembers what each has tried")]
    Pairs {
        found: u64,
        /// How many there may be.
        most: u64,
    },
    /// No parameters.
    #[error("nothing to tune: expected --params FILE or --param NAME")]
    Unnamed,
    /// Parameters that change nothing.
    #[error(
        "no-op: {0}: moving them up or down changes no search of the bench positions; their mechanism may \
         be off. Leave them out, or skip them with --skip-no-ops"
    )]
    NoOps(String),
    /// All parameters change nothing.
    #[error("nothing is left to tune: all parameters are no-ops")]
    Nothing,
    /// A rule in the tuner's place.
    #[error("--rule {0}: a tuner has no --rule; --confirm is for the confirmation match")]
    Rule(Rule),
    /// The file of the run cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Nor another file of the folder.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl TuneError {
    /// Whether the command line is what is wrong.
    pub fn is_usage(&self) -> bool {
        match self {
            TuneError::Manifest(error) => error.is_usage(),
            TuneError::Record(_) => false,
            _ => true,
        }
    }
}
