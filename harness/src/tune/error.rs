//! Why a tuner does not run.

use super::spsa::LineError;
use crate::{
    record::{KeptError, RecordError},
    stats::Rule,
    sweep::{AxisError, SweepError},
};

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
        /// What is wrong.
        error: LineError,
    },
    /// A range that the engine no longer has.
    #[error(transparent)]
    Axis(#[from] AxisError),
    /// A range of one value.
    #[error("'{0}': expected a range, NAME=FROM..TO with different ends")]
    Point(String),
    /// A switch.
    #[error("'{0}' is on or off: nothing between to look at; try both with verdict sweep")]
    Switch(String),
    /// A parameter given again.
    #[error("'{0}' is there twice: expected each parameter once")]
    Twice(String),
    /// More than a quadratic can follow.
    #[error("{found} parameters, expected at most {most}; for many there is verdict tune spsa")]
    TooMany {
        /// How many.
        found: usize,
        /// How many there may be.
        most: usize,
    },
    /// Parameters that change nothing.
    #[error(
        "no-op: {0}: moved to either side, no search of the fixed positions changed; their mechanism \
         may be off. Leave them out, or play without them by --skip-no-ops"
    )]
    NoOps(String),
    /// All parameters change nothing.
    #[error("nothing is left to tune")]
    Nothing,
    /// A rule in the tuner's place.
    #[error("--rule {0}: games steer the tuner; the rule of the match at the end is --confirm")]
    Rule(Rule),
    /// The file of the run cannot be read or written.
    #[error(transparent)]
    Kept(#[from] KeptError),
    /// Nor another file of the folder.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl TuneError {
    /// Whether the command line is what is wrong.
    #[must_use]
    pub fn is_usage(&self) -> bool {
        match self {
            TuneError::Kept(error) => error.is_usage(),
            TuneError::Record(_) => false,
            _ => true,
        }
    }
}
