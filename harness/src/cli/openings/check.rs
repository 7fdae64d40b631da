//! `verdict openings check`.

use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::cli::{DONE, INPUT_OUTPUT, print};
use pgn::{CheckOptions, CheckReport, check};
use process::Error;

/// A book has mistakes.
const FINDINGS: u8 = 1;

/// Findings of a kind that are kept to be listed.
const MOST_LISTED: usize = 1_000_000;

/// Check opening books: unreadable lines, illegal positions, finished games, duplicates; with statistics.
///
/// Books are .epd, .fen, .pgn or Polyglot .bin files, also compressed (.gz, .bz2, .zst, .xz, .zip). Exit
/// code 0: all books are clean; 1: an entry is unreadable, a duplicate or a finished game; 74: a file
/// cannot be read at all.
#[derive(Debug, Args)]
#[command(before_help = "Example: verdict openings check --plies 16 book.epd games.pgn.zst")]
pub(super) struct BookCheckArgs {
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

pub(super) fn run(args: &BookCheckArgs) -> Result<u8, Error> {
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
