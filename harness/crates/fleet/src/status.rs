//! State of a fleet: its runs and workers, as `verdict status` prints it.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::time::{Instant, timeout_at};
use wire::message::{
    Ask, Barred, Beat, LogTail, ResidualRow, RunCard, RunState, RunView, WaitsFor, WorkerCard,
    WorkerState, decode, encode,
};
use wire::names::{self, KV_RUNS, KV_WORKERS, RunId, Subject, WorkerName};

use crate::link::{Link, Told};

/// How long workers may take to answer.
const ANSWER_WITHIN: Duration = Duration::from_millis(700);

/// The same for its log: it may be far away.
const LOG_WITHIN: Duration = Duration::from_secs(5);

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct FleetStatus {
    pub runs: Vec<RunStatus>,
    pub workers: Vec<WorkerStatus>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunStatus {
    pub run: RunId,
    pub name: String,
    /// `playing`, `draining` or `stopped`.
    pub state: String,
    pub coordinator: WorkerName,
    /// Score, Elo, LOS, LLR and forecast in one line.
    pub line: String,
    /// Finished pairs.
    pub pairs: u64,
    pub of: u64,
    /// Pairs of the gap-free prefix.
    pub prefix: u64,
    pub games_per_s: f64,
    /// What the gap-free prefix waits for, in words.
    pub waits_for: Option<String>,
    /// Pairs that were lost at one worker and played by another.
    pub redrawn: u64,
    /// Messages that were refused.
    pub refused: u64,
    /// Games that came twice.
    pub duplicates: u64,
    /// Pairs that two machines have played, and that were the same.
    pub audited: u64,
    /// Games of convicted workers that were struck.
    pub struck: u64,
    /// Workers that get nothing of it any more, and why.
    pub convicted: Vec<Barred>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct WorkerStatus {
    pub name: String,
    pub host: String,
    pub cpu: String,
    pub slots: u32,
    /// `playing`, `idle`, `preparing`, `leaving`, or `away` if it does not answer.
    pub state: String,
    /// Name of the run that it plays.
    pub run: Option<String>,
    pub games_per_s: f64,
    /// Games since it joined.
    pub games: u64,
    /// Games that were spoilt because verdict woke too late.
    pub late: u64,
    /// Nodes a second of one slot, all slots at work: measured for runs with `--scale-to`.
    pub nps: Option<u64>,
    pub faults: u64,
    /// How far its results are from those of all others, in the run that it plays.
    pub residual: Option<ResidualRow>,
    /// Why it plays nothing, or not all.
    pub why: Option<String>,
}

/// Cards of runs and workers, and beats.
#[derive(Debug, Clone, Default)]
pub struct FleetLook {
    pub runs: Vec<(RunCard, Option<RunView>)>,
    pub workers: Vec<WorkerCard>,
    /// From workers that answer.
    pub beats: BTreeMap<WorkerName, Beat>,
}

impl FleetLook {
    pub async fn ask(link: &Link) -> Result<FleetLook, Told> {
        let mut heard = link.hear("v1.beat.>".to_owned()).await?;
        let workers = worker_cards(link).await?;
        let ask = encode(&Ask::beat()).map_err(|error| Told::Defect(error.to_string()))?;
        link.say(names::ASK_ALL.to_owned(), ask).await?;
        let until = Instant::now() + ANSWER_WITHIN;
        let mut beats: BTreeMap<WorkerName, Beat> = BTreeMap::new();
        while beats.len() < workers.len()
            && let Ok(Some(beat)) = timeout_at(until, heard.next()).await
        {
            if let (Some(Subject::Beat(worker)), Ok(beat)) =
                (Subject::parse(&beat.subject), decode::<Beat>(&beat.payload))
            {
                beats.insert(worker, beat);
            }
        }
        Ok(FleetLook { runs: runs(link).await?, workers, beats })
    }

    /// Of the run that a worker plays.
    pub fn residual(&self, card: &WorkerCard) -> Option<&ResidualRow> {
        let views = self.runs.iter().filter(|(run, _)| Some(run.run) == card.run);
        let mut rows = views.filter_map(|(_, view)| view.as_ref()).flat_map(|it| &it.residuals);
        rows.find(|row| row.worker == card.name)
    }

    /// Those that have not left.
    pub fn present(&self) -> impl Iterator<Item = (&WorkerCard, Option<&Beat>)> {
        let workers = self.workers.iter().map(|card| (card, self.beats.get(&card.name)));
        workers.filter(|(card, beat)| card.state != WorkerState::Leaving || beat.is_some())
    }
}

impl FleetStatus {
    pub fn of(look: &FleetLook) -> FleetStatus {
        let name_of = |run: RunId| {
            let known = look.runs.iter().find(|(card, _)| card.run == run);
            known.map_or_else(|| run.to_string(), |(card, _)| card.name.clone())
        };
        let runs = look.runs.iter().map(|(card, view)| run(card, view.as_ref())).collect();
        let workers = look.present().map(|(card, beat)| WorkerStatus {
            residual: look.residual(card).cloned(),
            ..worker(card, beat, &name_of)
        });
        let workers = workers.collect();
        FleetStatus { runs, workers }
    }
}

/// The names of all workers of the last day.
pub async fn worker_names(link: &Link) -> Result<Vec<WorkerName>, Told> {
    Ok(worker_cards(link).await?.into_iter().map(|card| card.name).collect())
}

/// The last lines that a worker has said, oldest first; `None`: it does not answer.
pub async fn log_of(
    link: &Link,
    worker: &WorkerName,
    lines: u32,
) -> Result<Option<Vec<String>>, Told> {
    let mut heard = link.hear(names::log_subject(worker)).await?;
    let ask = encode(&Ask::log(lines)).map_err(|error| Told::Defect(error.to_string()))?;
    link.say(names::ask_subject(worker), ask).await?;
    let until = Instant::now() + LOG_WITHIN;
    while let Ok(Some(log)) = timeout_at(until, heard.next()).await {
        if let Ok(log) = decode::<LogTail>(&log.payload) {
            return Ok(Some(log.lines));
        }
    }
    Ok(None)
}

async fn worker_cards(link: &Link) -> Result<Vec<WorkerCard>, Told> {
    let (mut cards, mut from) = (Vec::new(), 1);
    while let Some((number, _, body)) = link.next(KV_WORKERS, "$KV.workers.>", from).await? {
        from = number + 1;
        cards.extend(decode::<WorkerCard>(&body).ok());
    }
    cards.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cards)
}

async fn runs(link: &Link) -> Result<Vec<(RunCard, Option<RunView>)>, Told> {
    let (mut runs, mut from) = (Vec::new(), 1);
    while let Some((number, _, body)) = link.next(KV_RUNS, "$KV.runs.*", from).await? {
        from = number + 1;
        let Ok(card) = decode::<RunCard>(&body) else { continue };
        let view = link.last(KV_RUNS, &names::run_view_subject(card.run)).await?;
        runs.push((card, view.and_then(|(_, view)| RunView::unpack(&view).ok())));
    }
    Ok(runs)
}

fn run(card: &RunCard, view: Option<&RunView>) -> RunStatus {
    let state = match card.state {
        RunState::Playing => "playing",
        RunState::Draining => "draining",
        RunState::Stopped => "stopped",
    };
    let is_playing = card.state == RunState::Playing;
    let waits = view.and_then(|view| view.waits.as_ref()).filter(|_| is_playing);
    let number = |of: fn(&RunView) -> u64| view.map_or(0, of);
    RunStatus {
        run: card.run,
        name: card.name.clone(),
        state: state.to_owned(),
        coordinator: card.coordinator.clone(),
        line: view.map(|view| view.line.clone()).unwrap_or_default(),
        pairs: number(|view| view.finished),
        of: card.pairs,
        prefix: number(|view| view.prefix),
        games_per_s: view.filter(|_| is_playing).map_or(0.0, |view| view.games_per_s),
        waits_for: waits.map(in_words),
        redrawn: number(|view| view.redrawn),
        refused: number(|view| view.refused),
        duplicates: number(|view| view.duplicates),
        audited: number(|view| view.audited),
        struck: number(|view| view.struck),
        convicted: view.map(|view| view.convicted.clone()).unwrap_or_default(),
    }
}

fn in_words(WaitsFor { first, worker, seconds }: &WaitsFor) -> String {
    match worker {
        Some(worker) => format!("chunk from pair {first} at {worker}, {seconds} s"),
        None => format!("chunk from pair {first} at no worker, {seconds} s"),
    }
}

fn worker(
    card: &WorkerCard,
    beat: Option<&Beat>,
    name_of: &dyn Fn(RunId) -> String,
) -> WorkerStatus {
    let state = match (beat, card.state) {
        (None, _) => "away",
        (Some(_), WorkerState::Idle) => "idle",
        (Some(_), WorkerState::Preparing) => "preparing",
        (Some(_), WorkerState::Playing) => "playing",
        (Some(_), WorkerState::Leaving) => "leaving",
    };
    let declined = card.declined.iter().map(|it| format!("{}: {}", name_of(it.run), it.why));
    let idle = beat.and_then(|beat| beat.idle_why.clone());
    let why: Vec<String> = idle.into_iter().chain(declined).collect();
    let nothing = Beat::new(card.slots);
    let beat = beat.unwrap_or(&nothing);
    WorkerStatus {
        name: card.name.to_string(),
        host: card.host.clone(),
        cpu: card.cpu.clone(),
        slots: card.slots,
        state: state.to_owned(),
        run: beat.run.map(name_of),
        games_per_s: beat.games_per_s,
        games: beat.games,
        late: beat.late,
        nps: beat.nps,
        faults: beat.faults,
        residual: None,
        why: (!why.is_empty()).then(|| why.join("; ")),
    }
}
