//! `verdict tables mit` and `show`: material imbalance.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use engine::eval::ImbalanceTable;

use super::count::write_json;
use super::count_overrides::CountOverrides;
use super::flags::MitFlags;
use super::load_counts::CountSource;
use super::mit_stats::statistics;
use super::{DONE, command_line, counts_path, outputs, print_text};
use process::Error;
use tables::count::{MinedCounts, MitCounts};
use tables::mit_stats::ascii;
use tables::{CountSettings, CountsFile, Imbalance, cell_name, provenance, write_mat_files};

/// Make a material imbalance table: number of games and White's score by material balance.
///
/// Writes pos.mat and perc.mat, which mutineer reads (setoption name MIT File value DIR); material.mit, the
/// same table compressed, whose first lines say where it comes from; and mit.counts with wins, draws and losses,
/// for mit-stats, show and merge. A balance counts once per game in which it occurs, if the game has a
/// result; the start position is included. Positions with more than two of a piece or more than one queen
/// on a side are left out.
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
    /// Where the games are from; stands in the head of material.mit.
    #[arg(long, value_name = "TEXT", requires = "out")]
    source: Option<String>,
    #[command(flatten)]
    material: MitFlags,
    #[command(flatten)]
    games: CountSource,
}

/// The table as the engine carries one within itself.
const PACKED: &str = "material.mit";
/// Counts in a table's folder.
pub(super) const COUNTS: &str = "mit.counts";

pub(super) fn run_mit(args: &MitArgs) -> Result<u8, Error> {
    let overrides = CountOverrides {
        consecutive: args.material.consecutive,
        quiet: args.material.quiet_positions,
        ..CountOverrides::default()
    };
    let wants = (CountSettings { mit: true, ..CountSettings::usual() }, overrides);
    let others = [&args.json, &args.csv, &args.games.reading.errors].map(|path| path.as_deref());
    outputs::check(others, &args.games.files)?;
    let file = counts_path(args.out.as_deref(), COUNTS, args.json.as_deref())?;
    let has = ("material", |counts: &MinedCounts| counts.mit.is_some());
    args.games.make(wants, &file, has, |counts| {
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
            let facts = [
                ("games", mit.games.to_string()),
                ("cells", format!("{} with games, none dropped", table.statistics().cells)),
            ];
            let provenance = provenance(counts, args.source.as_deref(), &facts, &command_line());
            outputs::write(&folder.join(PACKED), table.pack(&provenance))?;
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

pub(super) fn material<'a>(counts: &'a CountsFile, file: &Path) -> Result<&'a MitCounts, Error> {
    let expected = || Error::usage(format!("{}: expected counts of material", file.display()));
    counts.counts.mit.as_ref().ok_or_else(expected)
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
