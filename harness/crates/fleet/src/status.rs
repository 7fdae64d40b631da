//! State of a fleet: its runs and workers, as `verdict status` prints it.

use std::collections::BTreeMap;
use std::time::Duration;

use futures_util::{StreamExt as _, future};
use serde::Serialize;
use tokio::time::{Instant, timeout_at};
use wire::message::{
    Ask, Barred, Beat, Declined, LogTail, ResidualRow, RunCard, RunState, RunView, WaitsFor,
    WorkerCard, WorkerState, decode, encode,
};
use wire::names::{self, KV_RUNS, KV_WORKERS, RUN_CARDS, RunId, Subject, WorkerName};

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
    /// Workers whose invitations get nothing of it any more, and why.
    pub convicted: Vec<Barred>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct WorkerStatus {
    pub name: String,
    pub host: String,
    pub cpu: String,
    pub slots: u32,
    /// `playing`, `idle`, `preparing`, `leaving`; if it does not answer, `away`, or `removed` with its
    /// invitation.
    pub state: String,
    /// Name of the run that it plays or prepares.
    pub run: Option<String>,
    /// `None`, as the next numbers: it does not answer.
    pub games_per_s: Option<f64>,
    /// Games since it joined.
    pub games: Option<u64>,
    /// Games that were spoilt because verdict woke too late.
    pub late: Option<u64>,
    /// Nodes a second of one slot, all slots at work: measured for runs with `--scale-to`.
    pub nps: Option<u64>,
    pub faults: Option<u64>,
    /// How far its results are from those of all others, in the run that it plays.
    pub residual: Option<ResidualRow>,
    /// Why it plays nothing, or not all.
    pub why: Option<String>,
}

impl WorkerStatus {
    /// Whether it answers.
    pub fn is_there(&self) -> bool {
        self.games.is_some()
    }
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

    /// The name of a run, or its id if nothing is known of it.
    fn name_of(&self, run: RunId) -> String {
        let known = self.runs.iter().find(|(card, _)| card.run == run);
        known.map_or_else(|| run.to_string(), |(card, _)| card.name.clone())
    }

    /// Why a worker plays nothing, or not all.
    pub fn why(&self, card: &WorkerCard, beat: Option<&Beat>) -> Option<String> {
        let Some(beat) = beat else { return card.removed.clone() };
        if beat.idle_why.is_some() {
            return beat.idle_why.clone();
        }
        let played =
            self.runs.iter().map(|(run, _)| run).filter(|it| it.state == RunState::Playing);
        let is_idle = beat.run.is_none() && card.state == WorkerState::Idle;
        let reasons = played.filter_map(|run| {
            let declined = card.declined.iter().find(|it| it.run == run.run);
            match declined {
                Some(Declined { why, .. }) => Some(format!("{} is declined: {why}", run.name)),
                None => {
                    is_idle.then(|| format!("the coordinator of {} has not answered it", run.name))
                }
            }
        });
        let reasons: Vec<String> = reasons.collect();
        match reasons.is_empty() {
            false => Some(reasons.join("; ")),
            true => is_idle.then(|| "no run is there".to_owned()),
        }
    }

    /// Those that have not left.
    pub fn present(&self) -> impl Iterator<Item = (&WorkerCard, Option<&Beat>)> {
        let workers = self.workers.iter().map(|card| (card, self.beats.get(&card.name)));
        workers.filter(|(card, beat)| card.state != WorkerState::Leaving || beat.is_some())
    }
}

impl FleetStatus {
    pub fn of(look: &FleetLook) -> FleetStatus {
        let runs = look.runs.iter().map(|(card, view)| run(card, view.as_ref())).collect();
        let workers = look.present().map(|(card, beat)| worker(card, beat, look)).collect();
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

pub(crate) async fn worker_cards(link: &Link) -> Result<Vec<WorkerCard>, Told> {
    let found = link.all(KV_WORKERS, "$KV.workers.>").await?;
    let mut cards: Vec<WorkerCard> = found.iter().filter_map(|body| decode(body).ok()).collect();
    cards.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(cards)
}

async fn runs(link: &Link) -> Result<Vec<(RunCard, Option<RunView>)>, Told> {
    let found = link.all(KV_RUNS, RUN_CARDS).await?;
    let cards: Vec<RunCard> = found.iter().filter_map(|body| decode(body).ok()).collect();
    let views = cards.iter().map(|card| view(link, card.run));
    let views = future::try_join_all(views).await?;
    Ok(cards.into_iter().zip(views).collect())
}

async fn view(link: &Link, run: RunId) -> Result<Option<RunView>, Told> {
    let view = link.last(KV_RUNS, &names::run_view_subject(run)).await?;
    Ok(view.and_then(|(_, view)| RunView::unpack(&view).ok()))
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
        waits_for: waits.map(|waits| in_words(waits, &card.coordinator)),
        redrawn: number(|view| view.redrawn),
        refused: number(|view| view.refused),
        duplicates: number(|view| view.duplicates),
        audited: number(|view| view.audited),
        struck: number(|view| view.struck),
        convicted: view.map(|view| view.convicted.clone()).unwrap_or_default(),
    }
}

fn in_words(WaitsFor { first, worker, seconds }: &WaitsFor, coordinator: &WorkerName) -> String {
    let at = holder(worker.as_ref(), coordinator);
    let at = at.unwrap_or_else(|| "no worker".to_owned());
    format!("chunk from pair {first} at {at}, {seconds} s")
}

/// Who has a chunk, in words.
pub fn holder(worker: Option<&WorkerName>, coordinator: &WorkerName) -> Option<String> {
    worker.map(|it| if it == coordinator { "the coordinator".to_owned() } else { it.to_string() })
}

fn worker(card: &WorkerCard, beat: Option<&Beat>, look: &FleetLook) -> WorkerStatus {
    let state = match (beat, card.state) {
        (None, _) if card.removed.is_some() => "removed",
        (None, _) => "away",
        (Some(_), WorkerState::Idle) => "idle",
        (Some(_), WorkerState::Preparing) => "preparing",
        (Some(_), WorkerState::Playing) => "playing",
        (Some(_), WorkerState::Leaving) => "leaving",
    };
    let why = look.why(card, beat);
    let run = beat.and_then(|beat| beat.run.or(card.run));
    WorkerStatus {
        name: card.name.to_string(),
        host: card.host.clone(),
        cpu: card.cpu.clone(),
        slots: card.slots,
        state: state.to_owned(),
        run: run.map(|run| look.name_of(run)),
        games_per_s: beat.map(|beat| beat.games_per_s),
        games: beat.map(|beat| beat.games),
        late: beat.map(|beat| beat.late),
        nps: beat.and_then(|beat| beat.nps),
        faults: beat.map(|beat| beat.faults),
        residual: look.residual(card).cloned(),
        why,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn why_a_worker_plays_nothing() {
        let declined = |run: &str, why: &str| serde_json::json!({"run": run, "why": why});
        let [here, other, over] = ["a", "b", "c"].map(|digit| digit.repeat(16));
        let card = |declined: Vec<serde_json::Value>| -> WorkerCard {
            serde_json::from_value(serde_json::json!({
                "v": 1, "name": "alice.pc", "host": "", "cpu": "", "cores": 1, "slots": 1,
                "memory_mb": 1, "target": "", "level": "", "verdict": "", "sandbox": "",
                "state": "idle", "joined_at": "", "declined": declined,
            }))
            .unwrap()
        };
        let run = |id: &str, state: RunState| {
            (
                RunCard {
                    run: id.parse().unwrap(),
                    name: format!("run-{}", &id[..1]),
                    state,
                    ..run_card()
                },
                None,
            )
        };
        let ended = run(&over, RunState::Stopped);
        let none = FleetLook { runs: vec![ended.clone()], ..FleetLook::default() };
        let some = FleetLook {
            runs: vec![run(&here, RunState::Playing), run(&other, RunState::Playing), ended],
            ..FleetLook::default()
        };
        let idle = Beat::new(1);
        let said = |look: &FleetLook, card: WorkerCard, beat: &Beat| look.why(&card, Some(beat));
        let over_declined = vec![declined(&over, "old")];
        assert_eq!(said(&none, card(over_declined.clone()), &idle).unwrap(), "no run is there");
        let both =
            said(&some, card(vec![declined(&here, "no sandbox"), over_declined[0].clone()]), &idle);
        let both = both.unwrap();
        assert_eq!(
            both,
            "run-a is declined: no sandbox; the coordinator of run-b has not answered it"
        );
        let plays = Beat { run: Some(other.parse().unwrap()), ..Beat::new(1) };
        assert_eq!(said(&some, card(Vec::new()), &plays), None);
        let plays = said(&some, card(vec![declined(&here, "no sandbox")]), &plays);
        assert_eq!(plays.unwrap(), "run-a is declined: no sandbox");
        let own = Beat { idle_why: Some("too hot".to_owned()), ..Beat::new(1) };
        assert_eq!(said(&some, card(Vec::new()), &own).unwrap(), "too hot");
        assert_eq!(some.why(&card(Vec::new()), None), None);
        let removed = Some("its invitation was removed".to_owned());
        let removed = WorkerCard { removed, ..card(Vec::new()) };
        assert_eq!(some.why(&removed, None), removed.removed);
        assert_eq!(
            some.why(&removed, Some(&idle)).as_deref(),
            some.why(&card(Vec::new()), Some(&idle)).as_deref()
        );
    }

    #[test]
    fn what_is_known_of_a_worker() {
        let mut card: WorkerCard = serde_json::from_value(serde_json::json!({
            "v": 1, "name": "alice.pc", "host": "", "cpu": "", "cores": 1, "slots": 1,
            "memory_mb": 1, "target": "", "level": "", "verdict": "", "sandbox": "",
            "state": "preparing", "run": "0".repeat(16), "joined_at": "",
        }))
        .unwrap();
        let look = FleetLook { runs: vec![(run_card(), None)], ..FleetLook::default() };
        let why = "fetches its files".to_owned();
        let beat = Beat { games: 8, idle_why: Some(why.clone()), ..Beat::new(1) };
        let here = worker(&card, Some(&beat), &look);
        assert_eq!((&*here.state, here.games, here.why), ("preparing", Some(8), Some(why)));
        assert_eq!(here.run.as_deref(), Some("run"));
        let away = worker(&card, None, &look);
        assert_eq!((&*away.state, away.games, away.games_per_s), ("away", None, None));
        card.removed = Some("its invitation was removed".to_owned());
        let removed = worker(&card, None, &look);
        assert_eq!((&*removed.state, removed.why), ("removed", card.removed));
    }

    #[test]
    fn the_coordinator_is_called_so() {
        let [own, other] = ["home.1", "alice.pc"].map(|name| name.parse::<WorkerName>().unwrap());
        for (worker, words) in [
            (Some(own.clone()), "at the coordinator, 3 s"),
            (Some(other), "at alice.pc, 3 s"),
            (None, "at no worker, 3 s"),
        ] {
            let said = in_words(&WaitsFor { first: 18, worker, seconds: 3 }, &own);
            assert_eq!(said, format!("chunk from pair 18 {words}"));
        }
    }

    fn run_card() -> RunCard {
        let player = serde_json::to_value(arena::record::Identity::default()).unwrap();
        serde_json::from_value(serde_json::json!({
            "v": 1, "run": "0".repeat(16), "name": "run", "state": "playing", "weight": 1.0,
            "coordinator": "home.1", "plan": {}, "files": [], "chunk": 1, "pairs": 1,
            "needs": {"verdict": "", "protocol": 1, "target": "", "cpu": "", "memory_mb": 1, "threads": 1, "clock": false},
            "identities": {"base": player.clone(), "test": player},
            "signatures": {"base": null, "test": null},
        }))
        .unwrap()
    }
}
