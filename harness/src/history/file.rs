//! `history.json`: the revisions, and the matches that are played between them.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::Conditions;
use arena::build::Commit;
use arena::record::{FolderKind, Manifest};

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Revision {
    /// As the command line named it.
    pub name: String,
    #[serde(flatten)]
    pub commit: Commit,
}

/// A match between two revisions, by their numbers from 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryMatch {
    /// Its folder inside the history's.
    pub folder: String,
    pub base: usize,
    pub test: usize,
    pub plan: Value,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct HistoryFile {
    pub format: u32,
    pub repo: PathBuf,
    pub revisions: Vec<Revision>,
    /// Folders in which recorded runs are looked for.
    pub roots: Vec<PathBuf>,
    /// Of the matches that are played; only runs under the same are rated with them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub conditions: Option<Conditions>,
    pub matches: Vec<HistoryMatch>,
}

impl HistoryFile {
    /// Those that the rated runs must have, if any.
    pub fn wanted(&self) -> Option<Conditions> {
        let of_first = || Conditions::of(&self.matches.first()?.plan);
        self.conditions.clone().or_else(of_first)
    }

    pub fn runs(&self, dir: &Path) -> Vec<PathBuf> {
        self.matches.iter().map(|it| dir.join(&it.folder)).collect()
    }
}

impl Manifest for HistoryFile {
    const KIND: FolderKind = FolderKind::History;
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }

    fn check(&self) -> Result<(), String> {
        let count = self.revisions.len();
        let mut all = self.matches.iter().flat_map(|it| [it.base, it.test]);
        match count >= 2 && all.all(|revision| revision < count) {
            true => Ok(()),
            false => Err("two revisions or more, and matches between them".to_owned()),
        }
    }
}
