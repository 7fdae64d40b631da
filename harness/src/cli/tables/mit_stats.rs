//! `verdict tables mit-stats`: what material imbalance tables hold.

use std::path::{Path, PathBuf};

use clap::{Args, ValueHint};
use engine::eval::ImbalanceTable;
use engine::params::MaterialTable;

use super::mit::{COUNTS, material};
use super::{DONE, outputs, print_text};
use crate::cli::report::check_page;
use process::Error;
use tables::count::MitCounts;
use tables::mit_stats::{MitStatistics, ascii, html};
use tables::{CountsFile, read_mat_files};

/// Print statistics of material imbalance tables, as in the paper: games, cells, share, and the number of
/// cells at 0 to 3 % and 97 to 100 %.
///
/// all, 2800, 2900, 3000 and 3100 are the tables within mutineer; whence they are is printed, too.
#[derive(Debug, Args)]
#[command(
    before_help = "Example:\n  verdict tables mit-stats mit-2500 mit-2700 --html mit.html\n  \
    verdict tables mit-stats all 2800 2900 3000 3100"
)]
pub(super) struct MitStatsArgs {
    /// Tables: folders with pos.mat and perc.mat, counts files, packed files, or names of tables within
    /// mutineer.
    #[arg(required = true, value_name = "TABLE", value_hint = ValueHint::AnyPath)]
    tables: Vec<PathBuf>,
    /// Also write an HTML page.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,
}

pub(super) fn run(args: &MitStatsArgs) -> Result<u8, Error> {
    args.html.as_deref().map_or(Ok(()), check_page)?;
    let (mut rows, mut whence) = (Vec::new(), String::new());
    for path in &args.tables {
        if let Some((name, table)) = packed(path)? {
            whence += &format!("\n{name}\n{}", table.provenance());
            rows.push(of_packed(&name, &table));
            continue;
        }
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
    print_text(format!("{}{whence}", ascii(&rows)).trim_end())?;
    if let Some(path) = &args.html {
        outputs::write(path, html(&rows))?;
    }
    Ok(DONE)
}

/// A table within mutineer, or a packed file, with its name; `None` of anything else.
fn packed(path: &Path) -> Result<Option<(String, ImbalanceTable)>, Error> {
    let named = path.to_str().filter(|_| !path.exists()).and_then(MaterialTable::of);
    if let Some(table) = named.and_then(ImbalanceTable::built_in) {
        let name = path.display().to_string().to_lowercase();
        return Ok(Some((name, ImbalanceTable::clone(&table))));
    }
    if !path.extension().is_some_and(|end| end == "mit") {
        return Ok(None);
    }
    let table = ImbalanceTable::load(path).map_err(Error::input_output)?;
    Ok(Some((table_name(path), table)))
}

fn of_packed(name: &str, table: &ImbalanceTable) -> MitStatistics {
    let (whence, statistics) = (table.provenance(), table.statistics());
    let [zero, one, two, three] = statistics.lowest.map(u64::from);
    let [less_three, less_two, less_one, whole] = statistics.highest.map(u64::from);
    let least = whence.get("filter").and_then(|filter| filter.split_once("Elo from "));
    let least = least.and_then(|(_, least)| least.split(',').next()?.parse().ok());
    MitStatistics {
        name: name.to_owned(),
        min_elo: least,
        games: whence.get("games").and_then(|games| games.parse().ok()),
        cells: statistics.cells.into(),
        extremes: [zero, one, two, three, less_three, less_two, less_one, whole],
    }
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

pub(super) fn statistics(path: &Path, counts: &CountsFile, mit: &MitCounts) -> MitStatistics {
    let least: Option<Vec<u32>> = counts.inputs.iter().map(|input| input.filter.min_elo).collect();
    let least = least.and_then(|elos| elos.into_iter().min());
    MitStatistics::of_counts(&table_name(path), least, mit)
}
