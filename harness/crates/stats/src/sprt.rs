//! The sequential probability ratio test between two Elo differences.
//!
//! The test is the generalized one (GSPRT): the log-likelihood ratio compares the likeliest
//! distribution of results with an Elo of `elo1` to the likeliest with `elo0`, so that neither
//! draws nor the book's bias need a model. See Michel Van den Bergh, "A practical introduction to
//! the GSPRT", <https://www.cantate.be/Fishtest/GSPRT_approximation.pdf>; Xiaoou Li, Jingchen Liu
//! and Zhiliang Ying, "Generalized Sequential Probability Ratio Test for Separate Families of
//! Hypotheses".

use std::fmt;

use serde::{Deserialize, Serialize};

use super::counts::{Counts, Pentanomial, Wdl};
use super::elo::{NELO_PER_DEVIATION, score_of_elo};
use super::sample::{OUTCOMES, ScoreSample};
use super::why::{Defined, Why};
use super::{bayeselo, mle};

/// The largest absolute Elo of a hypothesis.
pub const MAX_ELO: f64 = 2000.0;
/// Hypotheses nearer than this, in Elo, would take more games than anybody can play.
pub(super) const MIN_WIDTH: f64 = 0.01;

/// What a hypothesis' Elo is measured in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[derive(strum::Display, strum::EnumString)]
#[strum(serialize_all = "lowercase")]
pub enum Model {
    /// Normalized Elo: the mean's distance from one half in standard deviations of a game. The
    /// length of the test then depends little on the share of draws.
    #[default]
    Normalized,
    /// Elo as in rating lists: a function of the mean score alone.
    Logistic,
    /// BayesElo, with the draw margin as observed: Wald's test of single games, taken for
    /// independent, as older testing had it. Of pairs it needs their games. fastchess calls it
    /// `bayesian`.
    #[strum(to_string = "bayeselo", serialize = "bayesian")]
    BayesElo,
}

/// Hypotheses and error probabilities of a test, always valid.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sprt {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: Model,
}

/// The smallest probability of error that can be asked for.
const MIN_ERROR: f64 = 1e-9;

/// Where a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Decision {
    /// The LLR is between the bounds.
    Continue,
    /// The lower bound is reached: `elo0` holds.
    H0,
    /// The upper bound is reached: `elo1` holds.
    H1,
}

impl Sprt {
    /// A test of `elo0` against `elo1` (test minus base, in the unit of `model`) that takes a wrong
    /// `elo1` with probability `alpha` and a wrong `elo0` with probability `beta`.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: Model) -> Result<Sprt, String> {
        for (name, value) in [("elo0", elo0), ("elo1", elo1)] {
            if !(-MAX_ELO..=MAX_ELO).contains(&value) {
                return Err(format!(
                    "{name}={value} is out of range: expected -{MAX_ELO} to {MAX_ELO}"
                ));
            }
        }
        if elo0 >= elo1 {
            return Err(format!("elo0={elo0} must be below elo1={elo1}"));
        }
        // The tolerance is for 0.1 and 0.11, whose difference is a little less.
        if elo1 - elo0 < MIN_WIDTH - 1e-9 {
            return Err(format!(
                "elo0={elo0} and elo1={elo1} are too close: expected {MIN_WIDTH} between them, or more"
            ));
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(MIN_ERROR..=0.5).contains(&value) {
                return Err(format!(
                    "{name}={value} is out of range: expected a probability of error, {MIN_ERROR} to 0.5"
                ));
            }
        }
        if alpha + beta >= 1.0 {
            return Err(format!(
                "alpha={alpha} and beta={beta} must not both be 0.5: the test would end at once"
            ));
        }
        Ok(Sprt { elo0, elo1, alpha, beta, model })
    }

    pub fn elo0(&self) -> f64 {
        self.elo0
    }

    pub fn elo1(&self) -> f64 {
        self.elo1
    }

    /// Probability of accepting when `elo0` holds.
    pub fn alpha(&self) -> f64 {
        self.alpha
    }

    /// Probability of rejecting when `elo1` holds.
    pub fn beta(&self) -> f64 {
        self.beta
    }

    pub fn model(&self) -> Model {
        self.model
    }

    /// Wald's bounds of the LLR, `[ln(β / (1 − α)), ln((1 − β) / α)]`.
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }

    /// The log-likelihood ratio of `elo1` to `elo0`; 0 without games. Zero counts are taken for
    /// 0.001 (see the [module](super)). Undefined ([`Why::NoLikelihood`]) if a hypothesis cannot be
    /// met; only known in BayesElo. Pairs in BayesElo: see [`Sprt::llr_of_pairs`].
    pub fn llr<C: Counts>(&self, counts: &C) -> Defined {
        let sample = ScoreSample::new(counts);
        if sample.units() == 0.0 {
            return Ok(0.0);
        }
        if self.model == Model::BayesElo {
            return bayeselo::llr(&counts.games()?, self.elo0, self.elo1);
        }
        let sample = sample.regularised();
        Self::llr_of(&sample, &self.ratios(&sample)?)
    }

    /// As [`Sprt::llr`]; in BayesElo it needs the games of the pairs ([`Why::GamesUnknown`]).
    pub fn llr_of_pairs(&self, pairs: &Pentanomial, games: Option<&Wdl>) -> Defined {
        match games {
            Some(games) if self.model == Model::BayesElo => self.llr(games),
            _ => self.llr(pairs),
        }
    }

    /// How many further units cannot decide, whatever their scores; simulations skip those LLRs. 0
    /// where unknown.
    ///
    /// A unit of score `i` adds about `ln(p1_i / p0_i)`, which itself changes slowly; twice the
    /// greatest of them is taken for the most that one can add.
    pub(super) fn units_to_spare<C: Counts>(&self, counts: &C) -> u64 {
        /// Fewer units leave the ratios still in motion.
        const SETTLED: f64 = 100.0;
        let sample = ScoreSample::new(counts).regularised();
        if sample.units() < SETTLED {
            return 0;
        }
        let Ok(ratios) = self.ratios(&sample) else { return 0 };
        let Ok(llr) = Self::llr_of(&sample, &ratios) else { return 0 };
        let step = ratios.iter().fold(0.0_f64, |most, ratio| most.max(ratio.abs()));
        let [lower, upper] = self.bounds();
        let way = (upper - llr).min(llr - lower);
        (way / (2.0 * step)).max(0.0) as u64
    }

    /// `ln(p1 / p0)` of each outcome, `p0` and `p1` being the likeliest distributions under the two
    /// hypotheses; 0 beyond the number of outcomes.
    fn ratios(&self, sample: &ScoreSample) -> Defined<mle::Values> {
        let units = sample.units();
        let mut frequencies = [0.0; OUTCOMES];
        let frequencies = &mut frequencies[..sample.counts().len()];
        for (frequency, count) in frequencies.iter_mut().zip(sample.counts()) {
            *frequency = count / units;
        }
        let likeliest = |elo: f64| match self.model {
            Model::Logistic => mle::with_mean(frequencies, score_of_elo(elo), score_of_elo(-elo)),
            // The deviation of a mean of two games is smaller by the root of two.
            Model::Normalized => {
                mle::with_t_value(frequencies, elo / NELO_PER_DEVIATION * sample.games.sqrt())
            }
            // Its likelihoods are those of its model, not of the likeliest distribution.
            Model::BayesElo => None,
        };
        let p0 = likeliest(self.elo0).ok_or(Why::NoLikelihood)?;
        let mut ratios = likeliest(self.elo1).ok_or(Why::NoLikelihood)?;
        for (ratio, p0) in ratios.iter_mut().zip(&p0).take(frequencies.len()) {
            *ratio = (*ratio / p0).ln();
        }
        Ok(ratios)
    }

    fn llr_of(sample: &ScoreSample, ratios: &mle::Values) -> Defined {
        let llr: f64 = sample.counts().iter().zip(ratios).map(|(count, ratio)| count * ratio).sum();
        if llr.is_finite() { Ok(llr) } else { Err(Why::NoLikelihood) }
    }

    pub fn decide(&self, llr: f64) -> Decision {
        let [lower, upper] = self.bounds();
        if llr >= upper {
            Decision::H1
        } else if llr <= lower {
            Decision::H0
        } else {
            Decision::Continue
        }
    }
}

/// As a rule's text: `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=normalized`.
impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Sprt { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}
