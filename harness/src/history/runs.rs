//! The recorded runs whose players are commits of a repository.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::Revision;
use super::conditions::{Conditions, in_words};
use arena::build::has_commit;
use arena::record::{
    FinalVerdict, FolderKind, GAMES_FILE, GAMES_ZST_FILE, RUN_FILE, RunFile, Summary,
    has_games_of_a_tuner, inside, run_name,
};
use arena::report::RunResults;

/// How deep folders are looked into: a night's tournament has its matches two below.
const DEPTH: usize = 4;

/// A run between commits that is not rated.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LeftOut {
    pub run: PathBuf,
    pub why: String,
}

#[derive(Debug, Clone, Default, PartialEq)]
pub struct Runs {
    pub folders: Vec<PathBuf>,
    /// The spec of each player, and what it is called: a revision, or some digits of its commit.
    pub names: Vec<(String, String)>,
    /// Of all of them, in words; `None` without runs.
    pub conditions: Option<String>,
    /// How many were ended by their rule before their last pair.
    pub stopped_early: u64,
    pub left_out: Vec<LeftOut>,
    /// The commits of base and test of each run.
    commits: Vec<[String; 2]>,
}

/// A run that may be rated.
struct Candidate {
    folder: PathBuf,
    file: RunFile,
    conditions: Conditions,
    commits: [String; 2],
    games: u64,
    is_stopped_early: bool,
}

impl Runs {
    /// Looks for runs in and below these folders. Those of one kind of conditions are taken: of `wanted`,
    /// else of those that tell most of the revisions, then by most games.
    pub fn find(
        roots: &[PathBuf],
        repo: &Path,
        revisions: &[Revision],
        wanted: Option<&Conditions>,
    ) -> Runs {
        let mut all = Vec::new();
        roots.iter().for_each(|root| collect(root, DEPTH, false, &mut all));
        let mut known: HashMap<String, bool> = HashMap::new();
        let mut is_known = |commit: &str| {
            let here = || !commit.contains('+') && has_commit(commit, repo);
            *known.entry(commit.to_owned()).or_insert_with(here)
        };
        let mut runs = Runs::default();
        let mut seen = BTreeSet::new();
        let mut candidates = Vec::new();
        for (folder, is_probe) in all {
            let place = folder.canonicalize().unwrap_or_else(|_| folder.clone());
            let Ok(file) = RunFile::read(&folder) else { continue };
            let (Some(base), Some(test)) = (&file.base.commit, &file.test.commit) else { continue };
            if base == test || !is_known(base) || !is_known(test) || !seen.insert(place) {
                continue;
            }
            match Candidate::of(folder.clone(), file, is_probe) {
                Ok(candidate) => candidates.push(candidate),
                Err(why) => runs.left_out.push(LeftOut { run: folder, why }),
            }
        }
        let Some(taken) = wanted.cloned().or_else(|| most_telling(&candidates, revisions)) else {
            return runs;
        };
        let mut names = BTreeSet::new();
        for it in candidates {
            if it.conditions != taken {
                let why = format!("other conditions: {}", in_words(&it.file));
                runs.left_out.push(LeftOut { run: it.folder, why });
                continue;
            }
            for (spec, commit) in
                [&it.file.base.spec, &it.file.test.spec].into_iter().zip(&it.commits)
            {
                names.insert((spec.clone(), name_of(commit, revisions)));
            }
            runs.conditions.get_or_insert_with(|| in_words(&it.file));
            runs.stopped_early += u64::from(it.is_stopped_early);
            runs.commits.push(it.commits);
            runs.folders.push(it.folder);
        }
        runs.names = names.into_iter().collect();
        runs
    }
}

impl Candidate {
    /// Or why it is not rated.
    fn of(folder: PathBuf, file: RunFile, is_probe: bool) -> Result<Candidate, String> {
        if is_probe {
            return Err(
                "a bisection's match: it ends as soon as it says enough, and overstates Elo"
                    .to_owned(),
            );
        }
        let conditions = Conditions::of(&file.plan)
            .ok_or("the two players have different limits, hash or options")?;
        let summary = Summary::read(&folder)
            .ok()
            .or_else(|| Some(RunResults::read(&folder, &run_name(&folder)).ok()?.summary()))
            .ok_or("its games cannot be read")?;
        let verdict = summary.judged.verdict.ok_or("not finished")?;
        if verdict == FinalVerdict::Void {
            return Err("void: too many games ended by faults".to_owned());
        }
        let last = file.plan["pairs"].as_u64().unwrap_or(summary.pairs);
        let commits =
            [&file.base, &file.test].map(|player| player.commit.clone().unwrap_or_default());
        let played = summary.pairs + summary.faults.void_pairs;
        let is_stopped_early = verdict != FinalVerdict::Undecided && played < last;
        Ok(Candidate { folder, conditions, commits, games: summary.games, is_stopped_early, file })
    }
}

/// The conditions under which most of the revisions have games, then those of most games.
fn most_telling(candidates: &[Candidate], revisions: &[Revision]) -> Option<Conditions> {
    let worth = |conditions: &Conditions| {
        let those = candidates.iter().filter(|it| it.conditions == *conditions);
        let (mut games, mut commits): (u64, HashSet<&String>) = (0, HashSet::new());
        for it in those {
            games += it.games;
            commits.extend(&it.commits);
        }
        let told = revisions.iter().filter(|it| commits.contains(&it.commit.commit)).count();
        (told, games)
    };
    let all = candidates.iter().map(|it| &it.conditions);
    all.max_by_key(|conditions| worth(conditions)).cloned()
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

/// Folders of runs, and whether each is a bisection's.
fn collect(folder: &Path, depth: usize, is_probe: bool, all: &mut Vec<(PathBuf, bool)>) {
    let is_probe = is_probe || FolderKind::of(folder) == Some(FolderKind::Bisection);
    let has_games = || [GAMES_FILE, GAMES_ZST_FILE].iter().any(|it| folder.join(it).is_file());
    if folder.join(RUN_FILE).is_file() && has_games() && !has_games_of_a_tuner(folder) {
        all.push((folder.to_owned(), is_probe));
    } else if depth > 0 {
        inside(folder).iter().for_each(|inner| collect(inner, depth - 1, is_probe, all));
    }
}
