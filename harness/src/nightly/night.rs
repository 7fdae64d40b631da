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
    time::sleep,
};

use super::{
    Deadline, Entry, NightlyPlan, Outcome, State, Word,
    signals::{Asked, Signals},
};
use crate::{
    crosstable::{Crosstable, Options},
    record::{Kept as _, RUN_FILE, RunFile, Summary as RunSummary},
    stats::ratings::{Level, Rated},
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
        let mut signals = Signals::listen().map_err(NightError::Process)?;
        let mut stopped = false;
        for entry in &self.plan.matches {
            let dir = self.dir.join(&entry.name);
            let late = self.deadline.is_some_and(Deadline::has_passed);
            // Whatever was asked between two entries.
            stopped |= signals.asked_meanwhile().await;
            let mut trouble = self.other_flags(entry, &dir);
            if trouble.is_none() && !is_finished(&dir) && !stopped && !late {
                (self.say)(&format!("{}: {}", entry.name, dir.display()));
                match self.run(entry, &dir, &mut signals).await? {
                    Ended::Itself(Some(0..=3)) => {}
                    Ended::Itself(code) => {
                        let log = self.log_path(entry);
                        let code = code.map_or("a signal".to_owned(), |code| code.to_string());
                        trouble = Some(format!("ended by {code}: {}", last_words(&log)));
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

    async fn run(
        &self,
        entry: &Entry,
        dir: &Path,
        signals: &mut Signals,
    ) -> Result<Ended, NightError> {
        let mut child = self.start(entry, dir)?;
        let left = self.deadline.map_or(Duration::MAX, Deadline::left);
        let mut by_user = false;
        let grace = tokio::select! {
            status = child.wait() => return ended(status),
            () = sleep(left) => GRACE,
            asked = signals.next() => {
                by_user = true;
                match asked {
                    Asked::Finish => {
                        let words = "finishing the games that have begun; Ctrl-C again stops at once";
                        (self.say)(words);
                        Duration::MAX
                    }
                    Asked::AtOnce => Duration::ZERO,
                }
            }
        };
        // Once: games that have begun are finished. Twice: all ends at once.
        send(&child, libc::SIGINT);
        tokio::select! {
            status = child.wait() => drop(status.map_err(NightError::Process)?),
            () = sleep(grace) => send(&child, libc::SIGTERM),
            _ = signals.next() => send(&child, libc::SIGTERM),
        }
        child.wait().await.map_err(NightError::Process)?;
        Ok(Ended::Early { by_user })
    }

    /// Starts or resumes an entry in a process of its own; what it says goes to its log.
    fn start(&self, entry: &Entry, dir: &Path) -> Result<Child, NightError> {
        let begun = is_begun(dir);
        let log_path = self.log_path(entry);
        let log = OpenOptions::new().create(true).append(true).open(&log_path);
        let log = log.map_err(|source| self.io(&log_path, source))?;
        let errors = log.try_clone().map_err(|source| self.io(&log_path, source))?;
        let program = std::env::current_exe().map_err(NightError::Process)?;
        let mut command = Command::new(program);
        if begun {
            command.arg("resume").arg(dir);
        } else {
            let plan = self.plan_path(entry);
            let text = serde_json::to_string_pretty(&Value::Object(entry.flags.clone()));
            fs::write(&plan, text.unwrap_or_default() + "\n")
                .map_err(|source| self.io(&plan, source))?;
            command.arg(entry.word.as_str()).arg("--plan").arg(plan).arg("--out").arg(dir);
        }
        // Its own group, so that a Ctrl-C comes to it through us alone.
        command.process_group(0).kill_on_drop(true);
        end_with_us(&mut command);
        command.stdin(Stdio::null()).stdout(log).stderr(errors);
        command.spawn().map_err(NightError::Process)
    }

    /// Why an entry that was begun is another than this one, if it is.
    fn other_flags(&self, entry: &Entry, dir: &Path) -> Option<String> {
        let path = self.plan_path(entry);
        let text = fs::read_to_string(&path).ok().filter(|_| is_begun(dir))?;
        let begun_with = serde_json::from_str::<Value>(&text).ok()?;
        (begun_with != Value::Object(entry.flags.clone())).then(|| {
            format!(
                "was begun with other flags ({}): expected a folder of its own for each night (--out)",
                path.display()
            )
        })
    }

    fn plan_path(&self, entry: &Entry) -> PathBuf {
        self.dir.join(format!("{}.plan.json", entry.name))
    }

    fn log_path(&self, entry: &Entry) -> PathBuf {
        self.dir.join(format!("{}.log", entry.name))
    }

    fn io(&self, path: &Path, source: io::Error) -> NightError {
        NightError::Io { path: path.to_owned(), source }
    }
}

fn is_begun(dir: &Path) -> bool {
    RunFile::read(dir).is_ok() || TournamentFile::is_in(dir)
}

/// Has a match stop when the night's process ends, whatever ends it.
#[cfg(target_os = "linux")]
fn end_with_us(command: &mut Command) {
    let night = std::process::id();
    // SAFETY: two plain system calls, which may be made between fork and exec.
    unsafe {
        command.pre_exec(move || {
            libc::prctl(libc::PR_SET_PDEATHSIG, libc::SIGTERM);
            // It may have ended before it was asked.
            match u32::try_from(libc::getppid()) {
                Ok(parent) if parent == night => Ok(()),
                _ => Err(io::ErrorKind::Interrupted.into()),
            }
        });
    }
}

#[cfg(not(target_os = "linux"))]
fn end_with_us(_: &mut Command) {}

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
    let ratings = if entry.word == Word::Tournament { ratings(&runs) } else { None };
    Outcome::new(entry.name.clone(), entry.word, state, runs, &summaries, ratings)
}

/// The players of a tournament with their ratings, in a line.
fn ratings(runs: &[PathBuf]) -> Option<String> {
    let played = runs.iter().filter(|run| run.join(RUN_FILE).is_file()).cloned();
    let table = Crosstable::read(&played.collect::<Vec<_>>(), Options::default()).ok()?;
    let words = |rated: &Rated| {
        let rating = match rated.level {
            Level::Elo { elo, error95: Ok(error), .. } => format!("{elo:+.1} ± {error:.1}"),
            Level::Elo { elo, .. } => format!("{elo:+.1}"),
            Level::AtLeast(bound) => format!("≥ {bound:+.1}"),
            Level::AtMost(bound) => format!("≤ {bound:+.1}"),
            Level::None(_) => "–".to_owned(),
        };
        format!("{} {rating}", rated.name)
    };
    let players: Vec<String> = table.ratings.players.iter().map(words).collect();
    (!players.is_empty()).then(|| format!("Elo {}", players.join(", ")))
}

/// Why an entry has ended, as far as its log says: the last error told, or else its last words.
fn last_words(log: &Path) -> String {
    let text = fs::read(log).unwrap_or_default();
    last_words_of(&String::from_utf8_lossy(&text))
}

fn last_words_of(text: &str) -> String {
    // Further up are those of earlier sittings.
    const NEAR: usize = 12;
    let mut last = text.lines().rev().take(NEAR);
    let error = last.find(|line| line.starts_with("error:"));
    error.or(text.lines().next_back()).unwrap_or("it said nothing").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_reason_is_the_error_not_what_follows_it() {
        let usage =
            "error: invalid value 'x' for '--nodes'\n\nFor more information, try '--help'.\n";
        assert_eq!(last_words_of(usage), "error: invalid value 'x' for '--nodes'");
        let games = "error: of another day\n".to_owned() + &"3/20 games\n".repeat(20);
        assert_eq!(last_words_of(&games), "3/20 games");
        assert_eq!(last_words_of(""), "it said nothing");
    }
}
