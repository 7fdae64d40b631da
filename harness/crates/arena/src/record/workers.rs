//! What each machine of a fleet has played, and how far its results are from those of all others. That is
//! shown; no game is dropped by it, since that would bias the result.
//!
//! Pairs fall into three classes by the test player's score: less than half of the points, half, more.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stats::{holm, residual, residual_p};

use super::{GameRecord, PairJoiner, Termination};

/// A p-value below is worth a remark.
pub const ODD: f64 = 0.01;

/// Over all recorded games that name their machine. Memory: a few dozen bytes for each pair of which one
/// game is missing.
#[derive(Debug, Default)]
pub struct Workers {
    by_name: BTreeMap<String, Played>,
    halves: PairJoiner<Half>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Played {
    games: u64,
    /// Pairs lost, drawn and won by test.
    classes: [u64; 3],
    time_losses: u64,
    plies: u64,
    nodes: u64,
    /// Of thinking, in microseconds.
    time_us: u64,
}

#[derive(Debug)]
struct Half {
    worker: String,
    half_points: u8,
    is_void: bool,
}

/// One machine of a run.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerResults {
    /// Empty: the machine that has recorded the run.
    pub worker: String,
    pub games: u64,
    /// Lost, drawn and won by test.
    pub pairs: [u64; 3],
    /// Against all others; `None` where too few pairs are to be expected.
    pub chi2: Option<f64>,
    /// Corrected for the number of machines by Holm.
    pub p: Option<f64>,
    /// Games.
    pub time_losses: u64,
    /// Of a game, book included.
    pub average_plies: f64,
    /// Of both players, while they think; `None`: no time is recorded.
    #[serde(default)]
    pub nodes_per_second: Option<f64>,
}

impl WorkerResults {
    /// Its name for people.
    pub fn name(&self) -> &str {
        if self.worker.is_empty() { "the coordinator" } else { &self.worker }
    }
}

impl Workers {
    pub(crate) fn add(&mut self, game: &GameRecord) {
        let worker = game.time.worker.clone().unwrap_or_default();
        let played = self.by_name.entry(worker.clone()).or_default();
        played.games += 1;
        played.time_losses += u64::from(game.termination == Termination::TimeLoss);
        played.plies += u64::from(game.plies);
        let add = |sum: u64, more: &u64| sum.saturating_add(*more);
        played.nodes = game.nodes.iter().fold(played.nodes, add);
        played.time_us = game.time.moves_us.iter().fold(played.time_us, add);
        let half_points = game.test_half_points();
        let half = Half { worker, half_points, is_void: game.termination.is_void() };
        let Some([first, second]) = self.halves.add(game.game, half) else { return };
        // A machine that was lost may have left half a pair.
        if first.worker != second.worker || first.is_void || second.is_void {
            return;
        }
        let class = match first.half_points + second.half_points {
            0 | 1 => 0,
            2 => 1,
            _ => 2,
        };
        if let Some(played) = self.by_name.get_mut(&first.worker) {
            played.classes[class] += 1;
        }
    }

    /// By name; none of a run that one machine alone has played.
    pub fn rows(&self) -> Vec<WorkerResults> {
        if self.by_name.keys().all(String::is_empty) {
            return Vec::new();
        }
        let mut total = [0; 3];
        for played in self.by_name.values() {
            total.iter_mut().zip(played.classes).for_each(|(sum, pairs)| *sum += pairs);
        }
        let chi2: Vec<Option<f64>> =
            self.by_name.values().map(|played| residual(played.classes, total)).collect();
        let raw: Vec<Option<f64>> = chi2.iter().map(|chi2| chi2.map(residual_p)).collect();
        let rows = self.by_name.iter().zip(chi2).zip(holm(&raw));
        let row = |(((worker, played), chi2), p): (((&String, &Played), _), _)| WorkerResults {
            worker: worker.clone(),
            games: played.games,
            pairs: played.classes,
            chi2,
            p,
            time_losses: played.time_losses,
            average_plies: played.plies as f64 / played.games.max(1) as f64,
            nodes_per_second: (played.time_us > 0)
                .then(|| played.nodes as f64 / played.time_us as f64 * 1e6),
        };
        rows.map(row).collect()
    }
}

#[cfg(test)]
mod tests {
    use pgn::Outcome;

    use super::*;
    use crate::record::{Side, TimeRecord, sample};

    /// xorshift: seeded, uniform in 0 to 1.
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

    fn game(number: u64, worker: usize, half_points: u8) -> GameRecord {
        let result = match half_points {
            0 => Outcome::Black,
            1 => Outcome::Draw,
            _ => Outcome::White,
        };
        let time = TimeRecord { worker: Some(format!("w{worker}.1")), ..TimeRecord::default() };
        GameRecord { result, plies: 90, white: Side::Test, time, ..sample(number) }
    }

    /// The next pair of a run.
    fn add(workers: &mut Workers, pair: u64, worker: usize, half_points: u8) {
        let first = half_points.min(2);
        workers.add(&game(2 * pair, worker, first));
        workers.add(&game(2 * pair + 1, worker, half_points - first));
    }

    #[test]
    fn classes_are_below_at_and_above_half() {
        let mut workers = Workers::default();
        let points =
            (0..=4).flat_map(|points: u8| std::iter::repeat_n(points, 1 + points as usize));
        for (pair, points) in (0..).zip(points) {
            add(&mut workers, pair, 0, points);
        }
        // Half of a pair, one of two machines, and one that did not begin.
        workers.add(&game(100, 0, 2));
        workers.add(&game(102, 0, 2));
        workers.add(&game(103, 1, 2));
        workers.add(&game(104, 1, 2));
        workers.add(&GameRecord { termination: Termination::NotStarted, ..game(105, 1, 2) });
        workers.add(&GameRecord { termination: Termination::TimeLoss, ..game(107, 1, 2) });
        let rows = workers.rows();
        assert_eq!((rows[0].pairs, rows[0].games), ([3, 3, 9], 32));
        assert_eq!((rows[1].pairs, rows[1].games, rows[1].time_losses), ([0; 3], 4, 1));
        assert_eq!((rows[0].name(), rows[0].average_plies, rows[0].chi2), ("w0.1", 90.0, None));
    }

    #[test]
    fn a_machine_has_the_speed_of_its_games() {
        let mut workers = Workers::default();
        for (number, nodes, moves_us) in
            [(0, [3000, 1000], vec![1500, 500]), (1, [0, 2000], vec![2000])]
        {
            let record = game(number, 0, 2);
            let time = TimeRecord { moves_us, ..record.time.clone() };
            workers.add(&GameRecord { nodes, time, ..record });
        }
        let time = TimeRecord { moves_us: Vec::new(), ..game(2, 1, 2).time };
        workers.add(&GameRecord { time, ..game(2, 1, 2) });
        let speeds: Vec<Option<f64>> =
            workers.rows().iter().map(|row| row.nodes_per_second).collect();
        assert_eq!(speeds, [Some(1.5e6), None]);
    }

    #[test]
    fn a_run_of_one_machine_has_no_rows() {
        let mut workers = Workers::default();
        (0..8).for_each(|number| workers.add(&sample(number)));
        assert!(workers.rows().is_empty());
        add(&mut workers, 9, 0, 2);
        let rows = workers.rows();
        assert_eq!((rows.len(), rows[0].name(), rows[0].games), (2, "the coordinator", 8));
    }

    /// Of workers that are all alike, in at most 5 % of runs one is below 5 %.
    #[test]
    fn false_alarms() {
        const RUNS: usize = 400;
        let mut luck = Luck(0x9e37_79b9_7f4a_7c15);
        let mut alarms = 0;
        for _ in 0..RUNS {
            let (mut workers, mut pair) = (Workers::default(), 0);
            for number in 0..8 {
                for _ in 0..60 + 20 * number {
                    add(&mut workers, pair, number, luck.half_points(SHARES));
                    pair += 1;
                }
            }
            let rows = workers.rows();
            assert!(rows.iter().all(|row| row.p.is_some()));
            alarms += usize::from(rows.iter().any(|row| row.p.is_some_and(|p| p < 0.05)));
        }
        let rate = alarms as f64 / RUNS as f64;
        // Two standard errors of 400 runs are 2.2 %.
        assert!((0.01..0.075).contains(&rate), "{rate}");
    }

    /// One that turns a tenth of its losses into wins stands out among eight.
    #[test]
    fn an_odd_worker_is_seen() {
        const RUNS: usize = 60;
        let mut luck = Luck(0x1234_5678_9abc_def1);
        let mut seen = 0;
        for _ in 0..RUNS {
            let (mut workers, mut pair) = (Workers::default(), 0);
            for number in 0..8 {
                let shares = if number == 3 { [0.02, 0.1, 0.43, 0.35, 0.1] } else { SHARES };
                for _ in 0..400 {
                    add(&mut workers, pair, number, luck.half_points(shares));
                    pair += 1;
                }
            }
            let rows = workers.rows();
            let p = |number: usize| rows[number].p.unwrap();
            seen += usize::from(p(3) < 0.05 && (0..8).all(|other| p(other) >= p(3)));
        }
        assert!(seen as f64 > 0.9 * RUNS as f64, "{seen}");
    }
}
