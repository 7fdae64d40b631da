//! The recorded runs whose players are commits of a repository.

use std::collections::{BTreeSet, HashMap};
use std::path::{Path, PathBuf};

use super::Revision;
use arena::build::has_commit;
use arena::record::{GAMES_FILE, GAMES_ZST_FILE, RUN_FILE, RunFile, has_games_of_a_tuner, inside};

/// How deep folders are looked into: a night's tournament has its matches two below.
const DEPTH: usize = 4;

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Runs {
    pub folders: Vec<PathBuf>,
    /// The spec of each player, and what it is called: a revision, or some digits of its commit.
    pub names: Vec<(String, String)>,
    /// The commits of base and test of each run.
    commits: Vec<[String; 2]>,
}

impl Runs {
    /// Looks for runs in and below these folders.
    pub fn find(roots: &[PathBuf], repo: &Path, revisions: &[Revision]) -> Runs {
        let mut all = Vec::new();
        roots.iter().for_each(|root| collect(root, DEPTH, &mut all));
        let mut known: HashMap<String, bool> = HashMap::new();
        let mut is_known = |commit: &str| {
            let here = || !commit.contains('+') && has_commit(commit, repo);
            *known.entry(commit.to_owned()).or_insert_with(here)
        };
        let mut runs = Runs::default();
        let (mut seen, mut names) = (BTreeSet::new(), BTreeSet::new());
        for folder in all {
            let place = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            let Ok(run) = RunFile::read(&folder) else { continue };
            let (Some(base), Some(test)) = (&run.base.commit, &run.test.commit) else { continue };
            if base == test || !is_known(base) || !is_known(test) || !seen.insert(place) {
                continue;
            }
            for (spec, commit) in [(&run.base.spec, base), (&run.test.spec, test)] {
                names.insert((spec.clone(), name_of(commit, revisions)));
            }
            runs.commits.push([base.clone(), test.clone()]);
            runs.folders.push(folder);
        }
        runs.names = names.into_iter().collect();
        runs
    }
}

/// Whether two commits have a run with each other.
pub fn met(runs: &Runs, first: &str, second: &str) -> bool {
    runs.commits.iter().any(|[a, b]| (a == first && b == second) || (a == second && b == first))
}

fn name_of(commit: &str, revisions: &[Revision]) -> String {
    let named = revisions.iter().find(|revision| revision.commit.commit == commit);
    named.map_or_else(
        || commit.get(..10).unwrap_or(commit).to_owned(),
        |revision| revision.name.clone(),
    )
}

fn collect(folder: &Path, depth: usize, all: &mut Vec<PathBuf>) {
    let has_games = || [GAMES_FILE, GAMES_ZST_FILE].iter().any(|it| folder.join(it).is_file());
    if folder.join(RUN_FILE).is_file() && has_games() && !has_games_of_a_tuner(folder) {
        all.push(folder.to_owned());
    } else if depth > 0 {
        inside(folder).iter().for_each(|inner| collect(inner, depth - 1, all));
    }
}
