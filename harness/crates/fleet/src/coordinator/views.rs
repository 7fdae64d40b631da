//! Publishes the state of a run, for `verdict status` and the page.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use arena::record::Summary;
use async_nats::{Message as Heard, Subscriber};
use futures_util::StreamExt as _;
use serde_json::Value;
use tokio::time::sleep;
use wire::ledger::State;
use wire::message::{GamesPage, QueriedGames, Query, RunView, VERSION, WaitsFor, decode};
use wire::names::{self, WorkerName};

use super::desk::Desk;
use super::looker::Looker;
use super::run_audits::RunAudits;
use crate::link::{Link, Told};

/// Shortest time between two states.
const VIEW_EVERY: Duration = Duration::from_secs(2);
/// At most one part in 50 of a processor's time is spent on states.
const COST: u32 = 50;
/// Longest time between two states: a busy machine may make them look dear.
const LONGEST: Duration = Duration::from_secs(30);
/// Time between looks at the journal at the end of a run, and how many of them without a new game are the last.
const LAST_LOOKS: Duration = Duration::from_millis(100);
const IDLE_LOOKS: u32 = 3;
/// Games/s are averaged over this time, in seconds.
const RATE_OVER: f64 = 10.0;

pub(super) struct Views {
    pub(super) desk: Arc<Desk>,
    pub(super) link: Arc<Link>,
    pub(super) looker: Looker,
    /// The coordinator.
    own: WorkerName,
    /// When games/s were last computed, and the number of pairs then.
    counted: (Instant, u64),
    rate: f64,
    /// When the prefix last grew, and its length.
    grown: (Instant, u64),
    /// Games of the journal that the last state counts; of a tuner, any number.
    looked: u64,
}

impl Views {
    pub(super) fn new(desk: Arc<Desk>, link: Arc<Link>, looker: Looker, own: &WorkerName) -> Views {
        let finished = desk.ledger(|ledger, _| ledger.finished());
        Views {
            desk,
            link,
            looker,
            own: own.clone(),
            counted: (Instant::now(), finished),
            rate: 0.0,
            grown: (Instant::now(), 0),
            looked: 0,
        }
    }

    /// Publishes the state and answers questions until the run is over.
    pub(super) async fn run(mut self) {
        let now = self.desk.contest.stops.now_token();
        let mut changed = self.desk.changes().hear();
        let mut pause = VIEW_EVERY / 4;
        // Kept, so that questions wait while a state is published.
        let mut queries = None;
        while !self.desk.has_all() {
            let answering = self.answer_for(pause, &mut queries);
            tokio::select! {
                () = now.cancelled() => break,
                () = answering => {}
                () = over(&self.desk, &mut changed) => break,
            }
            let began = Instant::now();
            let view = self.look().await;
            // Without the time to publish it: a broker that is away costs nothing.
            pause = (COST * began.elapsed()).clamp(VIEW_EVERY, LONGEST);
            // If this fails, the next state will do.
            let _ = self.tell(view).await;
        }
        let mut view = self.look().await;
        let mut idle = 0;
        // The last games may still be on their way to the journal; after a verdict some never come.
        while self.looked < 2 * view.finished && idle < IDLE_LOOKS {
            let before = self.looked;
            sleep(LAST_LOOKS).await;
            view = self.look().await;
            idle = if self.looked == before { idle + 1 } else { 0 };
        }
        let _ = self.tell(view).await;
    }

    /// Answers questions for this time.
    async fn answer_for(&self, time: Duration, queries: &mut Option<Subscriber>) {
        if queries.is_none() {
            *queries = self.link.hear(names::query_subject(self.desk.id)).await.ok();
        }
        let Some(heard) = queries else { return sleep(time).await };
        let end = sleep(time);
        tokio::pin!(end);
        loop {
            tokio::select! {
                () = &mut end => return,
                query = heard.next() => match query {
                    Some(query) => self.answer(&query).await,
                    None => {
                        *queries = None;
                        return sleep(time).await;
                    }
                },
            }
        }
    }

    async fn answer(&self, heard: &Heard) {
        let Ok(Query { what, .. }) = decode::<Query>(&heard.payload) else { return };
        let mut asked = what;
        loop {
            let Ok(page) = self.looker.games(asked).await else { return };
            let mut page = GamesPage::from(page);
            if let (QueriedGames::Live, Some(live)) = (what, &self.desk.contest.live) {
                page.live = live.look();
            }
            match (page.pack(), asked) {
                // Long games: try with fewer.
                (Err(_), QueriedGames::Page { from, count }) if count > 1 => {
                    asked = QueriedGames::Page { from, count: count / 2 };
                }
                (packed, _) => {
                    if let Ok(packed) = packed {
                        // The page asks again if it gets no answer.
                        let _ = self.link.answer(heard, packed).await;
                    }
                    return;
                }
            }
        }
    }

    /// The state now.
    async fn look(&mut self) -> RunView {
        let mut view = self.view();
        if let Some(asking) = &self.desk.asking {
            self.looked = u64::MAX;
            // No match between two players: its result says nothing.
            view.line = asking.status();
            let summary = Summary { pairs: view.prefix, ..Summary::default() };
            view.summary = serde_json::to_value(summary).unwrap_or_default();
        } else if let Ok(said) = self.looker.look(self.rate).await {
            (view.summary, view.line, view.charts) = (said.summary, said.line, said.charts);
            view.residuals = said.residuals;
            self.looked = said.games;
        }
        view
    }

    async fn tell(&self, view: RunView) -> Result<(), Told> {
        let defect = |error: process::Error| Told::Defect(error.to_string());
        // Charts that are too large for a message are left out.
        if let Ok(whole) = view.pack() {
            self.link.say(names::view_subject(self.desk.id), whole).await?;
        }
        let state = RunView { charts: String::new(), ..view }.pack().map_err(defect)?;
        self.link.store(names::run_view_subject(self.desk.id), None, state).await.map(drop)
    }

    fn view(&mut self) -> RunView {
        let desk = &self.desk;
        let (prefix, finished, redrawn, waits) = desk.ledger(|ledger, _| {
            let is_own = ledger.state(ledger.prefix()) == Some(State::Own);
            let own = is_own.then_some(&self.own);
            let waits = ledger.waits_for().map(|(chunk, by)| WaitsFor {
                first: chunk.first,
                worker: by.or(own).cloned(),
                seconds: 0,
            });
            (ledger.prefix(), ledger.finished(), ledger.redrawn(), waits)
        });
        if self.grown.1 != prefix {
            self.grown = (Instant::now(), prefix);
        }
        let seconds = self.grown.0.elapsed().as_secs();
        let waits = waits.map(|waits| WaitsFor { seconds, ..waits });
        let (since, before) = self.counted;
        let seconds = since.elapsed().as_secs_f64();
        if seconds >= RATE_OVER || self.rate == 0.0 && seconds > 0.0 {
            self.rate = 2.0 * finished.saturating_sub(before) as f64 / seconds;
        }
        if seconds >= RATE_OVER {
            self.counted = (Instant::now(), finished);
        }
        let (audited, struck) = desk.audits.as_ref().map(RunAudits::counts).unwrap_or_default();
        RunView {
            v: VERSION,
            summary: Value::Null,
            line: String::new(),
            charts: String::new(),
            prefix,
            finished,
            games_per_s: self.rate,
            waits,
            redrawn,
            refused: desk.counts.refused.load(Ordering::Relaxed),
            duplicates: desk.counts.duplicates.load(Ordering::Relaxed),
            residuals: Vec::new(),
            audited,
            struck,
            convicted: desk.barred(),
        }
    }
}

/// Returns when nothing more will change.
async fn over(desk: &Desk, changed: &mut tokio::sync::watch::Receiver<u64>) {
    loop {
        changed.mark_unchanged();
        if desk.has_all() || changed.changed().await.is_err() {
            return;
        }
    }
}
