//! Time to a depth, with a mechanism and without.

use std::sync::Arc;

use engine::{HashSize, Params, Position, bench};
use serde::{Deserialize, Serialize};

use super::measurement_file::MeasurementFile;
use super::{Finding, HASH};
use arena::plan::shipped_book;
use arena::record::Versions;
use process::Error;
use tuning::sweep::speed::{Cost, in_turn, ratio};

/// A measurement: the same positions to the same depth, with and without.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Speedup {
    pub versions: Versions,
    pub with: String,
    pub without: String,
    /// Plies.
    pub depth: u32,
    /// How often each position was searched.
    pub rounds: u32,
    pub(super) cost_with: Cost,
    pub(super) cost_without: Cost,
}

impl Speedup {
    /// Time without the mechanism over time with it.
    pub fn faster(&self) -> Finding {
        ratio(&self.cost_without.micros, &self.cost_with.micros).into()
    }

    /// The same of nodes, which no machine changes.
    pub fn fewer_nodes(&self) -> Finding {
        ratio(&self.cost_without.nodes, &self.cost_with.nodes).into()
    }

    /// How long it took to measure, about, in seconds: by the least time of each position.
    pub fn seconds(&self) -> f64 {
        let micros = self.cost_with.micros.iter().chain(&self.cost_without.micros).sum::<u64>();
        f64::from(self.rounds) * micros as f64 / 1e6
    }

    pub fn positions(&self) -> usize {
        self.cost_with.nodes.len()
    }
}

impl MeasurementFile for Speedup {
    const FILE: &str = "speed.json";
    const WHAT: &str = "a measurement of speed";
}

/// Measures two players, which take turns at each position. `None` when `stop` says so meanwhile.
pub(super) fn measure(
    players: [(String, Params); 2],
    (depth, rounds): (u32, u32),
    positions: &[Position],
    stop: &dyn Fn() -> bool,
) -> Option<Speedup> {
    let [(with, params_with), (without, params_without)] = players;
    let params = [Arc::new(params_with), Arc::new(params_without)];
    let mut least: Option<Vec<Cost>> = None;
    for round in 0..rounds {
        let costs = in_turn(&params, (HashSize::from_bytes(HASH), depth, round), positions, stop)?;
        match &mut least {
            None => least = Some(costs),
            Some(least) => {
                let of_both = least.iter_mut().zip(&costs);
                let times =
                    of_both.flat_map(|(least, new)| least.micros.iter_mut().zip(&new.micros));
                times.for_each(|(least, &time)| *least = time.min(*least));
            }
        }
    }
    let [cost_with, cost_without] = <[Cost; 2]>::try_from(least?).ok()?;
    let versions = Versions::here();
    Some(Speedup { versions, with, without, depth, rounds, cost_with, cost_without })
}

/// So many positions: those of the engine's bench, then the book's first.
pub(super) fn positions(count: usize) -> Result<Vec<Position>, Error> {
    let book = shipped_book()?;
    let of_book = book.openings().filter_map(|opening| Some(opening.ok()?.end_fen()));
    let fens = bench::POSITIONS.iter().map(|&fen| fen.to_owned()).chain(of_book);
    Ok(fens.filter_map(|fen| Position::from_fen(&fen).ok()).take(count).collect())
}
