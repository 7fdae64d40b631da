//! SPSA as a tuner asks for it: pairs to play, results to learn from, the status.

use super::band::{self, Best};
use super::line::SpsaParam;
use super::state::{Spsa, Trial};
use crate::preflight::TunableSpan;
use crate::tunable::{Base, Tunable};
use crate::tune::tuner::{Optimizer, SHOWN};

impl Optimizer for Spsa {
    fn pairs(&self) -> u64 {
        self.pairs
    }

    fn next_pairs(&self) -> std::ops::Range<u64> {
        let end = self.pairs.saturating_add(self.batch).min(self.total);
        self.pairs..if band::is_done(self, self.flat) { self.pairs } else { end }
    }

    /// The two sides of an iteration play all its pairs.
    fn propose(&mut self) -> Vec<(usize, [Vec<f64>; 2])> {
        let Trial { plus, minus } = self.trial();
        vec![(self.next_pairs().count(), [plus, minus])]
    }

    fn learn(&mut self, half_points: &[u8]) {
        self.step(half_points);
    }

    fn tunables(&self) -> Vec<&Tunable> {
        self.lines().iter().map(|line| &line.tunable).collect()
    }

    fn turns(&self, _base: &Base) -> Vec<TunableSpan<'_>> {
        self.lines().iter().map(SpsaParam::turn).collect()
    }

    fn status(&self) -> String {
        let bands = band::bands(self);
        let each = self.lines().iter().enumerate().take(SHOWN).map(|(number, line)| {
            let (name, theta, digits) =
                (line.tunable.name(), self.theta()[number], line.decimals());
            match bands.as_ref().and_then(|bands| bands[number].best) {
                Some(Best { low, high, .. }) => {
                    format!("{name} {theta:.digits$} (best {low:.digits$} to {high:.digits$})")
                }
                None => format!("{name} {theta:.digits$}"),
            }
        });
        let each: Vec<String> = each.collect();
        let more = self.lines().len().saturating_sub(SHOWN);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        format!("{}/{} pairs · {}{more}", self.pairs, self.total, each.join(" · "))
    }
}
