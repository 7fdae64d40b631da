//! `verdict tables mit`, `mit-stats` and `show`: material imbalance.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use engine::eval::ImbalanceTable;

use super::count::write_json;
use super::count_overrides::CountOverrides;
use super::flags::MitFlags;
use super::load_counts::CountSource;
use super::{DONE, counts_path, outputs, print_text};
use crate::cli::report::check_page;
use process::Error;
use tables::count::{MinedCounts, MitCounts};
use tables::mit_stats::{MitStatistics, ascii, html};
use tables::{CountSettings, CountsFile, Imbalance, cell_name, read_mat_files, write_mat_files};

/// Make a material imbalance table: number of games and White's score by material balance.
///
/// Writes pos.mat and perc.mat, which mutineer reads (setoption name MIT File value DIR); material.mit, the
/// same table compressed; and mit.counts with wins, draws and losses, for mit-stats, show and merge. A
/// balance counts once per game in which it occurs, if the game has a result; the start position is
/// included. Positions with more than two of a piece or more than one queen on a side are left out.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tables mit games.pgn.zst --min-elo 2600 --out mit-2600\n  \
    verdict tables mit monday.counts tuesday.counts --out both"
)]
pub(super) struct MitArgs {
    /// Folder of the table. An existing table is replaced.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, required_unless_present = "json")]
    out: Option<PathBuf>,
    /// Also write the counts as JSON to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    json: Option<PathBuf>,
    /// Also write the counts as CSV to this file.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    csv: Option<PathBuf>,
    #[command(flatten)]
    material: MitFlags,
    #[command(flatten)]
    source: CountSource,
}

/// The table as the engine carries one within itself.
const PACKED: &str = "material.mit";
/// Counts in a table's folder.
const COUNTS: &str = "mit.counts";

pub(super) fn run_mit(args: &MitArgs) -> Result<u8, Error> {
    let overrides = CountOverrides {
        consecutive: args.material.consecutive,
        quiet: args.material.quiet_positions,
        ..CountOverrides::default()
    };
    let wants = (CountSettings { mit: true, ..CountSettings::usual() }, overrides);
    let others = [&args.json, &args.csv, &args.source.reading.errors].map(|path| path.as_deref());
    outputs::check(others, &args.source.files)?;
    let file = counts_path(args.out.as_deref(), COUNTS, args.json.as_deref())?;
    let has = ("material", |counts: &MinedCounts| counts.mit.is_some());
    args.source.make(wants, &file, has, |counts| {
        let mit = material(counts, &file)?;
        if let Some(path) = &args.json {
            write_json(counts, path)?;
        }
        if let Some(path) = &args.csv {
            write_csv(mit, path)?;
        }
        let mut written = args.json.as_deref().unwrap_or(&file);
        if let Some(folder) = &args.out {
            write_mat_files(mit, folder)?;
            // The engine's own small form of the two files.
            let table = ImbalanceTable::read(folder).map_err(Error::input_output)?;
            outputs::write(&folder.join(PACKED), table.pack())?;
            counts.write(&file)?;
            written = folder;
        }
        let table = ascii(&[statistics(written, counts, mit)]);
        Ok(format!("{}\n\n{table}\nwritten    {}", counts.tally, written.display()))
    })
}

fn write_csv(mit: &MitCounts, path: &Path) -> Result<(), Error> {
    let mut text = "wp,bp,wn,bn,wb,bb,wr,br,wq,bq,wins,draws,losses,percent\n".to_owned();
    for (cell, wdl) in mit.used() {
        let men = cell_name(cell).replace(' ', ",");
        let (wins, draws, losses) = (wdl.wins, wdl.draws, wdl.losses);
        text += &format!("{men},{wins},{draws},{losses},{:.2}\n", 100.0 * wdl.score());
    }
    outputs::write(path, text)
}

/// The last part of a path, of a counts file its folder's if that says more.
fn table_name(path: &Path) -> String {
    let named =
        if path.file_name().is_some_and(|name| name == COUNTS) { path.parent() } else { None };
    let named = named.unwrap_or(path);
    // A folder's name may have points.
    let name = if named.is_dir() { named.file_name() } else { named.file_stem() };
    name.map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into())
}

fn material<'a>(counts: &'a CountsFile, file: &Path) -> Result<&'a MitCounts, Error> {
    let expected = || Error::usage(format!("{}: expected counts of material", file.display()));
    counts.counts.mit.as_ref().ok_or_else(expected)
}

fn statistics(path: &Path, counts: &CountsFile, mit: &MitCounts) -> MitStatistics {
    let least: Option<Vec<u32>> = counts.inputs.iter().map(|input| input.filter.min_elo).collect();
    let least = least.and_then(|elos| elos.into_iter().min());
    MitStatistics::of_counts(&table_name(path), least, mit)
}

/// Print statistics of material imbalance tables, as in the paper: games, cells, share, and the number of
/// cells at 0 to 3 % and 97 to 100 %.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict tables mit-stats mit-2500 mit-2700 --html mit.html")]
pub(super) struct MitStatsArgs {
    /// Tables: folders with pos.mat and perc.mat, or counts files.
    #[arg(required = true, value_name = "TABLE", value_hint = ValueHint::AnyPath)]
    tables: Vec<PathBuf>,
    /// Also write an HTML page.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,
}

pub(super) fn run_stats(args: &MitStatsArgs) -> Result<u8, Error> {
    args.html.as_deref().map_or(Ok(()), check_page)?;
    let mut rows = Vec::new();
    for path in &args.tables {
        let in_folder = path.join(COUNTS);
        if path.is_dir() && !in_folder.is_file() {
            let percents = read_mat_files(path)?.into_iter().map(|(_, _, percent)| percent);
            rows.push(MitStatistics::of_percents(&table_name(path), None, None, percents));
            continue;
        }
        let file = if path.is_dir() { &in_folder } else { path };
        let counts = CountsFile::read(file)?;
        rows.push(statistics(path, &counts, material(&counts, file)?));
    }
    print_text(ascii(&rows).trim_end())?;
    if let Some(path) = &args.html {
        outputs::write(path, html(&rows))?;
    }
    Ok(DONE)
}

/// Print the results of games with one material balance, with a 95 % interval.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict tables show KRPPPvKBNPP mit-2600")]
pub(super) struct ShowArgs {
    /// Material of White, `v` or `-`, material of Black, like KRPPPvKBNPP.
    #[arg(value_name = "BALANCE")]
    balance: Imbalance,
    /// Table: a folder made by `tables mit`, or a counts file.
    #[arg(value_name = "TABLE", value_hint = ValueHint::AnyPath)]
    table: PathBuf,
}

pub(super) fn run_show(args: &ShowArgs) -> Result<u8, Error> {
    let file = if args.table.is_dir() { args.table.join(COUNTS) } else { args.table.clone() };
    let counts = CountsFile::read(&file)?;
    print_text(&args.balance.describe(material(&counts, &file)?))?;
    Ok(DONE)
}
