//! What this program writes into a work tree: folders of runs, tournaments, nights, sweeps, tuners and
//! counts. None of it is an engine's source, and it grows with every match: a build that contained it
//! would never be the same twice.

use std::collections::{BTreeSet, HashMap};
use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::tree;
use crate::claims::CLAIM_FILE;
use crate::nightly::{NIGHT_FILE, NIGHT_LOCK};
use crate::plain_file::{self, DOCUMENT};
use crate::record::{
    FAULTS_FOLDER, GAMES_FILE, GAMES_ZST_FILE, Kept as _, PGN_FILE, REPORT_FILE, RUN_FILE,
    SUMMARY_FILE, SUMMARY_MD_FILE, chain::DIGEST_FILE, lock::RUN_LOCK,
};
use crate::sweep::SweepFile;
use crate::tables::CountsFile;
use crate::tournament::TournamentFile;
use crate::tune::{
    TUNED_FILE,
    clop::{ClopFile, POINTS_FILE},
    spsa::{SpsaFile, report::CSV_FILE},
    texel::report::{TEXEL_FILE, WEIGHTS_FILE},
};

/// Where runs go unless the user says otherwise, below the current directory.
const DEFAULT_FOLDER: &str = "results";
/// Lines for `.gitignore` that are told.
const LINES_TOLD: usize = 3;
/// Files that show a folder to be ours, by a key that the JSON object in them has.
const DESCRIPTIONS: [(&str, &str); 8] = [
    (RUN_FILE, "plan"),
    (TournamentFile::FILE, "format"),
    (SweepFile::FILE, "format"),
    (SpsaFile::FILE, "format"),
    (ClopFile::FILE, "format"),
    (TEXEL_FILE, "sampling"),
    (NIGHT_FILE, "entries"),
    (CLAIM_FILE, "parameters"),
];

/// What this program writes into such folders; capsules of faults lie in [`FAULTS_FOLDER`].
const NAMES: [&str; 30] = [
    RUN_FILE,
    RUN_LOCK,
    GAMES_FILE,
    GAMES_ZST_FILE,
    DIGEST_FILE,
    PGN_FILE,
    SUMMARY_FILE,
    SUMMARY_MD_FILE,
    REPORT_FILE,
    TournamentFile::FILE,
    "crosstable.md",
    "ratings.json",
    "ratings.md",
    SweepFile::FILE,
    "sweep.md",
    "speed.jsonl",
    SpsaFile::FILE,
    CSV_FILE,
    ClopFile::FILE,
    POINTS_FILE,
    TEXEL_FILE,
    WEIGHTS_FILE,
    TUNED_FILE,
    NIGHT_FILE,
    "nightly.md",
    NIGHT_LOCK,
    CLAIM_FILE,
    "mates.json",
    "share.json",
    "micro.json",
];
/// Ends of other names: of a night's entries, of files that are being written, of counts.
const ENDS: [&str; 4] = [".log", ".plan.json", ".tmp", ".counts"];

/// Tells our own files in a work tree from its source.
pub(super) struct Written<'a> {
    repo: &'a Path,
    known: HashMap<PathBuf, bool>,
    /// Our folders and files found so far, from the repository's root.
    found: BTreeSet<PathBuf>,
    /// How many files are left out.
    count: usize,
}

impl<'a> Written<'a> {
    pub(super) fn in_repository(repo: &'a Path) -> Written<'a> {
        Written { repo, known: HashMap::new(), found: BTreeSet::new(), count: 0 }
    }

    /// Whether a file, given from the repository's root, is ours: by its name, and by the folder that it
    /// lies in. Whatever else lies there may be source.
    pub(super) fn has(&mut self, path: &Path) -> bool {
        let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
        // From the outermost inwards, and never the repository itself.
        folders.pop();
        let outermost = || folders.into_iter().rev().find(|folder| self.is_our_folder(folder));
        let ours = if has_our_name(path) { outermost() } else { None };
        let is_counts = || CountsFile::is_one(&self.repo.join(path)).then_some(path);
        let ours = ours.or_else(is_counts);
        self.found.extend(ours.map(Path::to_owned));
        self.count += usize::from(ours.is_some());
        ours.is_some()
    }

    /// The same of a file that git tracks. Parameters that were tuned may be what the engine is built of.
    pub(super) fn has_tracked(&mut self, path: &Path) -> bool {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let may_be_source = name == TUNED_FILE || ENDS.iter().any(|end| name.ends_with(end));
        !may_be_source && self.has(path)
    }

    fn is_our_folder(&mut self, folder: &Path) -> bool {
        let repo = self.repo;
        *self.known.entry(folder.to_owned()).or_insert_with(|| is_ours(&repo.join(folder)))
    }

    /// The lines by which git would ignore our files, in words; `None` where it ignores them all.
    pub(super) fn advice(&self) -> Option<String> {
        let default = default_folder(self.repo).filter(|folder| !ignores(self.repo, folder));
        let others = self
            .found
            .iter()
            .filter(|path| default.as_ref().is_none_or(|folder| !path.starts_with(folder)));
        let line = |path: &Path| {
            let slash = if self.repo.join(path).is_file() { "" } else { "/" };
            format!("/{}{slash}", path.display())
        };
        let default = default.as_deref();
        let lines: Vec<String> =
            default.into_iter().chain(others.map(PathBuf::as_path)).map(line).collect();
        let told = lines.iter().take(LINES_TOLD).cloned().collect::<Vec<_>>().join(" ");
        let more = match lines.len().saturating_sub(LINES_TOLD) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!lines.is_empty()).then(|| {
            format!(
                "git does not ignore what verdict writes here; builds of the work tree leave it out \
                 (files: {}). For .gitignore: {told}{more}",
                self.count
            )
        })
    }
}

/// Whether this program gives files such names, or puts them into such a folder.
fn has_our_name(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    NAMES.contains(&&*name)
        || ENDS.iter().any(|end| name.ends_with(end))
        || path.parent().is_some_and(|folder| folder.iter().any(|name| name == FAULTS_FOLDER))
}

/// Whether a folder holds work of ours.
fn is_ours(folder: &Path) -> bool {
    let is_described = |(file, key): &(&str, &str)| {
        let text = plain_file::read(&folder.join(file), DOCUMENT).unwrap_or_default();
        let object = serde_json::from_slice::<Map<String, Value>>(&text);
        object.is_ok_and(|object| object.contains_key(*key))
    };
    let holds_counts = || {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        files.map(|file| file.path()).any(|path| {
            path.extension().is_some_and(|end| end == "counts") && CountsFile::is_one(&path)
        })
    };
    [RUN_LOCK, NIGHT_LOCK].iter().any(|lock| folder.join(lock).is_file())
        || DESCRIPTIONS.iter().any(is_described)
        || holds_counts()
}

/// Where a run begun in the current directory would go, from the root of the repository that this is
/// inside of.
fn default_folder(repo: &Path) -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    Some(here.strip_prefix(repo).ok()?.join(DEFAULT_FOLDER))
}

/// Whether git ignores what will lie in a folder.
fn ignores(repo: &Path, folder: &Path) -> bool {
    let inside = folder.join("run").display().to_string();
    tree::git(repo, &["check-ignore", "--quiet", "--no-index", &inside]).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Files of a work tree, and those of them that are ours.
    fn ours<'a>(files: &[(&'a str, &str)]) -> (Vec<&'a str>, Vec<PathBuf>) {
        let repo = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = repo.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut written = Written::in_repository(repo.path());
        let paths = files.iter().map(|(path, _)| *path);
        let ours = paths.filter(|path| written.has(Path::new(path))).collect();
        (ours, written.found.into_iter().collect())
    }

    #[test]
    fn work_of_every_kind_is_ours() {
        for (file, text) in [
            ("run.json", r#"{"format": 1, "plan": {}}"#),
            ("run.lock", ""),
            ("tournament.json", r#"{"format": 1}"#),
            ("sweep.json", r#"{"format": 1}"#),
            ("spsa.json", r#"{"format": 1}"#),
            ("clop.json", r#"{"format": 1}"#),
            ("texel.json", r#"{"sampling": {}}"#),
            ("nightly.json", r#"{"entries": []}"#),
            ("nightly.lock", ""),
            ("mit.counts", "verdict tables 1\nx"),
        ] {
            let path = format!("a/b/{file}");
            let (ours, found) =
                ours(&[(&path, text), ("a/b/faults/1/x", ""), ("a/engine.c", ""), ("b", "")]);
            assert_eq!(ours, [path.as_str(), "a/b/faults/1/x"], "{file}");
            assert_eq!(found, [PathBuf::from("a/b")], "{file}");
        }
        let (ours, _) = ours(&[("all.counts", "verdict tables 1\nx"), ("b.counts", "1 2 3")]);
        assert_eq!(ours, ["all.counts"], "a file alone");
    }

    /// Tuned parameters that are in the repository may be compiled into the engine.
    #[test]
    fn tracked_parameters_are_source() {
        let repo = tempfile::tempdir().unwrap();
        let folder = repo.path().join("params");
        fs::create_dir(&folder).unwrap();
        for name in [SpsaFile::FILE, TUNED_FILE, CSV_FILE] {
            fs::write(folder.join(name), r#"{"format": 1}"#).unwrap();
        }
        let mut written = Written::in_repository(repo.path());
        let mut is_left_out = |name: &str| written.has_tracked(&Path::new("params").join(name));
        assert_eq!([TUNED_FILE, CSV_FILE].map(&mut is_left_out), [false, true]);
        assert!(written.has(Path::new("params/tuned.json")), "a new one");
    }

    /// An engine's own files may have such names.
    #[test]
    fn source_is_not_ours() {
        let files = [
            ("src/run.json", r#"{"command": "run"}"#),
            ("src/sweep.json", "[1]"),
            ("src/nightly.json", "{"),
            ("src/games.jsonl", "{}\n"),
            ("run.json", r#"{"format": 1, "plan": {}}"#),
        ];
        let (ours, found) = ours(&files);
        assert!(ours.is_empty() && found.is_empty(), "{ours:?}");
    }

    /// What lies beside our files may belong to the engine.
    #[test]
    fn source_in_a_folder_of_ours_is_not_ours() {
        for (file, text) in [("run.lock", ""), ("sweep.json", r#"{"format": 1}"#)] {
            let path = format!("src/{file}");
            let (ours, _) = ours(&[(&path, text), ("src/engine.c", ""), ("src/net/a.nnue", "")]);
            assert_eq!(ours, [path.as_str()]);
        }
    }
}
