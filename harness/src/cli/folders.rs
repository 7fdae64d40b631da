//! What a folder holds that is named to a word which reads runs.

use std::path::{Path, PathBuf};

use crate::nightly::NIGHT_FILE;
use crate::record::{Kept as _, RUN_FILE};
use crate::sweep::SweepFile;
use crate::tournament::{TournamentError, TournamentFile};
use crate::tune::{self, clop::ClopFile, spsa::SpsaFile};

/// What a folder holds.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A run, or nothing that is known.
    Run,
    /// Several runs.
    Runs {
        /// What they are together, with its article.
        kind: &'static str,
        /// Their folders.
        runs: Vec<PathBuf>,
    },
    /// A sweep, of whose candidates these have played.
    Sweep(Vec<PathBuf>),
    /// A tuner's work.
    Tuner,
}

/// What a folder holds.
///
/// # Errors
/// When a tournament's file is damaged.
pub(super) fn holds(dir: &Path) -> Result<Holds, TournamentError> {
    if SweepFile::is_in(dir) {
        let inside = inside(dir).into_iter().filter(|dir| is_run(dir));
        return Ok(Holds::Sweep(inside.collect()));
    }
    // Its games are a run too, but of no two players.
    if tune::has_games_in(dir) {
        return Ok(Holds::Tuner);
    }
    if is_run(dir) {
        return Ok(Holds::Run);
    }
    if TournamentFile::is_in(dir) {
        return Ok(Holds::Runs { kind: "a tournament", runs: tournament(dir)? });
    }
    let mut runs = Vec::new();
    for dir in inside(dir) {
        if TournamentFile::is_in(&dir) {
            runs.extend(tournament(&dir)?);
        } else if is_run(&dir) && !tune::has_games_in(&dir) {
            runs.push(dir);
        }
    }
    let kind = if dir.join(NIGHT_FILE).is_file() { "a night" } else { "a folder of runs" };
    Ok(if runs.is_empty() { Holds::Run } else { Holds::Runs { kind, runs } })
}

/// The runs that a folder is or holds, of whatever kind, for their games.
///
/// # Errors
/// When there is none, or as [`holds`].
pub(super) fn runs_in(dir: &Path) -> anyhow::Result<Vec<PathBuf>> {
    let runs = match holds(dir)? {
        Holds::Runs { runs, .. } | Holds::Sweep(runs) => runs,
        Holds::Run | Holds::Tuner => vec![dir.to_owned()],
    };
    anyhow::ensure!(!runs.is_empty(), "{}: expected games, found none played", dir.display());
    Ok(runs)
}

/// The folders in a folder, sorted.
pub(super) fn inside(dir: &Path) -> Vec<PathBuf> {
    let inside = std::fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut inside: Vec<PathBuf> = inside.filter(|path| path.is_dir()).collect();
    inside.sort();
    inside
}

/// The matches of a tournament that have begun.
fn tournament(dir: &Path) -> Result<Vec<PathBuf>, TournamentError> {
    let matches = TournamentFile::read(dir)?.matches;
    let runs = matches.iter().map(|pairing| dir.join(&pairing.folder));
    Ok(runs.filter(|run| is_run(run)).collect())
}

/// Whether a folder is a sweep's or a tuner's.
pub(super) fn is_series(dir: &Path) -> bool {
    SweepFile::is_in(dir) || SpsaFile::is_in(dir) || ClopFile::is_in(dir)
}

/// Whether `verdict resume` knows what to do with a folder.
pub(super) fn is_resumable(dir: &Path) -> bool {
    TournamentFile::is_in(dir) || is_series(dir) || is_run(dir)
}

/// Whether a folder is a run's.
pub(super) fn is_run(dir: &Path) -> bool {
    dir.join(RUN_FILE).is_file()
}
