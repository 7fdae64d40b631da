//! Elo and normalized Elo, always with their 95% intervals (TST-14).

use std::f64::consts::LN_10;

use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

use super::counts::Counts;
use super::sample::{Moments, ScoreSample};
use super::why::{Defined, Why};

/// Normalized Elo of one standard deviation a game: 800 / ln 10. Chosen by Michel Van den Bergh
/// so that normalized and logistic Elo agree where no game is drawn and neither side is better.
pub(super) const NELO_PER_DEVIATION: f64 = 800.0 / LN_10;

/// The upper end of a central 95% interval, as a probability.
const UPPER_95: f64 = 0.975;

/// Degrees of freedom from which Student's t equals the normal distribution, to 0.001%.
pub(super) const NORMAL_FROM: f64 = 1e5;

/// The Elo difference at which the stronger side expects `score`. Undefined outside of 0 to 1, both
/// ends excluded.
pub fn elo_of_score(score: f64) -> Defined {
    elo_of_odds(score, 1.0 - score)
}

/// Elo of points won to points lost.
fn elo_of_odds(won: f64, lost: f64) -> Defined {
    if won > 0.0 && lost > 0.0 {
        Ok(400.0 * (won / lost).log10())
    } else if won > 0.0 {
        Err(Why::AllWon)
    } else if lost > 0.0 {
        Err(Why::AllLost)
    } else {
        Err(Why::NoGames)
    }
}

/// The expected score, 0 to 1, at an Elo difference.
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// How many standard errors a 95% interval reaches to either side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum IntervalKind {
    /// 1.96, as fastchess, fishtest and cutechess have it.
    #[default]
    Normal,
    /// Student's t with one degree of freedom less than units, as OpenBench has it: wider for
    /// few units, as it should be, since their variance is itself an estimate.
    StudentT,
}

impl IntervalKind {
    /// Standard errors on either side of a 95% interval about a mean of so many units.
    pub fn reach(self, units: f64) -> f64 {
        let freedom = units - 1.0;
        match self {
            IntervalKind::StudentT if freedom < NORMAL_FROM => StudentsT::new(0.0, 1.0, freedom)
                .map_or(f64::INFINITY, |student| student.inverse_cdf(UPPER_95)),
            _ => z95(),
        }
    }
}

/// Standard errors on either side of a 95% interval: 1.96.
fn z95() -> f64 {
    Normal::standard().inverse_cdf(UPPER_95)
}

/// Elo with its 95% interval, test minus base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Elo {
    /// The Elo of the mean score.
    pub elo: Defined,
    /// Half the width of the interval, the field's `±`. The interval itself lies askew about
    /// `elo`, the more the further the score is from one half.
    pub error95: Defined,
    pub low95: Defined,
    pub high95: Defined,
}

/// Elo of the counts. Pentanomial counts give the narrower and right interval: the two games of
/// a pair share their opening and are not independent.
///
/// OpenBench and fishtest cut the score off at 0.001 and 0.999, so that Elo ends at ±1200; here
/// what lies beyond is undefined.
pub fn elo<C: Counts>(counts: &C, interval: IntervalKind) -> Elo {
    let sample = ScoreSample::new(counts);
    elo_of(sample.points(), sample.moments(), interval.reach(sample.units()))
}

/// Elo of points won and lost, whose interval reaches so many standard errors of the mean to either
/// side.
pub(super) fn elo_of((won, lost): (f64, f64), moments: Defined<Moments>, reach: f64) -> Elo {
    let elo = elo_of_odds(won, lost);
    let interval = elo.and_then(|_| {
        let moments = moments?;
        Ok((moments, reach * moments.error()))
    });
    let end = |shift: f64| {
        let (moments, reach) = interval?;
        let odds = elo_of_odds(moments.mean + shift * reach, moments.rest - shift * reach);
        odds.map_err(|_| Why::IntervalReachesEnd)
    };
    let (low95, high95) = (end(-1.0), end(1.0));
    let error95 = low95.and_then(|low| Ok((high95? - low) / 2.0));
    Elo { elo, error95, low95, high95 }
}

/// Normalized Elo with its error, test minus base.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NormalizedElo {
    /// Normalized Elo.
    pub nelo: Defined,
    /// Half the width of the 95% interval; it depends on the number of games alone.
    pub error95: Defined,
}

/// Normalized Elo of the counts: the mean's distance from one half in standard deviations of a
/// game. It measures how many games a proof takes, whatever the share of draws and the book.
///
/// After Michel Van den Bergh, "Normalized Elo",
/// <https://www.cantate.be/Fishtest/normalized_elo.pdf>. Undefined, as Elo is, when all games were
/// won or all were lost.
pub fn nelo<C: Counts>(counts: &C) -> NormalizedElo {
    let sample = ScoreSample::new(counts);
    nelo_of(sample.points(), sample.moments(), sample.games)
}

/// Normalized Elo of points won and lost, from the spread of units of so many games.
pub(super) fn nelo_of(
    (won, lost): (f64, f64),
    moments: Defined<Moments>,
    games: f64,
) -> NormalizedElo {
    let moments = elo_of_odds(won, lost).and(moments);
    let per_game = games.sqrt();
    NormalizedElo {
        nelo: moments.map(|m| NELO_PER_DEVIATION * m.lead / (m.deviation * per_game)),
        error95: moments.map(|m| NELO_PER_DEVIATION * z95() / (m.units.sqrt() * per_game)),
    }
}
