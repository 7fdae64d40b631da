//! The games of a run: an iteration's pairs played and journaled, or taken from the journal.

use std::{collections::HashMap, ops::Range, path::Path, sync::Arc};

use engine::{HashSize, Params};
use tokio::sync::mpsc;

use crate::{
    collector::{CollectError, SYNC_EVERY},
    plan::Plan,
    player::{embedded::Embedded, seat::Source},
    record::{Durability, GameRecord, Journal, RUN_FILE, RunFile, Side},
    runner::{Contest, Entry, Finished, Runner, Stops, Width},
    schedule::{Pairing, Schedule},
    session::{Resources, SessionError},
};

/// Finished games on their way to the journal.
const CHANNEL: usize = 64;
/// Faults of this engine are defects of this engine: so many, and the run stops.
const MOST_FAULTS: u64 = 20;

/// Where the games of a run are played.
pub(super) struct Table {
    contest: Arc<Contest>,
    width: Width,
    hash: HashSize,
    schedule: Schedule,
    journal: Journal,
    /// Half points of the test player in each recorded game.
    recorded: HashMap<u64, u8>,
    faults: u64,
    fault: Option<String>,
}

impl Table {
    /// The games of a run in `dir`, which is begun or gone on with; `plan` is a match of the base
    /// against itself.
    pub(super) fn open(
        dir: &Path,
        plan: &Plan,
        resources: &mut Resources,
        stops: Stops,
    ) -> Result<Table, SessionError> {
        let (run, contest) = resources.ready(plan, stops)?;
        let mut recorded = HashMap::new();
        let durability = Durability::Every(SYNC_EVERY);
        let journal = if dir.join(RUN_FILE).exists() {
            RunFile::read(dir)?.same_run(&run).map_err(|difference| SessionError::Different {
                dir: dir.to_owned(),
                difference,
            })?;
            let on_game = |game: GameRecord| {
                recorded.insert(game.game, game.test_half_points());
            };
            Journal::open_for_resume(dir, durability, on_game)?.0
        } else {
            let journal = Journal::create(dir, durability)?;
            run.write(dir)?;
            journal
        };
        let order = plan.openings.order(plan.seed);
        let schedule = Schedule::new(&contest.book, order, plan.openings.offset, plan.pairs);
        let hash = usize::try_from(plan.embedded_hash(Side::Base).0).unwrap_or(usize::MAX);
        Ok(Table {
            contest,
            width: plan.width(),
            hash: HashSize::from_bytes(hash),
            schedule,
            journal,
            recorded,
            faults: 0,
            fault: None,
        })
    }

    /// Why the run must stop, if it must.
    pub(super) fn fault(&self) -> Option<&str> {
        self.fault.as_deref().filter(|_| self.faults >= MOST_FAULTS)
    }

    /// The half points of `plus` in each of these pairs, which come next in the schedule; `None` when
    /// it was stopped before all were played.
    pub(super) async fn play(
        &mut self,
        pairs: Range<u64>,
        plus: Params,
        minus: Params,
    ) -> Result<Option<Vec<u8>>, SessionError> {
        let count = 2 * (pairs.end - pairs.start) as usize;
        let pairings: Vec<Pairing> = self.schedule.by_ref().take(count).collect();
        let missing = pairings.iter().filter(|pairing| !self.recorded.contains_key(&pairing.game));
        let missing: Vec<Pairing> = missing.copied().collect();
        if !missing.is_empty() {
            self.play_missing(missing, [minus, plus]).await?;
        }
        let points = pairings.chunks(2).map(|pair| {
            let each = pair.iter().map(|pairing| self.recorded.get(&pairing.game).copied());
            each.sum::<Option<u8>>()
        });
        Ok(points.collect())
    }

    /// Syncs the journal and lets it go.
    pub(super) fn close(self) -> Result<(), SessionError> {
        Ok(self.journal.close()?)
    }

    async fn play_missing(
        &mut self,
        pairings: Vec<Pairing>,
        players: [Params; 2],
    ) -> Result<(), SessionError> {
        let source = |params| Arc::new(Source::Embedded(Embedded::new(params, self.hash)));
        let [base, test] = players.map(source);
        let Contest { book, rules, stops, .. } = &*self.contest;
        let contest = Arc::new(Contest {
            book: Arc::clone(book),
            rules: rules.clone(),
            base: Arc::clone(&base),
            test: Arc::clone(&test),
            stops: stops.clone(),
        });
        let (sender, receiver) = mpsc::channel(CHANNEL);
        let (width, stops) = (self.width, stops.clone());
        let runner = Runner { width, stops: stops.clone(), sources: vec![base, test], meter: None };
        let games = Entry::all(contest, pairings.into_iter(), sender);
        let (ran, collected) = tokio::join!(runner.run(games), self.collect(receiver, &stops));
        // The journal's error comes first: it stopped the run.
        collected?;
        Ok(ran?)
    }

    async fn collect(
        &mut self,
        mut finished: mpsc::Receiver<Finished>,
        stops: &Stops,
    ) -> Result<(), CollectError> {
        let mut halves: HashMap<u64, GameRecord> = HashMap::new();
        let mut failed = None;
        while let Some(Finished { record, .. }) = finished.recv().await {
            if failed.is_some() {
                // The games in flight must find a receiver until they have stopped.
                continue;
            }
            let (game, pair) = (record.game, record.pair);
            if record.termination.is_fault() {
                self.faults += 1;
                self.fault = record.detail.clone().or(Some(format!("game {game}")));
            }
            self.recorded.insert(game, record.test_half_points());
            let written = match halves.remove(&pair) {
                Some(other) if other.game < game => self.journal.append_pair(&[other, record]),
                Some(other) => self.journal.append_pair(&[record, other]),
                None if self.recorded.contains_key(&(game ^ 1)) => self.journal.append(&record),
                None => {
                    halves.insert(pair, record);
                    Ok(())
                }
            };
            if let Err(error) = written {
                stops.stop_now();
                failed = Some(error);
            }
        }
        let mut unpaired: Vec<GameRecord> = halves.into_values().collect();
        unpaired.sort_by_key(|record| record.game);
        if failed.is_none() {
            failed = unpaired.iter().find_map(|record| self.journal.append(record).err());
        }
        failed.map_or(Ok(()), |error| Err(error.into()))
    }
}
