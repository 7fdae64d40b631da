//! The page of `verdict serve`: runs, workers and the broker.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arena::game::LiveGame;
use arena::record::{GamePage, GameRecord, Summary};
use fleet::link::{Link, Told};
use fleet::server::streams;
use fleet::status::{FleetLook, holder};
use futures_util::StreamExt as _;
use process::{Error, lock};
use web::{
    Answer, Asked, BrokerState, Declined, FleetState, HeldChunk, Phase, Residual, RunState, Site,
    ToldRun, WaitsFor, WorkerPhase, WorkerState,
};
use wire::message::{
    Ask, Beat, GamesPage, LiveGames, QueriedGames, Query, ResidualRow, RunCard, RunState as State,
    RunView, WorkerCard, WorkerState as Doing, decode, encode,
};
use wire::names::{self, RunId, Subject, WorkerName};

/// How often the state of runs and workers is read.
const LOOK_EVERY: Duration = Duration::from_secs(2);
/// How long a coordinator may take to send games.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// How long workers send their games under way after somebody has looked, in seconds.
const LIVE_FOR_S: u32 = 10;
/// Games under way are not shown any more after this time.
const LIVE_OLD: Duration = Duration::from_secs(5);

/// Games under way by run and worker, and when they came.
type Live = Arc<Mutex<HashMap<(RunId, WorkerName), (Instant, Vec<LiveGame>)>>>;

/// Updates the page until the connection ends.
pub(super) async fn follow(link: Link, site: Site, broker: String) -> Result<(), Told> {
    let link = Arc::new(link);
    let live = Live::default();
    let mut views = link.hear("v1.view.*".to_owned()).await?;
    let mut moves = link.hear("v1.live.>".to_owned()).await?;
    let mut charts: HashMap<RunId, String> = HashMap::new();
    let mut shown: BTreeMap<RunId, ToldRun> = BTreeMap::new();
    let mut looks = tokio::time::interval(LOOK_EVERY);
    looks.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    loop {
        tokio::select! {
            view = views.next() => {
                let Some(view) = view else { return Ok(()) };
                if let (Some(Subject::View(run)), Ok(view)) =
                    (Subject::parse(&view.subject), RunView::unpack(&view.payload))
                {
                    charts.insert(run, view.charts);
                }
            }
            told = moves.next() => {
                let Some(told) = told else { return Ok(()) };
                if let (Some(Subject::Live(run, worker)), Ok(games)) =
                    (Subject::parse(&told.subject), decode::<LiveGames>(&told.payload))
                {
                    lock(&live).insert((run, worker), (Instant::now(), games.games));
                }
            }
            _ = looks.tick() => {
                let look = FleetLook::ask(&link).await;
                site.set_broker(BrokerState {
                    up: look.is_ok(),
                    words: broker.clone(),
                    // Without an answer there are no figures.
                    streams: streams::sizes(link.broker()).await.unwrap_or_default(),
                });
                let Ok(look) = look else { continue };
                site.set_workers(look.present().map(|(card, beat)| worker(card, beat, &look)).collect());
                for (card, view) in &look.runs {
                    let Some(view) = view else { continue };
                    let Some(state) = run(card, view, &look) else { continue };
                    let html = charts.get(&card.run).map_or("", String::as_str);
                    match shown.get(&card.run) {
                        Some(told) => told.tell(state, html),
                        None => {
                            let asked = AskedRun {
                                run: card.run,
                                link: Arc::clone(&link),
                                live: Arc::clone(&live),
                            };
                            shown.insert(card.run, ToldRun::show(&site, state, html, asked));
                        }
                    }
                }
                let old = |(_, (told, _)): &(&_, &mut (Instant, _))| told.elapsed() < LIVE_OLD;
                lock(&live).retain(|key, told| old(&(key, told)));
            }
        }
    }
}

/// `None` if the run has no state yet.
fn run(card: &RunCard, view: &RunView, look: &FleetLook) -> Option<RunState> {
    let summary: Summary = serde_json::from_value(view.summary.clone()).ok()?;
    let phase = match (card.state, summary.judged.verdict) {
        (State::Playing | State::Draining, _) => Phase::Playing,
        (State::Stopped, Some(_)) => Phase::Finished,
        (State::Stopped, None) => Phase::Stopped,
    };
    let players = look.beats.iter().filter(|(_, beat)| beat.run == Some(card.run));
    let (mut workers, mut slots, mut held) = (0, 0, 0);
    for (_, beat) in players {
        workers += 1;
        slots += u64::from(beat.slots);
        held += beat.chunks.len() as u64;
    }
    let waits = view.waits.as_ref().map(|waits| WaitsFor {
        pair: view.prefix,
        chunk: waits.first,
        worker: holder(waits.worker.as_ref(), &card.coordinator),
        seconds: waits.seconds,
    });
    let fleet = FleetState {
        waits: waits.filter(|_| phase == Phase::Playing),
        finished_pairs: view.finished,
        chunk_pairs: card.chunk.into(),
        held_chunks: held,
        redrawn: view.redrawn,
        refused: view.refused,
        duplicates: view.duplicates,
        audited: view.audited,
        struck: view.struck,
        convicted: view.convicted.iter().map(ToString::to_string).collect(),
        workers,
        slots,
    };
    Some(RunState {
        id: card.run.to_string(),
        name: card.name.clone(),
        phase,
        line: view.line.clone(),
        summary: Arc::new(summary),
        finished: 2 * view.finished,
        total_games: 2 * card.pairs,
        prefix: view.prefix,
        games_per_s: (phase == Phase::Playing).then_some(view.games_per_s),
        charts_version: 0,
        warnings: card.why.clone().into_iter().collect(),
        fleet: Some(fleet),
    })
}

fn worker(card: &WorkerCard, beat: Option<&Beat>, look: &FleetLook) -> WorkerState {
    let state = match (beat, card.state) {
        (None, _) if card.removed.is_some() => WorkerPhase::Removed,
        (None, _) => WorkerPhase::Away,
        (_, Doing::Idle) => WorkerPhase::Idle,
        (_, Doing::Preparing) => WorkerPhase::Preparing,
        (_, Doing::Playing) => WorkerPhase::Playing,
        (_, Doing::Leaving) => WorkerPhase::Leaving,
    };
    let idle_why = look.why(card, beat).filter(|_| state != WorkerPhase::Playing);
    let nothing = Beat::new(card.slots);
    let beat = beat.unwrap_or(&nothing);
    let chunk = |held: &wire::message::HeldChunk| HeldChunk {
        first: held.first,
        pairs: held.pairs.into(),
        done: held.done.into(),
    };
    WorkerState {
        name: card.name.to_string(),
        host: card.host.clone(),
        cpu: card.cpu.clone(),
        cores: card.cores.into(),
        slots: card.slots.into(),
        verdict: card.verdict.clone(),
        sandbox: card.sandbox.clone(),
        state,
        run: card.run.map(|run| run.to_string()),
        chunks: beat.chunks.iter().map(chunk).collect(),
        games_per_s: beat.games_per_s,
        games: beat.games,
        faults: beat.faults,
        late: beat.late,
        spooled: beat.spooled,
        nps: beat.nps,
        scale: None,
        idle_why,
        declined: card
            .declined
            .iter()
            .map(|it| Declined { run: it.run.to_string(), why: it.why.clone() })
            .collect(),
        residual: look.residual(card).map(residual),
        heard_s: state.is_there().then_some(0),
    }
}

fn residual(row: &ResidualRow) -> Residual {
    let ResidualRow { chi2, p, time_losses, plies, nps, .. } = *row;
    Residual { chi2, p, time_losses, plies, nps }
}

/// Requests games from a run's coordinator.
struct AskedRun {
    run: RunId,
    link: Arc<Link>,
    live: Live,
}

impl AskedRun {
    async fn ask(&self, what: QueriedGames) -> Result<GamesPage, Error> {
        let query = encode(&Query::new(what))?;
        let asked = self.link.ask_bytes(names::query_subject(self.run), query, ANSWER_WITHIN);
        match asked.await? {
            Some(answer) => GamesPage::unpack(&answer).map_err(Error::input_output),
            None => Err(Error::input_output(
                "whoever plays this run does not answer; when it has ended its games are in its folder",
            )),
        }
    }
}

impl Asked for AskedRun {
    fn games(&self, from: Option<u64>, count: usize) -> Answer<'_, GamePage> {
        let count = u32::try_from(count).unwrap_or(u32::MAX);
        Box::pin(async move {
            let GamesPage { from, total, games, .. } =
                self.ask(QueriedGames::Page { from, count }).await?;
            Ok(GamePage { from, total, games })
        })
    }

    fn game(&self, number: u64) -> Answer<'_, Option<GameRecord>> {
        Box::pin(async move { Ok(self.ask(QueriedGames::Game(number)).await?.games.pop()) })
    }

    fn live(&self) -> Answer<'_, Vec<LiveGame>> {
        Box::pin(async move {
            self.link.say(names::ASK_ALL.to_owned(), encode(&Ask::live(LIVE_FOR_S))?).await?;
            let mut games = match self.ask(QueriedGames::Live).await {
                Ok(page) => page.live,
                // The coordinator itself may play nothing.
                Err(_) => Vec::new(),
            };
            let told = lock(&self.live);
            let of_run = told.iter().filter(|((run, _), _)| *run == self.run);
            games.extend(of_run.flat_map(|(_, (_, games))| games.clone()));
            drop(told);
            games.sort_by_key(|game| game.game);
            Ok(games)
        })
    }
}
