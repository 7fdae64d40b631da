//! Why a tuner does not run.

use super::{clop::RangeError, spsa::LineError};
use crate::{simulated_engine::PeakError, sweep::SweepError};
use arena::record::{ManifestError, RecordError};
use process::Error;
use stats::Rule;

#[derive(Debug, thiserror::Error)]
pub enum TuneError {
    #[error(transparent)]
    Base(SweepError),
    #[error("{place}: {error}")]
    Line {
        /// File and line, or the flag.
        place: String,
        error: LineError,
    },
    #[error(transparent)]
    Range(#[from] RangeError),
    #[error("--truth: {0}")]
    SimulatedEngine(#[from] PeakError),
    #[error("'{0}' is there twice, or in a group: expected each parameter once")]
    Twice(String),
    #[error("{found} parameters, expected at most {most}; for many there is verdict tune spsa")]
    TooMany { found: usize, most: usize },
    #[error("--pairs {found}: expected at most {most}, a tuner remembers what each has tried")]
    Pairs { found: u64, most: u64 },
    #[error("nothing to tune: expected --params FILE or --param NAME")]
    Unnamed,
    #[error(
        "no-op: {0}: moving them up or down changes no search of the bench positions; their mechanism may \
         be off. Leave them out, or skip them with --skip-no-ops"
    )]
    NoOps(String),
    #[error("nothing is left to tune: all parameters are no-ops")]
    Nothing,
    #[error("--rule {0}: a tuner has no --rule; --confirm is for the confirmation match")]
    Rule(Rule),
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl From<TuneError> for Error {
    fn from(error: TuneError) -> Error {
        match error {
            TuneError::Manifest(error) => error.into(),
            TuneError::Record(error) => error.into(),
            _ => Error::usage(error),
        }
    }
}
