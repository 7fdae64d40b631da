//! `verdict resume` without a folder: lists unfinished runs and their progress.

use std::path::{Path, PathBuf};

use serde::Serialize;
use serde_json::Value;

use crate::book_rates::BookRatesFile;
use crate::history::HistoryFile;
use crate::make_book::from_games::{BookFile, book_scores};
use crate::tournament::TournamentFile;
use arena::record::{
    FolderKind, Games, Manifest as _, RunFile, SUMMARY_FILE, Summary, has_games_of_a_tuner, inside,
};
use process::terminal::shell_path;
use tuning::confirm::CONFIRM_FOLDER;

/// Work that is not finished.
#[derive(Debug, PartialEq, Eq, Serialize)]
pub(super) struct Unfinished {
    pub(super) dir: PathBuf,
    /// Its kind with the article, like "a match".
    pub(super) what: &'static str,
    /// Games that are recorded, or positions of a book that are scored.
    pub(super) games: u64,
    /// Maximum number of games or positions, if known.
    pub(super) of: Option<u64>,
    /// What is counted.
    pub(super) unit: &'static str,
    /// The command that continues it.
    pub(super) command: String,
}

/// Where runs are by default.
const USUAL: &str = "results";

/// Unfinished runs in the subfolders of `root`; `None`: of `results` and of the current folder. A subfolder
/// that `verdict resume` does not continue as a whole, such as a nightly run's, is searched one level deeper.
pub(super) fn unfinished(root: Option<&Path>) -> Vec<Unfinished> {
    let mut found = Vec::new();
    if root.is_none() {
        let here = inside(Path::new(".")).into_iter();
        let here = here.filter_map(|dir| Some(dir.strip_prefix(".").ok()?.to_owned()));
        found.extend(here.filter_map(|dir| unfinished_in(&dir, resumable(&dir)?)));
    }
    for dir in inside(root.unwrap_or(Path::new(USUAL))) {
        match resumable(&dir) {
            Some(kind) => found.extend(unfinished_in(&dir, kind)),
            None => {
                let inner = inside(&dir).into_iter();
                found.extend(inner.filter_map(|dir| unfinished_in(&dir, resumable(&dir)?)));
            }
        }
    }
    found
}

/// The list in words, with aligned columns.
pub(super) fn in_words(root: Option<&Path>, found: &[Unfinished]) -> String {
    if found.is_empty() {
        let searched = root.map_or_else(
            || format!("{USUAL} and the current folder"),
            |root| root.display().to_string(),
        );
        return format!("no interrupted runs in {searched}\n");
    }
    let progress = |it: &Unfinished| match it.of {
        Some(of) => format!("{} of {of} {}", it.games, it.unit),
        None => format!("{} {} so far", it.games, it.unit),
    };
    let width = |text: &dyn Fn(&Unfinished) -> usize| found.iter().map(text).max().unwrap_or(0);
    let kind_width = width(&|it| it.what.len());
    let count_width = width(&|it| progress(it).len());
    let mut text = String::new();
    for it in found {
        let (what, command) = (it.what, &it.command);
        text += &format!("{what:<kind_width$}  {:<count_width$}  {command}\n", progress(it));
    }
    text
}

/// The kind of work in `dir`, if `verdict resume` continues it. A folder with a tuner's games but
/// without its file (`spsa.json`, `clop.json`) is not continued as a match.
fn resumable(dir: &Path) -> Option<FolderKind> {
    let is_no_tuner = |kind| kind != FolderKind::Match || !has_games_of_a_tuner(dir);
    FolderKind::of(dir).filter(|kind| kind.is_resumable() && is_no_tuner(*kind))
}

/// How far the work of this kind in `dir` is, if it is not finished.
fn unfinished_in(dir: &Path, kind: FolderKind) -> Option<Unfinished> {
    let is_finished = match kind {
        FolderKind::Match => is_decided(dir),
        FolderKind::Tournament | FolderKind::BookRates => {
            matches(dir, kind).iter().all(|(run, _)| is_decided(run))
        }
        FolderKind::Book => BookFile::read(dir).is_ok_and(|file| file.is_made),
        FolderKind::History => {
            let file = HistoryFile::read(dir).ok();
            file.is_some_and(|file| file.runs(dir).iter().all(|run| is_decided(run)))
        }
        _ => is_experiment_over(dir, kind.file()),
    };
    if is_finished {
        return None;
    }
    let (games, of) = match kind {
        FolderKind::Match => {
            (recorded(dir), RunFile::read(dir).ok().and_then(|run| total(&run.plan)))
        }
        FolderKind::Tournament | FolderKind::BookRates => {
            let matches = matches(dir, kind);
            let games = matches.iter().map(|(run, _)| recorded(run)).sum();
            (games, matches.iter().map(|(_, total)| *total).sum())
        }
        FolderKind::Book => book_scores(dir),
        _ => {
            let inner: u64 = inside(dir).iter().map(|run| recorded(run)).sum();
            (recorded(dir) + inner, None)
        }
    };
    let command = format!("verdict resume {}", shell_path(dir));
    let unit = if kind == FolderKind::Book { "positions" } else { "games" };
    Some(Unfinished { dir: dir.to_owned(), what: kind.what(), games, of, unit, command })
}

/// Whether a sweep or tuner is finished, with its confirmation match if it has one.
fn is_experiment_over(dir: &Path, file: &str) -> bool {
    let summary = json(&dir.join(SUMMARY_FILE));
    let ended = [&summary["over"], &summary["sweep"]["over"]].into_iter().find(|it| !it.is_null());
    // A sweep for speed has a summary only when it is over.
    let is_over = ended.map_or(!summary.is_null(), |over| over == true);
    let sweep = &summary["sweep"];
    let has_winner = sweep.is_null() || !sweep["best"].is_null();
    let confirms = has_winner && !json(&dir.join(file))["confirm"].is_null();
    is_over && (!confirms || is_decided(&dir.join(CONFIRM_FOLDER)))
}

/// The matches of a tournament or of rated books, and how many games each has.
fn matches(dir: &Path, kind: FolderKind) -> Vec<(PathBuf, Option<u64>)> {
    if kind == FolderKind::BookRates {
        let books = BookRatesFile::read(dir).map(|file| file.books).unwrap_or_default().into_iter();
        return books.map(|it| (dir.join(&it.folder), total(&it.plan))).collect();
    }
    let file = TournamentFile::read(dir).ok();
    let matches = file.map(|file| file.matches).unwrap_or_default().into_iter();
    matches.map(|it| (dir.join(&it.folder), total(&it.plan))).collect()
}

fn total(plan: &Value) -> Option<u64> {
    plan.get("pairs")?.as_u64()?.checked_mul(2)
}

/// Games in a run's journal, as far as it can be read.
fn recorded(run: &Path) -> u64 {
    let games = Games::open(run).into_iter().flatten();
    games.take_while(Result::is_ok).count() as u64
}

/// The JSON of a file; null if it cannot be read or parsed.
fn json(path: &Path) -> Value {
    let text = std::fs::read(path).unwrap_or_default();
    serde_json::from_slice(&text).unwrap_or_default()
}

/// Whether a match has a verdict, VOID included.
fn is_decided(run: &Path) -> bool {
    Summary::read_decided(run).is_some()
}
