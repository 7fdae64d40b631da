//! Figures of a fleet on this machine: real `verdict serve`, `match --fleet` and `worker` processes,
//! and simulated workers that speak to them as real ones do and send games that were recorded before.
//! `scripts/fleet-figures.sh` runs it; `results/fleet-figures/README.md` says what it found.
//!
//! - [`place`]: a broker, and processes of `verdict`. [`seer`] hears what workers say.
//! - [`recorded`]: the games; [`member`]: the connection of a simulated worker; [`player`]: such a
//!   worker; [`simulated`]: a run of them.
//! - [`flow`], [`returning`], [`stopping`], [`engines`]: the figures; [`rows`]: what is printed of them.

mod engines;
mod flow;
mod member;
mod place;
mod player;
mod recorded;
mod returning;
mod rows;
mod seer;
mod simulated;
mod stopping;

use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;

use clap::{Parser, ValueEnum};
use process::Error;

use self::flow::Load;
use self::recorded::{Recorded, cut_book};
use self::simulated::Stage;

/// Openings, and so different pairs, of simulated workers.
const OPENINGS: u64 = 200;
const FEW_OPENINGS: u64 = 60;
const FLAGS: &str = "--test embedded,search.pvs=false --nodes 1000";

/// Measures a fleet on this machine. Prints a line of JSON for each figure, and rows of a table to
/// stderr.
#[derive(Parser)]
struct Arguments {
    /// The program, built with the feature fleet.
    #[arg(long, value_name = "PATH", default_value = "target/release/verdict")]
    verdict: PathBuf,
    /// A book with at least 200 openings, one a line.
    #[arg(long, value_name = "EPD", default_value = "openings/balanced_8ply.epd")]
    book: PathBuf,
    /// Small numbers: shows that everything works, not how well.
    #[arg(long)]
    quick: bool,
    /// Only these, all unless given.
    #[arg(long, value_enum, value_delimiter = ',')]
    only: Vec<Figure>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Figure {
    Acknowledgement,
    Efficiency,
    Returning,
    Stopping,
    Throughput,
    Engines,
}

#[tokio::main]
async fn main() -> ExitCode {
    match measure().await {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("fleet_figures: {error}");
            ExitCode::FAILURE
        }
    }
}

async fn measure() -> Result<(), Error> {
    let Arguments { verdict, book, quick, only } = Arguments::parse();
    let verdict = verdict.canonicalize().map_err(Error::io(&verdict, "find"))?;
    let dir = tempfile::tempdir()?;
    let cut = dir.path().join("book.epd");
    let openings = if quick { FEW_OPENINGS } else { OPENINGS };
    cut_book(&book, &cut, openings)?;
    let mut stage =
        Stage { verdict, book: cut, flags: FLAGS, recorded: Arc::new(Recorded::default()) };
    let words = format!("{} --pairs {openings} --out recorded", stage.words(FLAGS));
    place::run(&stage.verdict, dir.path(), &words)?;
    stage.recorded = Arc::new(Recorded::of(&dir.path().join("recorded"))?);
    let figures = if only.is_empty() { Figure::value_variants().to_vec() } else { only };
    for figure in figures {
        match figure {
            Figure::Acknowledgement => flow::acknowledgements(&stage, quick).await?.print()?,
            Figure::Efficiency => {
                for load in Load::all(quick) {
                    flow::efficiency(&stage, load).await?.print()?;
                }
            }
            Figure::Returning => {
                for row in returning::chunks(&stage, quick).await? {
                    row.print()?;
                }
            }
            Figure::Stopping => {
                stopping::simulated(&stage, quick).await?.print()?;
                stopping::real(&stage, quick).await?.print()?;
            }
            Figure::Throughput => {
                for row in flow::throughput(&stage, quick).await? {
                    row.print()?;
                }
            }
            Figure::Engines => engines::engines(&stage, quick).await?.print()?,
        }
    }
    Ok(())
}
