//! Likelihood of superiority: the probability that the test engine is the stronger one.

use statrs::distribution::{ContinuousCDF, Normal};

use super::counts::{Counts, Pentanomial, Wdl};
use super::rule::LEAST_PAIRS;
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

/// A likelihood in per cent for people: never 0 or 100, since no number of games makes certain.
#[must_use]
pub fn sure(likelihood: f64) -> String {
    format!("{:.2}%", (100. * likelihood).clamp(0.01, 99.99))
}

/// What must be said beside a LOS of so many games, if they are too few for a verdict by it.
#[must_use]
pub fn too_few_for_los(games: u64) -> Option<&'static str> {
    const WORDS: &str = "more than so few games prove";
    (games < LEAST_PAIRS * u64::from(Pentanomial::GAMES)).then_some(WORDS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_certain() {
        let shown = [1.0, 0.999_999, 0.5, 1e-9, 0.0].map(sure);
        assert_eq!(shown, ["99.99%", "99.99%", "50.00%", "0.01%", "0.01%"]);
        let all_won = Pentanomial { ww: 2, ..Pentanomial::default() };
        assert_eq!(los(&all_won).map(sure), Ok("99.99%".to_owned()));
    }

    #[test]
    fn few_games_are_said_to_be_few() {
        assert!(too_few_for_los(19).is_some() && too_few_for_los(20).is_none());
    }
}
