//! The games of a tuner: pairs played and journaled on request, or taken from the journal.

use std::collections::HashMap;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use tokio::sync::{mpsc, watch};

use crate::tune::points::Points;

use arena::collector::{Incoming, StrikeSender};
use arena::hands::{Asked, AskedPair, Hands, Work};
use arena::plan::Plan;
use arena::record::{Charged, GameRecord, Journal, RUN_FILE, RecordError, RunFile};
use arena::runner::{RunError, Stops, Width};
use arena::session::{Resources, SessionError, VariedOption, expect_same, open_verified};
use arena::varied::{PairValues, VariedPlayers};

/// Finished games on their way to the journal.
const CHANNEL: usize = 64;
/// Faults of this engine are defects of it: the run stops after so many.
const MOST_FAULTS: u64 = 20;

pub(super) struct TuningGames {
    players: VariedPlayers,
    asked: mpsc::Sender<Vec<AskedPair>>,
    status: watch::Sender<String>,
    incoming: Incoming,
    /// Those of the games, a part of the session's.
    stops: Stops,
    journal: Journal,
    recorded: Points,
    /// Games whose pair is not whole yet.
    waiting: HashMap<u64, GameRecord>,
    faults: u64,
    fault: Option<String>,
}

/// Whoever plays the games that a tuner asks for.
pub(super) struct TuningHands {
    hands: Arc<dyn Hands>,
    work: Work,
    asked: Asked,
    width: Width,
    stops: Stops,
}

impl TuningHands {
    /// Plays until the games are closed.
    pub(super) async fn play(self) -> Result<(), RunError> {
        self.hands.pairs(self.work, self.asked, self.width, self.stops).await
    }
}

impl TuningGames {
    /// Begins or resumes a run in `dir`; `plan` is a match of the base against itself, whose programs
    /// get values of `options`, `file` the run's description. With `changed_files` it is resumed though
    /// files have changed that options name.
    pub(super) fn open(
        dir: &Path,
        (file, changed_files): (&str, bool),
        (plan, options): (Plan, Vec<VariedOption>),
        resources: &mut Resources,
        stops: Stops,
    ) -> Result<(TuningGames, TuningHands), SessionError> {
        let of_games = stops.part();
        let (mut run, contest) = resources.ready(&plan, of_games.clone())?;
        let mut recorded = Points::default();
        let (run, journal) = if dir.join(RUN_FILE).exists() {
            let begun = RunFile::read(dir)?;
            if changed_files {
                run.overlook_changes(&begun);
            }
            expect_same(dir, &begun, &run)?;
            let journal = open_verified(dir, &begun, |game| {
                recorded.add(game);
                Ok(())
            })?;
            (begun, journal)
        } else {
            let journal = Journal::create(dir)?;
            let run = RunFile { games_of: Some(file.to_owned()), ..run };
            run.write(dir)?;
            (run, journal)
        };
        let players = VariedPlayers::new(&plan, options.clone(), Arc::clone(&contest))?;
        let (finished, incoming) = mpsc::channel(CHANNEL);
        let (asked, pairs) = mpsc::channel(1);
        let (status, shown) = watch::channel(String::new());
        let (width, games) = (plan.width(), recorded.games().collect());
        // Nothing strikes a tuner's games.
        let (strikes, _) = StrikeSender::new(None);
        let dir = dir.to_owned();
        let work = Work { dir, plan, run, contest, recorded: games, finished, strikes };
        let asking = Asked { options, pairs, status: shown };
        let hands = TuningHands { hands: resources.hands(), work, asked: asking, width, stops };
        let games = TuningGames {
            players,
            asked,
            status,
            incoming: Incoming::new(incoming),
            stops: of_games,
            journal,
            recorded,
            waiting: HashMap::new(),
            faults: 0,
            fault: None,
        };
        Ok((games, hands))
    }

    /// Why the run must stop.
    pub(super) fn fault(&self) -> Option<String> {
        let last = self.fault.as_ref().filter(|_| self.faults >= MOST_FAULTS)?;
        Some(format!("{} games ended by a fault of an engine; the last: {last}", self.faults))
    }

    /// Says how far the run is, to whoever looks from elsewhere.
    pub(super) fn tell(&self, status: String) {
        self.status.send_replace(status);
    }

    /// Half points of the test player in each of these pairs, played with these values. `None` when
    /// stopped before all were played. `trouble` hears of what goes wrong without stopping the run.
    pub(super) async fn play(
        &mut self,
        pairs: Range<u64>,
        values: Vec<Arc<PairValues>>,
        trouble: &dyn Fn(&str),
    ) -> Result<Option<Vec<u8>>, SessionError> {
        let mut asked = Vec::new();
        for (pair, values) in pairs.clone().zip(values) {
            if self.recorded.of_pair(pair).is_none() {
                let contest = self.players.contest(&values)?;
                asked.push(AskedPair { pair, values, contest });
            }
        }
        if !asked.is_empty() {
            // Whoever is told to stop asks for nothing: then no games come.
            let _ = self.asked.send(asked).await;
            let wanted = pairs.clone();
            self.collect(
                |recorded| wanted.clone().all(|pair| recorded.of_pair(pair).is_some()),
                trouble,
            )
            .await?;
        }
        Ok(pairs.map(|pair| self.recorded.of_pair(pair)).collect())
    }

    /// Ends the games; syncs and closes the journal.
    pub(super) async fn close(mut self, trouble: &dyn Fn(&str)) -> Result<(), SessionError> {
        self.stops.stop_now();
        self.collect(|_| false, trouble).await?;
        let mut unpaired: Vec<GameRecord> = self.waiting.into_values().collect();
        unpaired.sort_by_key(|record| record.game);
        unpaired.iter().try_for_each(|record| self.journal.append(&[record]))?;
        Ok(self.journal.close()?)
    }

    /// Takes games until these are enough, or no more come. An error stops them.
    async fn collect(
        &mut self,
        is_enough: impl Fn(&Points) -> bool,
        trouble: &dyn Fn(&str),
    ) -> Result<(), RecordError> {
        while !is_enough(&self.recorded) {
            let taken = match self.incoming.next(&mut self.journal).await {
                Ok(None) => break,
                Ok(Some(game)) => {
                    game.troubles().iter().for_each(|what| trouble(what));
                    self.record(game.record)
                }
                Err(error) => Err(error),
            };
            if let Err(error) = taken {
                self.stops.stop_now();
                self.incoming.drain().await;
                return Err(error);
            }
        }
        Ok(())
    }

    fn record(&mut self, record: GameRecord) -> Result<(), RecordError> {
        let (game, pair) = (record.game, record.pair);
        if matches!(record.charged(), Some(Charged::Player(_))) {
            self.faults += 1;
            self.fault = record.detail.clone().or(Some(format!("game {game}")));
        }
        self.recorded.add(&record);
        match self.waiting.remove(&pair) {
            Some(other) if other.game < game => self.journal.append(&[&other, &record]),
            Some(other) => self.journal.append(&[&record, &other]),
            None if self.recorded.has(game ^ 1) => self.journal.append(&[&record]),
            None => {
                self.waiting.insert(pair, record);
                Ok(())
            }
        }
    }
}
