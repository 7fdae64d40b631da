//! `verdict selfcheck`.

use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use clap::Args;

use super::numbers::at_most;
use super::{DONE, print, runtime};
use crate::selfcheck::{SelfCheck, SelfcheckOutcome};
use arena::commas;
use arena::plan::check::check_slots;
use arena::plan::shipped_book;
use arena::player::program::ProgramSpec;
use pgn::Book;
use process::{Context as _, Error};

/// The two ways to play are not the same.
const DIFFERENT: u8 = 1;
/// The engine's file beside this program's.
const ENGINE: &str = "mutineer";

/// Check that embedded mutineer and mutineer as a UCI program play the same moves.
///
/// Exit code 0: all moves are equal; 1: they differ, and the first difference is printed; 3: the program
/// does not start.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict selfcheck --personality default --nodes 3000")]
pub struct SelfcheckArgs {
    /// mutineer as a UCI program [default: mutineer in the folder of verdict].
    #[arg(long, value_name = "PATH")]
    engine: Option<PathBuf>,

    /// Personality to play with.
    #[arg(long, value_name = "NAME", default_value = "default")]
    personality: String,

    /// Nodes per move.
    #[arg(long, value_name = "N", default_value = "3000")]
    nodes: NonZeroU64,

    /// Number of games, each from another opening, at most 100,000.
    #[arg(long, value_name = "N", default_value = "20", value_parser = at_most::<100_000>)]
    games: NonZeroU64,

    /// Opening book, as for a match [default: the included book].
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Random seed of the order of openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Search threads [default: all processors].
    #[arg(long, value_name = "N")]
    slots: Option<NonZeroUsize>,
}

pub fn run(args: SelfcheckArgs) -> Result<u8, Error> {
    let engine = match args.engine {
        Some(engine) => engine,
        None => {
            let us = std::env::current_exe().context("cannot find this program's own folder")?;
            us.with_file_name(ENGINE)
        }
    };
    let path = commas::escape(&engine.to_string_lossy());
    let path = if path.contains('/') { path } else { format!("./{path}") };
    let spec = format!("uci:{path},Personality={}", args.personality);
    let program = ProgramSpec::parse(&spec)?;
    let book = match &args.book {
        Some(path) => Book::read(path)?,
        None => shipped_book()?,
    };
    args.slots.map_or(Ok(()), check_slots)?;
    let slots = args.slots.or_else(|| std::thread::available_parallelism().ok());
    let check = SelfCheck {
        personality: args.personality,
        program,
        nodes: args.nodes.get(),
        games: args.games.get(),
        seed: args.seed,
        slots: slots.unwrap_or(NonZeroUsize::MIN),
    };
    let runtime = runtime(2)?;
    let outcome = runtime.block_on(check.run(book))?;
    print(words(&check, &engine, &outcome) + "\n")?;
    Ok(if outcome.first.is_none() { DONE } else { DIFFERENT })
}

fn words(check: &SelfCheck, engine: &Path, outcome: &SelfcheckOutcome) -> String {
    let SelfcheckOutcome { games, plies, different, first } = outcome;
    let what = format!(
        "{games} games at {} nodes a move, personality {}, embedded and as {}",
        check.nodes,
        check.personality,
        engine.display()
    );
    match first {
        None => format!("{what}: equal, {plies} plies"),
        Some(first) => format!(
            "{what}: {different} differ, first game {} at ply {}: embedded {}, program {}",
            first.game,
            first.ply + 1,
            first.embedded,
            first.program
        ),
    }
}
