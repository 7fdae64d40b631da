//! Pure functions from counts of results to Elo, LOS and LLR, and from those to a verdict.
//!
//! Counts go in ([`Wdl`] of games, [`Pentanomial`] of pairs), numbers come out; no clock, no
//! global, no file. The collector calls [`Rule::judge`] after every pair of the gap-free prefix,
//! the writers of summaries and `verdict stats` read a [`Statistics`].
//!
//! Everything here is **test minus base**: a positive Elo says that the test engine is stronger.
//!
//! # Definitions
//!
//! With `n` units (pairs for pentanomial, games for trinomial counts), their scores in `0..=1`,
//! mean `m`, population variance `v`, standard error `e = sqrt(v / n)`, `z = 1.95996…` and the
//! deviation a game `s = sqrt(v)`, for pairs `sqrt(2 v)`:
//!
//! | number | formula |
//! |---|---|
//! | [`elo()`] | `E(m)`, where `E(x) = 400 log10(x / (1 − x))` |
//! | its error | half the width of `E(m − z e) … E(m + z e)`, as fishtest and fastchess print it |
//! | [`nelo()`] | `C (m − ½) / s`, where `C = 800 / ln 10` |
//! | its error | `z C / sqrt(games)` |
//! | [`los()`] | `Φ((m − ½) / e)` |
//! | [`strict_los()`] | `T(n − 1, (m − ½ ∓ 1/(8 n)) / sqrt(v / (n − 1)))`, by which [`LosRule`] judges |
//! | [`anytime_elo`] | the means that no bettor has refuted, as Elo |
//! | [`Sprt::llr`] | GSPRT: `Σ n_i ln(p1_i / p0_i)`, `p` the likeliest under each hypothesis |
//!
//! Of one machine of a fleet: [`residual()`], chi² of its pairs lost, drawn and won against those of all
//! others, `Σ (n − e)² / e` over the six cells.
//!
//! # Counts of zero
//!
//! Where all units have one and the same score, their variance is 0 and says nothing. fishtest
//! and OpenBench then put 0.001 in the place of each zero count, fastchess divides by zero.
//! We replace zero counts only in that case, so that everything else stays exact; the numbers
//! agree with fishtest's where the variance vanishes and with fastchess' elsewhere. LLRs replace
//! zero counts always, as all three do: the likelihood of an outcome never seen must not be 0.
//!
//! That serves rules and comparisons. What people are shown ([`Statistics`]) has no interval and no
//! LOS of fewer than [`LEAST_PAIRS`] pairs, and no interval where all units are alike: see
//! [`display_elo`].
//!
//! What remains undefined (no games, the spread of a single pair, the Elo of a match won to the
//! last game) is an `Err` with a [`Why`], never NaN or an infinity.

mod anytime;
pub mod bayeselo;
mod bisect;
mod counts;
mod coverage;
pub mod culprit;
pub mod dense;
mod display;
mod elo;
mod fieller;
mod forecast;
mod ledger;
mod los;
mod mixed;
mod mle;
mod pair_model;
mod pair_source;
mod power;
pub mod ratings;
mod residual;
mod rule;
mod rule_text;
mod sample;
mod signal;
mod simulate;
mod sprt;
mod statistics;
mod unbiased;
mod why;
mod wilson;

pub use anytime::{
    Anytime, AnytimeElo, Bets, Course, EffectBets, Evidence, TruthBets, anytime_elo, e_value_text,
    interval_in_words,
};
pub use counts::{Counts, Pentanomial, Wdl};
pub use coverage::{Coverage, CoverageAt, IntervalAt, coverage};
pub use display::{LEAST_PAIRS, display_elo, display_los, display_nelo};
pub use elo::{Elo, IntervalKind, NormalizedElo, elo, elo_of_score, nelo, score_of_elo};
pub use fieller::fieller;
pub use forecast::Forecast;
pub use ledger::{
    Estimate, Measured, OnlineFdr, Shrunk, World, YearRule, Years, YearsFound, simulate_years,
};
pub use los::{los, percent_clamped, strict_los};
pub use pair_model::PairModel;
pub use pair_source::TwinPairs;
pub use power::{Prospect, pairs_for_los, power_of_los};
pub use residual::{holm, residual, residual_p};
pub use rule::{Judgement, LosRule, Reason, Rule, Verdict, short};
pub use signal::{PairSignal, PairsRatio};
pub use simulate::{Judge, Outcomes, Simulation, simulate};
pub use sprt::{Decision, MAX_ELO, Model, Sprt};
pub use statistics::Statistics;
pub use unbiased::{Unbiased, unbiased};
pub use why::{Defined, Why};
pub use wilson::wilson;

/// Standard errors on either side of a mean that hold the truth in 95 % of cases.
pub const Z95: f64 = 1.959_963_984_540_054;
