//! The audits of one run: which chunks two machines play, and what came out. Kept in `fleet.jsonl`.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use arena::collector::StrikeSender;
use arena::plan::Plan;
use arena::record::{
    FleetFacts, FleetLog, FleetNote, GAMES_FILE, GameRecord, Games, RecordError, RunFile,
};
use process::{Error, lock, random};
use wire::audit::{AuditChoice, Audits, Found, GameDigest, ToPlay};
use wire::chunk::{Chunk, Split};
use wire::ledger::Took;
use wire::message::Barred;
use wire::names::{Label, WorkerName};

use super::FleetSettings;

/// Of the chunks, unless it is said otherwise.
const SHARE: f64 = 0.02;

pub(super) struct RunAudits {
    began: Instant,
    audits: Mutex<Audits>,
    log: Mutex<FleetLog>,
    failed: Mutex<Option<RecordError>>,
    barred: Mutex<Vec<Barred>>,
    /// Pairs that were the same at two machines.
    audited: AtomicU64,
    /// Games.
    struck: AtomicU64,
}

impl RunAudits {
    /// `None` where nothing is played twice: a replay on a clock is another game.
    pub(super) fn open(
        dir: &Path,
        (plan, run): (&Plan, &RunFile),
        settings: &FleetSettings,
        split: Split,
    ) -> Result<Option<RunAudits>, Error> {
        let threads = run.base.threads().max(run.test.threads());
        let without = match plan.repeats_itself() {
            false => Some(("on a clock", "--nodes or --depth")),
            true if threads > 1 => Some(("by several threads", "one search thread a player")),
            true => None,
        };
        if let Some((how, instead)) = without {
            return match settings.audit {
                Some(share) if share > 0.0 => Err(Error::usage(format!(
                    "--fleet-audit: what is played again {how} is another game; expected {instead}, or \
                     --fleet-audit 0",
                ))),
                _ => Ok(None),
            };
        }
        let (facts, mut log) = (FleetFacts::read(dir)?, FleetLog::new(dir));
        let share = settings.audit.unwrap_or(SHARE);
        if share == 0.0 && facts == FleetFacts::default() {
            return Ok(None);
        }
        let key = match &facts.key {
            Some(key) => key.clone(),
            None => {
                let key = hex::encode([random::secret()?, random::secret()?].concat());
                log.note(&FleetNote::Choice { key: key.clone() })?;
                key
            }
        };
        let mut bytes = [0; 32];
        hex::decode_to_slice(&key, &mut bytes).map_err(|error| {
            Error::input_output(format!("{}: its key is none: {error}", dir.display()))
        })?;
        let choice = AuditChoice::new(share, bytes);
        let mut audits = Audits::new(choice, split, settings.name.clone());
        take_up(&mut audits, dir, &facts, &settings.name)?;
        let barred = facts.convicted.iter().filter_map(|(worker, why)| {
            Some(Barred { worker: worker.parse().ok()?, why: why.clone() })
        });
        Ok(Some(RunAudits {
            began: Instant::now(),
            barred: Mutex::new(barred.collect()),
            audits: Mutex::new(audits),
            log: Mutex::new(log),
            failed: Mutex::default(),
            audited: AtomicU64::new(facts.audited_pairs()),
            struck: AtomicU64::new(2 * facts.struck_pairs),
        }))
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }

    /// A game came in, before the collector has it. What could not be noted is told by
    /// [`RunAudits::failure`].
    pub(super) fn came(
        &self,
        game: &GameRecord,
        by: &WorkerName,
        took: Took,
        strikes: &StrikeSender,
    ) {
        let Some(digest) = GameDigest::of(game) else { return };
        let mut audits = lock(&self.audits);
        let opened = match took {
            Took::Copy => audits.copy(game.game, by, digest),
            Took::Fresh => audits.recorded(game.game, by, digest),
        };
        if let Some(Chunk { first, pairs, .. }) = opened {
            strikes.doubt_from(audits.doubted_from());
            self.note(&FleetNote::Due { first, pairs });
        }
    }

    fn note(&self, note: &FleetNote) {
        if let Err(error) = lock(&self.log).note(note) {
            lock(&self.failed).get_or_insert(error);
        }
    }

    /// What could not be written.
    pub(super) fn failure(&self) -> Option<RecordError> {
        lock(&self.failed).take()
    }

    pub(super) fn played_here(&self, pair: u64, games: [&GameRecord; 2]) {
        if let [Some(first), Some(second)] = games.map(GameDigest::of) {
            lock(&self.audits).played_here(pair, [first, second]);
        }
    }

    pub(super) fn next(&self, present: &BTreeSet<WorkerName>) -> Option<ToPlay> {
        lock(&self.audits).next(self.now(), present)
    }

    pub(super) fn next_round(&self, first: u64) -> Option<Chunk> {
        lock(&self.audits).next_round(first)
    }

    pub(super) fn put_back(&self, first: u64) {
        lock(&self.audits).put_back(first);
    }

    /// What a worker is to play of an audit; `None`: the chunk is none.
    pub(super) fn need(&self, chunk: Chunk, worker: &WorkerName) -> Option<Vec<u64>> {
        lock(&self.audits).need(chunk, worker, self.now())
    }

    /// What is to be told or done next. What only ends an audit is noted here: as long as nobody else can
    /// open it again.
    pub(super) fn found(&self, strikes: &StrikeSender) -> Option<Found> {
        let mut audits = lock(&self.audits);
        loop {
            match audits.found() {
                Some(Found::Clean(Chunk { first, pairs, .. })) => {
                    self.audited.fetch_add(pairs.into(), Ordering::Relaxed);
                    self.note(&FleetNote::Clean { first, pairs });
                }
                Some(Found::Closed(Chunk { first, .. })) => self.note(&FleetNote::Closed { first }),
                found => return found,
            }
            audits.told();
            strikes.doubt_from(audits.doubted_from());
        }
    }

    /// Nothing is compared any more.
    pub(super) fn lapse(&self, why: String) {
        lock(&self.audits).lapse_because(why);
    }

    /// What is missing of a chunk will not be played.
    pub(super) fn give_up(&self, first: u64) {
        lock(&self.audits).give_up(first);
    }

    /// The pairs of a convicted invitation that are to be struck.
    pub(super) fn suspect(&self, invitation: &Label) -> Vec<u64> {
        lock(&self.audits).suspect(invitation)
    }

    pub(super) fn note_lapse(&self, why: &str) {
        self.note(&FleetNote::Lapsed { why: why.to_owned() });
    }

    pub(super) fn note_conviction(&self, worker: &WorkerName, why: &str, pairs: u64) {
        let (name, why) = (worker.to_string(), why.to_owned());
        self.note(&FleetNote::Convicted { worker: name, why: why.clone(), pairs });
        let mut barred = lock(&self.barred);
        if !barred.iter().any(|it| it.worker.name == worker.name) {
            barred.push(Barred { worker: worker.clone(), why });
        }
        drop(barred);
        self.struck.fetch_add(2 * pairs, Ordering::Relaxed);
    }

    pub(super) fn strike(&self, pairs: &[u64]) {
        lock(&self.audits).strike(pairs);
    }

    /// What was found is dealt with.
    pub(super) fn told(&self, strikes: &StrikeSender) {
        let mut audits = lock(&self.audits);
        audits.told();
        strikes.doubt_from(audits.doubted_from());
    }

    /// Whether its invitation is barred.
    pub(super) fn is_convicted(&self, worker: &WorkerName) -> bool {
        lock(&self.audits).is_convicted(worker)
    }

    /// Whose invitations get nothing any more.
    pub(super) fn barred(&self) -> Vec<Barred> {
        lock(&self.barred).clone()
    }

    pub(super) fn doubted_from(&self) -> Option<u64> {
        lock(&self.audits).doubted_from()
    }

    pub(super) fn is_settled(&self) -> bool {
        lock(&self.audits).is_settled()
    }

    /// Pairs that were compared, and struck games.
    pub(super) fn counts(&self) -> (u64, u64) {
        (self.audited.load(Ordering::Relaxed), self.struck.load(Ordering::Relaxed))
    }
}

/// What earlier sessions have recorded and found.
fn take_up(
    audits: &mut Audits,
    dir: &Path,
    facts: &FleetFacts,
    own: &WorkerName,
) -> Result<(), Error> {
    if dir.join(GAMES_FILE).exists() {
        for game in Games::open(dir)? {
            let game = game?;
            // A game without a name was played by a coordinator.
            let by = game.time.worker.as_ref().and_then(|worker| worker.parse().ok());
            if let Some(digest) = GameDigest::of(&game) {
                audits.recorded(game.game, by.as_ref().unwrap_or(own), digest);
            }
        }
    }
    facts.due.iter().for_each(|(first, pairs)| audits.was_due(*first, *pairs));
    facts.clean.iter().for_each(|(first, pairs)| audits.was_clean(*first, *pairs));
    facts.convicted.keys().filter_map(|it| it.parse().ok()).for_each(|it| audits.was_convicted(it));
    if facts.lapsed.is_some() {
        audits.lapse();
    }
    Ok(())
}
