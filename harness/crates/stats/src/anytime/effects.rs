//! Bets that learn the spread of the pairs and lean on effects of 1 to 20 Elo.
//!
//! # Why the error rate holds
//!
//! Let `d_i` be the score of the `i`-th pair, −1 for two losses to 1 for two wins. A bettor of effect
//! `δ` stakes the share `λ_i = δ / v_i` of its capital, where `v_i` is the mean square of the pairs
//! *before* pair `i` (with a first guess that counts as [`GUESSED_PAIRS`] pairs). `λ_i` is at most
//! [`LARGEST_SHARE`]. Pair `i` multiplies its capital by `1 + λ_i d_i`, which is above 0.
//!
//! - If the test engine is not the stronger one, then whatever came before, the mean of `d_i` is 0 or
//!   less. `λ_i` is known before pair `i` is played. So the mean of `1 + λ_i d_i` is at most 1, and the
//!   capital is a supermartingale that is never negative. So is the sum over all bettors, which begins
//!   at 1.
//! - By Ville's inequality the chance that such a sum ever reaches `1 / α` is at most `α`.
//!
//! Nothing is assumed of the spread, of the shape, or of how `v_i` was found: a bad guess costs time and
//! never a false verdict. What is assumed is the mean given the past. A pair that repeats an earlier one
//! move by move has no such mean, so it must not be added.
//!
//! # Why it is fast
//!
//! `δ / v` is the share at which the logarithm of the capital grows fastest when the true effect is `δ`
//! (Kelly's share, to the first order). The effect is not known, so the capital is divided among
//! bettors. The division is a bet too, made before the first pair: most of it is on effects about
//! [`LIKELIEST_ELO`], and a tenth on large ones, which need few pairs anyway.
//!
//! After Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting" (2023), whose
//! plug-in bets these are, mixed over alternatives.

use std::sync::LazyLock;

use super::evidence::Evidence;
use crate::elo::score_of_elo;
use crate::pair_model::PairModel;

/// Bettors on effects from 1 to 20 Elo.
const COMMON: usize = 10;
const LEAST_ELO: f64 = 1.0;
const MOST_ELO: f64 = 20.0;
/// Their capital at first: a normal density over the logarithm of the effect.
const LIKELIEST_ELO: f64 = 5.0;
const LOG_DEVIATION: f64 = 0.8;
/// Effects of the other bettors.
const LARGE: [f64; 4] = [40.0, 80.0, 160.0, 320.0];
/// Their part of the capital.
const LARGE_PART: f64 = 0.1;
const BETTORS: usize = COMMON + LARGE.len();
/// The mean square of a pair's score before any pair.
const GUESSED_SQUARE: f64 = 0.25;
/// Pairs that the guess counts as.
const GUESSED_PAIRS: f64 = 20.0;
const LARGEST_SHARE: f64 = 0.8;
/// Capitals are scaled when their sum leaves this range, so that none overflows.
const RANGE: f64 = 1e100;

/// The bets on both engines after the pairs so far.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct EffectBets {
    /// On the test engine, and on the base engine.
    sides: [Purse; 2],
    /// Sum of the pairs' squares, the guess included.
    squares: f64,
    /// The guess included.
    pairs: f64,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Purse {
    /// By bettor, divided by e^`scale`.
    capitals: [f64; BETTORS],
    scale: f64,
}

/// Effects as a pair's mean score, and the capital at first.
struct Bettors {
    effects: [f64; BETTORS],
    capitals: [f64; BETTORS],
}

static BETTORS_AT_FIRST: LazyLock<Bettors> = LazyLock::new(|| {
    let step = (MOST_ELO / LEAST_ELO).powf(1.0 / (COMMON - 1) as f64);
    let elo = |bettor: usize| match bettor.checked_sub(COMMON) {
        Some(large) => LARGE[large],
        None => LEAST_ELO * step.powi(bettor as i32),
    };
    let density = |elo: f64| (-((elo / LIKELIEST_ELO).ln() / LOG_DEVIATION).powi(2) / 2.0).exp();
    let total: f64 = (0..COMMON).map(|bettor| density(elo(bettor))).sum();
    Bettors {
        effects: std::array::from_fn(|bettor| 2.0 * score_of_elo(elo(bettor)) - 1.0),
        capitals: std::array::from_fn(|bettor| match bettor {
            common if common < COMMON => (1.0 - LARGE_PART) * density(elo(common)) / total,
            _ => LARGE_PART / LARGE.len() as f64,
        }),
    }
});

/// By bettor.
fn shares(mean_square: f64) -> [f64; BETTORS] {
    let inverse = mean_square.recip();
    BETTORS_AT_FIRST.effects.map(|effect| (effect * inverse).min(LARGEST_SHARE))
}

impl Default for EffectBets {
    fn default() -> EffectBets {
        let purse = Purse { capitals: BETTORS_AT_FIRST.capitals, scale: 0.0 };
        EffectBets {
            sides: [purse; 2],
            squares: GUESSED_SQUARE * GUESSED_PAIRS,
            pairs: GUESSED_PAIRS,
        }
    }
}

impl EffectBets {
    /// The next pair, by the half points of the test engine; above 4 counts as 4.
    pub fn add(&mut self, half_points: u8) {
        let score = f64::from(half_points.min(4)) / 2.0 - 1.0;
        if score != 0.0 {
            let stakes = shares(self.squares / self.pairs).map(|share| share * score);
            let [test, base] = &mut self.sides;
            test.multiply(stakes.map(|stake| 1.0 + stake));
            base.multiply(stakes.map(|stake| 1.0 - stake));
        }
        // Only now: a bet must not know its own pair.
        self.squares += score * score;
        self.pairs += 1.0;
    }

    pub fn evidence(&self) -> Evidence {
        let [better, worse] = self.sides.map(|purse| purse.logarithm());
        Evidence { better, worse }
    }

    /// ln of the larger e-value after `further` pairs that have just the shares of the model.
    pub(super) fn expected(&self, model: &PairModel, further: f64) -> f64 {
        let chances = model.chances();
        let score = |outcome: usize| outcome as f64 / 2.0 - 1.0;
        let squares = chances.iter().enumerate().map(|(at, chance)| chance * score(at).powi(2));
        // A spread of nothing is that of a shape of draws, where no share gains.
        let shares = shares(squares.sum::<f64>().max(1e-300));
        let of_side = |purse: &Purse, sign: f64| {
            let logarithms: [f64; BETTORS] = std::array::from_fn(|bettor| {
                let stake = sign * shares[bettor];
                let outcomes = chances.iter().enumerate();
                let gains = outcomes.map(|(at, chance)| chance * (stake * score(at)).ln_1p());
                purse.capitals[bettor].ln() + further * gains.sum::<f64>()
            });
            let most = logarithms.iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let sum: f64 = logarithms.iter().map(|logarithm| (logarithm - most).exp()).sum();
            purse.scale + most + sum.ln()
        };
        let [test, base] = &self.sides;
        of_side(test, 1.0).max(of_side(base, -1.0))
    }
}

impl Purse {
    fn multiply(&mut self, gains: [f64; BETTORS]) {
        for (capital, gain) in self.capitals.iter_mut().zip(gains) {
            *capital *= gain;
        }
        let sum: f64 = self.capitals.iter().sum();
        // What becomes 0 by this is lost to its bettor, which can only lower the evidence.
        let factor = if sum > RANGE {
            RANGE.recip()
        } else if sum < RANGE.recip() {
            RANGE
        } else {
            return;
        };
        self.capitals.iter_mut().for_each(|capital| *capital *= factor);
        self.scale -= factor.ln();
    }

    fn logarithm(&self) -> f64 {
        self.scale + self.capitals.iter().sum::<f64>().ln()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn after(pairs: impl IntoIterator<Item = u8>) -> EffectBets {
        let mut bets = EffectBets::default();
        pairs.into_iter().for_each(|pair| bets.add(pair));
        bets
    }

    #[test]
    fn the_stake_is_one_and_draws_move_nothing() {
        for pairs in [0, 1, 500] {
            let Evidence { better, worse } = after(std::iter::repeat_n(2, pairs)).evidence();
            assert!(better.abs() < 1e-12 && worse.abs() < 1e-12, "{better} {worse}");
        }
    }

    /// The capital of one bettor by hand: 40 Elo is a mean score of 0.11463; the guess of 0.25 counts as
    /// 20 pairs.
    #[test]
    fn two_pairs_by_hand() {
        let bettor = COMMON;
        let effect = 2.0 / (1.0 + 10_f64.powf(-0.1)) - 1.0;
        let first = 1.0 + effect / 0.25;
        let second = 1.0 - effect / ((5.0 + 1.0) / 21.0) * 0.5;
        let found = after([4, 1]).sides[0].capitals[bettor];
        assert!((found - LARGE_PART / 4.0 * first * second).abs() < 1e-12, "{found}");
    }

    #[test]
    fn long_matches_stay_finite() {
        for pair in [4, 0] {
            let Evidence { better, worse } = after(std::iter::repeat_n(pair, 200_000)).evidence();
            let (won, lost) = if pair == 4 { (better, worse) } else { (worse, better) };
            assert!(
                won > 1e5 && won.is_finite() && lost < -100.0 && lost.is_finite(),
                "{won} {lost}"
            );
        }
    }

    proptest! {
        /// Under "not better" the capital after one more pair is on average at most what it was, for
        /// any chances of mean 0 after any history; and both sides mirror.
        #[test]
        fn no_gain_is_expected_from_equals(
            history in prop::collection::vec(0_u8..5, 0..400),
            large in 0.0..0.5, small in 0.0..0.5,
        ) {
            let bets = after(history.iter().copied());
            let total: f64 = large + small + 0.1;
            let chances = [large, small, 0.2, small, large].map(|chance| chance / (2.0 * total));
            let before = bets.evidence();
            let mut mean = 0.0;
            for (pair, chance) in (0..5).zip(chances) {
                let mut next = bets;
                next.add(pair);
                mean += chance * (next.evidence().better - before.better).exp();
            }
            prop_assert!((mean - 1.0).abs() < 1e-9, "{mean}");
            let mirrored = after(history.iter().map(|pair| 4 - pair)).evidence();
            prop_assert!((mirrored.worse - before.better).abs() < 1e-9);
        }

        /// A better last pair is more evidence.
        #[test]
        fn points_are_evidence(history in prop::collection::vec(0_u8..5, 0..200), pair in 0_u8..4) {
            let with = |last| after(history.iter().copied().chain([last])).evidence();
            prop_assert!(with(pair + 1).better > with(pair).better);
            prop_assert!(with(pair + 1).worse < with(pair).worse);
        }
    }
}
