//! What this program writes into a work tree. None of it is an engine's source, and it grows with
//! every match: a build that contained it would never be the same twice.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::{env, fs};

use super::git::git;
use crate::record::lock::RUN_LOCK;
use crate::record::output_files::{has_our_name, is_counts, may_be_source};
use crate::record::{FolderKind, NIGHT_LOCK};

/// For runs, below the current directory.
const DEFAULT_FOLDER: &str = "results";
/// Lines for `.gitignore` that are shown at most.
const LINES_SHOWN: usize = 3;

/// Tells our own files in a work tree from its source.
pub(super) struct OutputFiles<'a> {
    repo: &'a Path,
    known: HashMap<PathBuf, bool>,
    /// Paths from the repository's root.
    found: BTreeSet<PathBuf>,
    /// Files left out.
    count: usize,
}

impl<'a> OutputFiles<'a> {
    pub(super) fn in_repository(repo: &'a Path) -> OutputFiles<'a> {
        OutputFiles { repo, known: HashMap::new(), found: BTreeSet::new(), count: 0 }
    }

    /// Whether a file, given from the repository's root, is ours: by its name, and by its folder.
    /// Whatever else lies there may be source.
    pub(super) fn has(&mut self, path: &Path) -> bool {
        let mut folders: Vec<&Path> = path.ancestors().skip(1).collect();
        // From the outermost inwards, and never the repository itself.
        folders.pop();
        let outermost = || folders.into_iter().rev().find(|folder| self.is_our_folder(folder));
        let ours = if has_our_name(path) { outermost() } else { None };
        let ours = ours.or_else(|| is_counts(&self.repo.join(path)).then_some(path));
        self.found.extend(ours.map(Path::to_owned));
        self.count += usize::from(ours.is_some());
        ours.is_some()
    }

    /// As `has`, for a file that git tracks. Tuned parameters in git may be source of the engine,
    /// so they are not ours.
    pub(super) fn has_tracked(&mut self, path: &Path) -> bool {
        !may_be_source(path) && self.has(path)
    }

    fn is_our_folder(&mut self, folder: &Path) -> bool {
        let repo = self.repo;
        *self.known.entry(folder.to_owned()).or_insert_with(|| is_ours(&repo.join(folder)))
    }

    /// Lines for `.gitignore`, in words; `None` where git ignores all our files.
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
        let shown = lines.iter().take(LINES_SHOWN).cloned().collect::<Vec<_>>().join(" ");
        let more = match lines.len().saturating_sub(LINES_SHOWN) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        (!lines.is_empty()).then(|| {
            format!(
                "git does not ignore what verdict writes here; builds of the work tree leave it out \
                 (files: {}). For .gitignore: {shown}{more}",
                self.count
            )
        })
    }
}

fn is_ours(folder: &Path) -> bool {
    let holds_counts = || {
        let files = fs::read_dir(folder).into_iter().flatten().flatten();
        files
            .map(|file| file.path())
            .any(|path| path.extension().is_some_and(|end| end == "counts") && is_counts(&path))
    };
    [RUN_LOCK, NIGHT_LOCK].iter().any(|lock| folder.join(lock).is_file())
        || FolderKind::ALL.iter().any(|kind| kind.is_described_in(folder))
        || holds_counts()
}

/// Where a run begun in the current directory would go, from the repository's root.
fn default_folder(repo: &Path) -> Option<PathBuf> {
    let here = env::current_dir().ok()?;
    Some(here.strip_prefix(repo).ok()?.join(DEFAULT_FOLDER))
}

fn ignores(repo: &Path, folder: &Path) -> bool {
    let inside = folder.join("run").display().to_string();
    git(repo, &["check-ignore", "--quiet", "--no-index", &inside]).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::output_files::{SPSA_CSV_FILE, TUNED_FILE};

    /// Files of a work tree, and those of them that are ours.
    fn ours<'a>(files: &[(&'a str, &str)]) -> (Vec<&'a str>, Vec<PathBuf>) {
        let repo = tempfile::tempdir().unwrap();
        for (file, text) in files {
            let path = repo.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        let mut written = OutputFiles::in_repository(repo.path());
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
            ("bisect.json", r#"{"format": 1}"#),
            ("history.json", r#"{"format": 1}"#),
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
        for name in ["spsa.json", TUNED_FILE, SPSA_CSV_FILE] {
            fs::write(folder.join(name), r#"{"format": 1}"#).unwrap();
        }
        let mut written = OutputFiles::in_repository(repo.path());
        let mut is_left_out = |name: &str| written.has_tracked(&Path::new("params").join(name));
        assert_eq!([TUNED_FILE, SPSA_CSV_FILE].map(&mut is_left_out), [false, true]);
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
