//! `verdict openings make`.

use std::io::Write as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::Args;
use indicatif::ProgressBar;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::from_games::{self, FromGamesFlags};
use crate::cli::draft::Draft;
use crate::cli::numbers::at_most;
use crate::cli::{DONE, print};
use crate::make_book::{MadeBook, MakeOptions, make};
use crate::screen::{style, with_rate};
use pgn::Material;
use process::{Context as _, Error, parallel};

/// Make a book: of real games (--from) whose positions have a score in a window, or of balanced positions
/// after random legal moves, or with pieces placed at random.
///
/// The same options and the same engine make the same book, with any number of threads.
///
/// With --from each position of the games counts once. --bias gives the window: from 0 up it makes a
/// balanced book, from above 0 an unbalanced one, in which either side may be better. What is known is kept
/// in a working folder: after Ctrl-C or a kill the same command continues, and so does `verdict resume`.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict openings make --count 1000 --seed 7 --out my.epd\n  \
    verdict openings make --from games.pgn.zst --ply 8..16 --bias 0.7..1.3 --by uci:stockfish --out biased.epd")]
pub(super) struct MakeArgs {
    /// Number of openings, at most 10,000,000. With --from fewer if the games give no more.
    #[arg(long, value_name = "N", default_value = "5000", value_parser = at_most::<10_000_000>)]
    pub(super) count: NonZeroU64,
    /// Number of random plies from the start position [default: 8; 0 with --men].
    #[arg(long, value_name = "N", conflicts_with = "files", value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: Option<u32>,
    /// Endings: place these pieces and pawns at random, like KRPPP-KRPPP, pawns on their second to fifth
    /// rank. Several, separated by commas, are drawn with equal probability.
    #[arg(long, value_name = "MEN", value_delimiter = ',', conflicts_with = "files")]
    men: Vec<Material>,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Largest score for either side, in pawns.
    #[arg(long, value_name = "PAWNS", default_value = "0.60", value_parser = centipawns)]
    pub(super) window: u32,
    /// Nodes per score.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) nodes: u64,
    /// Threads [default: all processors].
    #[arg(long, value_name = "N", value_parser = parallel::read_threads)]
    pub(super) threads: Option<NonZeroUsize>,
    /// Book to write: .epd (four fields), .fen (six fields) or .pgn (moves from the start position, for
    /// engines that cannot set up positions). An existing file is replaced.
    #[arg(long, value_name = "FILE", value_parser = book_name)]
    pub(super) out: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    pub(super) json: bool,
    /// Print no progress.
    #[arg(long)]
    pub(super) quiet: bool,
    #[command(flatten)]
    pub(super) from_games: FromGamesFlags,
}

pub(super) fn centipawns(text: &str) -> Result<u32, String> {
    let pawns: f64 = text.parse().map_err(|_| "expected pawns, like 0.60".to_owned())?;
    if (0.0..=100.0).contains(&pawns) {
        Ok((pawns * 100.0).round() as u32)
    } else {
        Err("expected 0 to 100 pawns".to_owned())
    }
}

fn book_name(text: &str) -> Result<PathBuf, String> {
    let path = PathBuf::from(text);
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("epd" | "fen" | "pgn") => Ok(path),
        _ => Err("expected a name ending in .epd, .fen or .pgn".to_owned()),
    }
}

pub(super) fn run(args: &MakeArgs) -> Result<u8, Error> {
    if args.from_games.is_wanted() {
        return from_games::run(args);
    }
    if !args.men.is_empty() && args.out.extension().is_some_and(|extension| extension == "pgn") {
        return Err(Error::usage(
            "--out: openings with --men do not begin at the start position: expected .epd or .fen",
        ));
    }
    let options = MakeOptions {
        count: args.count.get() as usize,
        plies: args.plies.unwrap_or(if args.men.is_empty() { 8 } else { 0 }),
        men: args.men.clone(),
        seed: args.seed,
        window_cp: args.window,
        nodes: args.nodes,
        threads: parallel::threads(args.threads).get(),
    };
    let failed = || format!("cannot write the book {}", args.out.display());
    let mut draft = Draft::create(&args.out).context(failed())?;
    let bar = if args.quiet { ProgressBar::hidden() } else { progress_bar(args.count.get()) };
    let made = make(&options, &mut |tally| {
        bar.set_position(tally.accepted);
        bar.set_message(format!("{} candidates", tally.candidates));
    });
    bar.finish_and_clear();
    let book = made?;
    let text = match args.out.extension().and_then(|extension| extension.to_str()) {
        Some("fen") => book.to_fen(),
        Some("pgn") => book.to_pgn(),
        _ => book.to_epd(),
    };
    draft.file.write_all(text.as_bytes()).and_then(|()| draft.publish()).context(failed())?;
    let sha256 = hex::encode(Sha256::digest(&text));
    print_made(args, &book, &sha256)?;
    Ok(DONE)
}

fn progress_bar(count: u64) -> ProgressBar {
    let template = "{bar:40} {pos}/{len} openings, {msg}, {rate}, {eta} left";
    ProgressBar::new(count).with_style(with_rate(style(template), "openings"))
}

fn print_made(args: &MakeArgs, book: &MadeBook, sha256: &str) -> Result<(), Error> {
    let tally = &book.tally;
    if args.json {
        let made = json!({ "path": args.out, "sha256": sha256, "tally": tally });
        return print(format_args!("{made:#}\n"));
    }
    let rate = 100.0 * tally.accepted as f64 / tally.candidates.max(1) as f64;
    print(format_args!(
        "{}: {} openings, sha256 {sha256}\n  of {} candidates {rate:.1}%; left out: unbalanced {}, in \
         check {}, ended {}, duplicate {}, impossible {}\n",
        args.out.display(),
        tally.accepted,
        tally.candidates,
        tally.unbalanced,
        tally.in_check,
        tally.ended,
        tally.duplicates,
        tally.impossible
    ))
}
