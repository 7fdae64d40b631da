//! Playing a night.

use std::{
    fs::{self, OpenOptions},
    io,
    path::{Path, PathBuf},
    process::Stdio,
    time::Duration,
};

use serde_json::Value;
use tokio::{
    process::{Child, Command},
    signal::unix::{SignalKind, signal},
    time::sleep,
};

use super::{Deadline, Entry, NightlyPlan, Outcome, State, Word};
use crate::{
    record::{Kept as _, RunFile, Summary as RunSummary},
    tournament::TournamentFile,
};

/// How long the games that have begun may take after the deadline.
const GRACE: Duration = Duration::from_secs(120);

/// Why a night cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum NightError {
    /// A file or folder of the night.
    #[error("{path}: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What went wrong.
        source: io::Error,
    },
    /// A process could not be started, or signals not be heard.
    #[error("cannot play the night's matches: {0}")]
    Process(io::Error),
}

/// A night that is being played.
pub struct Night<'a> {
    /// Its folder.
    pub dir: &'a Path,
    /// What is played.
    pub plan: &'a NightlyPlan,
    /// When it ends.
    pub deadline: Option<Deadline>,
    /// Is told what happens.
    pub say: &'a dyn Fn(&str),
}

/// What ended a wait.
enum Ended {
    Itself(Option<i32>),
    /// By us: at the deadline, or since the user wants so.
    Early {
        by_user: bool,
    },
}

impl Night<'_> {
    /// Plays what is not finished, in order, and says how each entry stands. After a signal the rest
    /// is left.
    ///
    /// # Errors
    /// When its files cannot be written or processes not be started.
    pub async fn play(&self) -> Result<Vec<Outcome>, NightError> {
        fs::create_dir_all(self.dir).map_err(|source| self.io(self.dir, source))?;
        let mut outcomes = Vec::with_capacity(self.plan.matches.len());
        let mut stopped = false;
        for entry in &self.plan.matches {
            let dir = self.dir.join(&entry.name);
            let late = self.deadline.is_some_and(Deadline::has_passed);
            let mut trouble = None;
            if !is_finished(&dir) && !stopped && !late {
                (self.say)(&format!("{}: {}", entry.name, dir.display()));
                match self.run(entry, &dir).await? {
                    Ended::Itself(Some(0..=3)) => {}
                    Ended::Itself(code) => {
                        let log = self.log_path(entry);
                        let code = code.map_or("a signal".to_owned(), |code| code.to_string());
                        trouble = Some(format!("ended by {code}: {}", last_line(&log)));
                    }
                    Ended::Early { by_user } => stopped |= by_user,
                }
            }
            let outcome = Outcome { trouble, ..outcome(entry, &dir) };
            (self.say)(&format!("{}: {}", entry.name, outcome.in_words()));
            outcomes.push(outcome);
        }
        Ok(outcomes)
    }

    async fn run(&self, entry: &Entry, dir: &Path) -> Result<Ended, NightError> {
        let mut interrupt = signal(SignalKind::interrupt()).map_err(NightError::Process)?;
        let mut terminate = signal(SignalKind::terminate()).map_err(NightError::Process)?;
        let mut child = self.start(entry, dir)?;
        let left = self.deadline.map_or(Duration::MAX, Deadline::left);
        let mut by_user = false;
        let grace = tokio::select! {
            status = child.wait() => return ended(status),
            () = sleep(left) => GRACE,
            _ = interrupt.recv() => {
                by_user = true;
                (self.say)("finishing the games that have begun; Ctrl-C again stops at once");
                Duration::MAX
            }
            _ = terminate.recv() => {
                by_user = true;
                Duration::ZERO
            }
        };
        // Once: games that have begun are finished. Twice: all ends at once.
        send(&child, libc::SIGINT);
        tokio::select! {
            status = child.wait() => drop(status.map_err(NightError::Process)?),
            () = sleep(grace) => send(&child, libc::SIGTERM),
            _ = interrupt.recv() => send(&child, libc::SIGTERM),
            _ = terminate.recv() => send(&child, libc::SIGTERM),
        }
        child.wait().await.map_err(NightError::Process)?;
        Ok(Ended::Early { by_user })
    }

    /// Starts or resumes an entry in a process of its own; what it says goes to its log.
    fn start(&self, entry: &Entry, dir: &Path) -> Result<Child, NightError> {
        let begun = RunFile::read(dir).is_ok() || TournamentFile::is_in(dir);
        let log_path = self.log_path(entry);
        let log = OpenOptions::new().create(true).append(true).open(&log_path);
        let log = log.map_err(|source| self.io(&log_path, source))?;
        let errors = log.try_clone().map_err(|source| self.io(&log_path, source))?;
        let program = std::env::current_exe().map_err(NightError::Process)?;
        let mut command = Command::new(program);
        if begun {
            command.arg("resume").arg(dir);
        } else {
            let plan = self.dir.join(format!("{}.plan.json", entry.name));
            let text = serde_json::to_string_pretty(&Value::Object(entry.flags.clone()));
            fs::write(&plan, text.unwrap_or_default() + "\n")
                .map_err(|source| self.io(&plan, source))?;
            command.arg(entry.word.as_str()).arg("--plan").arg(plan).arg("--out").arg(dir);
        }
        // Its own group, so that a Ctrl-C comes to it through us alone.
        command.process_group(0).kill_on_drop(true);
        command.stdin(Stdio::null()).stdout(log).stderr(errors);
        command.spawn().map_err(NightError::Process)
    }

    fn log_path(&self, entry: &Entry) -> PathBuf {
        self.dir.join(format!("{}.log", entry.name))
    }

    fn io(&self, path: &Path, source: io::Error) -> NightError {
        NightError::Io { path: path.to_owned(), source }
    }
}

fn ended(status: io::Result<std::process::ExitStatus>) -> Result<Ended, NightError> {
    status.map(|status| Ended::Itself(status.code())).map_err(NightError::Process)
}

fn send(child: &Child, signal: i32) {
    if let Some(pid) = child.id().and_then(|pid| i32::try_from(pid).ok()) {
        // SAFETY: a plain system call; the child is not reaped yet, so the number is its own.
        unsafe { libc::kill(pid, signal) };
    }
}

/// Whether all of an entry is played.
fn is_finished(dir: &Path) -> bool {
    match TournamentFile::read(dir) {
        Ok(file) => file.matches.iter().all(|pairing| is_decided(&dir.join(&pairing.folder))),
        Err(_) => is_decided(dir),
    }
}

fn is_decided(run: &Path) -> bool {
    RunSummary::read(run).is_ok_and(|summary| summary.judged.verdict.is_some())
}

/// How an entry stands, by what is in its folder.
fn outcome(entry: &Entry, dir: &Path) -> Outcome {
    let runs: Vec<PathBuf> = match (entry.word, TournamentFile::read(dir)) {
        (Word::Tournament, Ok(file)) => {
            file.matches.iter().map(|pairing| dir.join(&pairing.folder)).collect()
        }
        _ => vec![dir.to_owned()],
    };
    let summaries: Vec<RunSummary> =
        runs.iter().filter_map(|run| RunSummary::read(run).ok()).collect();
    let state = if is_finished(dir) {
        State::Finished
    } else if summaries.is_empty() {
        State::NotPlayed
    } else {
        State::Unfinished
    };
    Outcome::new(entry.name.clone(), entry.word, state, runs, &summaries)
}

fn last_line(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    let text = String::from_utf8_lossy(&text).into_owned();
    text.lines().next_back().unwrap_or("it said nothing").to_owned()
}
