//! A model of a fleet: the coordinator, the broker and the workers of `verdict`, simulated event by
//! event, for fleets and networks that no test has. It uses the code's own chunks, ledger, batches
//! and messages; what `fleet` does with them is written again here without a network.
//! `results/fleet-model/README.md` says what it found.
//!
//! - [`cell`]: what is simulated, and the choices that may be varied; [`grid`]: all cells.
//! - [`fleet`]: time, and what is sent when; [`network`]: when it arrives.
//! - [`broker`], [`coordinator`], [`worker`] with [`play`]: who does what.
//! - [`tally`]: what is counted.

mod broker;
mod cell;
mod chance;
mod coordinator;
mod fleet;
mod grid;
mod network;
mod play;
mod tally;
#[cfg(test)]
mod tests;
mod worker;

use clap::Parser;
use process::Error;
use serde_json::Value;

use self::cell::Cell;

/// Simulates fleets and prints a JSON line for each cell.
#[derive(Parser)]
struct Arguments {
    /// Only cells of this set: latency, loss, choices, usual, churn, far, stop.
    #[arg(long)]
    set: Option<String>,
    /// Added to the seed of each cell.
    #[arg(long, default_value_t = 0)]
    seed: u64,
}

fn main() -> Result<(), Error> {
    let arguments = Arguments::parse();
    let mut cells = grid::all()?;
    if let Some(set) = &arguments.set {
        cells.retain(|cell| cell.set == set);
        if cells.is_empty() {
            return Err(Error::usage(format!(
                "--set {set}: expected latency, loss, choices, usual, churn, far or stop"
            )));
        }
    }
    let mut out = std::io::stdout().lock();
    let mut stops: Option<(Cell, tally::Tally)> = None;
    for cell in cells {
        let cell = Cell { seed: cell.seed + arguments.seed, ..cell };
        let tally = fleet::simulate(&cell)?;
        // Cells that differ in their seed alone are one line.
        match &mut stops {
            Some((first, sum)) if cell.is_another_of(first) => sum.add(&tally),
            _ => {
                print(&mut out, stops.replace((cell, tally)))?;
            }
        }
    }
    print(&mut out, stops)
}

fn print(out: &mut impl std::io::Write, line: Option<(Cell, tally::Tally)>) -> Result<(), Error> {
    let Some((cell, tally)) = line else { return Ok(()) };
    let (mut line, more) = (cell.to_json(), tally.to_json());
    if let (Value::Object(line), Value::Object(more)) = (&mut line, more) {
        line.extend(more);
    }
    writeln!(out, "{line}")?;
    Ok(())
}
