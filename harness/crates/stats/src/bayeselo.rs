//! The BayesElo model of a game: a strength and a draw margin, both in BayesElo.
//!
//! Used by an SPRT with `model=bayeselo`, to compare with older testing (cutechess, OpenBench, old
//! fishtest), and to make games of known strength and draw share.

use super::counts::Wdl;
use super::elo::elo_of_score;
use super::sample::ScoreSample;
use super::why::{Defined, Why};

/// A player's advantage and the width of the draw zone.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BayesElo {
    /// The first player's advantage in BayesElo.
    pub elo: f64,
    /// Half the width of the zone in which games are drawn, in BayesElo.
    pub draw_elo: f64,
}

/// `1 / (1 + 10^(x / 400))`.
fn falling(x: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(x / 400.0))
}

impl BayesElo {
    /// Probabilities of loss, draw and win.
    pub fn probabilities(&self) -> [f64; 3] {
        let win = falling(self.draw_elo - self.elo);
        let loss = falling(self.draw_elo + self.elo);
        [loss, 1.0 - win - loss, win]
    }

    /// The model that gives just the frequencies of `low_to_high`, all above 0.
    fn of_frequencies([loss, draw, win]: [f64; 3]) -> BayesElo {
        // 1 − win and 1 − loss as sums, exact for the rarest outcomes.
        let (win_odds, loss_odds) = (win / (loss + draw), loss / (win + draw));
        BayesElo {
            elo: 200.0 * (win_odds / loss_odds).log10(),
            draw_elo: -200.0 * (win_odds * loss_odds).log10(),
        }
    }

    /// The model that fits the counts, zero counts taken for 0.001. Undefined without games.
    pub fn estimate(counts: &Wdl) -> Defined<BayesElo> {
        if counts.games() == 0 {
            return Err(Why::NoGames);
        }
        Ok(BayesElo::of_frequencies(regularised(counts)))
    }

    /// The logistic Elo of the expected score. Undefined for a score that rounds to 0 or 1.
    pub fn logistic(&self) -> Defined {
        let [_, draw, win] = self.probabilities();
        elo_of_score(win + draw / 2.0)
    }
}

/// Wald's log-likelihood ratio of `elo1` to `elo0`, both in BayesElo, the draw margin as observed:
/// OpenBench's trinomial SPRT. Undefined without games, or where an outcome's probability rounds to
/// 0.
pub fn llr(counts: &Wdl, elo0: f64, elo1: f64) -> Defined {
    let draw_elo = BayesElo::estimate(counts)?.draw_elo;
    likelihood_ratio(regularised(counts), draw_elo, elo0, elo1)
}

fn regularised(counts: &Wdl) -> [f64; 3] {
    let sample = ScoreSample::new(counts).regularised();
    let mut low_to_high = [0.0; 3];
    low_to_high.copy_from_slice(sample.counts());
    low_to_high
}

fn likelihood_ratio(counts: [f64; 3], draw_elo: f64, elo0: f64, elo1: f64) -> Defined {
    let p0 = BayesElo { elo: elo0, draw_elo }.probabilities();
    let p1 = BayesElo { elo: elo1, draw_elo }.probabilities();
    let terms = (0..counts.len()).map(|i| counts[i] * (p1[i] / p0[i]).ln());
    let llr: f64 = terms.sum();
    if llr.is_finite() { Ok(llr) } else { Err(Why::NoLikelihood) }
}
