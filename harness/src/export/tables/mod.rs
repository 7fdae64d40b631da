//! The games, pairs and moves of runs as tables for other programs: one row a game, a pair, a ply.
//!
//! The journal is read twice, one game after another: first for which pairs count. Memory: some 40
//! bytes a game.

mod cell;
mod csv;
mod games;
mod moves;
mod pair_status;
mod pairs;
#[cfg(feature = "parquet")]
mod parquet;
mod run;
mod sink;

use std::io::Write;
use std::path::Path;

pub use cell::{Cell, Column, ColumnKind};
pub use sink::Sink;

use arena::record::{Games, PairJoiner};
use pair_status::{Statuses, TableStatus};
use pairs::PairGame;
use process::Error;
use run::Run;

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[derive(strum::EnumIter, strum::EnumMessage, strum::EnumString, strum::IntoStaticStr)]
#[strum(serialize_all = "lowercase")]
pub enum Table {
    /// One row a game.
    Games,
    /// One row a pair of games.
    Pairs,
    /// One row a ply.
    Moves,
}

impl Table {
    /// The name of its file, without ending.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    pub fn columns(self) -> &'static [Column] {
        match self {
            Table::Games => &games::COLUMNS,
            Table::Pairs => &pairs::COLUMNS,
            Table::Moves => &moves::COLUMNS,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TableFormat {
    Csv,
    Parquet,
}

impl TableFormat {
    /// The ending of its files.
    pub fn extension(self) -> &'static str {
        match self {
            TableFormat::Csv => "csv",
            TableFormat::Parquet => "parquet",
        }
    }

    /// Whether this program can write it: Parquet is a feature of its build.
    pub fn check(self) -> Result<(), Error> {
        match self {
            TableFormat::Parquet if !cfg!(feature = "parquet") => Err(no_parquet()),
            _ => Ok(()),
        }
    }
}

fn no_parquet() -> Error {
    Error::usage(
        "this verdict was built without Parquet; use --as csv, or build it with: \
         cargo build --release -p harness --features parquet",
    )
}

/// Begins a table in `out`.
pub fn begin<'w>(
    table: Table,
    format: TableFormat,
    out: impl Write + Send + 'w,
) -> Result<Box<dyn Sink + 'w>, Error> {
    match format {
        TableFormat::Csv => Ok(Box::new(csv::CsvSink::new(table.columns(), out)?)),
        #[cfg(feature = "parquet")]
        TableFormat::Parquet => {
            Ok(Box::new(parquet::ParquetSink::new(table.as_str(), table.columns(), out)?))
        }
        #[cfg(not(feature = "parquet"))]
        TableFormat::Parquet => Err(no_parquet()),
    }
}

/// Adds the rows of the run in `dir`, which the tables call `name`; returns its games. The sinks are left
/// unfinished for the rows of other runs.
pub fn add_run(
    dir: &Path,
    name: &str,
    tables: &mut [(Table, Box<dyn Sink + '_>)],
) -> Result<usize, Error> {
    let run = Run::read(dir, name)?;
    let statuses = Statuses::read(dir, &run.file)?;
    let mut joiner = PairJoiner::default();
    // A run that is played on may have grown since its pairs were looked at.
    for game in Games::open(dir)?.take(statuses.games) {
        let game = game?;
        let status = statuses.of(game.pair);
        let pair = joiner.add(game.game, PairGame::of(&game));
        for (table, sink) in &mut *tables {
            match table {
                Table::Games => sink.row(&games::row(&run, &game, status))?,
                Table::Moves => moves::rows(&run, &game).try_for_each(|row| sink.row(&row))?,
                Table::Pairs => {
                    if let Some([first, second]) = pair {
                        sink.row(&pairs::row(&run, first, Some(second), status))?;
                    }
                }
            }
        }
    }
    for (_, sink) in tables.iter_mut().filter(|(table, _)| *table == Table::Pairs) {
        for (_, game) in joiner.unpaired() {
            sink.row(&pairs::row(&run, *game, None, TableStatus::Incomplete))?;
        }
    }
    Ok(statuses.games)
}
