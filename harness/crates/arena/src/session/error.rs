//! Why a session cannot be played.

use std::path::{Path, PathBuf};

use crate::record::{RecordError, RunFile, Side};
use crate::runner::RunError;
use pgn::BookError;
use process::Error;
use process::lack::Lack;

#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// It has a kind already.
    #[error(transparent)]
    Other(#[from] Error),
    #[error("{who}: {reason}")]
    Program {
        /// Its name, or the flag that names it.
        who: String,
        reason: String,
    },
    /// Not by the program's own fault.
    #[error("{0}; nothing was played; free it or raise the limit (ulimit -a), then start again")]
    Lack(Lack),
    #[error("--traffic {path}: {source}", path = .path.display())]
    Traffic { path: PathBuf, source: std::io::Error },
    #[error(transparent)]
    Book(#[from] BookError),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error("{dir}: no plan of this version is recorded: {source}")]
    RecordedPlan { dir: PathBuf, source: serde_json::Error },
    #[error("{dir} cannot be resumed: its games are those of {file}, which is missing", dir = .dir.display())]
    GamesOf { dir: PathBuf, file: String },
    #[error("{dir} cannot be resumed: {why}", dir = .dir.display())]
    Different {
        dir: PathBuf,
        /// What is different, and what to do.
        why: String,
    },
    #[error(transparent)]
    Run(#[from] RunError),
}

/// Refuses to go on with a run unless the same games would be played `now`.
pub fn expect_same(dir: &Path, then: &RunFile, now: &RunFile) -> Result<(), SessionError> {
    then.same_run(now).map_err(|difference| {
        let side = [Side::Base, Side::Test].into_iter().find(|side| {
            let of = |key| difference.field == format!("{side}.{key}");
            of("commit") || of("build")
        });
        let why = match side {
            Some(side) => another_program(side, then, now),
            None if difference.is_of_files() => format!(
                "{difference}; if the engine itself writes this file, like a log or a learning file, resume with \
                 --changed-files"
            ),
            None => difference.to_string(),
        };
        SessionError::Different { dir: dir.to_owned(), why }
    })
}

fn another_program(side: Side, then: &RunFile, now: &RunFile) -> String {
    let [then, now] = [then, now].map(|run| run.identity(side));
    let why = "games of two programs are not counted together";
    if !then.spec.starts_with("embedded") {
        return format!(
            "the program of {side} is another one than when the run began ({}); {why}. Put the former file back \
             and resume, or begin a new run",
            then.spec
        );
    }
    let [commit, here] = [then, now].map(|it| it.commit.as_deref().unwrap_or("unknown"));
    let (what, how) = match commit == here {
        true => (
            format!("of the same commit {commit}"),
            "build it with the same features and compiler".to_owned(),
        ),
        false => (
            format!("of commit {here}; the run began with {commit}"),
            match commit.strip_suffix("+dirty") {
                Some(commit) => {
                    format!("git checkout {commit}, the changes of then on top, build verdict")
                }
                None => format!("git checkout {commit}, build verdict"),
            },
        ),
    };
    format!(
        "{side} is the engine inside verdict, and this is another build of verdict, {what}; {why}. To go on, use the \
         verdict that began the run ({how}) and resume; or begin a new run"
    )
}

impl From<SessionError> for Error {
    fn from(error: SessionError) -> Error {
        use SessionError::{Different, Other, Program, Run};
        match error {
            Other(error) => error,
            Run(error) => error.into(),
            Program { .. } | Different { .. } => Error::usage(error),
            _ => Error::input_output(error),
        }
    }
}

#[cfg(test)]
mod tests {
    use process::ErrorKind;
    use serde_json::Value;

    use super::*;
    use crate::record::Identity;

    /// What is said when a player is another one now.
    fn said(spec: &str, [commit, here]: [&str; 2]) -> String {
        let player = |commit: &str, build: &str| Identity {
            spec: spec.to_owned(),
            commit: Some(commit.to_owned()),
            build: Some(build.to_owned()),
            ..Identity::default()
        };
        let run = |base| RunFile::new(Value::Null, 1, base, Identity::default(), None);
        let (then, now) = (run(player(commit, "1f00")), run(player(here, "2f00")));
        let error = expect_same(Path::new("run"), &then, &now).unwrap_err();
        expect_same(Path::new("run"), &then, &then).unwrap();
        assert!(!error.to_string().contains("1f00"), "{error}");
        let words = error.to_string();
        assert_eq!(Error::from(error).kind(), ErrorKind::Usage);
        words
    }

    #[test]
    fn another_build_is_told_in_words() {
        let other = said("embedded:default", ["abc1+dirty", "abc2"]);
        assert!(other.contains("commit abc2; the run began with abc1+dirty"), "{other}");
        assert!(other.contains("git checkout abc1, the changes of then on top, build"), "{other}");
        let clean = said("embedded:default", ["abc1", "abc2"]);
        assert!(clean.contains("git checkout abc1, build"), "{clean}");
        let same = said("embedded:default", ["abc1", "abc1"]);
        assert!(same.contains("the same commit abc1") && !same.contains("checkout"), "{same}");
        let program = said("uci:./engine", ["abc1", "abc1"]);
        assert!(program.contains("(uci:./engine)"), "{program}");
    }

    #[test]
    fn a_search_that_does_not_end_is_a_fault() {
        let stuck = RunError::Stuck { game: 3, player: String::new(), position: String::new() };
        assert_eq!(Error::from(SessionError::Run(stuck)).kind(), ErrorKind::Fault);
        let lost = SessionError::Run(RunError::Lost(3));
        assert_eq!(Error::from(lost).kind(), ErrorKind::InputOutput);
        let known = SessionError::from(Error::usage("--pairs 0"));
        assert_eq!(Error::from(known).kind(), ErrorKind::Usage);
    }
}
