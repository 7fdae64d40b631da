//! Likelihood of superiority: the probability that the test engine is the stronger one.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::counts::{Counts, Pentanomial};
use super::elo::NORMAL_FROM;
use super::sample::{Moments, ScoreSample};
use super::why::Defined;

/// LOS, 0 to 1, from the spread of the counted units.
///
/// Of pairs for [`Pentanomial`](super::Pentanomial), the number that rules and summaries use; of
/// games for [`Wdl`](super::Wdl), which takes the games of a pair for independent. Where all units have the
/// same score their spread is that of the counts with zeros replaced: 100% when all were won, as
/// fastchess and fishtest have it, which for a handful of units is more than they prove. Undefined
/// for fewer than two units.
pub fn los<C: Counts>(counts: &C) -> Defined {
    Ok(los_of(&ScoreSample::new(counts).moments()?))
}

pub(super) fn los_of(moments: &Moments) -> f64 {
    Normal::standard().cdf(moments.lead / moments.error())
}

/// LOS, 0 to 1, as [`LosRule`](super::LosRule) judges by it, so that equal engines are accepted no
/// more often than the rule says. Undefined for fewer than two pairs.
///
/// Two things make [`los`] a little too sure, of ten pairs in 7.6 % of matches instead of 5: the
/// spread is itself an estimate, for which Student's t stands in the place of the normal
/// distribution; and scores come in half points, so that the lead is taken for half a step of them
/// smaller than it is.
pub fn strict_los(pairs: &Pentanomial) -> Defined {
    /// Half a step, of a pair's score of 0 to 1.
    const HALF_STEP: f64 = 0.125;
    let moments = ScoreSample::new(pairs).moments()?;
    let freedom = moments.units - 1.0;
    let lead = (moments.lead.abs() - HALF_STEP / moments.units).max(0.0).copysign(moments.lead);
    let lead = lead / (moments.deviation / freedom.sqrt());
    Ok(match StudentsT::new(0.0, 1.0, freedom) {
        Ok(student) if freedom < NORMAL_FROM => student.cdf(lead),
        _ => Normal::standard().cdf(lead),
    })
}

/// A likelihood in per cent as text: never 0 or 100, since no number of games makes certain.
pub fn percent_clamped(likelihood: f64) -> String {
    format!("{:.2}%", (100. * likelihood).clamp(0.01, 99.99))
}

#[cfg(test)]
mod tests;
