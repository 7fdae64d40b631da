//! Counts as a sample of scores: mean, spread, and the replacement of zero counts.

use super::counts::Counts;
use super::why::{Defined, Why};

pub(super) const OUTCOMES: usize = 5;

/// Stands for a count of zero where one must not be: fishtest's, fastchess' and OpenBench's value.
const ALMOST_NONE: f64 = 1e-3;

/// Counts in ascending order of score, as real numbers.
#[derive(Debug, Clone, Copy)]
pub(super) struct ScoreSample {
    counts: [f64; OUTCOMES],
    outcomes: usize,
    pub(super) games: f64,
}

/// What most statistics are made of. Scores of a unit run from 0 to 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Moments {
    pub(super) units: f64,
    pub(super) mean: f64,
    /// 1 − mean, exact where the mean is next to 1.
    pub(super) rest: f64,
    /// mean − ½, exact where the mean is next to ½.
    pub(super) lead: f64,
    /// Population standard deviation of a unit's score; above 0.
    pub(super) deviation: f64,
}

impl Moments {
    /// Standard error of the mean.
    pub(super) fn error(&self) -> f64 {
        self.deviation / self.units.sqrt()
    }
}

impl ScoreSample {
    pub(super) fn new<C: Counts>(counts: &C) -> ScoreSample {
        let counts = counts.low_to_high();
        let counts = counts.as_ref();
        let mut sample = ScoreSample {
            counts: [0.0; OUTCOMES],
            outcomes: counts.len(),
            games: f64::from(C::GAMES),
        };
        for (real, &count) in sample.counts.iter_mut().zip(counts) {
            *real = count as f64;
        }
        sample
    }

    pub(super) fn counts(&self) -> &[f64] {
        &self.counts[..self.outcomes]
    }

    /// The score of outcome `index`, 0 to 1.
    pub(super) fn score_of(&self, index: usize) -> f64 {
        index as f64 / (self.outcomes - 1) as f64
    }

    pub(super) fn units(&self) -> f64 {
        self.counts().iter().sum()
    }

    /// Points won and lost, where a unit is worth one point. Two sums instead of a difference keep
    /// a score near 0 or 1 exact, and make mirrored counts give exactly mirrored numbers.
    pub(super) fn points(&self) -> (f64, f64) {
        let counts = || self.counts().iter();
        let won = counts().enumerate().map(|(i, count)| count * self.score_of(i)).sum();
        let lost = counts().rev().enumerate().map(|(i, count)| count * self.score_of(i)).sum();
        (won, lost)
    }

    /// With 0.001 in place of each zero count.
    pub(super) fn regularised(&self) -> ScoreSample {
        let mut sample = *self;
        for count in &mut sample.counts[..self.outcomes] {
            if *count == 0.0 {
                *count = ALMOST_NONE;
            }
        }
        sample
    }

    /// Zero counts are replaced only when all units have the same score. Fails for fewer than two
    /// units.
    pub(super) fn moments(&self) -> Defined<Moments> {
        let units = self.units();
        if units == 0.0 {
            return Err(Why::NoGames);
        }
        if units == 1.0 {
            return Err(Why::SingleResult);
        }
        let alike = self.counts().iter().filter(|&&count| count > 0.0).count() == 1;
        let sample = if alike { self.regularised() } else { *self };
        let units = sample.units();
        let (won, lost) = sample.points();
        let (mean, rest) = (won / (won + lost), lost / (won + lost));
        let squares = sample.counts().iter().enumerate().map(|(i, count)| {
            let difference = sample.score_of(i) - mean;
            count * difference * difference
        });
        let deviation = (squares.sum::<f64>() / units).sqrt();
        let lead = (won - lost) / (won + lost) / 2.0;
        Ok(Moments { units, mean, rest, lead, deviation })
    }
}
