//! Results counted from runs and PGN files.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

use super::{pgn, runs, same::KnownGames};
use arena::record::{GAMES_FILE, GAMES_ZST_FILE, RUN_FILE, has_games_of_a_tuner};
use process::Error;
use stats::ratings::Results;

/// What was read, and what of it was not counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct InputCounts {
    pub runs: u64,
    /// Run folders without a journal.
    pub runs_without_games: u64,
    pub pgn_files: u64,
    /// Pairs that runs, or the tags of our own PGN, tell, repeats among them.
    pub pairs_tagged: u64,
    /// Pairs found in PGN by round or opening, repeats among them.
    pub pairs_found: u64,
    /// Those of them that were found by round and start position.
    pub pairs_by_round: u64,
    /// Games that are in no pair, repeats among them.
    pub single_games: u64,
    /// Games without a result, not counted.
    pub unfinished: u64,
    /// Games that both players lost (`0-0`), not counted: no score says so.
    pub lost_by_both: u64,
    /// Games between players of one name, not counted.
    pub against_itself: u64,
    /// Inputs that were given before, not read again.
    pub same_inputs: u64,
    /// Games that an earlier input has, too, not counted.
    pub same_games: u64,
    /// Pairs that repeat an earlier pair of the same players, not rated: they say nothing new.
    pub repeated_pairs: u64,
    /// Games of PGN files that are in no pair and repeat an earlier game of the same players, with
    /// the same colours, not rated.
    pub repeated_games: u64,
    /// Pairs of runs, not counted, of which a game did not begin or the harness woke late.
    pub void_pairs: u64,
    /// Games of runs beyond the gap-free prefix of pairs, not counted: short games finish early,
    /// and would weigh too much.
    pub beyond_gap: u64,
    /// Games that cannot be used, not counted.
    pub unusable: u64,
    pub first_unusable: Option<Unusable>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unusable {
    pub path: PathBuf,
    /// The line on which the game begins, from 1.
    pub line: u64,
    /// Which game of the file, from 1.
    pub game: u64,
    /// What was expected, and what was found.
    pub why: String,
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: game {}: {}", self.path.display(), self.line, self.game, self.why)
    }
}

#[derive(Debug, Clone, Default)]
pub struct CrosstableInput {
    pub results: Results,
    pub counted: InputCounts,
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

pub(super) struct Renaming<'a> {
    names: BTreeMap<&'a str, &'a str>,
    unused: BTreeSet<&'a str>,
}

impl<'a> Renaming<'a> {
    fn new(names: &'a [(String, String)]) -> Renaming<'a> {
        let names: BTreeMap<&str, &str> =
            names.iter().map(|(from, to)| (from.as_str(), to.as_str())).collect();
        Renaming { unused: names.keys().copied().collect(), names }
    }

    pub(super) fn get(&mut self, name: &str) -> Option<&'a str> {
        let (&from, &to) = self.names.get_key_value(name)?;
        self.unused.remove(from);
        Some(to)
    }

    fn finish(self) -> Result<(), Error> {
        match self.unused.first() {
            Some(name) => Err(Error::usage(format!("--name: no player is called {name:?}"))),
            None => Ok(()),
        }
    }
}
