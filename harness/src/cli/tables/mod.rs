//! `verdict tables`: tables from games.

mod boards;
mod count;
mod count_overrides;
mod flags;
mod interrupts;
mod load_counts;
mod mit;
mod mit_stats;
mod openings;
mod pst;
mod screen;

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use arena::output_folder;
use process::terminal::escape::lines;
use process::{Context as _, Error};
use tables::{CountsFile, Scratch};

use super::{BROKEN_OFF, DONE, INPUT_OUTPUT, UNDECIDED, outputs, print};

/// Make tables from PGN games: material imbalance, piece-square tables, early openings.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tables mit games.pgn.zst --min-elo 2600 --out mit-2600"
)]
pub struct TablesArgs {
    #[command(subcommand)]
    word: TablesCommand,
}

#[derive(Debug, Subcommand)]
enum TablesCommand {
    Mit(mit::MitArgs),
    MitStats(mit_stats::MitStatsArgs),
    Boards(boards::BoardsArgs),
    Show(mit::ShowArgs),
    Pst(pst::PstArgs),
    Openings(openings::OpeningTableArgs),
    Count(count::CountArgs),
    Merge(MergeArgs),
}

/// Add up counts files of several runs or machines, exactly.
///
/// The files must be of the same kind. Files that share an input are refused: its games would count twice.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tables merge monday.counts tuesday.counts --out both.counts"
)]
struct MergeArgs {
    /// Counts files.
    #[arg(required = true, value_name = "COUNTS")]
    files: Vec<PathBuf>,
    /// File to write. An existing file is replaced.
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Merge even if the files share inputs.
    #[arg(long)]
    force: bool,
}

pub fn run(args: TablesArgs) -> Result<u8, Error> {
    match args.word {
        TablesCommand::Mit(args) => mit::run_mit(&args),
        TablesCommand::MitStats(args) => mit_stats::run(&args),
        TablesCommand::Boards(args) => boards::run(&args),
        TablesCommand::Show(args) => mit::run_show(&args),
        TablesCommand::Pst(args) => pst::run(&args),
        TablesCommand::Openings(args) => openings::run(&args),
        TablesCommand::Count(args) => count::run(&args),
        TablesCommand::Merge(args) => merge(&args),
    }
}

fn merge(args: &MergeArgs) -> Result<u8, Error> {
    // Counts are read before the sum is written: it may take the place of one of them.
    outputs::check_replaced(&args.out, &[])?;
    let sum = CountsFile::merge(&args.files, args.force, &Scratch::beside(&args.out))?;
    sum.write(&args.out)?;
    print_text(&format!("{}\nwritten    {}", sum.tally, args.out.display()))?;
    Ok(DONE)
}

/// Where a table's counts go: to a file in its folder, which is made, or to the JSON alone.
fn counts_path(folder: Option<&Path>, file: &str, json: Option<&Path>) -> Result<PathBuf, Error> {
    let Some(folder) = folder else { return Ok(json.unwrap_or(Path::new("")).to_owned()) };
    output_folder::refuse_work(folder)?;
    let made = std::fs::create_dir_all(folder);
    made.context(format!("cannot make the folder {}", folder.display()))?;
    Ok(folder.join(file))
}

/// The command line as it could be typed again, for a table's head.
fn command_line() -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    let words = std::env::args_os().skip(1).map(|word| {
        let word = word.to_string_lossy().into_owned();
        let is_plain = !word.is_empty() && word.chars().all(plain);
        if is_plain { word } else { format!("'{}'", word.replace('\'', r"'\''")) }
    });
    ["verdict".to_owned()].into_iter().chain(words).collect::<Vec<_>>().join(" ")
}

fn print_text(text: &str) -> Result<(), Error> {
    print(format_args!("{}\n", lines(text)))
}
