//! Likelihood of superiority: the probability that the test engine is the stronger one.

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::counts::{Counts, Pentanomial, Wdl};
use super::elo::NORMAL_FROM;
use super::sample::{Moments, ScoreSample};
use super::why::{Defined, Why};

/// LOS, 0 to 1, from the spread of the counted units.
///
/// Of pairs for [`Pentanomial`](super::Pentanomial), the number that rules and summaries use; of
/// games for [`Wdl`], which takes the games of a pair for independent. Where all units have the
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

/// LOS, 0 to 1, from won and lost games alone: the formula of cutechess and of the older
/// literature, for comparison. Undefined if no game had a winner.
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

/// A likelihood in per cent as text: never 0 or 100, since no number of games makes certain.
pub fn percent_clamped(likelihood: f64) -> String {
    format!("{:.2}%", (100. * likelihood).clamp(0.01, 99.99))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of so many pairs of equal engines, all sums of scores and of their squares: the rule accepts at
    /// most one match in twenty, where the plain LOS would accept more.
    #[test]
    fn judged_by_it_equals_are_not_accepted_too_often() {
        for shape in [[10.0, 15.0, 50.0, 15.0, 10.0], [0.0, 10.0, 80.0, 10.0, 0.0]] {
            for pairs in [10_u64, 30] {
                let (mut plain, mut strict) = (0.0, 0.0);
                for_all_counts(pairs, &mut |counts: [u64; 5]| {
                    let chance = chance_of(counts, shape);
                    let counts = Pentanomial::from(counts);
                    plain += chance * f64::from(los(&counts).unwrap() >= 0.95);
                    strict += chance * f64::from(strict_los(&counts).unwrap() >= 0.95);
                });
                assert!(strict <= 0.05 && strict > 0.005, "{shape:?} {pairs}: {strict}");
                assert!(plain > strict, "{shape:?} {pairs}: {plain}");
            }
        }
    }

    fn for_all_counts(pairs: u64, each: &mut impl FnMut([u64; 5])) {
        for ll in 0..=pairs {
            for ld in 0..=pairs - ll {
                for dd in 0..=pairs - ll - ld {
                    for wd in 0..=pairs - ll - ld - dd {
                        each([ll, ld, dd, wd, pairs - ll - ld - dd - wd]);
                    }
                }
            }
        }
    }

    /// The multinomial probability.
    fn chance_of(counts: [u64; 5], shape: [f64; 5]) -> f64 {
        let logarithm = |n: u64| (1..=n).map(|k| (k as f64).ln()).sum::<f64>();
        let sum: f64 = shape.iter().sum();
        let each = counts.iter().zip(shape).map(|(&count, share)| match count {
            0 => 0.0,
            _ => count as f64 * (share / sum).ln() - logarithm(count),
        });
        (logarithm(counts.iter().sum()) + each.sum::<f64>()).exp()
    }

    /// Of many pairs both say the same; of either side's view, the same from the other side.
    #[test]
    fn of_many_pairs_it_is_the_plain_one() {
        let many = Pentanomial::from([10_000, 15_000, 50_000, 15_400, 10_000]);
        let (plain, strict) = (los(&many).unwrap(), strict_los(&many).unwrap());
        assert!(strict < plain && plain - strict < 0.001, "{plain} {strict}");
        let mirrored = strict_los(&many.mirrored()).unwrap();
        assert!((mirrored + strict - 1.0).abs() < 1e-9);
        let beyond = Pentanomial::from([10_000_000, 0, 0, 0, 10_000_000]);
        assert_eq!(strict_los(&beyond), Ok(0.5));
    }

    #[test]
    fn nothing_is_certain() {
        let shown = [1.0, 0.999_999, 0.5, 1e-9, 0.0].map(percent_clamped);
        assert_eq!(shown, ["99.99%", "99.99%", "50.00%", "0.01%", "0.01%"]);
        let all_won = Pentanomial { ww: 2, ..Pentanomial::default() };
        assert_eq!(los(&all_won).map(percent_clamped), Ok("99.99%".to_owned()));
    }
}
