//! Playing a night.

use std::ffi::OsString;
use std::fs::OpenOptions;
use std::path::{Path, PathBuf};
use std::process::{ExitStatus, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Map, Value};
use tokio::process::{Child, Command};
use tokio::time::sleep;

use super::folder::plan_path;
use super::follow::Follower;
use super::signals::Signals;
use super::{
    Cause, Deadline, EntryBisection, EntryOutcome, NightEntry, NightFolder, NightlyPlan, Stop,
    culprit, is_begun, log, other_flags_error,
};
use crate::bisect::BisectFile;
use arena::record::{Manifest as _, atomic};
use process::children::{OwnChild, Signal, start_program};
use process::plain_file::open_itself;
use process::signals::StopRequest;
use process::{Context as _, Error};

/// Time for running games after the deadline.
pub const GRACE: Duration = Duration::from_secs(120);

/// Maximum wait for the match of a killed nightly run to release its folder.
const LOCK_WAIT: Duration = Duration::from_secs(5);

const CANNOT_PLAY: &str = "cannot play the matches of the nightly run";

pub struct Night<'a> {
    pub folder: &'a NightFolder,
    pub plan: &'a NightlyPlan,
    pub deadline: Option<Deadline>,
    /// More words for each match: by whom it is played.
    pub words: &'a [OsString],
    /// Whether games and faults are not shown as they come.
    pub quiet: bool,
    pub say: &'a dyn Fn(&str),
    /// Called with the state of all entries, at the beginning and after each entry.
    pub note: &'a dyn Fn(&[EntryOutcome]),
}

/// What a night has come to.
#[derive(Debug)]
pub struct PlayedNight {
    pub entries: Vec<EntryOutcome>,
    /// Whether a signal ended it, also one that came as the last entry was over.
    pub by_user: bool,
}

/// What ended an entry's process.
enum Ended {
    Itself(ExitStatus),
    /// We ended it, early.
    Early(Stop),
}

impl Night<'_> {
    /// Plays the unfinished entries in order; after a signal the rest is not started.
    pub async fn play(&self) -> Result<PlayedNight, Error> {
        let entries = &self.plan.matches;
        let mut outcomes: Vec<EntryOutcome> =
            entries.iter().map(|entry| self.folder.outcome(entry)).collect();
        (self.note)(&outcomes);
        let mut signals = Signals::listen().context(CANNOT_PLAY)?;
        let mut by_user = false;
        for (entry, outcome) in entries.iter().zip(0..) {
            // A signal that came between two entries.
            by_user |= signals.stop_requested().await;
            let stop = self.play_entry(entry, by_user, &mut signals).await?;
            by_user |= stop.as_ref().is_some_and(|stop| stop.by == Cause::User);
            let now = self.folder.outcome(entry).stopped(stop);
            (self.say)(&format!("{}: {}", entry.name, now.in_words()));
            outcomes[outcome] = now;
            (self.note)(&outcomes);
        }
        // After all entries: what is played tonight is known even if a search takes until morning.
        for (entry, outcome) in entries.iter().zip(0..) {
            by_user |= signals.stop_requested().await;
            let late = self.deadline.is_some_and(Deadline::has_passed);
            if !by_user && !late && self.is_searched(entry, &outcomes[outcome]) {
                let dir = self.folder.bisection(entry);
                let stop = self.search(entry, &dir, &mut signals).await?;
                by_user |= stop.as_ref().is_some_and(|stop| stop.by == Cause::User);
                let searched =
                    BisectFile::is_in(&dir).then(|| self.folder.searched(entry, &dir)).flatten();
                let bisect = searched.or_else(|| {
                    let words = format!("No bisection: {}.", stop?.why);
                    Some(EntryBisection { dir, over: false, words })
                });
                (self.say)(&format!(
                    "{}: {}",
                    entry.name,
                    bisect.as_ref().map_or("no bisection", |bisect| &bisect.words)
                ));
                outcomes[outcome].bisect = bisect;
                (self.note)(&outcomes);
            }
        }
        by_user |= signals.stop_requested().await;
        Ok(PlayedNight { entries: outcomes, by_user })
    }

    /// Whether the commit behind an entry's regression is to be searched, tonight's or an earlier
    /// night's.
    fn is_searched(&self, entry: &NightEntry, outcome: &EntryOutcome) -> bool {
        entry.bisect
            && match &outcome.bisect {
                Some(bisect) => !bisect.over,
                None => outcome.regression.is_some(),
            }
    }

    /// Begins a bisection or goes on with it. Returns why it stopped early, if it did.
    async fn search(
        &self,
        entry: &NightEntry,
        dir: &Path,
        signals: &mut Signals,
    ) -> Result<Option<Stop>, Error> {
        let plan = culprit::plan_path(self.folder.dir(), entry);
        let mut job = Job { log: self.folder.log_path(entry), words: Vec::new() };
        if BisectFile::is_in(dir) {
            job.words = ["resume".into(), dir.into(), "--quiet".into()].into();
        } else {
            let flags = match culprit::flags(entry, &self.folder.of(entry)) {
                Ok(flags) => flags,
                Err(why) => return Ok(Some(Stop { by: Cause::Error, why })),
            };
            write_plan(&plan, &flags)?;
            let words: [OsString; 5] =
                ["bisect".into(), "--plan".into(), plan.into(), "--out".into(), dir.into()];
            job.words = words.into();
        }
        job.words.extend_from_slice(self.words);
        (self.say)(&format!("{}: searching the commit, {}", entry.name, dir.display()));
        let since = log::length(&job.log);
        let (mut child, _own) = job.start()?;
        Ok(match self.until_the_end(&mut child, signals).await? {
            Ended::Early(stop) => Some(stop),
            Ended::Itself(status) if matches!(status.code(), Some(0..=2)) => None,
            Ended::Itself(_) => Some(Stop { by: Cause::Error, why: log::why(&job.log, since) }),
        })
    }

    /// Plays what is left of an entry. Returns why it stopped early, if it did.
    async fn play_entry(
        &self,
        entry: &NightEntry,
        by_user: bool,
        signals: &mut Signals,
    ) -> Result<Option<Stop>, Error> {
        if let Some(why) = other_flags_error(self.folder.dir(), entry) {
            return Ok(Some(Stop { by: Cause::Error, why }));
        }
        if self.folder.is_finished(entry) {
            return Ok(None);
        }
        let late = self.deadline.is_some_and(Deadline::has_passed);
        if by_user || late {
            let by = if by_user { Cause::User } else { Cause::Deadline };
            return Ok(Some(Stop { by, why: "not started".to_owned() }));
        }
        (self.say)(&format!("{}: {}", entry.name, self.folder.of(entry).display()));
        let log = self.folder.log_path(entry);
        let since = log::length(&log);
        Ok(match self.run(entry, signals).await? {
            Ended::Early(stop) => Some(stop),
            Ended::Itself(status) => match status.code() {
                Some(0..=2) if self.folder.is_finished(entry) => None,
                Some(3) => Some(Stop { by: Cause::Faults, why: log::why(&log, since) }),
                code => {
                    let code = code.map_or("a signal".to_owned(), |code| format!("code {code}"));
                    let why = format!("ended by {code}: {}", log::why(&log, since));
                    Some(Stop { by: Cause::Error, why })
                }
            },
        })
    }

    async fn run(&self, entry: &NightEntry, signals: &mut Signals) -> Result<Ended, Error> {
        let begun = Instant::now();
        while begun.elapsed() < LOCK_WAIT && self.folder.is_busy(entry) {
            sleep(LOCK_WAIT / 50).await;
        }
        let mut games = Follower::new(self.folder.of(entry), entry.word, self.quiet);
        let (mut child, _own) = self.start(entry)?;
        let ended = tokio::select! {
            ended = self.until_the_end(&mut child, signals) => ended,
            never = games.for_ever() => match never {},
        };
        games.look();
        ended
    }

    async fn until_the_end(
        &self,
        child: &mut Child,
        signals: &mut Signals,
    ) -> Result<Ended, Error> {
        let left = self.deadline.map_or(Duration::MAX, Deadline::left);
        let (by, grace) = tokio::select! {
            status = child.wait() => return status.map(Ended::Itself).context(CANNOT_PLAY),
            () = sleep(left) => (Cause::Deadline, GRACE),
            asked = signals.next() => (Cause::User, match asked {
                StopRequest::Interrupt => Duration::MAX,
                StopRequest::End => Duration::ZERO,
            }),
        };
        // SIGINT: the child finishes its running games. SIGTERM, below, ends them at once.
        Signal::Interrupt.send(child);
        if (by, grace) == (Cause::User, Duration::MAX) {
            (self.say)("finishing the running games; Ctrl-C again stops at once");
        }
        let (by, at_once) = tokio::select! {
            status = child.wait() => {
                status.context(CANNOT_PLAY)?;
                (by, false)
            }
            () = sleep(grace) => (by, true),
            _ = signals.next() => (Cause::User, true),
        };
        if at_once {
            Signal::Terminate.send(child);
            child.wait().await.context(CANNOT_PLAY)?;
        }
        let why = match at_once {
            true => "running games were interrupted",
            false => "running games were finished",
        };
        Ok(Ended::Early(Stop { by, why: why.to_owned() }))
    }

    /// Starts or resumes an entry in a process of its own; its output goes to its log.
    fn start(&self, entry: &NightEntry) -> Result<(Child, OwnChild), Error> {
        let dir = self.folder.of(entry);
        let mut words: Vec<OsString> = if is_begun(self.folder.dir(), entry) {
            ["resume".into(), dir.into()].into()
        } else {
            let plan = plan_path(self.folder.dir(), entry);
            write_plan(&plan, &entry.flags)?;
            let word = entry.word.to_string();
            [word.into(), "--plan".into(), plan.into(), "--out".into(), dir.into()].into()
        };
        words.extend_from_slice(self.words);
        Job { log: self.folder.log_path(entry), words }.start()
    }
}

fn write_plan(path: &Path, flags: &Map<String, Value>) -> Result<(), Error> {
    let text = serde_json::to_string_pretty(&Value::Object(flags.clone()));
    Ok(atomic::replace_by(path, text.unwrap_or_default() + "\n")?)
}

/// A process of ours.
struct Job {
    log: PathBuf,
    words: Vec<OsString>,
}

impl Job {
    /// Its output goes to its log.
    fn start(&self) -> Result<(Child, OwnChild), Error> {
        let log = open_itself(&self.log, OpenOptions::new().create(true).append(true));
        let log = log.context(self.log.display())?;
        let errors = log.try_clone().context(self.log.display())?;
        let program = std::env::current_exe().context(CANNOT_PLAY)?;
        let mut command = Command::new(program);
        command.args(&self.words).stdin(Stdio::null()).stdout(log).stderr(errors);
        // Its own group, so that a Ctrl-C comes to it through us alone.
        start_program(&mut command, Signal::Terminate).context(CANNOT_PLAY)
    }
}
