//! `verdict selfcheck`.

use std::io::Write as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::Args;

use super::DONE;
use super::numbers::at_most;
use crate::selfcheck::{Outcome, SelfCheck};
use arena::plan::{MOST_SLOTS, PlanError, shipped_book};
use arena::player::{commas, program::ProgramSpec};
use arena::session::SessionError;
use pgn::Book;

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

pub fn run(args: SelfcheckArgs) -> anyhow::Result<u8> {
    let engine = match args.engine {
        Some(engine) => engine,
        None => beside_us()?,
    };
    let path = commas::escape(&engine.to_string_lossy());
    let path = if path.contains('/') { path } else { format!("./{path}") };
    let spec = format!("uci:{path},Personality={}", args.personality);
    let program = ProgramSpec::parse(&spec)?;
    let book = match &args.book {
        Some(path) => Book::read(path)?,
        None => shipped_book()?,
    };
    if let Some(slots) = args.slots.filter(|slots| slots.get() > MOST_SLOTS) {
        return Err(SessionError::Plan(PlanError::Slots(slots)).into());
    }
    let slots = args.slots.or_else(|| std::thread::available_parallelism().ok());
    let check = SelfCheck {
        personality: args.personality,
        program,
        nodes: args.nodes.get(),
        games: args.games.get(),
        seed: args.seed,
        slots: slots.unwrap_or(NonZeroUsize::MIN),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .context("cannot start the asynchronous runtime")?;
    let outcome = runtime.block_on(check.run(book))?;
    let mut out = std::io::stdout().lock();
    writeln!(out, "{}", words(&check, &engine, &outcome))
        .context("cannot write to standard output")?;
    Ok(if outcome.first.is_none() { DONE } else { DIFFERENT })
}

/// The engine beside this program.
fn beside_us() -> anyhow::Result<PathBuf> {
    let us = std::env::current_exe().context("cannot find this program's own folder")?;
    Ok(us.with_file_name(ENGINE))
}

fn words(check: &SelfCheck, engine: &Path, outcome: &Outcome) -> String {
    let Outcome { games, plies, different, first } = outcome;
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
