//! A night's folder: its entries' folders, plans and logs, and who may write there.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::{EntryBisection, EntryKind, EntryOutcome, NightEntry, culprit};
use crate::bisect::BisectFile;
use crate::tournament::TournamentFile;
use arena::record::lock::{FolderLock, RUN_LOCK};
use arena::record::{FolderKind, Manifest as _, NIGHT_LOCK, RecordError, Summary as RunSummary};
use process::plain_file::{self, DOCUMENT};
use process::{Context as _, Error};

/// A night's folder, which is ours alone as long as this lives.
#[derive(Debug)]
pub struct NightFolder {
    dir: PathBuf,
    _lock: FolderLock,
}

impl NightFolder {
    /// Takes a folder for a night; makes it where it does not exist.
    pub fn open(dir: &Path) -> Result<NightFolder, Error> {
        fs::create_dir_all(dir).context(dir.display())?;
        Ok(NightFolder { dir: dir.to_owned(), _lock: FolderLock::acquire(dir, NIGHT_LOCK)? })
    }

    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Where an entry is played.
    pub(super) fn of(&self, entry: &NightEntry) -> PathBuf {
        self.dir.join(&entry.name)
    }

    /// Where the commit behind a regression of an entry is searched.
    pub(super) fn bisection(&self, entry: &NightEntry) -> PathBuf {
        culprit::folder(&self.dir, entry)
    }

    /// What is known of the search in a folder, and what an earlier one found.
    pub(super) fn searched(&self, entry: &NightEntry, dir: &Path) -> Option<EntryBisection> {
        EntryBisection::read(&self.dir, entry, dir)
    }

    pub(super) fn log_path(&self, entry: &NightEntry) -> PathBuf {
        self.dir.join(format!("{}.log", entry.name))
    }

    pub(super) fn is_finished(&self, entry: &NightEntry) -> bool {
        is_finished(&self.of(entry))
    }

    /// Whether another process writes games of an entry.
    pub(super) fn is_busy(&self, entry: &NightEntry) -> bool {
        let in_use = |run: &PathBuf| {
            let lock = FolderLock::acquire(run, RUN_LOCK);
            matches!(lock, Err(RecordError::InUse { .. }))
        };
        matches(&self.of(entry)).iter().any(in_use)
    }

    pub(super) fn outcome(&self, entry: &NightEntry) -> EntryOutcome {
        let dir = self.of(entry);
        let outcome =
            EntryOutcome::read(entry, &dir, is_begun(&self.dir, entry), is_finished(&dir));
        // An earlier night's search says nothing of a night without a regression.
        let is_asked =
            outcome.regression.is_some() || BisectFile::is_in(&culprit::own(&self.dir, entry));
        let bisect = (entry.bisect && is_asked)
            .then(|| self.searched(entry, &self.bisection(entry)))
            .flatten();
        EntryOutcome { bisect, ..outcome }
    }
}

pub(super) fn plan_path(night: &Path, entry: &NightEntry) -> PathBuf {
    night.join(format!("{}.plan.json", entry.name))
}

/// Whether an entry has been begun in a night's folder.
pub fn is_begun(night: &Path, entry: &NightEntry) -> bool {
    let dir = night.join(&entry.name);
    // If it is damaged, resuming it reports the error.
    FolderKind::of(&dir).is_some()
}

/// The error if an entry was begun in a night's folder with other flags.
pub fn other_flags_error(night: &Path, entry: &NightEntry) -> Option<String> {
    if !is_begun(night, entry) {
        return None;
    }
    let path = plan_path(night, entry);
    let text = plain_file::read_text(&path, DOCUMENT).unwrap_or_default();
    let is_tournament = TournamentFile::is_in(&night.join(&entry.name));
    let same = is_tournament == (entry.word == EntryKind::Tournament)
        && serde_json::from_str::<Value>(&text).ok() == Some(Value::Object(entry.flags.clone()));
    (!same).then(|| {
        format!(
            "was started with other flags: expected those of {}, or another --out for this plan",
            path.display()
        )
    })
}

fn is_finished(dir: &Path) -> bool {
    matches(dir).iter().all(|run| RunSummary::read_decided(run).is_some())
}

/// The folders of an entry's matches; the entry's own if it is no tournament.
fn matches(dir: &Path) -> Vec<PathBuf> {
    match TournamentFile::read(dir) {
        Ok(file) => file.runs(dir),
        Err(_) => vec![dir.to_owned()],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_is_one_nights() {
        let dir = tempfile::tempdir().unwrap();
        let inside = dir.path().join("night");
        let first = NightFolder::open(&inside).unwrap();
        let second = NightFolder::open(&inside).unwrap_err().to_string();
        assert!(second.contains("being written by another process"), "{second}");
        drop(first);
        NightFolder::open(&inside).unwrap();
    }
}
