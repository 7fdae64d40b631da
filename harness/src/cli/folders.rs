//! What a folder holds that is named to a word which reads runs.

use std::path::{Path, PathBuf};

use crate::book_rates::BookRatesFile;
use crate::tournament::TournamentFile;
use arena::record::{FolderKind, Manifest as _, RUN_FILE, has_games_of_a_tuner, inside};
use process::Error;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum Holds {
    /// A run, or nothing that is known.
    Run,
    Runs {
        /// What they are together, with its article.
        kind: &'static str,
        runs: Vec<PathBuf>,
    },
    /// A sweep, of whose candidates these have played.
    Sweep(Vec<PathBuf>),
    Tuner,
}

pub(super) fn holds(dir: &Path) -> Result<Holds, Error> {
    let kind = FolderKind::of(dir);
    if kind == Some(FolderKind::Sweep) {
        let inside = inside(dir).into_iter().filter(|dir| is_run(dir));
        return Ok(Holds::Sweep(inside.collect()));
    }
    // Its games are a run too, but of no two players.
    if has_games_of_a_tuner(dir) {
        return Ok(Holds::Tuner);
    }
    match kind {
        Some(FolderKind::Match) => return Ok(Holds::Run),
        Some(kind @ FolderKind::Tournament) => {
            return Ok(Holds::Runs { kind: kind.what(), runs: tournament(dir)? });
        }
        Some(kind @ FolderKind::BookRates) => {
            let runs = BookRatesFile::read(dir)?.runs(dir);
            let runs = runs.into_iter().filter(|run| is_run(run)).collect();
            return Ok(Holds::Runs { kind: kind.what(), runs });
        }
        _ => (),
    }
    let mut runs = Vec::new();
    for dir in inside(dir) {
        if TournamentFile::is_in(&dir) {
            runs.extend(tournament(&dir)?);
        } else if is_run(&dir) && !has_games_of_a_tuner(&dir) {
            runs.push(dir);
        }
    }
    let kind = match kind {
        Some(kind @ (FolderKind::Night | FolderKind::Bisection | FolderKind::History)) => {
            kind.what()
        }
        _ => "a folder of runs",
    };
    Ok(if runs.is_empty() { Holds::Run } else { Holds::Runs { kind, runs } })
}

/// The runs that a folder is or holds, of whatever kind, for their games. None is an error.
pub(super) fn runs_in(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let runs = match holds(dir)? {
        Holds::Runs { runs, .. } | Holds::Sweep(runs) => runs,
        Holds::Run | Holds::Tuner => vec![dir.to_owned()],
    };
    match runs.is_empty() {
        true => {
            let why = format!("{}: expected games, found none played", dir.display());
            Err(Error::input_output(why))
        }
        false => Ok(runs),
    }
}

/// The matches of a tournament that have begun.
fn tournament(dir: &Path) -> Result<Vec<PathBuf>, Error> {
    let runs = TournamentFile::read(dir)?.runs(dir);
    Ok(runs.into_iter().filter(|run| is_run(run)).collect())
}

pub(super) fn is_experiment(dir: &Path) -> bool {
    FolderKind::of(dir).is_some_and(|kind| {
        kind.is_tuner() || matches!(kind, FolderKind::Sweep | FolderKind::Bisection)
    })
}

pub(super) fn is_run(dir: &Path) -> bool {
    dir.join(RUN_FILE).is_file()
}
