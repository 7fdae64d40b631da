//! Reports of a worker: a beat every 10 s and on request, its card after a change, its log on request.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use arena::game::LiveGame;
use arena::runner::LiveGames;
use futures_util::StreamExt as _;
use jiff::Timestamp;
use process::{lock, machine as own_machine};
use tokio::sync::Notify;
use tokio::time::MissedTickBehavior;
use wire::message::{
    self, Ask, AskedFor, BEAT_EVERY, Beat, BenchNodes, Declined, LogTail, Playing, VERSION,
    WorkerCard, WorkerState, decode, encode,
};
use wire::names::{self, RunId, WorkerName};

use super::holding::Holding;
use super::log::{KEPT_LINES, Log};
use crate::files::Equipment;
use crate::link::{Link, Told};
use crate::machine;

/// Time between two reports of the games under way, while somebody looks.
const LIVE_EVERY: Duration = Duration::from_secs(1);
const LIVE_MOST_S: u32 = 60;
/// Most declined runs and benches in a card.
const NAMED: usize = 32;

pub(super) struct Pulse {
    link: Arc<Link>,
    log: Arc<Log>,
    doing: Mutex<Doing>,
    bell: Notify,
}

struct Doing {
    card: WorkerCard,
    holding: Option<Arc<Mutex<Holding>>>,
    live: Option<Arc<LiveGames>>,
    /// Until when games under way are reported.
    live_until: Option<Instant>,
    beats: u64,
    games: u64,
    faults: u64,
    late: u64,
    idle_why: Option<String>,
    /// Nodes a second of one slot, all slots at work; `None` until that is measured.
    nps: Option<u64>,
    /// When games/s were last told, and after how many games.
    told: (Instant, u64),
    rate: f64,
}

impl Pulse {
    pub(super) fn new(link: Arc<Link>, name: WorkerName, slots: u32, log: Arc<Log>) -> Pulse {
        let text = |text: Option<String>| text.unwrap_or_else(|| "?".to_owned());
        let card = WorkerCard {
            v: VERSION,
            name,
            host: text(own_machine::host_name()),
            cpu: text(own_machine::cpu()),
            cores: u32::try_from(own_machine::physical_cores().get()).unwrap_or(u32::MAX),
            slots,
            memory_mb: own_machine::memory().unwrap_or(0) >> 20,
            target: machine::target(),
            level: machine::level().to_owned(),
            glibc: None,
            verdict: machine::commit(),
            sandbox: "off".to_owned(),
            tables: Vec::new(),
            have: Vec::new(),
            bench: BTreeMap::new(),
            state: WorkerState::Idle,
            run: None,
            declined: Vec::new(),
            until: None,
            removed: None,
            joined_at: Timestamp::now().strftime("%Y-%m-%dT%H:%M:%SZ").to_string(),
        };
        let doing = Doing {
            card,
            holding: None,
            live: None,
            live_until: None,
            beats: 0,
            games: 0,
            faults: 0,
            late: 0,
            idle_why: None,
            nps: None,
            told: (Instant::now(), 0),
            rate: 0.0,
        };
        Pulse { link, log, doing: Mutex::new(doing), bell: Notify::new() }
    }

    pub(super) fn card(&self) -> WorkerCard {
        lock(&self.doing).card.clone()
    }

    /// Changes the card and publishes it.
    pub(super) async fn change(&self, what: impl FnOnce(&mut WorkerCard)) {
        let card = {
            let mut doing = lock(&self.doing);
            what(&mut doing.card);
            doing.card.clone()
        };
        if let Ok(text) = encode(&card) {
            // If the broker is away, the next change will do.
            let _ = self.link.store(names::worker_subject(&card.name), None, text).await;
        }
        self.bell.notify_one();
    }

    /// The run that it plays from now on; `None`: none.
    pub(super) async fn plays(
        &self,
        run: Option<(RunId, Arc<Mutex<Holding>>)>,
        live: Option<Arc<LiveGames>>,
    ) {
        let (id, holding) = run.unzip();
        {
            let mut doing = lock(&self.doing);
            (doing.holding, doing.live) = (holding, live);
        }
        let state = if id.is_some() { WorkerState::Playing } else { WorkerState::Idle };
        self.change(|card| (card.state, card.run) = (state, id)).await;
    }

    /// Puts the worker's equipment into its card.
    pub(super) fn equip(&self, equipment: &Equipment) {
        let mut doing = lock(&self.doing);
        equipment.sandbox_in_words().clone_into(&mut doing.card.sandbox);
        doing.card.glibc = own_machine::glibc();
        doing.card.tables = equipment.tables.iter().map(|(set, _)| set.clone()).collect();
        doing.card.have = equipment.have.iter().map(|(have, _)| have.clone()).collect();
    }

    /// It plays this run; these are the benches of its players here.
    pub(super) async fn accepts(&self, run: RunId, bench: BenchNodes) {
        self.change(|card| {
            card.declined.retain(|it| it.run != run);
            note_bench(card, run, bench);
        })
        .await;
    }

    pub(super) async fn declines(&self, run: RunId, why: String, bench: Option<BenchNodes>) {
        self.change(|card| {
            if let Some(bench) = bench {
                note_bench(card, run, bench);
            }
            card.declined.retain(|it| it.run != run);
            card.declined.push(Declined { run, why: one_line(&why) });
            let beyond = card.declined.len().saturating_sub(NAMED);
            card.declined.drain(..beyond);
        })
        .await;
    }

    /// Why it plays nothing, if others cannot see that from the runs and from what it declines.
    pub(super) fn idles(&self, why: Option<&str>) {
        lock(&self.doing).idle_why = why.map(str::to_owned);
    }

    pub(super) fn measured(&self, nps: u64) {
        lock(&self.doing).nps = Some(nps);
    }

    pub(super) fn finished(&self, is_fault: bool, is_late: bool) {
        let mut doing = lock(&self.doing);
        doing.games += 1;
        doing.faults += u64::from(is_fault);
        doing.late += u64::from(is_late);
    }

    /// To be called when a chunk was taken or finished.
    pub(super) fn beat_now(&self) {
        self.bell.notify_one();
    }

    /// Sends beats without end.
    pub(super) async fn run(&self) -> std::convert::Infallible {
        loop {
            if let Err(told) = self.beats().await {
                // The link reports by itself that the broker is away.
                drop(told);
                self.link.pause().await;
            }
        }
    }

    async fn beats(&self) -> Result<(), Told> {
        let name = lock(&self.doing).card.name.clone();
        let mut own = self.link.hear(names::ask_subject(&name)).await?;
        let mut all = self.link.hear(names::ASK_ALL.to_owned()).await?;
        let mut times = tokio::time::interval(BEAT_EVERY);
        let mut moves = tokio::time::interval(LIVE_EVERY);
        moves.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let asked = tokio::select! {
                _ = times.tick() => None,
                _ = moves.tick() => {
                    self.tell_live().await?;
                    continue;
                }
                () = self.bell.notified() => None,
                asked = own.next() => Some(asked),
                asked = all.next() => Some(asked),
            };
            let is_due = match asked {
                None => true,
                Some(None) => return Ok(()),
                Some(Some(asked)) => match decode::<Ask>(&asked.payload) {
                    Ok(Ask { what: AskedFor::Beat, .. }) => true,
                    Ok(Ask { what: AskedFor::Live, for_s, .. }) => {
                        let time = Duration::from_secs(for_s.unwrap_or(0).min(LIVE_MOST_S).into());
                        lock(&self.doing).live_until = Some(Instant::now() + time);
                        false
                    }
                    Ok(Ask { what: AskedFor::Log, lines, .. }) => {
                        self.tell_log(&name, lines.unwrap_or(KEPT_LINES)).await?;
                        false
                    }
                    Err(_) => false,
                },
            };
            if is_due {
                self.beat(false).await?;
            }
        }
    }

    async fn tell_log(&self, name: &WorkerName, lines: u32) -> Result<(), Told> {
        let log = LogTail::encode(self.log.last(lines));
        let log = log.map_err(|error| Told::Defect(error.to_string()))?;
        self.link.say(names::log_subject(name), log).await
    }

    /// Reports the games under way while somebody looks.
    async fn tell_live(&self) -> Result<(), Told> {
        let told = {
            let mut doing = lock(&self.doing);
            let is_looked_at = doing.live_until.is_some_and(|until| Instant::now() < until);
            if !is_looked_at {
                doing.live_until = None;
                return Ok(());
            }
            let Some((run, live)) = doing.card.run.zip(doing.live.as_ref()) else { return Ok(()) };
            (names::live_subject(run, &doing.card.name), live.look())
        };
        let (subject, games) = told;
        match encode(&message::LiveGames { v: VERSION, games }) {
            Ok(games) => self.link.say(subject, games).await,
            // Too long for a message: not shown.
            Err(_) => Ok(()),
        }
    }

    pub(super) async fn beat(&self, leaving: bool) -> Result<(), Told> {
        let (name, beat) = {
            let mut doing = lock(&self.doing);
            let (told, games) = doing.told;
            let seconds = told.elapsed().as_secs_f64();
            if seconds >= 5.0 {
                doing.rate = (doing.games - games) as f64 / seconds;
                doing.told = (Instant::now(), doing.games);
            }
            doing.beats += 1;
            let chunks = doing.holding.as_ref().map(|it| lock(it).chunks()).unwrap_or_default();
            let playing = doing.live.as_ref().map(|live| live.look()).unwrap_or_default();
            let beat = Beat {
                playing: playing.iter().map(playing_of).collect(),
                // One that prepares a run does not play it yet.
                run: doing.card.run.filter(|_| doing.holding.is_some()),
                seq: doing.beats - 1,
                chunks,
                games_per_s: doing.rate,
                load: own_machine::load().unwrap_or(0.0),
                late: doing.late,
                games: doing.games,
                faults: doing.faults,
                idle_why: doing.idle_why.clone(),
                leaving,
                nps: doing.nps,
                ..Beat::new(doing.card.slots)
            };
            (doing.card.name.clone(), beat)
        };
        let beat = beat.encode().map_err(|error| Told::Defect(error.to_string()))?;
        self.link.say(names::beat_subject(&name), beat).await
    }
}

fn playing_of(game: &LiveGame) -> Playing {
    let plies = game.moves.split_ascii_whitespace().count();
    // Black may begin.
    let black_began = game.fen.split(' ').nth(1) == Some("b");
    let white_to_move = plies.is_multiple_of(2) != black_began;
    Playing {
        game: game.game,
        plies: u32::try_from(plies).unwrap_or(u32::MAX),
        to_move: if white_to_move { game.white } else { game.white.other() },
    }
}

fn note_bench(card: &mut WorkerCard, run: RunId, bench: BenchNodes) {
    if card.bench.len() >= NAMED && !card.bench.contains_key(&run) {
        card.bench.pop_first();
    }
    if bench.base.is_some() || bench.test.is_some() {
        card.bench.insert(run, bench);
    }
}

/// As one line for the card.
fn one_line(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.chars().filter(|c| !c.is_control()).take(240).collect()
}
