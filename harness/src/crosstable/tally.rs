//! Results counted from runs and PGN files.

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::{Path, PathBuf};

use super::input::CrosstableInput;
use super::names::{NamesInPgn, Renaming};
use super::pgn::{self, OnlyGames};
use super::runs;
use super::same::KnownGames;
use ::pgn::Origin;
use arena::record::{GAMES_FILE, GAMES_ZST_FILE, RUN_FILE, has_games_of_a_tuner};
use process::Error;

/// Games of PGN texts, counted one text after the other.
pub struct PgnGames<'a> {
    tally: CrosstableInput,
    names: pgn::Names<'a>,
    /// Hashes of pairs, and of games in none, that were counted.
    seen: HashSet<u64>,
    known: KnownGames,
}

impl Default for PgnGames<'_> {
    fn default() -> Self {
        let names = pgn::Names { renaming: Renaming::new(&[]), in_pgn: NamesInPgn::new() };
        let (tally, known) = (CrosstableInput::default(), KnownGames::default());
        PgnGames { tally, names, seen: HashSet::new(), known }
    }
}

impl PgnGames<'_> {
    /// Counts those games of a text that `only` says yes to, as a stream.
    pub fn add(&mut self, text: Origin<'_>, only: &mut OnlyGames<'_>) -> Result<(), Error> {
        let PgnGames { tally, names, seen, known } = self;
        pgn::read(tally, text, names, seen, known, only)
    }

    /// Ends an input, of one text or several: games of the next that it has, too, are the same games.
    pub fn finish_input(&mut self) {
        self.known.finish_input();
        self.tally.counted.pgn_files += 1;
    }

    pub fn into_tally(self) -> CrosstableInput {
        self.tally
    }
}

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
        let names = pgn::Names { renaming, in_pgn };
        let mut games = PgnGames { tally, names, seen: HashSet::new(), known };
        for file in files {
            games.add(Origin::File(&file), &mut |_| true)?;
            games.finish_input();
        }
        let PgnGames { tally, names: pgn::Names { renaming, .. }, .. } = games;
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
