//! The cells of `results/fleet-model`.

use std::time::Duration;

use process::Error;

use crate::cell::{Cell, Churn};

/// Pairs of a cell at most, so that the whole grid takes minutes.
const MOST: u64 = 60_000;
/// Pairs of a run at most, where the rule looks again and again.
const USUAL: u64 = 20_000;
/// What the README recommends together.
pub(crate) const BETTER: &str = "ahead+batches+window+handle+pipelined";
const PAIRS_S: [f64; 3] = [0.1, 1.0, 6.0];

/// All cells.
pub(crate) fn all() -> Result<Vec<Cell>, Error> {
    let mut cells = Vec::new();
    latency(&mut cells)?;
    loss(&mut cells)?;
    choices(&mut cells)?;
    usual_runs(&mut cells)?;
    deaths(&mut cells)?;
    far_coordinator(&mut cells)?;
    stops(&mut cells)?;
    Ok(cells)
}

fn latency(cells: &mut Vec<Cell>) -> Result<(), Error> {
    for (slots, sizes) in
        [(1, &[1][..]), (4, &[1, 4]), (16, &[1, 4, 16]), (64, &[1, 4, 16]), (256, &[1, 4, 16])]
    {
        for &size in sizes {
            for pair_s in PAIRS_S {
                for rtt_ms in [1, 20, 100, 300] {
                    for flags in ["code", BETTER] {
                        let cell = Cell::new(slots, size, pair_s, rtt_ms).lasting(240.0, MOST);
                        cells.push(Cell { set: "latency", ..cell }.with(flags)?);
                    }
                }
            }
        }
    }
    Ok(())
}

fn loss(cells: &mut Vec<Cell>) -> Result<(), Error> {
    for size in [1, 16] {
        for pair_s in PAIRS_S {
            for rtt_ms in [20, 100, 300] {
                for loss in [0.01, 0.05] {
                    for flags in ["code", BETTER] {
                        let cell = Cell::new(64, size, pair_s, rtt_ms).lasting(240.0, MOST);
                        cells.push(Cell { set: "loss", loss, ..cell }.with(flags)?);
                    }
                }
            }
        }
    }
    Ok(())
}

/// Each choice alone and some together, where the code is worst.
fn choices(cells: &mut Vec<Cell>) -> Result<(), Error> {
    let flags = [
        "code",
        "ahead",
        "batches",
        "uncapped",
        "handle",
        "fresh",
        "ahead+batches",
        "ahead+batches+handle",
        "ahead+batches+uncapped",
        "ahead+batches+handle+uncapped",
        "ahead+batches+handle+fresh",
        BETTER,
    ];
    for (size, pair_s, rtt_ms) in [(16, 0.1, 100), (16, 0.1, 300), (16, 1.0, 300), (1, 0.1, 300)] {
        for flags in flags {
            let cell = Cell::new(64, size, pair_s, rtt_ms).lasting(120.0, MOST);
            cells.push(Cell { set: "choices", ..cell }.with(flags)?);
        }
    }
    Ok(())
}

/// 20,000 pairs: how much the end costs.
fn usual_runs(cells: &mut Vec<Cell>) -> Result<(), Error> {
    let (uncapped, short) = (format!("{BETTER}+uncapped"), format!("{BETTER}+short"));
    for (slots, size) in [(16, 4), (64, 1), (64, 16), (256, 1), (256, 16)] {
        for pair_s in PAIRS_S {
            for flags in ["code", BETTER, &uncapped, &short] {
                let cell = Cell { pairs: USUAL, ..Cell::new(slots, size, pair_s, 100) };
                cells.push(Cell { set: "usual", ..cell }.with(flags)?);
            }
        }
    }
    Ok(())
}

fn deaths(cells: &mut Vec<Cell>) -> Result<(), Error> {
    let mut add = |(slots, size, pair_s), seconds, (deaths, leaves)| {
        for flags in ["code", "window", BETTER] {
            let cell = Cell::new(slots, size, pair_s, 100).lasting(seconds, 2 * MOST);
            let churn = Churn { deaths, leaves };
            cells.push(Cell { set: "churn", loss: 0.01, churn, ..cell }.with(flags)?);
        }
        Ok::<(), Error>(())
    };
    for churn in [(6.0, 0.0), (0.0, 6.0), (60.0, 60.0)] {
        add((64, 16, 6.0), 3600.0, churn)?;
        add((64, 1, 6.0), 3600.0, churn)?;
        add((256, 16, 6.0), 3600.0, churn)?;
        add((64, 16, 1.0), 1800.0, churn)?;
    }
    // Six an hour would be none in so short a run.
    add((64, 16, 0.1), 180.0, (60.0, 0.0))?;
    add((64, 1, 0.1), 180.0, (60.0, 0.0))?;
    // One machine that is switched off and on.
    let cell = Cell { pairs: 200, ..Cell::new(4, 4, 6.0, 20) };
    let churn = Churn { deaths: 0.0, leaves: 60.0 };
    for flags in ["code", "keeps"] {
        cells.push(Cell { set: "churn", churn, ..cell.clone() }.with(flags)?);
    }
    Ok(())
}

/// The coordinator is elsewhere than the broker.
fn far_coordinator(cells: &mut Vec<Cell>) -> Result<(), Error> {
    for (slots, size) in [(16, 4), (64, 16), (256, 16)] {
        for pair_s in PAIRS_S {
            for rtt_ms in [20, 100] {
                for flags in ["code", "pipelined", BETTER] {
                    let cell = Cell::new(slots, size, pair_s, rtt_ms).lasting(240.0, MOST);
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
    for (slots, size, rtt_ms, loss, own_ms) in [
        (64, 1, 1, 0.0, 1),
        (64, 1, 100, 0.0, 1),
        (64, 1, 300, 0.05, 1),
        (256, 1, 100, 0.01, 1),
        (256, 1, 100, 0.01, 100),
    ] {
        for flags in ["code", "pipelined"] {
            for seed in 1..=25 {
                let cell = Cell::new(slots, size, 1.0, rtt_ms).lasting(100.0, MOST);
                // At another moment each time, also while the ledger is compared with the broker.
                let decides_at = Some(slots as u64 * (20 + 45 * seed / 25));
                let coordinator_rtt = Duration::from_millis(own_ms);
                let cell = Cell { set: "stop", loss, coordinator_rtt, decides_at, seed, ..cell };
                cells.push(cell.with(flags)?);
            }
        }
    }
    Ok(())
}
