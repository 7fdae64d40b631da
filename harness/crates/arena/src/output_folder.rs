//! Checks that an output folder is free. Files of other work are not overwritten, and other work in
//! the folder stays readable.

use std::path::Path;
use std::{fs, io};

use crate::record::chain::DIGEST_FILE;
use crate::record::lock::RUN_LOCK;
use crate::record::{CLAIMS_TABLE, FolderKind, GAMES_FILE, RUN_FILE, inside, is_claims_table};
use process::Error;
use process::terminal::shell_path;

/// Names in a message.
const NAMES_SHOWN: usize = 3;

#[derive(Debug, Clone, Copy)]
pub enum Owner<'a> {
    /// A match, a tournament, a sweep, a tuner's run, a fit.
    New,
    /// A night by this plan, begun or gone on with.
    Night(&'a Path),
    /// Measurements of claims, begun or gone on with.
    Claims,
}

fn in_use(dir: &Path, what: &str, file: &Path, way_on: &str) -> Error {
    let (dir, file) = (dir.display(), file.display());
    Error::usage(format!("{dir} holds {what} ({file}); give another --out{way_on}"))
}

/// The first of these names, and how many more there are.
fn name_list(names: &[String]) -> String {
    let (shown, rest) = names.split_at(names.len().min(NAMES_SHOWN));
    let more = if rest.is_empty() { String::new() } else { format!(" and {} more", rest.len()) };
    shown.join(", ") + &more
}

/// Refuses a folder that holds anything but what its new owner left there.
pub fn refuse(dir: &Path, owner: Owner<'_>) -> Result<(), Error> {
    let names = names(dir)?;
    let found = FolderKind::found_in(dir);
    let is_own = |kind: FolderKind| match owner {
        Owner::New => false,
        Owner::Night(_) => kind == FolderKind::Night,
        Owner::Claims => kind == FolderKind::Claims,
    };
    let goes_on = found.as_ref().is_some_and(|(kind, _)| is_own(*kind));
    if let Some((kind, file)) = found.filter(|_| !goes_on) {
        let way_on = match kind.is_resumable() {
            true => format!(", or continue it with: verdict resume {}", shell_path(dir)),
            false => String::new(),
        };
        return Err(in_use(dir, kind.what(), &file, &way_on));
    }
    let is_in_the_way = |name: &&String| match owner {
        Owner::New => true,
        Owner::Night(plan) => !goes_on && !is_same(&dir.join(name), plan),
        // Its table is written anew.
        Owner::Claims if *name == CLAIMS_TABLE => !is_claims_table(&dir.join(name)),
        Owner::Claims => !goes_on,
    };
    let others = names.iter().filter(|name| !is_left_over(dir, name)).filter(is_in_the_way);
    let others: Vec<String> = others.cloned().collect();
    match others.is_empty() {
        true => Ok(()),
        false => Err(Error::usage(format!(
            "{} is not empty ({}); expected a new folder (--out)",
            dir.display(),
            name_list(&others)
        ))),
    }
}

/// Refuses a folder that holds a run, a night or other work, none of which may be overwritten.
pub fn refuse_work(dir: &Path) -> Result<(), Error> {
    // Whether it can be looked into.
    names(dir)?;
    match FolderKind::found_in(dir) {
        None => Ok(()),
        Some((kind, file)) => Err(in_use(dir, kind.what(), &file, "")),
    }
}

/// Sorted; empty where there is no folder.
fn names(dir: &Path) -> Result<Vec<String>, Error> {
    let entries = match fs::read_dir(dir) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(Error::io(dir, "look into the folder"))?,
    };
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(Error::io(dir, "look into the folder"))?;
        names.push(entry.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    Ok(names)
}

/// Whether a file is left over from a start that failed before the first game, or is written by
/// `verdict claims` before a match begins.
fn is_left_over(dir: &Path, name: &str) -> bool {
    let is_empty =
        || fs::metadata(dir.join(name)).is_ok_and(|file| file.is_file() && file.len() == 0);
    match name {
        RUN_LOCK => true,
        claim if claim == FolderKind::Claims.file() => true,
        GAMES_FILE | DIGEST_FILE => is_empty(),
        other => other.contains(".json.") && other.ends_with(".tmp"),
    }
}

/// Why `verdict resume` cannot continue a folder, and which command can; `None` if it may try.
pub fn other_way(dir: &Path) -> Option<String> {
    let shown = shell_path(dir);
    match FolderKind::of(dir) {
        Some(kind @ FolderKind::Claims) => {
            Some(format!("{}: continue with: verdict claims --out {shown}", kind.what()))
        }
        Some(kind @ FolderKind::Night) => {
            Some(format!("{}: continue with: verdict nightly PLAN --out {shown}", kind.what()))
        }
        Some(_) => None,
        None => inside(dir).iter().find(|run| run.join(RUN_FILE).is_file()).map(|run| {
            let [sweep, tournament] =
                [FolderKind::Sweep, FolderKind::Tournament].map(FolderKind::file);
            format!(
                "expected {sweep} or {tournament}, found neither; to resume one of its runs alone: \
                 verdict resume {}",
                shell_path(run)
            )
        }),
    }
}

fn is_same(one: &Path, other: &Path) -> bool {
    fs::canonicalize(one).is_ok_and(|one| fs::canonicalize(other).is_ok_and(|other| one == other))
}

#[cfg(test)]
mod tests {
    use process::ErrorKind;

    use super::*;

    /// A folder with these files in it.
    fn with(files: &[&str]) -> tempfile::TempDir {
        let dir = tempfile::tempdir().unwrap();
        for file in files {
            let path = dir.path().join(file);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, "x").unwrap();
        }
        dir
    }

    fn refused(dir: &Path, owner: Owner<'_>) -> Option<String> {
        refuse(dir, owner).err().map(|error| {
            assert_eq!(error.kind(), ErrorKind::Usage);
            error.to_string()
        })
    }

    #[test]
    fn new_work_wants_a_folder_of_its_own() {
        for (file, what) in [
            ("run.json", "a match"),
            ("tournament.json", "a tournament"),
            ("sweep.json", "a sweep"),
            ("spsa.json", "a run of SPSA"),
            ("clop.json", "a run of CLOP"),
            ("bisect.json", "a bisection"),
            ("history.json", "a history"),
            ("texel.json", "a fit of weights"),
            ("nightly.json", "a night"),
            ("CLM-1-rebel-speed/claim.json", "measured claims"),
        ] {
            let dir = with(&[file, "games.jsonl", "nightly.lock"]);
            let told = refused(dir.path(), Owner::New).unwrap();
            assert!(told.contains(&format!("holds {what} ({file}); give another --out")), "{told}");
        }
        let told = |files: &[&str]| refused(with(files).path(), Owner::New);
        let foreign = told(&["games.pgn", "a", "b", "c", "d"]).unwrap();
        assert!(foreign.contains("is not empty (a, b, c and 2 more); expected a new folder"));
        assert!(told(&["games.jsonl"]).unwrap().contains("not empty (games.jsonl)"));
        assert_eq!(told(&[]), None);
        assert_eq!(told(&["run.lock", "run.json.7.tmp", "claim.json"]), None);
        let dir = with(&[]);
        assert!(refuse(&dir.path().join("none"), Owner::New).is_ok());
        for file in ["games.jsonl", "games.digest"] {
            fs::write(dir.path().join(file), "").unwrap();
        }
        assert!(refuse(dir.path(), Owner::New).is_ok(), "no game was played");
        let file = refuse(&dir.path().join("games.jsonl"), Owner::New).unwrap_err();
        assert_eq!(file.kind(), ErrorKind::InputOutput, "{file}");
    }

    #[test]
    fn nights_and_claims_go_on_in_their_own() {
        let dir = with(&["plan.json", "plan.json.7.tmp"]);
        let plan = dir.path().join("plan.json");
        assert_eq!(refused(dir.path(), Owner::Night(&plan)), None, "its plan may lie there");
        let other = refused(dir.path(), Owner::Night(Path::new("plan.json"))).unwrap();
        assert!(other.contains("not empty (plan.json)"), "{other}");
        let night = with(&["nightly.lock", "long/run.json", "long.log", "notes"]);
        assert_eq!(refused(night.path(), Owner::Night(&plan)), None);
        let night = with(&["nightly.json", "nightly.lock"]);
        assert!(refused(night.path(), Owner::Claims).unwrap().contains("holds a night"));
        let claims = with(&["nightly.lock", "CLM-1-rebel-match/claim.json", "notes"]);
        assert_eq!(refused(claims.path(), Owner::Claims), None);
        assert!(
            refused(claims.path(), Owner::Night(&plan)).unwrap().contains("holds measured claims")
        );
        let foreign = with(&["README.md", "CLM-1-rebel-match/claim.json"]);
        assert!(refused(foreign.path(), Owner::Claims).unwrap().contains("not empty (README.md)"));
        for kind in ["run.json", "tournament.json", "sweep.json", "spsa.json", "clop.json"] {
            let dir = with(&[kind]);
            for owner in [Owner::Claims, Owner::Night(&plan)] {
                assert!(
                    refused(dir.path(), owner).unwrap().contains(&format!("({kind})")),
                    "{kind}"
                );
            }
        }
    }
}
