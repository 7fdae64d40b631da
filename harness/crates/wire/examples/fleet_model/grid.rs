//! The cells of `results/fleet-model`.

use std::time::Duration;

use process::Error;

use crate::cell::{Cell, Churn};

/// Pairs of a cell at most, so that the whole grid takes minutes.
const MOST: u64 = 60_000;
/// The same where short pairs are many.
const MANY: u64 = 4 * MOST;
/// Pairs of a run at most, where the rule looks again and again.
const USUAL: u64 = 20_000;
const PAIRS_S: [f64; 3] = [0.1, 1.0, 6.0];

/// All cells.
pub(crate) fn all() -> Result<Vec<Cell>, Error> {
    let mut cells = Vec::new();
    latency(&mut cells);
    loss(&mut cells);
    choices(&mut cells)?;
    usual_runs(&mut cells)?;
    deaths(&mut cells)?;
    far_coordinator(&mut cells)?;
    stops(&mut cells)?;
    Ok(cells)
}

fn latency(cells: &mut Vec<Cell>) {
    for (slots, size) in [(16, 4), (64, 1), (64, 16), (256, 1), (256, 16)] {
        for pair_s in PAIRS_S {
            for rtt_ms in [1, 20, 100, 300] {
                let cell = Cell::new(slots, size, pair_s, rtt_ms).lasting(240.0, MANY);
                cells.push(Cell { set: "latency", ..cell });
            }
        }
    }
}

fn loss(cells: &mut Vec<Cell>) {
    for size in [1, 16] {
        for pair_s in PAIRS_S {
            for rtt_ms in [100, 300] {
                for loss in [0.01, 0.05] {
                    let cell = Cell::new(64, size, pair_s, rtt_ms).lasting(240.0, MOST);
                    cells.push(Cell { set: "loss", loss, ..cell });
                }
            }
        }
    }
}

/// Each choice alone and some together, where links are long.
fn choices(cells: &mut Vec<Cell>) -> Result<(), Error> {
    let flags = ["code", "shallow", "single", "ahead", "fresh", "ahead+fresh", "uncapped"];
    for (size, pair_s, rtt_ms) in [(16, 0.1, 100), (16, 0.1, 300), (16, 1.0, 300), (1, 0.1, 300)] {
        for flags in flags {
            let cell = Cell::new(64, size, pair_s, rtt_ms).lasting(60.0, MOST);
            cells.push(Cell { set: "choices", ..cell }.with(flags)?);
        }
    }
    // The coordinator's own work is the limit.
    for size in [1, 16] {
        for flags in ["code", "heavy"] {
            let cell = Cell::new(256, size, 0.1, 20).lasting(60.0, MANY);
            cells.push(Cell { set: "choices", ..cell }.with(flags)?);
        }
    }
    Ok(())
}

/// 20,000 pairs: how much the end costs.
fn usual_runs(cells: &mut Vec<Cell>) -> Result<(), Error> {
    for (slots, size) in [(16, 4), (64, 1), (64, 16), (256, 1), (256, 16)] {
        for pair_s in PAIRS_S {
            for flags in ["code", "short", "short+window", "uncapped"] {
                let cell = Cell { pairs: USUAL, ..Cell::new(slots, size, pair_s, 100) };
                cells.push(Cell { set: "usual", ..cell }.with(flags)?);
            }
        }
    }
    Ok(())
}

fn deaths(cells: &mut Vec<Cell>) -> Result<(), Error> {
    let mut add = |(slots, size, pair_s), seconds, (deaths, leaves), flags: &[&str]| {
        for flags in flags {
            let cell = Cell::new(slots, size, pair_s, 100).lasting(seconds, 2 * MOST);
            let churn = Churn { deaths, leaves };
            cells.push(Cell { set: "churn", loss: 0.01, churn, ..cell }.with(flags)?);
        }
        Ok::<(), Error>(())
    };
    for churn in [(6.0, 0.0), (0.0, 6.0), (60.0, 60.0)] {
        add((64, 16, 6.0), 3600.0, churn, &["code", "short+window"])?;
        add((64, 1, 6.0), 3600.0, churn, &["code"])?;
        add((256, 16, 6.0), 3600.0, churn, &["code"])?;
        add((64, 16, 1.0), 1800.0, churn, &["code"])?;
    }
    // Six an hour would be none in so short a run.
    for size in [1, 16] {
        add((64, size, 0.1), 180.0, (60.0, 0.0), &["code", "window"])?;
    }
    Ok(())
}

/// The coordinator is elsewhere than the broker.
fn far_coordinator(cells: &mut Vec<Cell>) -> Result<(), Error> {
    for (slots, size) in [(256, 1), (256, 16)] {
        for pair_s in PAIRS_S {
            for rtt_ms in [20, 100] {
                for flags in ["code", "fresh"] {
                    let cell = Cell::new(slots, size, pair_s, rtt_ms).lasting(240.0, MANY);
                    let coordinator_rtt = Duration::from_millis(rtt_ms);
                    cells.push(Cell { set: "far", coordinator_rtt, ..cell }.with(flags)?);
                }
            }
        }
    }
    Ok(())
}

/// Short runs that the rule ends, many of each.
fn stops(cells: &mut Vec<Cell>) -> Result<(), Error> {
    for (slots, rtt_ms, loss, own_ms) in [
        (64, 1, 0.0, 1),
        (64, 100, 0.0, 1),
        (64, 300, 0.05, 1),
        (256, 100, 0.01, 1),
        (256, 100, 0.01, 100),
    ] {
        for flags in ["code", "short+window"] {
            for seed in 1..=10 {
                let cell = Cell::new(slots, 1, 1.0, rtt_ms).lasting(100.0, MOST);
                // At another moment each time, also while the ledger is compared with the broker.
                let decides_at = Some(slots as u64 * (20 + 45 * seed / 10));
                let coordinator_rtt = Duration::from_millis(own_ms);
                let cell = Cell { set: "stop", loss, coordinator_rtt, decides_at, seed, ..cell };
                cells.push(cell.with(flags)?);
            }
        }
    }
    Ok(())
}
