//! The material imbalance table in the paper's two files (PRO-01): `pos.mat` holds games,
//! `perc.mat` White's score in per cent; four bytes a cell, low byte first, in the order of the
//! paper's loops.

use std::path::Path;
use std::{fs, io};

use engine::eval::ImbalanceTable;

use super::count::MitCounts;
use arena::record::{RecordError, atomic};

/// Writes both files into a folder, created if missing. Counts of games are capped at 2^31.
pub fn write_mat_files(mit: &MitCounts, folder: &Path) -> Result<(), RecordError> {
    fs::create_dir_all(folder).map_err(RecordError::io(folder, "create"))?;
    let cells = || (0..super::count::mit::CELLS).map(|cell| mit.cell(cell));
    let games = cells().map(|wdl| i32::try_from(wdl.games()).unwrap_or(i32::MAX));
    write(&folder.join(ImbalanceTable::GAMES_FILE), games)?;
    write(&folder.join(ImbalanceTable::PERCENT_FILE), cells().map(|wdl| i32::from(wdl.percent())))
}

fn write(path: &Path, numbers: impl Iterator<Item = i32>) -> Result<(), RecordError> {
    let bytes: Vec<u8> = numbers.flat_map(i32::to_le_bytes).collect();
    atomic::replace_by(path, &bytes)
}

/// The cells with games in a folder's two files: index, games, per cent.
pub fn read_mat_files(folder: &Path) -> io::Result<Vec<(usize, u64, u8)>> {
    // The engine's reader has checked sizes and numbers.
    ImbalanceTable::read(folder).map_err(io::Error::other)?;
    let numbers = |name| -> io::Result<Vec<i32>> {
        let bytes = fs::read(folder.join(name))?;
        Ok(bytes.as_chunks::<4>().0.iter().map(|bytes| i32::from_le_bytes(*bytes)).collect())
    };
    let (games, percent) =
        (numbers(ImbalanceTable::GAMES_FILE)?, numbers(ImbalanceTable::PERCENT_FILE)?);
    let cells = games.into_iter().zip(percent).enumerate();
    let used = cells.filter(|(_, (games, _))| *games > 0);
    Ok(used.map(|(cell, (games, percent))| (cell, games as u64, percent as u8)).collect())
}
