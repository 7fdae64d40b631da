//! The games of a tuner: pairs played and journaled on request, or taken from the journal.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Arc;

use engine::{HashSize, Params};
use tokio::sync::mpsc;

use crate::tune::points::Points;
use arena::collector::Incoming;
use arena::plan::Plan;
use arena::player::program::GameOptions;
use arena::pool::PlayerPool;
use arena::record::{Charged, GameRecord, Journal, RUN_FILE, RecordError, RunFile, Side};
use arena::runner::{Contest, Finished, QueuedGame, Runner, Stops, Width};
use arena::schedule::{Schedule, ScheduledGame};
use arena::session::{Resources, SessionError, open_verified};

/// Finished games on their way to the journal.
const CHANNEL: usize = 64;
/// Faults of this engine are defects of it: the run stops after so many.
const MOST_FAULTS: u64 = 20;

/// A player of a game, as far as it differs from the base.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Setting {
    Embedded(Arc<Params>),
    Program(GameOptions),
}

/// The player whose points are counted, and its opponent.
pub(super) type Duel = [Setting; 2];

pub(super) struct TuningGames {
    contest: Arc<Contest>,
    width: Width,
    hash: HashSize,
    schedule: Schedule,
    journal: Journal,
    recorded: Points,
    faults: u64,
    fault: Option<String>,
}

impl TuningGames {
    /// Begins or resumes a run in `dir`; `plan` is a match of the base against itself, `file` the
    /// run's description. With `changed_files` it is resumed though files have changed that options
    /// name.
    pub(super) fn open(
        dir: &Path,
        (file, changed_files): (&str, bool),
        plan: &Plan,
        resources: &mut Resources,
        stops: Stops,
    ) -> Result<TuningGames, SessionError> {
        let (mut run, contest) = resources.ready(plan, stops)?;
        let mut recorded = Points::default();
        let journal = if dir.join(RUN_FILE).exists() {
            let begun = RunFile::read(dir)?;
            if changed_files {
                run.overlook_changes(&begun);
            }
            begun.same_run(&run).map_err(|difference| SessionError::Different {
                dir: dir.to_owned(),
                difference,
            })?;
            open_verified(dir, &begun, |game| {
                recorded.add(game);
                Ok(())
            })?
        } else {
            let journal = Journal::create(dir)?;
            RunFile { games_of: Some(file.to_owned()), ..run }.write(dir)?;
            journal
        };
        let order = plan.openings.order(plan.seed);
        let schedule = Schedule::new(&contest.book, order, plan.openings.offset, plan.pairs);
        let hash = usize::try_from(plan.embedded_hash(Side::Base).0).unwrap_or(usize::MAX);
        Ok(TuningGames {
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

    /// Why the run must stop.
    pub(super) fn fault(&self) -> Option<String> {
        let last = self.fault.as_ref().filter(|_| self.faults >= MOST_FAULTS)?;
        Some(format!("{} games ended by a fault of an engine; the last: {last}", self.faults))
    }

    /// Half points of each duel's first player in its pair of games; pairs follow in the schedule.
    /// `None` when stopped before all were played. `trouble` hears of what goes wrong without
    /// stopping the run.
    pub(super) async fn play(
        &mut self,
        duels: &[Duel],
        trouble: &dyn Fn(&str),
    ) -> Result<Option<Vec<u8>>, SessionError> {
        let scheduled_games: Vec<ScheduledGame> =
            self.schedule.by_ref().take(2 * duels.len()).collect();
        let each = scheduled_games.iter().zip(duels.iter().flat_map(|duel| [duel, duel]));
        let missing = each.filter(|(scheduled, _)| !self.recorded.has(scheduled.game));
        let missing: Vec<(ScheduledGame, Duel)> =
            missing.map(|(scheduled, duel)| (*scheduled, duel.clone())).collect();
        if !missing.is_empty() {
            self.play_missing(missing, trouble).await?;
        }
        let points = scheduled_games.chunks(2).map(|pair| self.recorded.of_pair(pair[0].pair()));
        Ok(points.collect())
    }

    /// Ends the programs; syncs and closes the journal.
    pub(super) fn close(self) -> Result<(), SessionError> {
        self.contest.base.close();
        self.contest.test.close();
        Ok(self.journal.close()?)
    }

    async fn play_missing(
        &mut self,
        games: Vec<(ScheduledGame, Duel)>,
        trouble: &dyn Fn(&str),
    ) -> Result<(), SessionError> {
        let Contest { book, rules, stops, .. } = &*self.contest;
        let (width, stops) = (self.width.clone(), stops.clone());
        let mut players = Players { of_hash: self.hash, contest: &self.contest, known: Vec::new() };
        let (sender, receiver) = mpsc::channel(CHANNEL);
        let mut entries = Vec::with_capacity(games.len());
        for (scheduled, [test, base]) in games {
            let (book, rules, stops) = (Arc::clone(book), rules.clone(), stops.clone());
            let (test, base) = (players.of(Side::Test, test), players.of(Side::Base, base));
            let contest = Arc::new(Contest { book, rules, base, test, stops, live: None });
            let (place, finished) = (scheduled.game, sender.clone());
            entries.push(QueuedGame { contest, scheduled, place, finished });
        }
        drop(sender);
        let pools = players.known.into_iter().map(|(.., pool)| pool).collect();
        // Programs play on in the next batch.
        let runner =
            Runner { width, stops: stops.clone(), pools, keeps_players: true, meter: None };
        let (ran, collected) =
            tokio::join!(runner.run(entries.into_iter()), self.collect(receiver, &stops, trouble));
        // The journal's error comes first: it stopped the run.
        collected?;
        Ok(ran?)
    }

    async fn collect(
        &mut self,
        finished: mpsc::Receiver<Finished>,
        stops: &Stops,
        trouble: &dyn Fn(&str),
    ) -> Result<(), RecordError> {
        let mut waiting: HashMap<u64, GameRecord> = HashMap::new();
        let mut incoming = Incoming::new(finished);
        let failed = loop {
            let game = match incoming.next(&mut self.journal).await {
                Ok(None) => break None,
                Ok(Some(game)) => game,
                Err(error) => break Some(error),
            };
            game.troubles().iter().for_each(|what| trouble(what));
            let record = game.record;
            let (game, pair) = (record.game, record.pair);
            if matches!(record.charged(), Some(Charged::Player(_))) {
                self.faults += 1;
                self.fault = record.detail.clone().or(Some(format!("game {game}")));
            }
            self.recorded.add(&record);
            let written = match waiting.remove(&pair) {
                Some(other) if other.game < game => self.journal.append(&[&other, &record]),
                Some(other) => self.journal.append(&[&record, &other]),
                None if self.recorded.has(game ^ 1) => self.journal.append(&[&record]),
                None => {
                    waiting.insert(pair, record);
                    Ok(())
                }
            };
            if let Err(error) = written {
                break Some(error);
            }
        };
        if let Some(error) = failed {
            stops.stop_now();
            incoming.drain().await;
            return Err(error);
        }
        let mut unpaired: Vec<GameRecord> = waiting.into_values().collect();
        unpaired.sort_by_key(|record| record.game);
        unpaired.iter().try_for_each(|record| self.journal.append(&[record]))
    }
}

/// One player for each setting, however many games it has.
struct Players<'a> {
    of_hash: HashSize,
    /// Its pools have the processes of programs.
    contest: &'a Contest,
    known: Vec<(Side, Setting, Arc<PlayerPool>)>,
}

impl Players<'_> {
    fn of(&mut self, side: Side, setting: Setting) -> Arc<PlayerPool> {
        let is_same = |known: &(Side, Setting, _)| match (&known.1, &setting) {
            (Setting::Embedded(one), Setting::Embedded(other)) => Arc::ptr_eq(one, other),
            (Setting::Program(one), Setting::Program(other)) => {
                known.0 == side && one.is_same(other)
            }
            _ => false,
        };
        if let Some((.., pool)) = self.known.iter().find(|known| is_same(known)) {
            return Arc::clone(pool);
        }
        let pool = Arc::new(match &setting {
            Setting::Embedded(params) => PlayerPool::embedded(Params::clone(params), self.of_hash),
            // Each side has processes of its own, so that few values change between two games.
            Setting::Program(options) => {
                side.choose(&self.contest.base, &self.contest.test).with_options(options.clone())
            }
        });
        self.known.push((side, setting, Arc::clone(&pool)));
        pool
    }
}
