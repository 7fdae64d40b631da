//! The verdict of a run.

use std::fmt;

use serde::{Deserialize, Serialize};

use stats::Verdict;

/// The rule's verdict, or void: too many faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
pub enum FinalVerdict {
    /// The rule accepts: test is stronger (or, by an SPRT with elo0 below 0, no weaker than asked).
    Accept,
    /// The rule rejects.
    Reject,
    /// The rule did not decide.
    Undecided,
    /// More games ended by faults than `--max-faults` allows: they do not show who plays better.
    Void,
}

impl From<Verdict> for FinalVerdict {
    fn from(verdict: Verdict) -> FinalVerdict {
        match verdict {
            Verdict::Accept => FinalVerdict::Accept,
            Verdict::Reject => FinalVerdict::Reject,
            Verdict::Undecided => FinalVerdict::Undecided,
        }
    }
}

impl FinalVerdict {
    /// The exit code of `verdict`: 0, 1, 2, and 3 for a void run.
    pub fn exit_code(self) -> u8 {
        match self {
            FinalVerdict::Accept => 0,
            FinalVerdict::Reject => 1,
            FinalVerdict::Undecided => 2,
            FinalVerdict::Void => 3,
        }
    }

    /// The word in summaries and reports.
    pub fn as_str(self) -> &'static str {
        match self {
            FinalVerdict::Accept => "ACCEPT",
            FinalVerdict::Reject => "REJECT",
            FinalVerdict::Undecided => "UNDECIDED",
            FinalVerdict::Void => "VOID",
        }
    }
}

impl fmt::Display for FinalVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}
