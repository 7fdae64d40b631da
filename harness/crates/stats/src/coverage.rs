//! Simulated matches: how often intervals of Elo hold the truth, at one look and at all.

use std::num::NonZeroUsize;

use serde::Serialize;

use super::anytime::{TruthBets, anytime_elo};
use super::counts::Pentanomial;
use super::display::{LEAST_PAIRS, display_elo};
use super::elo::{IntervalKind, elo_of_score};
use super::pair_model::PairModel;
use super::pair_source::PairSource;
use super::simulate::Simulation;
use super::why::Defined;
use process::parallel;

/// Pairs after which widths are measured, as far as a match goes; and at its end.
const LOOKS: [u64; 7] = [20, 100, 500, 2000, 5000, 10_000, 20_000];

/// What the intervals of simulated matches are worth. Shares are of matches, 0 to 1.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Coverage {
    /// Where the interval for every look held the truth after every pair.
    pub always: f64,
    /// Where the plain one did, from the tenth pair on; `None` where no match has one.
    pub plain_always: Option<f64>,
    pub looks: Vec<CoverageAt>,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct CoverageAt {
    /// Pairs played.
    pub pairs: u64,
    pub anytime: IntervalAt,
    pub plain: IntervalAt,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct IntervalAt {
    /// Share of matches in which it holds the truth at this look; `None` where it has no end in any.
    pub covered: Option<f64>,
    /// Half of its mean width in Elo, over matches with two ends; `None` without such.
    pub half_width: Option<f64>,
}

#[derive(Default)]
struct CoverageSums {
    always: u64,
    plain_always: u64,
    /// By look; of the interval for every look, and of the plain one.
    looks: Vec<[IntervalSums; 2]>,
}

#[derive(Debug, Clone, Copy, Default)]
struct IntervalSums {
    covered: u64,
    /// With an end.
    with_end: u64,
    /// With two ends.
    measured: u64,
    half_widths: f64,
}

impl IntervalSums {
    fn add(&mut self, [low, high]: [Defined; 2], truth: f64) {
        // An open end holds everything on its side.
        let is_out = low.is_ok_and(|low| low > truth) || high.is_ok_and(|high| high < truth);
        self.covered += u64::from(!is_out);
        self.with_end += u64::from(low.is_ok() || high.is_ok());
        if let (Ok(low), Ok(high)) = (low, high) {
            self.measured += 1;
            self.half_widths += (high - low) / 2.0;
        }
    }

    fn join(&mut self, other: &IntervalSums) {
        self.covered += other.covered;
        self.with_end += other.with_end;
        self.measured += other.measured;
        self.half_widths += other.half_widths;
    }

    fn result(&self, matches: f64) -> IntervalAt {
        IntervalAt {
            covered: (self.with_end > 0).then(|| self.covered as f64 / matches),
            half_width: (self.measured > 0).then(|| self.half_widths / self.measured as f64),
        }
    }
}

/// Plays each match to its last pair. Undefined for a model that scores nothing or everything. Shares do
/// not depend on the number of threads.
pub fn coverage(
    model: &PairModel,
    simulation: &Simulation,
    threads: NonZeroUsize,
) -> Defined<Coverage> {
    let most = simulation.max_pairs.get();
    let mut looks: Vec<u64> = LOOKS.into_iter().filter(|&look| look < most).collect();
    looks.push(most);
    let truth = Truth { score: model.moments().0, elo: elo_of_score(model.moments().0)? };
    let matches = simulation.matches.get();
    let sums = parallel::sums(matches, threads, |sum: &mut CoverageSums, number| {
        sum.looks.resize(looks.len(), Default::default());
        play(sum, model, &truth, simulation, &looks, number);
    });
    let mut all = CoverageSums::default();
    all.looks.resize(looks.len(), Default::default());
    for sum in &sums {
        all.always += sum.always;
        all.plain_always += sum.plain_always;
        for (all, sum) in all.looks.iter_mut().zip(&sum.looks) {
            all.iter_mut().zip(sum).for_each(|(all, sum)| all.join(sum));
        }
    }
    let matches = matches as f64;
    let has_plain = all.looks.iter().any(|[_, plain]| plain.with_end > 0);
    let looks = looks.into_iter().zip(&all.looks).map(|(pairs, sums)| {
        let [anytime, plain] = sums.map(|sums| sums.result(matches));
        CoverageAt { pairs, anytime, plain }
    });
    Ok(Coverage {
        always: all.always as f64 / matches,
        plain_always: has_plain.then(|| all.plain_always as f64 / matches),
        looks: looks.collect(),
    })
}

struct Truth {
    /// Of a pair, 0 to 1.
    score: f64,
    elo: f64,
}

fn play(
    sum: &mut CoverageSums,
    model: &PairModel,
    truth: &Truth,
    simulation: &Simulation,
    looks: &[u64],
    number: u64,
) {
    let mut source = PairSource::new(model, simulation.twins, simulation.seed, number);
    let mut bets = TruthBets::new(truth.score);
    let mut counts = Pentanomial::default();
    let (mut was_out, mut plain_was_out) = (false, false);
    let mut look = 0;
    for pairs in 1..=simulation.max_pairs.get() {
        if let Some(half_points) = source.next() {
            counts.add_pair(half_points);
            was_out |= bets.add(half_points);
            plain_was_out = plain_was_out || is_outside(&counts, truth.score);
        }
        if looks[look] == pairs {
            let (anytime, plain) = (anytime_elo(&counts), display_elo(&counts));
            let [of_anytime, of_plain] = &mut sum.looks[look];
            of_anytime.add([anytime.low95, anytime.high95], truth.elo);
            of_plain.add([plain.low95, plain.high95], truth.elo);
            look += 1;
        }
    }
    sum.always += u64::from(!was_out);
    sum.plain_always += u64::from(!plain_was_out);
}

/// Whether a plain interval that is shown leaves the score out: [`display_elo`], but faster.
fn is_outside(counts: &Pentanomial, score: f64) -> bool {
    let counts = counts.to_array().map(|count| count as f64);
    let units: f64 = counts.iter().sum();
    if units < LEAST_PAIRS as f64 {
        return false;
    }
    let scores = counts.iter().enumerate().map(|(at, count)| (at as f64 / 4.0, count));
    let mean = scores.clone().map(|(score, count)| score * count).sum::<f64>() / units;
    let squares = scores.map(|(score, count)| (score - mean).powi(2) * count).sum::<f64>();
    let reach = IntervalKind::Normal.reach(units) * (squares / units / units).sqrt();
    // Without a spread, or with an end beyond all Elo, none is shown.
    squares > 0.0 && mean > reach && mean < 1.0 - reach && (mean - score).abs() > reach
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::TwinPairs;

    fn covered(shape: [u64; 5], elo: f64, twins: TwinPairs) -> Coverage {
        covered_after(shape, elo, twins, 500)
    }

    fn covered_after(shape: [u64; 5], elo: f64, twins: TwinPairs, max_pairs: u64) -> Coverage {
        let model = PairModel::new(&Pentanomial::from(shape), elo).unwrap();
        let simulation = Simulation {
            matches: NonZeroU64::new(400).unwrap(),
            max_pairs: NonZeroU64::new(max_pairs).unwrap(),
            every: NonZeroU64::MIN,
            seed: 5,
            twins,
        };
        coverage(&model, &simulation, NonZeroUsize::MIN).unwrap()
    }

    /// 95 % of 400 are 380; fewer than 370 have a chance of 1 %, if it were no better than that.
    #[test]
    fn the_truth_is_inside_at_every_look() {
        let twins = TwinPairs { share: 0.3, are_counted: false };
        for (shape, elo, twins) in [
            ([10, 15, 50, 15, 10], 0.0, TwinPairs::default()),
            ([1, 8, 182, 8, 1], 5.0, TwinPairs::default()),
            ([40, 5, 10, 5, 40], 50.0, twins),
        ] {
            let found = covered(shape, elo, twins);
            assert!(found.always >= 0.925, "{shape:?} {elo}: {found:?}");
            assert!(found.plain_always.unwrap() < 0.85, "{shape:?} {elo}: {found:?}");
            let last = found.looks.last().unwrap();
            let covered = [last.plain, last.anytime].map(|it| it.covered.unwrap());
            assert!(covered[0] > 0.92 && covered[1] > 0.97, "{last:?}");
            let ratio = last.anytime.half_width.unwrap() / last.plain.half_width.unwrap();
            assert!((1.4..2.0).contains(&ratio), "{shape:?} {elo}: {ratio}");
        }
    }

    /// No width is not a width of 0, and what does not exist covers nothing.
    #[test]
    fn no_interval_has_no_width() {
        let usual = [10, 15, 50, 15, 10];
        let found = covered_after(usual, 0.0, TwinPairs::default(), LEAST_PAIRS - 1);
        let look = found.looks.last().unwrap();
        assert_eq!(
            (found.plain_always, look.plain.covered, look.plain.half_width),
            (None, None, None)
        );
        let found = covered_after(usual, 0.0, TwinPairs::default(), LEAST_PAIRS);
        let look = found.looks.last().unwrap();
        assert!(
            found.plain_always.is_some() && look.plain.half_width.is_some_and(|width| width > 0.0)
        );
    }

    /// Counting what repeats breaks every interval; that is why runs leave it out.
    #[test]
    fn counted_twins_break_it() {
        let twins = TwinPairs { share: 0.5, are_counted: true };
        let found = covered([10, 15, 50, 15, 10], 0.0, twins);
        assert!(found.always < 0.9, "{found:?}");
    }

    #[test]
    fn the_faster_plain_interval_is_the_one_that_is_shown() {
        for counts in [[0, 0, 9, 1, 0], [0, 3, 9, 1, 2], [0, 0, 10, 0, 0], [0, 0, 0, 1, 90]] {
            let counts = Pentanomial::from(counts);
            let elo = display_elo(&counts);
            for truth in [-40.0, 0.0, 40.0, 300.0] {
                let shown = match (elo.low95, elo.high95) {
                    (Ok(low), Ok(high)) => truth < low || truth > high,
                    _ => false,
                };
                assert_eq!(is_outside(&counts, crate::score_of_elo(truth)), shown, "{counts:?}");
            }
        }
    }
}
