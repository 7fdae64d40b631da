//! What a folder holds, told by a file in it.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};
use strum::VariantArray as _;

use super::{RUN_FILE, RunFile};
use process::plain_file::{self, DOCUMENT};

/// The lock of a nightly run. Until the first entry has ended it is the only file that marks the
/// folder: `nightly.json` comes later.
pub const NIGHT_LOCK: &str = "nightly.lock";
/// The table of measured claims, in the folder that holds their measurements.
pub const CLAIMS_TABLE: &str = "README.md";
/// Its first line.
pub const CLAIMS_TITLE: &str = "# What was claimed, measured again";

/// What a folder holds, in the order of the check. A folder of a sweep or tuner may also hold a
/// match's `run.json`, and one of claims a `nightly.lock`; so these kinds come first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum FolderKind {
    Tournament,
    Sweep,
    Spsa,
    Clop,
    Bisection,
    History,
    Match,
    Fit,
    /// An opening book that is being made of games.
    Book,
    /// Books that are compared by matches.
    BookRates,
    Claims,
    Night,
}

impl FolderKind {
    pub const ALL: &[FolderKind] = FolderKind::VARIANTS;

    /// Its file, a key of the JSON object in it, and the kind in words.
    const fn facts(self) -> (&'static str, &'static str, &'static str) {
        match self {
            FolderKind::Tournament => ("tournament.json", "format", "a tournament"),
            FolderKind::Sweep => ("sweep.json", "format", "a sweep"),
            FolderKind::Spsa => ("spsa.json", "format", "a run of SPSA"),
            FolderKind::Clop => ("clop.json", "format", "a run of CLOP"),
            FolderKind::Bisection => ("bisect.json", "format", "a bisection"),
            FolderKind::History => ("history.json", "format", "a history"),
            FolderKind::Match => (RUN_FILE, "plan", "a match"),
            FolderKind::Fit => ("texel.json", "sampling", "a fit of weights"),
            FolderKind::Book => ("book.json", "scoring", "an opening book in the making"),
            FolderKind::BookRates => ("book_rates.json", "books", "rated opening books"),
            FolderKind::Claims => ("claim.json", "parameters", "measured claims"),
            FolderKind::Night => ("nightly.json", "entries", "a night"),
        }
    }

    /// The file that marks the kind; for claims it is in the folder of each measurement.
    pub const fn file(self) -> &'static str {
        self.facts().0
    }

    /// In words, with its article.
    pub const fn what(self) -> &'static str {
        self.facts().2
    }

    /// Whether `verdict resume` continues it.
    pub const fn is_resumable(self) -> bool {
        !matches!(self, FolderKind::Claims | FolderKind::Fit | FolderKind::Night)
    }

    /// Whether its games are those of a tuner, whose players change from pair to pair.
    pub const fn is_tuner(self) -> bool {
        matches!(self, FolderKind::Spsa | FolderKind::Clop)
    }

    /// The kind and the file that shows it.
    pub fn found_in(dir: &Path) -> Option<(FolderKind, PathBuf)> {
        FolderKind::ALL.iter().find_map(|kind| Some((*kind, kind.marker(dir)?)))
    }

    pub fn of(dir: &Path) -> Option<FolderKind> {
        FolderKind::found_in(dir).map(|(kind, _)| kind)
    }

    /// The marking file, relative to `dir`.
    fn marker(self, dir: &Path) -> Option<PathBuf> {
        let has = |name: &Path| dir.join(name).is_file();
        let own = PathBuf::from(self.file());
        match self {
            FolderKind::Claims if is_claims_table(&dir.join(CLAIMS_TABLE)) => {
                Some(CLAIMS_TABLE.into())
            }
            FolderKind::Claims => {
                let measured = inside(dir).into_iter().map(|folder| {
                    Path::new(folder.file_name().unwrap_or_default()).join(self.file())
                });
                measured.into_iter().find(|file| has(file))
            }
            FolderKind::Night if !has(&own) => {
                Some(PathBuf::from(NIGHT_LOCK)).filter(|lock| has(lock))
            }
            _ => Some(own).filter(|file| has(file)),
        }
    }

    /// Whether the folder has this kind's file, a JSON object with this kind's key. Other programs
    /// may use the same file names.
    pub fn is_described_in(self, dir: &Path) -> bool {
        let text = plain_file::read(&dir.join(self.file()), DOCUMENT).unwrap_or_default();
        let object = serde_json::from_slice::<Map<String, Value>>(&text);
        object.is_ok_and(|object| object.contains_key(self.facts().1))
    }
}

/// As [`FolderKind::is_tuner`], also by the key `games_of` of run.json.
pub fn has_games_of_a_tuner(dir: &Path) -> bool {
    FolderKind::of(dir).is_some_and(FolderKind::is_tuner)
        || RunFile::read(dir).is_ok_and(|run| run.games_of.is_some())
}

pub fn is_claims_table(path: &Path) -> bool {
    plain_file::read_text(path, DOCUMENT)
        .is_ok_and(|text| text.lines().next() == Some(CLAIMS_TITLE))
}

/// The folders in a folder, sorted.
pub fn inside(dir: &Path) -> Vec<PathBuf> {
    let inside = fs::read_dir(dir).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut inside: Vec<PathBuf> = inside.filter(|path| path.is_dir()).collect();
    inside.sort();
    inside
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each kind is known by its file. With several, the first in `ALL` counts.
    #[test]
    fn folders_are_known_by_their_files() {
        for &kind in FolderKind::ALL {
            let dir = tempfile::tempdir().unwrap();
            let (own, others) = match kind {
                FolderKind::Claims => (format!("CLM-1/{}", kind.file()), vec![NIGHT_LOCK]),
                FolderKind::Sweep | FolderKind::Spsa | FolderKind::Clop => {
                    (kind.file().to_owned(), vec![RUN_FILE])
                }
                _ => (kind.file().to_owned(), Vec::new()),
            };
            assert_eq!(FolderKind::of(dir.path()), None);
            for file in others.into_iter().chain([own.as_str()]) {
                let path = dir.path().join(file);
                fs::create_dir_all(path.parent().unwrap()).unwrap();
                fs::write(path, "{}").unwrap();
            }
            assert_eq!(FolderKind::found_in(dir.path()), Some((kind, own.into())));
        }
    }

    #[test]
    fn a_night_that_has_just_begun_is_one() {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join(NIGHT_LOCK), "").unwrap();
        let found = FolderKind::found_in(dir.path());
        assert_eq!(found, Some((FolderKind::Night, NIGHT_LOCK.into())));
    }
}
