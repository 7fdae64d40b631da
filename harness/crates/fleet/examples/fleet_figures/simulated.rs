//! A run that simulated workers play, from its first chunk to its end.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena::record::RunFile;
use process::Error;
use process::cpu_time::Used;
use tokio::task::JoinSet;
use wire::names::RunId;

use super::member::Member;
use super::place::{Place, Running};
use super::player::{Course, Log, play};
use super::recorded::Recorded;

const PATIENCE: Duration = Duration::from_secs(300);
/// A coordinator without workers is idle after this time.
const SETTLED: Duration = Duration::from_secs(2);
/// The journal is complete if it has not grown for this long.
const QUIET: Duration = Duration::from_millis(300);
const LOOK_EVERY: Duration = Duration::from_millis(1);

/// What all runs have in common.
#[derive(Clone)]
pub(crate) struct Stage {
    pub(crate) verdict: PathBuf,
    pub(crate) book: PathBuf,
    /// Flags of the match; those of the recorded games.
    pub(crate) flags: &'static str,
    pub(crate) recorded: Arc<Recorded>,
}

/// A run of simulated workers.
pub(crate) struct Trip {
    pub(crate) workers: usize,
    pub(crate) pairs: u64,
    /// Pairs of a chunk; `None`: the default.
    pub(crate) chunk: Option<u32>,
    pub(crate) pair: Duration,
    pub(crate) alone: bool,
    /// Whether chunks are played twice, 2 % of them.
    pub(crate) has_audits: bool,
}

/// What came of it.
pub(crate) struct Outcome {
    pub(crate) logs: Vec<Log>,
    /// First chunk taken, and last game in the journal.
    pub(crate) began: Instant,
    pub(crate) ended: Instant,
    /// The coordinator: idle, when all was in the journal, at its end.
    pub(crate) used: [Used; 3],
}

impl Stage {
    pub(crate) async fn play(&self, course: &Trip) -> Result<Outcome, Error> {
        let place = Place::start(&self.verdict)?;
        let tokens = [place.invite_token("ann")?, place.invite_token("bob")?];
        let mut members = Vec::new();
        for number in 0..course.workers {
            members.push(Member::join(&tokens[number % 2], &format!("sim{number}")).await?);
        }
        let Trip { pairs, chunk, pair, alone, has_audits, .. } = *course;
        let chunk = chunk.map(|chunk| format!(" --chunk {chunk}")).unwrap_or_default();
        let audits = if has_audits { "" } else { " --fleet-audit 0" };
        let words = format!("--pairs {pairs}{chunk}{audits}");
        let mut coordinator = self.begin(&place, &words, "run")?;
        let dir = place.path("run");
        let run = run_of(&dir, &mut coordinator)?;
        tokio::time::sleep(SETTLED).await;
        let idle = coordinator.used().unwrap_or_default();
        let recorded = Arc::clone(&self.recorded);
        let course = Course { run, recorded, pair, alone };
        let mut playing = JoinSet::new();
        for member in members {
            let course = course.clone();
            playing.spawn(async move { play(&member, &course).await });
        }
        let (mut logs, mut known) = (Vec::new(), None);
        while let Some(played) = playing.join_next().await {
            let (at, log) = played.map_err(Error::fault)??;
            logs.push(log);
            known.get_or_insert(at);
        }
        let known = known.ok_or_else(|| Error::fault("no worker has played"))?;
        let (grown, busy) = complete(&dir.join("games.jsonl"), &coordinator, idle)?;
        let ended = grown.max(known);
        let (_, whole) = coordinator.wait(PATIENCE)?;
        check(&dir, pairs)?;
        let taken = logs.iter().flat_map(|log| log.taken.first()).min().copied();
        let began = taken.ok_or_else(|| Error::fault("no chunk was taken"))?;
        Ok(Outcome { logs, began, ended, used: [idle, busy, whole.max(busy)] })
    }

    /// Begins a match of the fleet; its games are those of `recorded`, unless words say otherwise.
    pub(crate) fn begin(&self, place: &Place, words: &str, out: &str) -> Result<Running, Error> {
        let words = format!("{} {words} --fleet srv --slots 0 --out {out}", self.words(self.flags));
        place.begin(&format!("{out}.log"), &words)
    }

    /// A match of the book with these flags.
    pub(crate) fn words(&self, flags: &str) -> String {
        format!("match --book {} --order sequential {flags} --quiet", self.book.display())
    }
}

/// The run in a folder, as soon as it is there.
pub(crate) fn run_of(dir: &Path, coordinator: &mut Running) -> Result<RunId, Error> {
    let until = Instant::now() + PATIENCE;
    loop {
        if let Ok(file) = RunFile::read(dir) {
            return Ok(RunId::of(&file));
        }
        if coordinator.ended()?.is_some() || Instant::now() > until {
            return Err(Error::fault("the match has not begun"));
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Waits until the journal does not grow any more; when it last did, and what the coordinator had used
/// then.
fn complete(journal: &Path, coordinator: &Running, idle: Used) -> Result<(Instant, Used), Error> {
    let (mut bytes, mut grown, mut used) = (0, Instant::now(), idle);
    loop {
        let now = fs::metadata(journal).map_err(Error::io(journal, "read"))?.len();
        if now != bytes {
            (bytes, grown) = (now, Instant::now());
            used = coordinator.used().unwrap_or(used);
        } else if grown.elapsed() > QUIET {
            return Ok((grown, used));
        }
        std::thread::sleep(LOOK_EVERY);
    }
}

/// Every game must be recorded, or the figures are of something else.
fn check(dir: &Path, pairs: u64) -> Result<(), Error> {
    let journal = dir.join("games.jsonl");
    let bytes = fs::read(&journal).map_err(Error::io(&journal, "read"))?;
    let games = bytes.iter().filter(|byte| **byte == b'\n').count() as u64;
    match games == 2 * pairs {
        true => Ok(()),
        false => Err(Error::fault(format!("expected {} games, found {games}", 2 * pairs))),
    }
}
