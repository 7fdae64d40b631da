//! Whether a run is decided, by its rule or by faults.

use super::{MatchState, TooManyFaults};
use crate::record::{FinalVerdict, Tally};
use stats::Judgement;

#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    /// `None` while the run can go on.
    pub verdict: Option<FinalVerdict>,
    /// The numbers behind the verdict; where faults make the run void or stop it, the faults.
    pub reason: Option<String>,
}

impl Ruling {
    /// `limit` is `--max-faults`, 0 to 1.
    pub fn of(judgement: &Judgement, tally: &Tally, limit: Option<f64>) -> Ruling {
        let verdict = judgement.verdict().map(FinalVerdict::from);
        let faults = TooManyFaults::of_run(tally, limit, verdict.is_some());
        let by_faults = faults.is_some();
        let by_rule = || match judgement {
            Judgement::Continue => None,
            Judgement::Decided(_, reason) => Some(reason.to_string()),
        };
        Ruling {
            verdict: verdict.map(|verdict| if by_faults { FinalVerdict::Void } else { verdict }),
            reason: faults.map(|TooManyFaults(why)| why).or_else(by_rule),
        }
    }

    pub fn void(&self) -> Option<&str> {
        self.reason.as_deref().filter(|_| self.verdict == Some(FinalVerdict::Void))
    }

    /// The faults that stop a run or make it void, if they do.
    pub fn too_many_faults(&self) -> Option<&str> {
        let by_faults = matches!(self.verdict, None | Some(FinalVerdict::Void));
        self.reason.as_deref().filter(|_| by_faults)
    }

    /// `standing` says what an undecided run waits for.
    pub fn in_words(&self, standing: &MatchState) -> String {
        match (self.verdict, &self.reason) {
            (Some(verdict), Some(reason)) => format!("{verdict}: {reason}"),
            (Some(verdict), None) => verdict.to_string(),
            (None, Some(faults)) => format!("none: {faults}"),
            (None, None) => format!("none yet: {}", standing.waits_for()),
        }
    }
}
