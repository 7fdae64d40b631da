//! Finds the runs that test a change.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use super::{LedgerOptions, LedgerTest, Skipped};
use arena::record::{FinalVerdict, FolderKind, RunFile, Summary, inside, run_name};
use arena::report::RunResults;
use process::Error;
use serde_json::Value;

/// Folders within folders; more is a loop of links.
const DEEPEST: usize = 8;

/// The tests below these folders, and what is none.
pub(super) fn all(roots: &[PathBuf], options: &LedgerOptions) -> (Vec<LedgerTest>, Vec<Skipped>) {
    let real = |path: &Path| fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let check = options.check.iter().map(|path| (real(path), "the check of this ledger"));
    let without = options.without.iter().map(|path| (real(path), "left out by --without"));
    let mut search = Search {
        excluded: check.chain(without).collect(),
        seen: HashSet::new(),
        known: HashSet::new(),
        tests: Vec::new(),
        skipped: Vec::new(),
    };
    roots.iter().for_each(|root| search.folder(root, 0));
    (search.tests, search.skipped)
}

struct Search {
    excluded: Vec<(PathBuf, &'static str)>,
    /// Folders by their real path.
    seen: HashSet<PathBuf>,
    /// Runs, so that a copy is known.
    known: HashSet<String>,
    tests: Vec<LedgerTest>,
    skipped: Vec<Skipped>,
}

impl Search {
    fn folder(&mut self, dir: &Path, depth: usize) {
        let real = fs::canonicalize(dir).unwrap_or_else(|_| dir.to_owned());
        if let Some((_, why)) = self.excluded.iter().find(|(path, _)| *path == real) {
            return self.skip(dir, why.to_owned());
        }
        if depth > DEEPEST || !self.seen.insert(real) {
            return;
        }
        let mut not_below = HashSet::new();
        match FolderKind::of(dir) {
            Some(FolderKind::Match) => self.run(dir),
            Some(FolderKind::Sweep) => {
                self.skip(dir, "a sweep: its candidates race, and only its confirmation is a test");
                not_below = candidates(dir);
            }
            Some(kind @ (FolderKind::Spsa | FolderKind::Clop)) => {
                self.skip(dir, format!("{}: its players change from pair to pair", kind.what()));
            }
            Some(kind @ FolderKind::Tournament) => {
                return self.skip(dir, format!("{} compares players", kind.what()));
            }
            Some(kind @ FolderKind::Claims) => return self.skip(dir, kind.what()),
            Some(kind @ FolderKind::Fit) => {
                self.skip(dir, format!("{} plays no match", kind.what()));
            }
            Some(kind @ (FolderKind::Bisection | FolderKind::History)) => {
                return self.skip(dir, format!("{} compares versions", kind.what()));
            }
            Some(kind @ (FolderKind::Book | FolderKind::BookRates)) => {
                return self.skip(dir, format!("{} compares no engines", kind.what()));
            }
            Some(FolderKind::Night) | None => (),
        }
        for below in inside(dir) {
            if !below
                .file_name()
                .is_some_and(|name| not_below.contains(name.to_string_lossy().as_ref()))
            {
                self.folder(&below, depth + 1);
            }
        }
    }

    fn run(&mut self, dir: &Path) {
        let summary = match summary(dir) {
            Ok(summary) => summary,
            Err(error) => return self.skip(dir, format!("cannot be read: {error}")),
        };
        if let Some(why) = no_test(dir, &summary) {
            return self.skip(dir, why);
        }
        let Summary { details, base, test, wdl, ptnml, .. } = &summary;
        let identity = (&details.created, &base.identity.spec, &test.identity.spec, wdl, ptnml);
        if !self.known.insert(format!("{identity:?}")) {
            return self.skip(dir, "a copy of a run that is counted");
        }
        self.tests.push(LedgerTest::of(dir, summary));
    }

    fn skip(&mut self, dir: &Path, why: impl Into<String>) {
        self.skipped.push(Skipped { folder: dir.to_owned(), why: why.into() });
    }
}

/// The folders of a sweep's candidates.
fn candidates(dir: &Path) -> HashSet<String> {
    let text = fs::read(dir.join(FolderKind::Sweep.file())).unwrap_or_default();
    let sweep: Value = serde_json::from_slice(&text).unwrap_or_default();
    let candidates = sweep["candidates"].as_array().into_iter().flatten();
    candidates.filter_map(|candidate| Some(candidate["folder"].as_str()?.to_owned())).collect()
}

/// `summary.json`, or the same from the journal of a run that has none yet.
pub(super) fn summary(dir: &Path) -> Result<Summary, Error> {
    match Summary::read(dir) {
        Ok(summary) => Ok(summary),
        Err(error) => match RunResults::read(dir, &run_name(dir)) {
            Ok(run) => Ok(run.summary()),
            Err(_) => Err(Error::input_output(error)),
        },
    }
}

/// Why a match tests no change, if so.
pub(super) fn no_test(dir: &Path, summary: &Summary) -> Option<String> {
    if RunFile::read(dir).is_ok_and(|run| run.games_of.is_some()) {
        return Some("games of a tuner".to_owned());
    }
    let [base, test] = [&summary.base.identity, &summary.test.identity];
    if summary.same_players {
        return Some("an A/A test: both players are the same".to_owned());
    }
    let [base_program, test_program] = [base, test].map(|player| program(&player.own_name()));
    if base_program != test_program {
        return Some(format!("two programs: {test_program} against {base_program}"));
    }
    if base.limit != test.limit {
        return Some("the players have different limits".to_owned());
    }
    if summary.judged.verdict == Some(FinalVerdict::Void) {
        return Some("void: too many games ended by faults".to_owned());
    }
    (summary.pairs == 0).then(|| "no pair of games counts".to_owned())
}

/// A program's name without its version, as it reports it: the first word.
fn program(name: &str) -> String {
    name.split_whitespace().next().unwrap_or("a program without a name").to_lowercase()
}
