//! `verdict label`: positions with a teacher's scores.

use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use clap::{ArgGroup, Args};

use super::numbers::number;
use super::{DONE, UNDECIDED, outputs, print, runtime, tune};
use crate::screen::ProgressLine;
use arena::player::GoLimit;
use arena::player::program::{ProgramSettings, ProgramSpec};
use arena::player::spec::PlayerSpec;
use arena::runner::Stops;
use process::signals::hear;
use process::{Context as _, Error, parallel};
use tuning::label::{self, LabelCounts, LabelPlan, Labelled, ReadCounts, SelfPlay};
use tuning::tune::texel::sample::Sampling;

/// Binary units of a centipawn.
const UNITS: f64 = 2.56;

/// Give positions the scores of a teacher: any engine searches them.
///
/// Takes quiet positions from runs, PGN files, or lists of positions (FEN, EPD, FEN | score | result),
/// each position once, and writes a line for each: FEN | centipawns | result, both from White's point of
/// view; without a result where none is known. `verdict tune texel` reads this, and so do the tuners of
/// others. Left out are checks, positions that captures change, those in which the teacher's best move is
/// a capture or a promotion, mates, and decided positions. --self-play plays games to be labelled.
///
/// Ctrl-C stops; the same command goes on. The lines depend neither on --processes nor on where it stopped.
/// FILE is there when all is done; until then it is FILE.partial.
#[derive(Debug, Args)]
#[command(
    group = ArgGroup::new("limit").required(true).args(["nodes", "depth", "movetime"]),
    before_help = "Examples:\n  \
        verdict label games.pgn.zst --by /usr/games/stockfish --nodes 5000 --out labels.txt\n  \
        verdict label --self-play 10000 --by uci:./engine --nodes 1000 --out labels.txt"
)]
pub struct LabelArgs {
    /// Folders of runs, tournaments and sweeps, PGN files, lists of positions; files may be compressed.
    #[arg(required_unless_present = "self_play", value_name = "SOURCE")]
    sources: Vec<PathBuf>,
    /// The teacher: uci:PATH[,Option=value…], xboard:PATH[,Option=value…], or the path or name of a UCI program.
    #[allow(rustdoc::broken_intra_doc_links)]
    #[arg(long, value_name = "SPEC")]
    by: String,
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
    /// End each line with the teacher's best move: FEN | centipawns | result | e2e4.
    #[arg(long)]
    best_moves: bool,
    #[command(flatten)]
    games: SelfPlayFlags,
    /// Hash size of each process of the teacher, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    hash: u64,
    /// Positions of one game at most, chosen by chance [default: all].
    #[arg(long, value_name = "N")]
    per_game: Option<NonZeroUsize>,
    /// Seed of that chance, and of the games of --self-play.
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
    /// Seconds without an answer after which the teacher hangs and is started anew.
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    hang: u64,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

/// Games that are played to be labelled.
#[derive(Debug, Args)]
#[command(next_help_heading = "Self-play")]
struct SelfPlayFlags {
    /// Play so many games, with the usual adjudication, and label their positions after those of the sources.
    #[arg(long, value_name = "GAMES", value_parser = clap::value_parser!(u64).range(1..))]
    self_play: Option<u64>,
    /// Who plays both sides: embedded[:personality][,param=value…], uci:PATH[,Option=value…] or xboard:PATH….
    #[allow(rustdoc::broken_intra_doc_links)]
    #[arg(long, value_name = "PLAYER", default_value = "embedded", requires = "self_play")]
    players: PlayerSpec,
    /// Random plies at the start of each game.
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = clap::value_parser!(u32).range(0..=100), requires = "self_play")]
    plies: u32,
    /// Nodes of a move: drawn for each side and game, evenly in the logarithm.
    #[arg(long, value_name = "A..B", default_value = "500..5000", value_parser = play_nodes, requires = "self_play")]
    play_nodes: RangeInclusive<u64>,
    /// Where the random plies begin: EPD, FEN, PGN or Polyglot [default: the start position].
    #[arg(long, value_name = "BOOK", requires = "self_play")]
    openings: Option<PathBuf>,
}

impl SelfPlayFlags {
    fn plan(self) -> Result<Option<SelfPlay>, Error> {
        let SelfPlayFlags { self_play, players, plies, play_nodes, openings } = self;
        let Some(games) = self_play else { return Ok(None) };
        let player = players.check()?;
        Ok(Some(SelfPlay { games, plies, nodes: play_nodes, player, openings }))
    }
}

fn play_nodes(text: &str) -> Result<RangeInclusive<u64>, String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let bound = |text: &str| text.parse().ok().filter(|nodes| *nodes > 0_u64);
    match bound(low).zip(bound(high)) {
        Some((low, high)) if low <= high => Ok(low..=high),
        _ => Err("expected nodes from the lower to the higher number, like 500..5000".to_owned()),
    }
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
    let teacher = ProgramSpec::parse_named(&args.by).context("--by")?;
    let sources = tune::sources(&args.sources)?;
    outputs::check([Some(&*args.out)], &sources)?;
    let plan = LabelPlan {
        sources,
        self_play: args.games.plan()?,
        teacher,
        settings: ProgramSettings {
            hash_mib: Some(args.hash),
            threads: Some(1),
            hang: Duration::from_secs(args.hang),
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
        best_moves: args.best_moves,
        processes: parallel::threads(args.processes),
        out: args.out,
    };
    let runtime = runtime(1)?;
    let _inside = runtime.enter();
    let stops = Stops::default();
    let stopped = stops.clone();
    let _listener = hear(move |_| stopped.stop_now()).ok();
    let began = Instant::now();
    let labelled = label::run(&plan, &stops, &ProgressLine::new("positions", args.quiet))?;
    print(words(&labelled, &plan, began.elapsed()))?;
    Ok(if labelled.is_done { DONE } else { UNDECIDED })
}

fn words(labelled: &Labelled, plan: &LabelPlan, time: Duration) -> String {
    let ReadCounts { games, skipped_games, first_skipped, positions, repeated } = &labelled.read;
    let LabelCounts { written, tactical, mates, failed } = labelled.counts;
    let rate = labelled.searched as f64 / time.as_secs_f64();
    let out = plan.out.display();
    let mut text = format!(
        "positions  {written} in {out}, of {positions} in {games} games or lists\n\
         left out   {repeated} repeated, {tactical} with a capture or promotion as best move, {mates} with a \
         mate, {failed} without a score; all others are not quiet, decided, or not chosen\n\
         searched   {} positions now, {rate:.0} a second\n",
        labelled.searched
    );
    if let Some(first) = first_skipped {
        text += &format!("skipped    {skipped_games} games, the first {first}\n");
    }
    if !labelled.is_done {
        text += "not finished: the same command goes on\n";
    }
    text
}
