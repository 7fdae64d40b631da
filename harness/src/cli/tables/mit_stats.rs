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
use tables::mit_stats::{MitStatistics, ascii, full, html};
use tables::{CountsFile, read_mat_files};

/// Print statistics of material imbalance tables, as in the paper: games, cells, share, and the number of
/// cells at 0 to 3 % and 97 to 100 %.
///
/// all, 2800, 2900, 3000 and 3100 are the tables within mutineer; where they come from is printed, too.
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
    /// Also print the number of cells at each percentage, 0 to 100.
    #[arg(long)]
    full: bool,
    /// Also write an HTML page.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    html: Option<PathBuf>,
}

pub(super) fn run(args: &MitStatsArgs) -> Result<u8, Error> {
    args.html.as_deref().map_or(Ok(()), check_page)?;
    let tables = args.tables.iter().map(|path| Described::read(path));
    let tables: Vec<Described> = tables.collect::<Result<_, _>>()?;
    let rows: Vec<MitStatistics> = tables.iter().map(Described::statistics).collect();
    let mut text = ascii(&rows);
    if args.full {
        let columns = tables.iter().map(|table| (table.name.as_str(), table.percents.as_slice()));
        text += &format!("\n{}", full(&columns.collect::<Vec<_>>()));
    }
    for Described { name, provenance, .. } in
        tables.iter().filter(|table| !table.provenance.is_empty())
    {
        text += &format!("\n{name}\n{provenance}");
    }
    print_text(text.trim_end())?;
    if let Some(path) = &args.html {
        outputs::write(path, html(&rows))?;
    }
    Ok(DONE)
}

/// A table, wherever it is from.
struct Described {
    name: String,
    min_elo: Option<u32>,
    /// `None` if not known.
    games: Option<u64>,
    /// White's score in each cell with games.
    percents: Vec<u8>,
    /// The head of a packed table.
    provenance: String,
}

impl Described {
    fn read(path: &Path) -> Result<Described, Error> {
        if let Some((name, table)) = packed(path)? {
            return Ok(Described::of_packed(name, &table));
        }
        let in_folder = path.join(COUNTS);
        if path.is_dir() && !in_folder.is_file() {
            let percents = read_mat_files(path)?.into_iter().map(|(_, _, percent)| percent);
            return Ok(Described {
                name: table_name(path),
                min_elo: None,
                games: None,
                percents: percents.collect(),
                provenance: String::new(),
            });
        }
        let file = if path.is_dir() { &in_folder } else { path };
        let counts = CountsFile::read(file)?;
        let mit = material(&counts, file)?;
        Ok(Described {
            name: table_name(path),
            min_elo: least_elo(&counts),
            games: Some(mit.games),
            percents: mit.used().map(|(_, wdl)| wdl.percent()).collect(),
            provenance: String::new(),
        })
    }

    fn of_packed(name: String, table: &ImbalanceTable) -> Described {
        let provenance = table.provenance();
        let least = provenance.get("filter").and_then(|filter| filter.split_once("Elo from "));
        Described {
            name,
            min_elo: least.and_then(|(_, least)| least.split(',').next()?.parse().ok()),
            games: provenance.get("games").and_then(|games| games.parse().ok()),
            percents: table.percents().collect(),
            provenance: provenance.to_string(),
        }
    }

    fn statistics(&self) -> MitStatistics {
        let percents = self.percents.iter().copied();
        MitStatistics::of_percents(&self.name, self.min_elo, self.games, percents)
    }
}

/// A table within mutineer, or a packed file, with its name; `None` of anything else.
fn packed(path: &Path) -> Result<Option<(String, ImbalanceTable)>, Error> {
    let named = path.to_str().filter(|_| !path.exists()).and_then(MaterialTable::of);
    if let Some(table) = named.and_then(ImbalanceTable::built_in) {
        let name = path.display().to_string().to_lowercase();
        return Ok(Some((name, ImbalanceTable::clone(&table))));
    }
    if path.extension().is_none_or(|end| end != "mit") {
        return Ok(None);
    }
    let table = ImbalanceTable::load(path).map_err(Error::input_output)?;
    Ok(Some((table_name(path), table)))
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

/// The least Elo that all inputs had, if all had one.
fn least_elo(counts: &CountsFile) -> Option<u32> {
    let least: Option<Vec<u32>> = counts.inputs.iter().map(|input| input.filter.min_elo).collect();
    least.and_then(|elos| elos.into_iter().min())
}

pub(super) fn statistics(path: &Path, counts: &CountsFile, mit: &MitCounts) -> MitStatistics {
    MitStatistics::of_counts(&table_name(path), least_elo(counts), mit)
}
