//! An interval of Elo that holds at every look: a confidence sequence.
//!
//! To test whether a mean score `m` of a unit, 0 to 1, is too low, a bettor stakes the share `c` of what
//! it may lose at most: a unit of score `x` multiplies its capital by `1 + c (x / m − 1)`. If the mean is
//! `m` or less, the capital cannot be expected to grow, so it reaches `2 / α` with a chance of at most
//! `α / 2`, at any of all looks. The low end is the mean at which it has just reached that; below it
//! every mean is refuted. The high end is found by the same bets on the points that were lost. Both ends
//! together miss the true mean, at any look, in at most `α` of matches.
//!
//! The capital is divided evenly among [`BETTORS`] shares, so that a spread need not be known; its sum
//! depends on the counts alone and not on the order of the pairs. This is the hedged grid of Kelly bets of
//! Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (2023), with the
//! ends as the larger of both capitals.
//!
//! The proof is that of [`EffectBets`](super::EffectBets): only the mean given the past is assumed, so
//! that pairs which repeat others must not be counted.

use std::sync::LazyLock;

use crate::bisect::bisect;
use crate::counts::Counts;
use crate::sample::ScoreSample;
use crate::why::{Defined, Why};

/// Bettors on each side.
const BETTORS: usize = 32;
/// The smallest and the largest share.
const SHARES: (f64, f64) = (0.005, 0.95);
/// The interval misses the truth in at most this share of matches.
const ALPHA: f64 = 0.05;
/// ln of the odds of a score at which Elo is taken to end: 6900 Elo.
const MOST_LOG_ODDS: f64 = 40.0;
/// From so wide a range they leave less than a millionth of an Elo.
const HALVINGS: u32 = 36;

static SHARES_OF_BETTORS: LazyLock<[f64; BETTORS]> = LazyLock::new(|| {
    let (least, most) = SHARES;
    std::array::from_fn(|bettor| least * (most / least).powf(bettor as f64 / (BETTORS - 1) as f64))
});

/// The 95 % interval that may be looked at after every pair, test minus base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnytimeElo {
    pub low95: Defined,
    pub high95: Defined,
}

impl AnytimeElo {
    /// Where there is none.
    pub(crate) fn undefined(why: Why) -> AnytimeElo {
        AnytimeElo { low95: Err(why), high95: Err(why) }
    }

    /// Both ends, an open one as `None`; undefined where both are open.
    pub fn ends(&self) -> Defined<[Option<f64>; 2]> {
        match (self.low95, self.high95) {
            (Err(why), Err(_)) => Err(why),
            (low, high) => Ok([low.ok(), high.ok()]),
        }
    }
}

/// The ends of an interval in words, `-1.2 to +7.5`; `None` is an open end.
pub fn interval_in_words(ends: [Option<f64>; 2], decimals: usize) -> String {
    match ends {
        [Some(low), Some(high)] => format!("{low:+.decimals$} to {high:+.decimals$}"),
        [Some(low), None] => format!("{low:+.decimals$} or more"),
        [None, Some(high)] => format!("{high:+.decimals$} or less"),
        [None, None] => "anything".to_owned(),
    }
}

/// The interval of these counts, of whatever number: few give a wide one. An end is open while the
/// counts refute no score on its side. Of games that are in pairs the pairs must be counted.
pub fn anytime_elo<C: Counts>(counts: &C) -> AnytimeElo {
    let sample = ScoreSample::new(counts);
    if sample.units() == 0.0 {
        return AnytimeElo::undefined(Why::NoGames);
    }
    let (won, lost) = sample.points();
    let counts = sample.counts();
    let mut mirrored = counts.to_vec();
    mirrored.reverse();
    let elo = |log_odds: f64| log_odds * 400.0 / std::f64::consts::LN_10;
    let low = low_end(counts, won, lost).map(elo);
    let high = low_end(&mirrored, lost, won).map(|log_odds| elo(-log_odds));
    AnytimeElo {
        low95: low.ok_or(Why::IntervalReachesEnd),
        high95: high.ok_or(Why::IntervalReachesEnd),
    }
}

/// ln of the odds of the lowest mean score that is not refuted. `None` where none is refuted.
fn low_end(counts: &[f64], won: f64, lost: f64) -> Option<f64> {
    if won == 0.0 {
        return None;
    }
    let mean = (won / lost).ln().min(MOST_LOG_ODDS);
    let bound = (2.0 / ALPHA).ln();
    // Lower means are refuted more.
    let is_refuted = |log_odds: f64| capital(counts, 1.0 / (1.0 + (-log_odds).exp())) >= bound;
    is_refuted(-MOST_LOG_ODDS).then(|| bisect(-MOST_LOG_ODDS, mean, HALVINGS, is_refuted))
}

/// ln of what a stake of 1 on "more than this mean score" has become.
fn capital(counts: &[f64], mean: f64) -> f64 {
    let most = (counts.len() - 1) as f64;
    let logarithms = SHARES_OF_BETTORS.map(|share| {
        let outcomes = counts.iter().enumerate().filter(|(_, count)| **count > 0.0);
        let gain = |outcome: usize| share * (outcome as f64 / most / mean - 1.0);
        outcomes.map(|(outcome, count)| count * gain(outcome).ln_1p()).sum::<f64>()
    });
    let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let sum: f64 = logarithms.iter().map(|logarithm| (logarithm - most).exp()).sum();
    most + (sum / BETTORS as f64).ln()
}

/// The capital of both sides' bettors at one mean score, pair by pair: whether the interval has ever
/// left it out. To simulate with; what it costs does not grow with the pairs.
#[derive(Debug, Clone)]
pub struct TruthBets {
    /// What a pair of each score makes of each bettor's capital, for both ends.
    gains: [[[f64; BETTORS]; 5]; 2],
    capitals: [[f64; BETTORS]; 2],
}

impl TruthBets {
    /// `mean` is a pair's mean score, 0 to 1, both excluded.
    pub fn new(mean: f64) -> TruthBets {
        let gains = |mean: f64, score: f64| {
            SHARES_OF_BETTORS.map(|share| 1.0 + share * (score / 4.0 / mean - 1.0))
        };
        TruthBets {
            gains: [
                std::array::from_fn(|points| gains(mean, points as f64)),
                std::array::from_fn(|points| gains(1.0 - mean, 4.0 - points as f64)),
            ],
            capitals: [[1.0 / BETTORS as f64; BETTORS]; 2],
        }
    }

    /// Adds a pair, and returns whether the interval of the pairs so far leaves the mean out.
    pub fn add(&mut self, half_points: u8) -> bool {
        let points = usize::from(half_points.min(4));
        let sums = self.capitals.iter_mut().zip(&self.gains).map(|(capitals, gains)| {
            for (capital, gain) in capitals.iter_mut().zip(&gains[points]) {
                *capital *= gain;
                // Denormal numbers are slow, and it will not come back.
                if *capital < f64::MIN_POSITIVE {
                    *capital = 0.0;
                }
            }
            capitals.iter().sum::<f64>()
        });
        sums.fold(false, |is_out, sum| is_out | (sum >= 2.0 / ALPHA))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Pentanomial, Wdl, display_elo, score_of_elo};

    fn interval(counts: [u64; 5]) -> [f64; 2] {
        let interval = anytime_elo(&Pentanomial::from(counts));
        [interval.low95.unwrap(), interval.high95.unwrap()]
    }

    /// At an end the capital has just reached 40.
    #[test]
    fn ends_are_where_the_capital_is_forty() {
        let counts = [10, 20, 70, 40, 30];
        let [low, high] = interval(counts);
        let real = counts.map(|count| count as f64);
        assert!((capital(&real, score_of_elo(low)).exp() / 40.0 - 1.0).abs() < 1e-6);
        let mirrored = [30.0, 40.0, 70.0, 20.0, 10.0];
        assert!((capital(&mirrored, score_of_elo(-high)).exp() / 40.0 - 1.0).abs() < 1e-6);
    }

    #[test]
    fn open_ends() {
        let of = |counts: [u64; 5]| anytime_elo(&Pentanomial::from(counts));
        assert_eq!(of([0; 5]).ends(), Err(Why::NoGames));
        let won = of([0, 0, 0, 0, 100]);
        assert!(won.low95.unwrap() > 300.0 && won.high95 == Err(Why::IntervalReachesEnd));
        let lost = of([100, 0, 0, 0, 0]);
        assert_eq!(lost.high95, won.low95.map(|low| -low));
        assert_eq!(lost.ends().unwrap()[0], None);
        assert!(interval_in_words(lost.ends().unwrap(), 0).ends_with(" or less"));
        // Games, one by one.
        let games = anytime_elo(&Wdl { win: 50, draw: 100, loss: 50 });
        assert!((games.low95.unwrap() + games.high95.unwrap()).abs() < 1e-5);
    }

    /// The price of looking always: less than twice as wide as the interval for one look.
    #[test]
    fn not_twice_as_wide() {
        for scale in [1, 10, 100, 1000] {
            let counts = [10, 15, 50, 15, 10].map(|count| count * scale);
            let [low, high] = interval(counts);
            let plain = display_elo(&Pentanomial::from(counts)).error95.unwrap();
            let ratio = (high - low) / 2.0 / plain;
            assert!((1.5..1.9).contains(&ratio), "{scale}: {ratio}");
        }
    }

    /// Pair by pair it says the same as the interval of the counts.
    #[test]
    fn the_truth_is_out_when_the_interval_says_so() {
        let truth = 12.0;
        let mut bets = TruthBets::new(score_of_elo(truth));
        let mut counts = Pentanomial::default();
        let mut out = 0;
        for number in 0..600_u32 {
            let points = [4, 2, 1, 3, 4, 0, 2][number as usize % 7];
            counts.add_pair(points);
            let is_out = bets.add(points);
            let interval = anytime_elo(&counts);
            let is_below = interval.high95.is_ok_and(|high| high < truth);
            let is_above = interval.low95.is_ok_and(|low| low > truth);
            assert_eq!(is_out, is_below || is_above, "{number}: {interval:?}");
            out += u32::from(is_out);
        }
        assert!(out > 50 && out < 550, "{out}");
    }

    proptest! {
        #[test]
        fn points_raise_both_ends(counts in prop::array::uniform5(0_u64..2000), at in 0_usize..4) {
            let mut counts = counts;
            counts[at] += 1;
            counts[0] += 1;
            counts[4] += 1;
            let [low, high] = interval(counts);
            let elo = display_elo(&Pentanomial::from(counts)).elo.unwrap();
            prop_assert!(low < elo && elo < high);
            let mut better = counts;
            better[at] -= 1;
            better[at + 1] += 1;
            let [better_low, better_high] = interval(better);
            prop_assert!(better_low > low && better_high > high);
            counts.reverse();
            let [mirrored_low, mirrored_high] = interval(counts);
            prop_assert!((mirrored_low + high).abs() < 1e-5 && (mirrored_high + low).abs() < 1e-5);
        }
    }
}
