//! The files that tables of games, pairs and moves are written to.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use strum::IntoEnumIterator as _;

use super::super::DONE;
use super::super::draft::Draft;
use crate::export::tables::{Sink, Table, TableFormat, add_run, begin};
use arena::report;
use process::{Context as _, Error};

/// Refuses what could not be written, before any game is read.
pub(super) fn check(format: TableFormat, asked: &[Table], out: Option<&Path>) -> Result<(), Error> {
    format.check()?;
    match (asked, out) {
        ([_], Some(file)) => refuse_old(file),
        ([_], None) if format == TableFormat::Csv => Ok(()),
        ([table], None) => {
            let file = file_name(*table, format);
            Err(Error::usage(format!("Parquet needs a file: give --out {file}")))
        }
        (_, Some(folder)) if is_free(folder) => Ok(()),
        (_, Some(folder)) => {
            let folder = folder.display();
            Err(Error::usage(format!("{folder} is no new or empty folder; give another --out")))
        }
        (_, None) => Err(Error::usage(
            "several tables need a folder: give --out DIR, or one table: --table games",
        )),
    }
}

/// Writes these tables of the runs, all without any. Files are whole or not there.
pub(super) fn write(
    runs: &[PathBuf],
    format: TableFormat,
    asked: &[Table],
    out: Option<&Path>,
) -> Result<u8, Error> {
    match (asked, out) {
        ([table], Some(file)) => {
            write_files(runs, format, &BTreeMap::from([(*table, file.to_owned())]))
        }
        ([table], None) => {
            let mut tables = [(*table, begin(*table, format, io::stdout())?)];
            let games = add_runs(runs, &mut tables)?;
            tell(asked, games, runs);
            Ok(DONE)
        }
        (_, folder) => write_folder(runs, format, asked, folder.unwrap_or(Path::new("."))),
    }
}

fn write_folder(
    runs: &[PathBuf],
    format: TableFormat,
    asked: &[Table],
    folder: &Path,
) -> Result<u8, Error> {
    let is_new = !folder.exists();
    fs::create_dir_all(folder).map_err(Error::io(folder, "create the folder"))?;
    let wanted = Table::iter().filter(|table| asked.is_empty() || asked.contains(table));
    let files = wanted.map(|table| (table, folder.join(file_name(table, format)))).collect();
    let written = write_files(runs, format, &files);
    if written.is_err() && is_new {
        // The first error is the one to tell.
        let _: io::Result<()> = fs::remove_dir(folder);
    }
    written
}

fn file_name(table: Table, format: TableFormat) -> String {
    format!("{}.{}", table.as_str(), format.extension())
}

fn is_free(folder: &Path) -> bool {
    match fs::read_dir(folder) {
        Ok(mut entries) => entries.next().is_none(),
        Err(error) => error.kind() == io::ErrorKind::NotFound && folder.symlink_metadata().is_err(),
    }
}

fn write_files(
    runs: &[PathBuf],
    format: TableFormat,
    files: &BTreeMap<Table, PathBuf>,
) -> Result<u8, Error> {
    let create = |path: &PathBuf| Draft::create(path).context(path.display());
    let drafts: Vec<Draft> = files.values().map(create).collect::<Result<_, _>>()?;
    let handles: Vec<&File> = drafts.iter().map(|draft| &draft.file).collect();
    let begun = files.iter().zip(handles);
    let mut tables: Vec<(Table, Box<dyn Sink + '_>)> = begun
        .map(|((&table, path), file)| {
            Ok((table, begin(table, format, file).context(path.display())?))
        })
        .collect::<Result<_, Error>>()?;
    let games = add_runs(runs, &mut tables)?;
    drop(tables);
    for (draft, path) in drafts.into_iter().zip(files.values()) {
        draft.publish().context(path.display())?;
    }
    tell(&files.keys().copied().collect::<Vec<_>>(), games, runs);
    Ok(DONE)
}

/// Writes all rows; returns the number of games.
fn add_runs(runs: &[PathBuf], tables: &mut [(Table, Box<dyn Sink + '_>)]) -> Result<usize, Error> {
    let mut games = 0;
    for (dir, name) in runs.iter().zip(report::names(runs)) {
        games += add_run(dir, &name, tables).context(dir.display())?;
    }
    for (table, sink) in tables {
        sink.finish().context(table.as_str())?;
    }
    Ok(games)
}

fn tell(tables: &[Table], games: usize, runs: &[PathBuf]) {
    let names: Vec<&str> = tables.iter().map(|table| table.as_str()).collect();
    let runs = match runs.len() {
        1 => "1 run".to_owned(),
        several => format!("{several} runs"),
    };
    status!("{}: {games} games of {runs}", names.join(", "));
}

/// Refuses a file that is there already.
pub(super) fn refuse_old(path: &Path) -> Result<(), Error> {
    match path.symlink_metadata() {
        Ok(_) => {
            let path = path.display();
            Err(Error::usage(format!("{path} exists already; give another --out")))
        }
        Err(_) => Ok(()),
    }
}
