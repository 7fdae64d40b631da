//! `verdict openings`: checks books and makes them.

use std::io::Write as _;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use clap::{Args, Subcommand};
use indicatif::ProgressBar;
use serde_json::json;
use sha2::{Digest, Sha256};

use super::draft::Draft;
use super::numbers::at_most;
use super::{DONE, INPUT_OUTPUT, print};
use crate::make_book::{MadeBook, MakeOptions, make};
use crate::screen::{style, with_rate};
use pgn::{CheckOptions, CheckReport, Material, check};
use process::{Context as _, Error, parallel};

/// A book has mistakes.
const FINDINGS: u8 = 1;

/// Findings of a kind that are kept to be listed.
const MOST_LISTED: usize = 1_000_000;

/// Check opening books, or make one.
#[derive(Debug, Args)]
#[command(before_help = "Example: verdict openings check openings/*.epd")]
pub struct OpeningsArgs {
    #[command(subcommand)]
    command: BooksCommand,
}

#[derive(Debug, Subcommand)]
enum BooksCommand {
    Check(BookCheckArgs),
    Make(MakeArgs),
}

/// Check opening books: unreadable lines, illegal positions, finished games, duplicates; with statistics.
///
/// Books are .epd, .fen, .pgn or Polyglot .bin files, also compressed (.gz, .bz2, .zst, .xz, .zip). Exit
/// code 0: all books are clean; 1: an entry is unreadable, a duplicate or a finished game; 74: a file
/// cannot be read at all.
#[derive(Debug, Args)]
#[command(before_help = "Example: verdict openings check --plies 16 book.epd games.pgn.zst")]
struct BookCheckArgs {
    /// Opening books.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Use the first N plies of each PGN game [default: all].
    #[arg(long, value_name = "N")]
    plies: Option<u32>,
    /// List at most N findings of each kind; all are counted. 0: list all (at most a million).
    #[arg(long, value_name = "N", default_value_t = 20)]
    limit: usize,
    /// Print one JSON object for all books.
    #[arg(long)]
    json: bool,
}

/// Make a book of balanced openings: positions after random legal moves, or pieces placed at random,
/// filtered by the score of the embedded engine.
///
/// The same options and the same engine make the same book, with any number of threads.
#[derive(Debug, Args)]
#[command(before_help = "Example: verdict openings make --count 1000 --seed 7 --out my.epd")]
struct MakeArgs {
    /// Number of openings, at most 10,000,000.
    #[arg(long, value_name = "N", default_value = "5000", value_parser = at_most::<10_000_000>)]
    count: NonZeroU64,
    /// Number of random plies from the start position [default: 8; 0 with --men].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=200))]
    plies: Option<u32>,
    /// Endings: place these pieces and pawns at random, like KRPPP-KRPPP, pawns on their second to fifth
    /// rank. Several, separated by commas, are drawn with equal probability.
    #[arg(long, value_name = "MEN", value_delimiter = ',')]
    men: Vec<Material>,
    /// Random seed.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Largest score for either side, in pawns.
    #[arg(long, value_name = "PAWNS", default_value = "0.60", value_parser = centipawns)]
    window: u32,
    /// Nodes per score.
    #[arg(long, value_name = "N", default_value_t = 20_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Threads [default: all processors].
    #[arg(long, value_name = "N", value_parser = parallel::read_threads)]
    threads: Option<NonZeroUsize>,
    /// Book to write: .epd (four fields), .fen (six fields) or .pgn (moves from the start position, for
    /// engines that cannot set up positions). An existing file is replaced.
    #[arg(long, value_name = "FILE", value_parser = book_name)]
    out: PathBuf,
    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
    /// Print no progress.
    #[arg(long)]
    quiet: bool,
}

fn centipawns(text: &str) -> Result<u32, String> {
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

pub fn run(args: OpeningsArgs) -> Result<u8, Error> {
    match args.command {
        BooksCommand::Check(args) => run_check(&args),
        BooksCommand::Make(args) => run_make(&args),
    }
}

fn run_check(args: &BookCheckArgs) -> Result<u8, Error> {
    let limit = if args.limit == 0 { MOST_LISTED } else { args.limit.min(MOST_LISTED) };
    let options = CheckOptions { max_plies: args.plies, limit };
    let mut code = DONE;
    let mut reports: Vec<CheckReport> = Vec::new();
    for file in &args.files {
        match check(file, &options) {
            Ok(report) => {
                code = code.max(if report.clean { DONE } else { FINDINGS });
                if !args.json {
                    print(format_args!("{report}"))?;
                }
                reports.push(report);
            }
            Err(error) => {
                code = INPUT_OUTPUT;
                status!("error: {error}");
            }
        }
    }
    if args.json {
        print(format_args!("{:#}\n", json!({ "books": reports })))?;
    }
    Ok(code)
}

fn run_make(args: &MakeArgs) -> Result<u8, Error> {
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
