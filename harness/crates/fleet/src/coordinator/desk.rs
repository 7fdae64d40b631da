//! State of one run that handing out and gathering share: the ledger, and the channel to the
//! collector.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arena::collector::StrikeSender;
use arena::hands::Work;
use arena::plan::Plan;
use arena::record::{FleetLog, FleetNote, GameRecord, RunFile};
use arena::runner::{Contest, Finished, QueuedGame, Stops};
use arena::schedule::Schedule;
use process::terminal::shell_path;
use process::{Error, lock};
use tokio::sync::{mpsc, watch};
use wire::chunk::{Chunk, Split, expected_pair_time, pairs_per_chunk};
use wire::ledger::{Ledger, Took};
use wire::message::{BARRED, BEAT_EVERY, Barred};
use wire::names::{RunId, WorkerName};
use wire::poison::Poison;

use super::FleetSettings;
use super::asking::Asking;
use super::doubts::Doubts;
use super::roster::Roster;
use super::run_audits::RunAudits;

/// Signals every change: a chunk may be free, or the run may be over.
#[derive(Debug, Clone)]
pub(super) struct Changes(watch::Sender<u64>);

impl Changes {
    pub(super) fn new() -> Changes {
        Changes(watch::Sender::new(0))
    }

    pub(super) fn tell(&self) {
        self.0.send_modify(|count| *count = count.wrapping_add(1));
    }

    pub(super) fn hear(&self) -> watch::Receiver<u64> {
        self.0.subscribe()
    }
}

pub(super) struct Desk {
    pub(super) id: RunId,
    pub(super) plan: Plan,
    pub(super) run: RunFile,
    pub(super) contest: Arc<Contest>,
    pub(super) name: String,
    pub(super) dir: PathBuf,
    /// Of a tuner.
    pub(super) asking: Option<Asking>,
    schedule: Schedule,
    ledger: Mutex<Ledger>,
    began: Instant,
    finished: mpsc::Sender<Finished>,
    changes: Changes,
    /// Of the whole session; the run's own stops are a part of them.
    session: Stops,
    /// `--fleet AT`, as it is typed after a command.
    flags: String,
    pub(super) counts: Counts,
    doubts: Mutex<Doubts>,
    /// Of games that two machines play; `None`: of none.
    pub(super) audits: Option<RunAudits>,
    pub(super) present: Mutex<BTreeMap<WorkerName, Present>>,
    /// Held while a game is on its way to the collector: games are struck in between.
    pub(super) passing: tokio::sync::Mutex<()>,
    pub(super) strikes: StrikeSender,
    poison: Mutex<Poison>,
    pub(super) roster: Mutex<Roster>,
    log: Mutex<FleetLog>,
}

/// A worker that was not heard of for so long has missed a beat.
const ABSENT: Duration = BEAT_EVERY.saturating_add(Duration::from_secs(5));

/// More than any machine has, whatever it says.
const MOST_SLOTS: u32 = 256;

/// A worker that plays the run.
#[derive(Debug, Clone, Copy)]
pub(super) struct Present {
    pub(super) slots: u32,
    pub(super) heard: Instant,
    /// The number of its last beat.
    pub(super) beats: u64,
}

/// Counts of what came in and was not recorded.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// In messages.
    pub(super) refused: AtomicU64,
    /// In games.
    pub(super) duplicates: AtomicU64,
}

impl Desk {
    pub(super) fn open(
        (work, asking): (Work, Option<Asking>),
        settings: &FleetSettings,
        slots: usize,
        changes: Changes,
        session: Stops,
    ) -> Result<Desk, Error> {
        let schedule = work.schedule();
        let Work { dir, plan, run, contest, recorded, finished, strikes } = work;
        let wanted = settings.chunk.and_then(NonZeroU32::new);
        let chunk = match asking {
            // Each pair has values of its own.
            Some(_) => NonZeroU32::MIN,
            None => wanted.unwrap_or_else(|| pairs_per_chunk(&plan)),
        };
        let split = Split::new(plan.pairs, chunk);
        let mut ledger = Ledger::new(split, &recorded);
        ledger.window(slots);
        ledger.expect(expected_pair_time(&plan));
        if slots > 0 {
            // Until workers are heard of.
            ledger.queue(0);
        }
        let name = dir.file_name().unwrap_or(dir.as_os_str()).to_string_lossy().into_owned();
        let (id, ledger) = (RunId::of(&run), Mutex::new(ledger));
        let began = Instant::now();
        let counts = Counts::default();
        let doubts = Mutex::new(Doubts::new(plan.repeats_itself()));
        // A tuner's pairs are not kept as games that could be struck.
        let audits = match asking {
            Some(_) => None,
            None => RunAudits::open(&dir, (&plan, &run), settings, split)?,
        };
        let (roster, log) = (Mutex::new(Roster::open(&dir)), Mutex::new(FleetLog::new(&dir)));
        strikes.doubt_from(audits.as_ref().and_then(RunAudits::doubted_from));
        let desk = Desk {
            id,
            plan,
            run,
            contest,
            name,
            dir,
            asking,
            schedule,
            ledger,
            began,
            finished,
            changes,
            session,
            flags: settings.flags.clone(),
            counts,
            doubts,
            audits,
            present: Mutex::default(),
            passing: tokio::sync::Mutex::default(),
            strikes,
            poison: Mutex::default(),
            roster,
            log,
        };
        desk.limit();
        Ok(desk)
    }

    /// Calls `what` with the ledger and the time since the run was opened.
    pub(super) fn ledger<R>(&self, what: impl FnOnce(&mut Ledger, Duration) -> R) -> R {
        what(&mut lock(&self.ledger), self.began.elapsed())
    }

    pub(super) fn changes(&self) -> &Changes {
        &self.changes
    }

    /// Whether nothing is left to hand out: all is recorded, or the run was stopped.
    pub(super) fn is_over(&self) -> bool {
        self.contest.stops.no_new_games() || self.is_done()
    }

    /// Whether all that may be played is recorded, and will not be struck any more.
    fn is_done(&self) -> bool {
        // In this order: what is settled by a strike is missing before.
        let is_settled = self.audits.as_ref().is_none_or(RunAudits::is_settled);
        is_settled && self.ledger(|ledger, _| ledger.is_exhausted())
    }

    /// A worker is gone that had these chunks, and played the first of them on its slots. Returns what
    /// there is to tell.
    pub(super) fn died(&self, worker: &WorkerName, chunks: &[Chunk], slots: u32) -> Vec<String> {
        let mut told = Vec::new();
        let present: Vec<WorkerName> = lock(&self.present).keys().cloned().collect();
        for chunk in chunks.iter().take(slots.min(MOST_SLOTS) as usize) {
            if lock(&self.poison).died(chunk.first, worker, present.iter()) {
                self.ledger(|ledger, _| ledger.poison(chunk.first));
                if let Some(audits) = &self.audits {
                    audits.give_up(chunk.first);
                }
                told.push(format!(
                    "{}: {}; they are given to nobody any more, and the others are played",
                    self.name,
                    self.deaths(*chunk)
                ));
            }
        }
        told
    }

    /// At the end of the run: who was not heard of has left, though it is not given up yet.
    pub(super) fn note_absent(&self) {
        let mut roster = lock(&self.roster);
        let present = lock(&self.present);
        let absent = present.iter().filter(|(_, it)| it.heard.elapsed() > ABSENT);
        absent.for_each(|(worker, _)| roster.left(worker));
    }

    fn deaths(&self, chunk: Chunk) -> String {
        let workers = lock(&self.poison).deaths(chunk.first).to_vec();
        let names: Vec<String> = workers.iter().map(WorkerName::to_string).collect();
        format!(
            "{} workers were lost while they played pairs {} to {} ({})",
            names.len(),
            chunk.first,
            chunk.range().end.saturating_sub(1),
            names.join(", ")
        )
    }

    /// What of a run that has ended nobody was given, in words.
    pub(super) fn unplayed(&self) -> Option<String> {
        let chunks = self.ledger(|ledger, _| ledger.poisoned().collect::<Vec<Chunk>>());
        if chunks.is_empty() || self.contest.stops.no_new_games() {
            return None;
        }
        let deaths: Vec<String> = chunks.iter().map(|chunk| self.deaths(*chunk)).collect();
        let dir = shell_path(&self.dir);
        Some(format!(
            "{}: not all pairs were played: {}; an engine may take machines down by its memory or its \
             processes. Everything else is recorded; to play what is missing on this machine: verdict \
             resume {dir}; on all: verdict resume {dir}{}",
            self.name,
            deaths.join("; "),
            self.flags
        ))
    }

    /// Whether no more results are expected. After one Ctrl-C workers still finish their games.
    pub(super) fn has_all(&self) -> bool {
        let stops = &self.contest.stops;
        let is_drained = || stops.no_new_games() && !self.ledger(|ledger, _| ledger.is_held());
        stops.now() || self.is_done() || is_drained()
    }

    /// Whether nothing more will be played, even by a resumed run: all is recorded, or the rule has
    /// decided.
    pub(super) fn is_decided(&self) -> bool {
        let is_ended = self.contest.stops.now() && !self.session.no_new_games();
        is_ended || self.ledger(|ledger, _| ledger.is_done())
    }

    /// Whether a worker's invitation gets nothing of it any more.
    pub(super) fn is_barred(&self, worker: &WorkerName) -> bool {
        self.audits.as_ref().is_some_and(|audits| audits.is_convicted(worker))
    }

    /// Nothing is played twice: why, in words.
    pub(super) fn end_audits(&self, why: String) {
        if let Some(audits) = self.audits.as_ref().filter(|_| !self.session.no_new_games()) {
            audits.lapse(why);
        }
    }

    /// Whose invitations get nothing of it any more, the last ones.
    pub(super) fn barred(&self) -> Vec<Barred> {
        let mut barred = self.audits.as_ref().map(RunAudits::barred).unwrap_or_default();
        let beyond = barred.len().saturating_sub(BARRED);
        barred.drain(..beyond);
        barred
    }

    /// The pairs among a worker's games that need a second worker. They are handed out again.
    pub(super) fn doubted<'a>(
        &self,
        games: impl Iterator<Item = &'a GameRecord>,
        worker: &WorkerName,
    ) -> BTreeSet<u64> {
        let mut doubts = lock(&self.doubts);
        let twice = games.filter(|game| doubts.must_be_seen_twice(game)).map(|game| game.pair);
        let mut pairs: BTreeSet<u64> = twice.collect();
        self.ledger(|ledger, _| pairs.retain(|pair| ledger.is_missing(*pair)));
        pairs.retain(|pair| !doubts.is_believed(*pair, worker));
        drop(doubts);
        if !pairs.is_empty() {
            let redrawn = self.ledger(|ledger, _| {
                let before = ledger.redrawn();
                pairs.iter().for_each(|pair| ledger.returned(*pair));
                ledger.redrawn() - before
            });
            self.note_redrawn(redrawn);
            self.changes.tell();
        }
        pairs
    }

    /// At node and depth limits they are the same games.
    fn note_redrawn(&self, pairs: u64) {
        if pairs > 0 && !self.plan.repeats_itself() {
            // A count that cannot be written is less than a game.
            let _ = lock(&self.log).note(&FleetNote::Redrawn { pairs });
        }
    }

    /// Passes a game on that is in order. Copies are dropped. The caller tells of the change.
    pub(super) async fn record(&self, game: Finished, by: &WorkerName) -> Took {
        let _passing = self.passing.lock().await;
        if self.is_barred(by) {
            // It was convicted while its games were checked.
            return Took::Copy;
        }
        let (took, redrawn) = self.ledger(|ledger, _| {
            let before = ledger.redrawn();
            let took = ledger.recorded(game.record.game, by);
            (took, ledger.redrawn() - before)
        });
        self.note_redrawn(redrawn);
        if let Some(audits) = &self.audits {
            audits.came(&game.record, by, took, &self.strikes);
        }
        if took == Took::Fresh {
            lock(&self.roster).recorded(by, &game.record);
            // A collector that has gone has stopped the run.
            let _ = self.finished.send(game).await;
        } else {
            self.counts.duplicates.fetch_add(1, Ordering::Relaxed);
        }
        took
    }

    /// The missing games of a chunk, for this machine's slots.
    pub(super) fn games(&self, chunk: Chunk, to: &mpsc::Sender<Finished>) -> VecDeque<QueuedGame> {
        let missing = self.ledger(|ledger, _| ledger.missing(chunk));
        self.games_of(&missing, to)
    }

    /// The games of some pairs, for the slots of this machine.
    pub(super) fn games_of(
        &self,
        pairs: &[u64],
        to: &mpsc::Sender<Finished>,
    ) -> VecDeque<QueuedGame> {
        let mut schedule = self.schedule.clone();
        // A tuner asks for one pair at once.
        let asked = self.asking.as_ref().zip(pairs.first());
        let contest = asked.and_then(|(asking, pair)| asking.contest(*pair));
        let contest = contest.unwrap_or_else(|| Arc::clone(&self.contest));
        let numbers = pairs.iter().flat_map(|pair| [2 * pair, 2 * pair + 1]);
        let scheduled = numbers.filter_map(|game| schedule.game(game));
        let queue = scheduled.map(|scheduled| QueuedGame {
            contest: Arc::clone(&contest),
            scheduled,
            place: scheduled.game,
            finished: to.clone(),
        });
        queue.collect()
    }
}

#[cfg(test)]
mod tests;
