//! The verdict of a run.

use serde::{Deserialize, Serialize};

use stats::Verdict;

/// The verdict of a run: the rule's, or void. The order is that of the exit codes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "UPPERCASE")]
#[derive(strum::Display, strum::IntoStaticStr)]
#[strum(serialize_all = "UPPERCASE")]
pub enum FinalVerdict {
    /// Test is stronger (or, by an SPRT with elo0 below 0, no weaker than asked).
    Accept,
    Reject,
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
    pub fn exit_code(self) -> u8 {
        self as u8
    }

    pub fn as_str(self) -> &'static str {
        self.into()
    }
}
