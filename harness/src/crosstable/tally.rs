//! Results counted from runs and PGN files.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::input::CrosstableInput;
use super::names::Renaming;
use super::same::KnownGames;
use super::{pgn, runs};
use arena::record::{GAMES_FILE, GAMES_ZST_FILE, RUN_FILE, has_games_of_a_tuner};
use process::Error;

impl CrosstableInput {
    /// Reads runs and PGN files as [`Crosstable::read`](super::Crosstable::read) does; `names` are
    /// replaced. What is given twice, as a run and by its folder, is read once.
    pub fn read(inputs: &[PathBuf], names: &[(String, String)]) -> Result<CrosstableInput, Error> {
        let mut tally = CrosstableInput::default();
        let (mut folders, mut files) = (Vec::new(), Vec::new());
        for input in inputs {
            if input.is_dir() {
                folders.extend(tally.run_folders(input)?);
            } else {
                files.push(input.clone());
            }
        }
        let given = folders.len() + files.len();
        let (folders, files) = (each_once(folders), each_once(files));
        tally.counted.same_inputs = (given - folders.len() - files.len()) as u64;
        let mut renaming = Renaming::new(names);
        let mut known = KnownGames::default();
        let in_pgn = runs::read(&mut tally, &folders, &mut renaming, &mut known)?;
        let mut names = pgn::Names { renaming, in_pgn };
        let mut seen = HashSet::new();
        for file in files {
            pgn::read(&mut tally, &file, &mut names, &mut seen, &mut known)?;
            known.finish_input();
            tally.counted.pgn_files += 1;
        }
        let pgn::Names { renaming, .. } = names;
        renaming.finish()?;
        Ok(tally)
    }

    /// The run that a folder is, or the runs in it.
    fn run_folders(&mut self, path: &Path) -> Result<Vec<PathBuf>, Error> {
        if has_games_of_a_tuner(path) {
            return Err(Error::usage(format!(
                "{}: expected games of two players, found a tuner's of settings on either side",
                path.display()
            )));
        }
        if path.join(RUN_FILE).is_file() {
            return Ok(vec![path.to_owned()]);
        }
        let (mut runs, mut without_games) = (Vec::new(), 0);
        for entry in fs::read_dir(path).map_err(Error::io(path, "read"))? {
            let folder = entry.map_err(Error::io(path, "read"))?.path();
            if folder.join(RUN_FILE).is_file() && !has_games_of_a_tuner(&folder) {
                if [GAMES_FILE, GAMES_ZST_FILE].iter().any(|file| folder.join(file).is_file()) {
                    runs.push(folder);
                } else {
                    without_games += 1;
                }
            }
        }
        if runs.is_empty() {
            return Err(Error::input_output(format!(
                "{}: expected a run's folder (with run.json and games.jsonl), a folder of such \
                 folders, or a PGN file; found {without_games} runs without games",
                path.display()
            )));
        }
        self.counted.runs_without_games += without_games;
        runs.sort_unstable();
        Ok(runs)
    }
}

/// The paths without those that lead to the same place as an earlier one.
fn each_once(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    let mut seen = BTreeSet::new();
    paths.retain(|path| seen.insert(path.canonicalize().unwrap_or_else(|_| path.clone())));
    paths
}
