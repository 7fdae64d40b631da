//! Whether a run is decided, by its rule or by faults.

use std::collections::BTreeMap;

use super::TooManyFaults;
use crate::record::{FinalVerdict, SummaryStatistics, Tally};
use stats::{Defined, Judgement};

#[derive(Debug, Clone, PartialEq)]
pub struct Ruling {
    /// `None` while the run can go on.
    pub verdict: Option<FinalVerdict>,
    /// The numbers behind the verdict; where faults make the run void or stop it, the faults.
    pub reason: Option<String>,
}

impl Ruling {
    /// `limit` is `--max-faults`, 0 to 1.
    pub fn of(tally: &Tally, limit: Option<f64>) -> Ruling {
        let judgement = tally.state.judgement();
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

    /// `tally` says what an undecided run waits for.
    pub fn in_words(&self, tally: &Tally) -> String {
        match (self.verdict, &self.reason) {
            (Some(verdict), Some(reason)) => format!("{verdict}: {reason}"),
            (Some(verdict), None) => verdict.to_string(),
            (None, Some(faults)) => format!("none: {faults}"),
            (None, None) => format!("none yet: {}", tally.state.waits_for()),
        }
    }

    /// The statistics of the counts, with this verdict.
    pub fn judged(&self, tally: &Tally) -> SummaryStatistics {
        let statistics = tally.state.statistics();
        let mut why = BTreeMap::new();
        let mut judged = SummaryStatistics {
            elo: keep(&mut why, "elo", statistics.elo.elo),
            elo_error95: keep(&mut why, "elo_error95", statistics.elo.error95),
            elo_anytime95: keep(&mut why, "elo_anytime95", statistics.anytime.ends()),
            nelo: keep(&mut why, "nelo", statistics.nelo.nelo),
            nelo_error95: keep(&mut why, "nelo_error95", statistics.nelo.error95),
            los: keep(&mut why, "los", statistics.los),
            llr: keep(&mut why, "llr", statistics.llr),
            llr_bounds: keep(&mut why, "llr_bounds", statistics.llr_bounds),
            evidence: tally.state.evidence().map(|it| [it.better, it.worse]),
            elo_unbiased: keep(&mut why, "elo_unbiased", statistics.unbiased.and_then(|it| it.elo)),
            elo_unbiased_ci95: keep(
                &mut why,
                "elo_unbiased_ci95",
                statistics.unbiased.and_then(|it| it.interval()),
            ),
            verdict: keep(&mut why, "verdict", statistics.verdict).and(self.verdict),
            void: self.void().map(str::to_owned),
            why,
        };
        if let Some(faults) = self.too_many_faults() {
            judged.why.insert("verdict".to_owned(), faults.to_owned());
        }
        judged
    }
}

/// A number, or `None` and the reason in `why`.
fn keep<T>(why: &mut BTreeMap<String, String>, name: &str, value: Defined<T>) -> Option<T> {
    value.map_err(|reason| why.insert(name.to_owned(), reason.to_string())).ok()
}
