//! The Elo of a match that a sequential test stopped, without the bias of stopping.
//!
//! A test stops when the results look good or bad enough, and so the plain estimate of an accepted
//! match is, on average, too high. The median-unbiased estimate asks instead: for which true Elo is
//! a result as good as this one or better just as likely as a worse one? Results are ordered as
//! Siegmund ordered them: stopping at the upper bound early is the best, stopping at the lower
//! bound early the worst. The LLR is taken for a Brownian motion between two absorbing bounds; the
//! chance to end below a point follows by the method of images. See Michel Van den Bergh, "The SPRT
//! for Brownian motion", <https://www.cantate.be/Fishtest/sprta.pdf>.

use statrs::distribution::{ContinuousCDF, Normal};

use super::bisect::bisect;
use super::counts::Counts;
use super::elo::{NELO_PER_DEVIATION, score_of_elo};
use super::sample::{Moments, ScoreSample};
use super::sprt::{Model, Sprt};
use super::why::{Defined, Why};

/// A median-unbiased estimate of logistic Elo, test minus base: half of all matches with that true
/// Elo end better, half worse.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Unbiased {
    /// The estimate; undefined beyond the scale of ±1000.
    pub elo: Defined,
    /// Lower end of the central 95% interval; undefined likewise.
    pub low95: Defined,
    pub high95: Defined,
    /// Likelihood of superiority, 0 to 1.
    pub los: f64,
}

impl Unbiased {
    /// Both ends of the 95% interval.
    pub fn interval(&self) -> Defined<[f64; 2]> {
        Ok([self.low95?, self.high95?])
    }
}

/// Estimates are looked for within ± this Elo.
const SCALE: f64 = 1000.0;

impl Sprt {
    /// The estimate after this test was stopped, or broken off. Undefined without games, and in
    /// BayesElo.
    pub fn unbiased<C: Counts>(&self, counts: &C) -> Defined<Unbiased> {
        let scores = self.scores(score_moments(counts)?.deviation, C::GAMES)?;
        unbiased(counts, self.bounds(), scores)
    }

    /// The mean scores of both hypotheses, where a unit of so many games has this deviation.
    /// Undefined in BayesElo, where they depend on the draw margin.
    pub(super) fn scores(&self, deviation: f64, games: u32) -> Defined<[f64; 2]> {
        let [elo0, elo1] = [self.elo0(), self.elo1()].map(|elo| match self.model() {
            Model::Logistic => Ok(score_of_elo(elo)),
            // The deviation of a game is that of a mean of two times the root of two.
            Model::Normalized => {
                Ok(0.5 + elo / NELO_PER_DEVIATION * deviation * f64::from(games).sqrt())
            }
            Model::BayesElo => Err(Why::ModelOfGames),
        });
        Ok([elo0?, elo1?])
    }
}

/// The estimate after a test between two mean scores, with these bounds of its LLR. Undefined
/// without games.
pub fn unbiased<C: Counts>(counts: &C, bounds: [f64; 2], scores: [f64; 2]) -> Defined<Unbiased> {
    let path = score_moments(counts)?;
    let [score0, score1] = scores;
    let variance = path.deviation * path.deviation;
    let drift = |score: f64| (score1 - score0) * (2.0 * score - score0 - score1) / variance / 2.0;
    let [lower, upper] = bounds;
    let llr = path.units * drift(path.mean);
    let end = llr.clamp(lower, upper);
    // Where it went beyond a bound, it stopped at the bound, and a little earlier.
    let time = if end == llr { path.units } else { path.units * end / llr };
    let spread = (score1 - score0).powi(2) / variance;
    let walk = BrownianMotion { bounds, end, time, spread };
    let below = |elo: f64| walk.chance_below(drift(score_of_elo(elo)));
    Ok(Unbiased {
        elo: where_it_is(0.5, below),
        low95: where_it_is(0.975, below),
        high95: where_it_is(0.025, below),
        los: below(0.0),
    })
}

/// Zero counts are taken for 0.001, as for LLRs.
fn score_moments<C: Counts>(counts: &C) -> Defined<Moments> {
    let sample = ScoreSample::new(counts);
    if sample.units() == 0.0 {
        return Err(Why::NoGames);
    }
    sample.regularised().moments()
}

/// The Elo at which a falling function has this value.
fn where_it_is(value: f64, falling: impl Fn(f64) -> f64) -> Defined {
    if falling(-SCALE) <= value {
        return Err(Why::Below);
    }
    if falling(SCALE) >= value {
        return Err(Why::Above);
    }
    // To 10⁻⁹ Elo.
    Ok(bisect(-SCALE, SCALE, 41, |elo| falling(elo) > value))
}

/// A Brownian motion from 0 between absorbing bounds.
struct BrownianMotion {
    /// Lower and upper bound, below and above 0.
    bounds: [f64; 2],
    /// Where it stopped, the bounds included.
    end: f64,
    /// When it stopped, in units.
    time: f64,
    /// Variance of a step.
    spread: f64,
}

/// Standard deviations beyond which a normal distribution is taken for 0.
const FAR: f64 = 9.0;
/// A walk that could have strayed so many times the width of the bounds has met one.
const LONG: f64 = 4.0;

impl BrownianMotion {
    /// The chance of a worse end than this one when each step has this drift: absorbed below by
    /// now, or still between the bounds and lower.
    fn chance_below(&self, drift: f64) -> f64 {
        let [lower, upper] = self.bounds;
        let width = upper - lower;
        let deviation = (self.spread * self.time).sqrt();
        // Without drift some fractions below would be 0 / 0.
        let pull = drift / self.spread;
        let least = 1e-9 / width;
        let pull = if pull.abs() < least { least.copysign(pull) } else { pull };
        let carried = pull * self.spread * self.time;

        // Of a walk at x the chance to end at the lower bound some day is (e^(−2 pull x) − e^(−2
        // pull upper)) / (e^(−2 pull lower) − e^(−2 pull upper)); all three are divided by the
        // largest so that none overflows.
        let largest = if pull > 0.0 { -2.0 * pull * lower } else { -2.0 * pull * upper };
        let at_upper = -2.0 * pull * upper - largest;
        let divisor = if pull > 0.0 {
            -(-2.0 * pull * width).exp_m1()
        } else {
            (2.0 * pull * width).exp_m1()
        };
        let some_day = ((-largest).exp() - at_upper.exp()) / divisor;
        // Nothing is between the bounds any more where time was long, or the drift carries all
        // beyond.
        let beyond = (carried - upper).max(lower - carried);
        if deviation > LONG * width || beyond > FAR * deviation {
            return some_day.clamp(0.0, 1.0);
        }

        // Images of the walk beyond the bounds make it 0 at both: those at an even distance count,
        // those at an odd one are taken off.
        let images = 3 + ((FAR * deviation + carried.abs()) / (2.0 * width)) as i32;
        let (mut lower_now, mut later) = (0.0, 0.0);
        for image in -images..=images {
            let even = f64::from(2 * image) * width;
            for (sign, centre) in [(1.0, even), (-1.0, 2.0 * upper + even)] {
                let between = |from: f64, to: f64, centre: f64| {
                    normal_between((from - centre) / deviation, (to - centre) / deviation)
                };
                let forward = centre + carried;
                lower_now += sign * weighted(pull * centre, between(lower, self.end, forward));
                later += sign
                    * (weighted(-pull * centre - largest, between(lower, upper, centre - carried))
                        - weighted(pull * centre + at_upper, between(lower, upper, forward)))
                    / divisor;
            }
        }
        (some_day - later + lower_now).clamp(0.0, 1.0)
    }
}

/// `e^logarithm · share`, where the first may be too large for a number and the second too small.
fn weighted(logarithm: f64, share: f64) -> f64 {
    if share > 0.0 { (logarithm + share.ln()).exp() } else { 0.0 }
}

/// The share of a normal distribution between two points, exact in both tails.
fn normal_between(from: f64, to: f64) -> f64 {
    let normal = Normal::standard();
    if from > 0.0 { normal.sf(from) - normal.sf(to) } else { normal.cdf(to) - normal.cdf(from) }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng as _;

    use super::*;
    use crate::pair_model::PairModel;
    use crate::{Decision, IntervalKind, Pentanomial, elo};

    /// Over many stopped matches the plain estimate is too far out; half of the unbiased ones are
    /// above the truth, and 95 % of the intervals hold it.
    #[test]
    fn half_of_the_estimates_are_above_the_truth() {
        let sprt: Sprt = "0,20,model=logistic".parse().unwrap();
        let true_elo = 20.0;
        let model = PairModel::new(&Pentanomial::from([10, 15, 50, 15, 10]), true_elo).unwrap();
        let (mut above, mut plainly_above, mut inside) = (0, 0, 0);
        let matches = 400;
        for number in 0..matches {
            let mut rng = ChaCha8Rng::seed_from_u64(number);
            let mut counts = Pentanomial::default();
            loop {
                counts.add_pair(model.draw(&mut rng));
                if sprt.decide(sprt.llr(&counts).unwrap()) != Decision::Continue {
                    break;
                }
            }
            let found = sprt.unbiased(&counts).unwrap();
            above += usize::from(found.elo.unwrap() > true_elo);
            plainly_above +=
                usize::from(elo(&counts, IntervalKind::Normal).elo.unwrap() > true_elo);
            let [low95, high95] = found.interval().unwrap();
            inside += usize::from((low95..=high95).contains(&true_elo));
        }
        // Two hundred, give or take ten.
        assert!((165..=235).contains(&above), "{above} of {matches}");
        assert!(plainly_above > above + 20, "{plainly_above} plainly, {above} without bias");
        assert!(inside >= 365, "{inside} of {matches}");
    }

    /// Beyond the scale there is no number.
    #[test]
    fn what_is_beyond_the_scale_is_said() {
        let sprt: Sprt = "0,5,model=logistic".parse().unwrap();
        let won = Pentanomial { ww: 30, ..Pentanomial::default() };
        let found = sprt.unbiased(&won).unwrap();
        assert_eq!((found.elo, found.high95), (Err(Why::Above), Err(Why::Above)));
        let lost = sprt.unbiased(&won.mirrored()).unwrap();
        assert_eq!((lost.elo, lost.interval()), (Err(Why::Below), Err(Why::Below)));
        assert_eq!(Why::Above.to_string(), "beyond +1000 Elo");
    }

    /// Without bounds near, it is the ordinary normal distribution.
    #[test]
    fn far_from_the_bounds_nothing_changes() {
        for drift in [-0.02, 0.0, 0.01] {
            let walk =
                BrownianMotion { bounds: [-50.0, 60.0], end: 1.0, time: 100.0, spread: 0.04 };
            let expected = Normal::standard().cdf((1.0 - drift * 100.0) / 2.0);
            assert!((walk.chance_below(drift) - expected).abs() < 1e-7, "{drift}");
        }
    }

    /// Long after, nothing is on its way: what remains is the chance of the lower bound.
    #[test]
    fn in_the_end_it_is_swallowed() {
        let walk = BrownianMotion { bounds: [-2.0, 3.0], end: 0.5, time: 1e4, spread: 1.0 };
        for drift in [-0.3_f64, -1e-9, 0.0, 0.1, 0.4] {
            let chance = if drift.abs() < 1e-6 {
                3.0 / 5.0
            } else {
                let at = |x: f64| (-2.0 * drift * x).exp();
                (1.0 - at(3.0)) / (at(-2.0) - at(3.0))
            };
            assert!((walk.chance_below(drift) - chance).abs() < 1e-5, "{drift}");
        }
    }
}
