//! Likelihood of superiority: the probability that the test engine is the stronger one.

use statrs::distribution::{ContinuousCDF, Normal};

use super::counts::{Counts, Wdl};
use super::sample::Sample;
use super::why::{Defined, Why};

/// LOS, 0 to 1, from the spread of the counted units.
///
/// Of pairs for [`Pentanomial`](super::Pentanomial), the number that rules and summaries use; of
/// games for [`Wdl`], which takes the games of a pair for independent. Where all units have the
/// same score their spread is that of the counts with zeros replaced: 100% when all were won, as
/// fastchess and fishtest have it, which for a handful of units is more than they prove.
///
/// # Errors
/// Fewer than two units.
pub fn los<C: Counts>(counts: &C) -> Defined {
    let moments = Sample::new(counts).moments()?;
    Ok(Normal::standard().cdf(moments.lead / moments.error()))
}

/// LOS, 0 to 1, from won and lost games alone: cutechess' and the older literature's formula,
/// for comparison.
///
/// # Errors
/// No game had a winner.
pub fn los_of_decisive_games(counts: &Wdl) -> Defined {
    if counts.games() == 0 {
        return Err(Why::NoGames);
    }
    let (win, loss) = (counts.win as f64, counts.loss as f64);
    if win + loss == 0.0 {
        return Err(Why::NoDecisiveGames);
    }
    Ok(Normal::standard().cdf((win - loss) / (win + loss).sqrt()))
}

/// A likelihood in per cent; only certainty itself reads as 0 or 100.
#[must_use]
pub fn sure(likelihood: f64) -> String {
    let percent = 100. * likelihood;
    let shown = if percent > 0. && percent < 100. { percent.clamp(0.01, 99.99) } else { percent };
    format!("{shown:.2}%")
}
