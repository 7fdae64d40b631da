//! `verdict label`: positions with a teacher's scores.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

use clap::{ArgGroup, Args};

use super::numbers::number;
use super::{DONE, UNDECIDED, folders, outputs, print, runtime};
use crate::screen::ProgressLine;
use arena::player::GoLimit;
use arena::player::program::{ProgramSettings, ProgramSpec};
use arena::runner::Stops;
use process::signals::hear;
use process::{Error, parallel};
use tuning::label::{self, LabelCounts, LabelPlan, Labelled, ReadCounts};
use tuning::tune::texel::sample::Sampling;

/// Binary units of a centipawn.
const UNITS: f64 = 2.56;

/// Give positions the scores of a teacher: any engine searches them.
///
/// Takes quiet positions from runs, PGN files, or lists of positions (FEN, EPD, FEN | score | result),
/// each position once, and writes a line for each: FEN | centipawns | result, both from White's point of
/// view; without a result where none is known. `verdict tune texel` reads this, and so do the tuners of
/// others. Left out are checks, positions that captures change, those in which the teacher's best move is
/// a capture or a promotion, mates, and decided positions.
///
/// Ctrl-C stops; the same command goes on. The lines depend neither on --processes nor on where it stopped.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("limit").required(true).args(["nodes", "depth", "movetime"]),
    before_help = "Example:\n  verdict label games.pgn.zst --by /usr/games/stockfish --nodes 5000 --out labels.txt"
)]
pub struct LabelArgs {
    /// Folders of runs, tournaments and sweeps, PGN files, lists of positions; files may be compressed.
    #[arg(required = true, value_name = "SOURCE")]
    sources: Vec<PathBuf>,
    /// The teacher: uci:PATH[,Option=value…], xboard:PATH[,Option=value…], or the path or name of a UCI program.
    #[allow(rustdoc::broken_intra_doc_links)]
    #[arg(long, value_name = "SPEC", value_parser = ProgramSpec::parse_named)]
    by: ProgramSpec,
    /// Nodes of each search.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Depth of each search, in plies.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    depth: Option<u32>,
    /// Milliseconds of each search; the lines cannot be repeated then.
    #[arg(long, value_name = "MS", value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// The file of the labels: a new one, or one that the same command has begun.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Hash size of each process of the teacher, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    hash: u64,
    /// Positions of one game at most, chosen by chance [default: all].
    #[arg(long, value_name = "N")]
    per_game: Option<NonZeroUsize>,
    /// Seed of that chance.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// A position is quiet if captures change the embedded engine's evaluation by at most so much.
    #[arg(long, value_name = "CP", default_value_t = 6.25, value_parser = centipawns)]
    margin: f64,
    /// Positions that it values above this, for either side, are decided.
    #[arg(long, value_name = "CP", default_value_t = 1000.0, value_parser = centipawns)]
    decided: f64,
    /// Processes of the teacher, one thread each [default: all processors].
    #[arg(long, value_name = "N", value_parser = parallel::read_threads)]
    processes: Option<NonZeroUsize>,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

fn centipawns(text: &str) -> Result<f64, String> {
    number(text, |value| (0.0..=10_000.0).contains(&value), "centipawns, 0 to 10000")
}

impl LabelArgs {
    fn limit(&self) -> GoLimit {
        match (self.nodes, self.depth, self.movetime) {
            (Some(nodes), ..) => GoLimit::Nodes(nodes),
            (_, Some(depth), _) => GoLimit::Depth(depth),
            (.., time) => GoLimit::MoveTime(Duration::from_millis(time.unwrap_or(1))),
        }
    }
}

pub fn run(args: LabelArgs) -> Result<u8, Error> {
    let limit = args.limit();
    let mut sources = Vec::new();
    for source in &args.sources {
        sources.extend(folders::runs_in(source)?);
    }
    outputs::check([Some(&*args.out)], &sources)?;
    let plan = LabelPlan {
        sources,
        teacher: args.by,
        settings: ProgramSettings {
            hash_mib: Some(args.hash),
            threads: Some(1),
            ..ProgramSettings::default()
        },
        limit,
        sampling: Sampling {
            margin: (args.margin * UNITS).round() as i32,
            decided: (args.decided * UNITS).round() as i32,
            ..Sampling::default()
        },
        per_game: args.per_game,
        seed: args.seed,
        processes: parallel::threads(args.processes),
        out: args.out,
    };
    let runtime = runtime(1)?;
    let _inside = runtime.enter();
    let stops = Stops::default();
    let stopped = stops.clone();
    let _listener = hear(move |_| stopped.stop_now()).ok();
    let labelled = label::run(&plan, &stops, &ProgressLine::new("positions", args.quiet))?;
    print(words(&labelled, &plan))?;
    Ok(if labelled.is_done { DONE } else { UNDECIDED })
}

fn words(labelled: &Labelled, plan: &LabelPlan) -> String {
    let ReadCounts { games, skipped_games, positions, repeated } = labelled.read;
    let LabelCounts { written, tactical, mates, failed } = labelled.counts;
    let mut text = format!(
        "{written} positions in {}, of {positions} in {games} games or lists\n\
         left out: {repeated} repeated, {tactical} with a capture or promotion as best move, {mates} mates, \
         {failed} without a score; all others were not quiet, decided, or not chosen\n",
        plan.out.display()
    );
    if skipped_games > 0 {
        text += &format!("{skipped_games} games could not be read\n");
    }
    if !labelled.is_done {
        text += "not finished: the same command goes on\n";
    }
    text
}
