//! Plain halving, for comparison: the middle of what is left plays a match against version 0, whose
//! verdict is believed.

use std::num::{NonZeroU64, NonZeroUsize};

use super::simulate::{CulpritOutcomes, CulpritTruth, Ended, outcomes};
use crate::anytime::Course;
use crate::rule::{Rule, Verdict};
use crate::why::Defined;

/// How each match of a halving is played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct HalvingTerms {
    /// REJECT says that the version has the loss, anything else that it has not.
    pub rule: Rule,
    /// Of each match, at most.
    pub pairs: NonZeroU64,
}

/// Halves made-up rows by matches.
pub fn halve(
    terms: HalvingTerms,
    truth: &CulpritTruth,
    searches: NonZeroU64,
    seed: u64,
    threads: NonZeroUsize,
) -> Defined<CulpritOutcomes> {
    let most = terms.pairs.get();
    outcomes(truth, searches, seed, threads, |row| {
        // The loss is in a change above the first and up to the second.
        let (mut low, mut high) = (0, truth.changes.get());
        while high - low > 1 {
            let middle = usize::midpoint(low, high);
            let mut course = Course::default();
            let mut spare = 0;
            let verdict = loop {
                course.add_pair(row.play(middle)?);
                let pairs = course.counts.pairs();
                if spare > 0 && pairs < most {
                    spare -= 1;
                    continue;
                }
                if let Some(sprt) = terms.rule.sprt() {
                    spare = sprt.units_to_spare(&course.counts);
                }
                if spare > 0 && pairs < most {
                    continue;
                }
                if let Some(verdict) = terms.rule.judge(&course, None, pairs, most).verdict() {
                    break verdict;
                }
            };
            *if verdict == Verdict::Reject { &mut high } else { &mut low } = middle;
        }
        Ok(Ended::Named(high))
    })
}
