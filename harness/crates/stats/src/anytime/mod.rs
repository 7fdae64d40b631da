//! A test that may be looked at after every pair and stopped at any time, and an interval of Elo that
//! may be looked at as often.
//!
//! Both bet. If the test engine is not the stronger one, the mean of a pair's score `d`, −1 for two losses
//! to 1 for two wins, is 0 or less whatever the spread, and no capital that is staked on it can be
//! expected to grow; by Ville's inequality the chance that it ever reaches `1 / α` is at most `α`. Neither
//! a spread nor a least gain has to be assumed, as LOS and SPRT do.

mod course;
mod effects;
mod evidence;
mod interval;
mod shares;

use std::fmt;

use crate::pair_model::PairModel;

pub use course::Course;
pub use effects::EffectBets;
pub use evidence::{Evidence, e_value_text};
pub use interval::{AnytimeElo, TruthBets, anytime_elo, interval_in_words};

/// A test that errs with a probability of at most `alpha`, however often one looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Anytime {
    alpha: f64,
    bets: Bets,
}

/// How its evidence is made. Either keeps `alpha`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Bets {
    /// [`EffectBets`].
    #[default]
    Effects,
    /// Fixed shares of the capital: [`Evidence::of`]. Runs that were recorded before there were
    /// others are judged by these.
    Shares,
}

impl fmt::Display for Bets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Bets::Effects => "effects",
            Bets::Shares => "shares",
        })
    }
}

impl Anytime {
    /// Fails unless `alpha`, the probability of error of each direction, is above 0 and below ½.
    pub fn new(alpha: f64, bets: Bets) -> Result<Anytime, String> {
        let is_possible = alpha > 0.0 && alpha < 0.5;
        is_possible.then_some(Anytime { alpha, bets }).ok_or_else(|| {
            format!("alpha={alpha} is out of range: expected a probability of error above 0 and below 0.5")
        })
    }

    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    pub fn bets(&self) -> Bets {
        self.bets
    }

    /// The log evidence at which it decides: `ln(1 / alpha)`.
    pub fn bound(&self) -> f64 {
        -self.alpha.ln()
    }

    pub fn evidence(&self, course: &Course) -> Evidence {
        match self.bets {
            Bets::Effects => course.bets.evidence(),
            Bets::Shares => Evidence::of(&course.counts),
        }
    }

    /// Whether it decides when after these pairs `further` ones have just the shares of the model.
    pub(super) fn decides(&self, course: &Course, model: &PairModel, further: f64) -> bool {
        let expected = match self.bets {
            Bets::Effects => course.bets.expected(model, further),
            Bets::Shares => {
                let mut expected = course.counts.to_array().map(|count| count as f64);
                for (count, chance) in expected.iter_mut().zip(model.chances()) {
                    *count += further * chance;
                }
                shares::larger(&expected)
            }
        };
        expected >= self.bound()
    }
}

#[cfg(test)]
mod tests {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

    use super::*;

    /// Looked at after each of 2,000 pairs of equal engines, it accepts or rejects at most 1 in 20
    /// times each way.
    #[test]
    fn errors_are_rare_though_always_looked_at() {
        for bets in [Bets::Effects, Bets::Shares] {
            let test = Anytime::new(0.05, bets).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(7);
            let (mut better, mut worse) = (0, 0);
            for _ in 0..200 {
                let mut course = Course::default();
                for _ in 0..2000 {
                    course.add_pair([0, 1, 1, 2, 2, 2, 2, 3, 3, 4][rng.next_u32() as usize % 10]);
                    let evidence = test.evidence(&course);
                    if evidence.better >= test.bound() {
                        better += 1;
                        break;
                    }
                    if evidence.worse >= test.bound() {
                        worse += 1;
                        break;
                    }
                }
            }
            // 200 × 5 % is 10; 20 or more by chance has a probability of 0.3 %.
            assert!(better < 20 && worse < 20, "{better} accepted, {worse} rejected of 200");
        }
    }

    #[test]
    fn alpha_is_checked() {
        for alpha in [0.0, 0.5, 1.0, -0.1, f64::NAN] {
            assert!(Anytime::new(alpha, Bets::Effects).is_err());
        }
    }
}
