//! Residuals: how much each worker's results differ from those of all others. They only show
//! unusual machines. Games are never dropped by results, because that would bias the Elo.
//!
//! Pairs fall into three classes by the test player's points: less than half, half, more. A
//! worker and all others make a table of two rows; its χ² has two degrees of freedom, as fishtest's
//! "residual". The p-values are corrected for the number of workers by Holm's method.

use std::collections::BTreeMap;

use crate::message::ResidualRow;
use crate::names::WorkerName;

/// χ² needs more than this number of expected pairs in each cell.
const EXPECTED: f64 = 5.0;

/// Counts of each worker's games in one run.
#[derive(Debug, Default)]
pub struct Residuals(BTreeMap<WorkerName, Played>);

/// A recorded pair.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PairPlayed {
    /// Half points of the test player, 0 to 4.
    pub half_points: u8,
    /// Games that were lost on time.
    pub time_losses: u8,
    /// Sum of both games.
    pub plies: u32,
    /// Sum of both games.
    pub nodes: u64,
    /// Thinking time of both players in both games, in microseconds.
    pub thinking_us: u64,
}

#[derive(Debug, Clone, Copy, Default)]
struct Played {
    classes: [u64; 3],
    time_losses: u64,
    plies: u64,
    nodes: u64,
    thinking_us: u64,
    /// Nodes/s of its bench.
    nps: Option<u64>,
}

impl Played {
    fn pairs(&self) -> u64 {
        self.classes.iter().sum()
    }
}

impl Residuals {
    pub fn add(&mut self, worker: &WorkerName, pair: PairPlayed) {
        let played = self.0.entry(worker.clone()).or_default();
        let class = match pair.half_points {
            0 | 1 => 0,
            2 => 1,
            _ => 2,
        };
        played.classes[class] += 1;
        played.time_losses += u64::from(pair.time_losses);
        played.plies += u64::from(pair.plies);
        played.nodes = played.nodes.saturating_add(pair.nodes);
        played.thinking_us = played.thinking_us.saturating_add(pair.thinking_us);
    }

    /// Sets a worker's bench, in nodes/s of one slot.
    pub fn bench(&mut self, worker: &WorkerName, nps: u64) {
        self.0.entry(worker.clone()).or_default().nps = Some(nps);
    }

    /// One row for each worker that has played, by name.
    pub fn rows(&self) -> Vec<ResidualRow> {
        let played = || self.0.iter().filter(|(_, played)| played.pairs() > 0);
        let mut total = [0; 3];
        for (_, played) in played() {
            total.iter_mut().zip(played.classes).for_each(|(sum, pairs)| *sum += pairs);
        }
        let chi2: Vec<Option<f64>> = played().map(|(_, it)| chi2(it.classes, total)).collect();
        let raw: Vec<Option<f64>> = chi2.iter().map(|chi2| chi2.map(p_value)).collect();
        let row = |(((worker, played), chi2), p): (((&WorkerName, &Played), _), _)| {
            let nps = played.nodes as f64 * 1e6 / played.thinking_us as f64;
            let bench = played.nps.filter(|nps| *nps > 0);
            let nps_share = bench.map(|bench| nps / bench as f64).filter(|share| share.is_finite());
            ResidualRow {
                worker: worker.clone(),
                chi2,
                p,
                time_losses: played.time_losses,
                plies: Some(played.plies as f64 / (2 * played.pairs()) as f64),
                nps_share,
            }
        };
        played().zip(chi2).zip(holm(&raw)).map(row).collect()
    }
}

/// χ² of a worker's pairs against those of all others; `None` if a cell expects too few.
fn chi2(worker: [u64; 3], total: [u64; 3]) -> Option<f64> {
    let others = [0, 1, 2].map(|class| total[class] - worker[class]);
    let sum = |row: [u64; 3]| row.iter().sum::<u64>() as f64;
    let all = sum(total);
    let mut chi2 = 0.0;
    for row in [worker, others] {
        for (found, column) in row.into_iter().zip(total) {
            let expected = sum(row) * column as f64 / all;
            if expected.is_nan() || expected <= EXPECTED {
                return None;
            }
            chi2 += (found as f64 - expected).powi(2) / expected;
        }
    }
    Some(chi2)
}

/// With two degrees of freedom χ² is exponentially distributed.
fn p_value(chi2: f64) -> f64 {
    (-chi2 / 2.0).exp()
}

/// Holm's correction for testing all workers at once.
fn holm(raw: &[Option<f64>]) -> Vec<Option<f64>> {
    let mut order: Vec<(usize, f64)> =
        raw.iter().enumerate().filter_map(|(place, p)| Some((place, (*p)?))).collect();
    order.sort_by(|one, other| one.1.total_cmp(&other.1));
    let mut corrected = vec![None; raw.len()];
    let mut least = 0.0_f64;
    for (done, (place, p)) in order.iter().enumerate() {
        // A corrected value may not be less than the one before.
        least = least.max((p * (order.len() - done) as f64).min(1.0));
        corrected[*place] = Some(least);
    }
    corrected
}

#[cfg(test)]
mod tests {
    use super::*;

    fn worker(number: usize) -> WorkerName {
        format!("w{number}.1").parse().unwrap()
    }

    /// xorshift: seeded, uniform from 0 to 1.
    struct Luck(u64);

    impl Luck {
        fn uniform(&mut self) -> f64 {
            for shift in [13_i32, -7, 17] {
                let moved = if shift > 0 { self.0 << shift } else { self.0 >> -shift };
                self.0 ^= moved;
            }
            (self.0 >> 11) as f64 / (1_u64 << 53) as f64
        }

        fn half_points(&mut self, shares: [f64; 5]) -> u8 {
            let mut left = self.uniform();
            for (points, share) in (0..).zip(shares) {
                left -= share;
                if left < 0.0 {
                    return points;
                }
            }
            4
        }
    }

    const SHARES: [f64; 5] = [0.05, 0.2, 0.45, 0.25, 0.05];

    fn add(residuals: &mut Residuals, worker: &WorkerName, half_points: u8, times: u32) {
        let pair = PairPlayed { half_points, plies: 200, ..PairPlayed::default() };
        (0..times).for_each(|_| residuals.add(worker, pair));
    }

    #[test]
    fn chi2_of_a_table_worked_by_hand() {
        // Expected in each row: 15, 30, 15.
        let found = chi2([10, 30, 20], [30, 60, 30]).unwrap();
        assert!((found - 20.0 / 3.0).abs() < 1e-12, "{found}");
        assert!((p_value(found) - (-10.0_f64 / 3.0).exp()).abs() < 1e-12);
        // The 5% point of two degrees of freedom.
        assert!((p_value(5.991_464_547) - 0.05).abs() < 1e-9);
        assert_eq!(chi2([10, 30, 20], [10, 30, 20]), None, "alone");
        assert_eq!(chi2([5, 5, 5], [10, 10, 10]), None, "five are too few");
        assert_eq!(chi2([6, 6, 6], [12, 12, 12]), Some(0.0));
        assert_eq!(chi2([0; 3], [0; 3]), None);
    }

    #[test]
    fn classes_are_below_at_and_above_half() {
        let mut residuals = Residuals::default();
        for half_points in 0..=4 {
            add(&mut residuals, &worker(0), half_points, 1 + u32::from(half_points));
        }
        assert_eq!(residuals.0[&worker(0)].classes, [3, 3, 9]);
    }

    #[test]
    fn holm_by_its_definition() {
        let raw = [Some(0.01), None, Some(0.04), Some(0.03), Some(0.9)];
        let close = |found: Option<f64>, expected: f64| (found.unwrap() - expected).abs() < 1e-12;
        let found = holm(&raw);
        assert_eq!(found[1], None);
        for (place, expected) in [(0, 0.04), (3, 0.09), (2, 0.09), (4, 0.9)] {
            assert!(close(found[place], expected), "{found:?}");
        }
        assert_eq!(holm(&[Some(0.7), Some(0.8)]), [Some(1.0), Some(1.0)]);
    }

    /// If all workers are alike, at most 5% of runs have a worker with p below 5%.
    #[test]
    fn false_alarms() {
        const RUNS: usize = 1_500;
        let mut luck = Luck(0x9e37_79b9_7f4a_7c15);
        let mut alarms = 0;
        for _ in 0..RUNS {
            let mut residuals = Residuals::default();
            for number in 0..8 {
                let name = worker(number);
                for _ in 0..60 + 20 * number {
                    add(&mut residuals, &name, luck.half_points(SHARES), 1);
                }
            }
            let rows = residuals.rows();
            assert!(rows.iter().all(|row| row.p.is_some()));
            alarms += usize::from(rows.iter().any(|row| row.p.is_some_and(|p| p < 0.05)));
        }
        let rate = alarms as f64 / RUNS as f64;
        // Two standard errors of 1,500 runs are 1.1%.
        assert!((0.02..0.062).contains(&rate), "{rate}");
    }

    /// A worker that turns a tenth of its losses into wins is found among eight.
    #[test]
    fn an_odd_worker_is_seen() {
        const RUNS: usize = 200;
        let mut luck = Luck(0x1234_5678_9abc_def1);
        let mut seen = 0;
        for _ in 0..RUNS {
            let mut residuals = Residuals::default();
            for number in 0..8 {
                let shares = if number == 3 { [0.02, 0.1, 0.43, 0.35, 0.1] } else { SHARES };
                for _ in 0..400 {
                    add(&mut residuals, &worker(number), luck.half_points(shares), 1);
                }
            }
            let rows = residuals.rows();
            let p = |number: usize| rows[number].p.unwrap();
            seen += usize::from(p(3) < 0.05 && (0..8).all(|other| p(other) >= p(3)));
        }
        assert!(seen as f64 > 0.95 * RUNS as f64, "{seen}");
    }

    #[test]
    fn other_figures() {
        let mut residuals = Residuals::default();
        residuals.bench(&worker(0), 1_000_000);
        residuals.bench(&worker(2), 7);
        let pair = PairPlayed {
            half_points: 2,
            time_losses: 1,
            plies: 150,
            nodes: 3_000,
            thinking_us: 4_000,
        };
        residuals.add(&worker(0), pair);
        residuals.add(&worker(1), PairPlayed { nodes: 5, thinking_us: 0, ..pair });
        let rows = residuals.rows();
        // A worker without games has no row.
        assert_eq!(rows.len(), 2);
        assert_eq!((rows[0].time_losses, rows[0].plies), (1, Some(75.0)));
        assert_eq!((rows[0].nps_share, rows[1].nps_share), (Some(0.75), None));
        assert_eq!((rows[0].chi2, rows[0].p), (None, None));
    }
}
