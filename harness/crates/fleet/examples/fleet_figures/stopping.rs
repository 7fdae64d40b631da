//! How soon workers stop when the rule has decided.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures_util::StreamExt as _;
use process::{Context as _, Error};
use serde_json::{Value, json};
use tokio::sync::{Semaphore, watch};
use tokio::task::JoinSet;
use wire::message::{RunCard, RunState, decode};
use wire::names::RunId;

use super::member::Member;
use super::place::{self, Place};
use super::recorded::Recorded;
use super::rows::{Row, Sample};
use super::seer::{Heard, Seer};
use super::simulated::{Stage, run_of};

const WORKERS: usize = 8;
const PATIENCE: Duration = Duration::from_secs(60);
/// So that all earlier results are recorded before the one that decides.
const SETTLED: Duration = Duration::from_millis(300);
/// The base player is so much weaker that some 40 pairs decide.
const RULE: &str = "--rule sprt=0,20 --pairs 400 --base-limit nodes=200";
/// Audits would let the verdict wait for a second worker.
const CHUNKS: &str = "--chunk 1 --fleet-audit 0";

/// From the result that decides until each of 8 simulated workers knows that the run has ended.
pub(crate) async fn simulated(stage: &Stage, is_quick: bool) -> Result<Row, Error> {
    let place = Place::start(&stage.verdict)?;
    let words = format!("{} {RULE} --out alone", stage.words(stage.flags));
    place::run(&stage.verdict, &place.path(""), &words)?;
    let decides = pairs_of(&place.path("alone"))? - 1;
    let recorded = Arc::new(Recorded::of(&place.path("alone"))?);
    let token = place.invite_token("ann")?;
    let mut members = Vec::new();
    for number in 0..WORKERS {
        members.push(Arc::new(Member::join(&token, &format!("sim{number}")).await?));
    }
    let runs = if is_quick { 3 } else { 25 };
    let mut times = Vec::new();
    for number in 0..runs {
        let out = format!("run{number}");
        let mut coordinator = stage.begin(&place, &format!("{RULE} {CHUNKS}"), &out)?;
        let run = run_of(&place.path(&out), &mut coordinator)?;
        times.extend(stop(&members, run, &recorded, decides).await?);
        coordinator.wait(PATIENCE)?;
        let found = pairs_of(&place.path(&out))?;
        if found != decides + 1 {
            let expected = decides + 1;
            return Err(Error::fault(format!("decided at {found} pairs, alone at {expected}")));
        }
    }
    let times = Sample::of_times(times);
    Ok(Row {
        key: "stop",
        what: format!(
            "from sending the result that decides an SPRT until a worker knows that the run has ended; {runs} runs, \
             {WORKERS} simulated workers each"
        ),
        asked: "p99 ≤ 1 s",
        found: format!(
            "p50 {:.0} ms, p99 {:.0} ms, at most {:.0} ms",
            times.at(50.0),
            times.at(99.0),
            times.most()
        ),
        holds: Some(times.at(99.0) <= 1e3),
        data: json!({"ms": times.data(), "deciding_pair": decides}),
    })
}

/// Plays all pairs before the one that decides, then sends that one; how soon each worker stops.
async fn stop(
    members: &[Arc<Member>],
    run: RunId,
    recorded: &Arc<Recorded>,
    decides: u64,
) -> Result<Vec<Duration>, Error> {
    let before = Arc::new(Semaphore::new(0));
    let (tell, decided) = watch::channel(None);
    let mut playing = JoinSet::new();
    for member in members {
        let (member, recorded) = (Arc::clone(member), Arc::clone(recorded));
        let (before, mut decided) = (Arc::clone(&before), decided.clone());
        playing.spawn(async move {
            let stopped = member.until_stopped(run);
            let play = play_before(&member, run, &recorded, decides, &before);
            let at = tokio::select! {
                at = stopped => at?,
                done = play => return Err(done.err().unwrap_or(Error::fault("it ended"))),
            };
            let sent: Option<Instant> =
                *decided.wait_for(Option::is_some).await.map_err(Error::fault)?;
            Ok::<_, Error>(at.saturating_duration_since(sent.unwrap_or(at)))
        });
    }
    let all = u32::try_from(decides).map_err(Error::fault)?;
    let played = tokio::time::timeout(PATIENCE, before.acquire_many(all)).await;
    played
        .map_err(|_| Error::fault("the pairs before the decision were not played"))?
        .map_err(Error::fault)?
        .forget();
    tokio::time::sleep(SETTLED).await;
    let member = &members[0];
    let chunk = wire::chunk::Chunk { first: decides, pairs: 1, round: 0 };
    let sent = Instant::now();
    for packed in member.pack(run, chunk, recorded.pair(decides).into())? {
        member.store(run, packed).await?;
    }
    tell.send_replace(Some(sent));
    let mut times = Vec::new();
    while let Some(stopped) = playing.join_next().await {
        times.push(stopped.map_err(Error::fault)??);
    }
    Ok(times)
}

/// Takes chunks without end, and plays those before the one that decides.
async fn play_before(
    member: &Member,
    run: RunId,
    recorded: &Recorded,
    decides: u64,
    played: &Semaphore,
) -> Result<(), Error> {
    let mut chunks = member.link.chunks(run);
    loop {
        let Ok(Some(message)) = chunks.next(Duration::from_secs(5)).await else {
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let taken = member.read(run, message).await?;
        let first = taken.chunk.first;
        if first >= decides {
            // It is still being played when the run ends.
            continue;
        }
        for packed in member.pack(run, taken.chunk, recorded.pair(first).into())? {
            member.store(run, packed).await?;
        }
        taken.message.ack().await.map_err(Error::fault)?;
        played.add_permits(1);
    }
}

/// From the end of a run until each of 8 real workers has abandoned its games and says so.
pub(crate) async fn real(stage: &Stage, is_quick: bool) -> Result<Row, Error> {
    let place = Place::start(&stage.verdict)?;
    let mut seer = Seer::join(&place).await?;
    let token = place.invite("ann")?;
    let mut workers = Vec::new();
    for number in 0..WORKERS {
        let words = format!("worker --join {token} --name real{number} --slots 1");
        let mut worker = place.begin(&format!("real{number}.log"), &words)?;
        worker.wait_for("joined")?;
        workers.push(worker);
    }
    let runs = if is_quick { 1 } else { 5 };
    let mut times = Vec::new();
    for number in 0..runs {
        let out = format!("run{number}");
        let mut cards = seer.link().hear("$KV.runs.>".to_owned()).await?;
        let mut coordinator = stage.begin(&place, &format!("{RULE} {CHUNKS}"), &out)?;
        let run = run_of(&place.path(&out), &mut coordinator)?;
        let mut ended = None;
        let mut idle = BTreeMap::new();
        while idle.len() < WORKERS {
            tokio::select! {
                Some(card) = cards.next() => {
                    let is_end = |card: RunCard| card.run == run && card.state == RunState::Stopped;
                    if decode::<RunCard>(&card.payload).is_ok_and(is_end) {
                        ended = Some(Instant::now());
                    }
                }
                heard = seer.next(PATIENCE) => {
                    let Heard { instance, beat, at } = heard?;
                    if ended.is_some() && beat.run.is_none() {
                        idle.entry(instance).or_insert(at);
                    }
                }
            }
        }
        let ended = ended.ok_or_else(|| Error::fault("the run has not ended"))?;
        times.extend(idle.into_values().map(|at| at.saturating_duration_since(ended)));
        coordinator.wait(PATIENCE)?;
    }
    let times = Sample::of_times(times);
    Ok(Row {
        key: "stop-real",
        what: format!(
            "from the run's end until a worker has abandoned its games and says that it is idle; {runs} runs, {WORKERS} \
             real workers of one slot each"
        ),
        asked: "p99 ≤ 1 s",
        found: format!("p50 {:.0} ms, at most {:.0} ms", times.at(50.0), times.most()),
        holds: Some(times.most() <= 1e3),
        data: json!({"ms": times.data()}),
    })
}

/// Pairs after which the rule has decided.
fn pairs_of(dir: &Path) -> Result<u64, Error> {
    let path = dir.join("summary.json");
    let text = std::fs::read_to_string(&path).map_err(Error::io(&path, "read"))?;
    let summary: Value = serde_json::from_str(&text).map_err(Error::fault).context("summary")?;
    match (summary["verdict"].as_str(), summary["pairs"].as_u64()) {
        (Some("ACCEPT"), Some(pairs)) => Ok(pairs),
        _ => Err(Error::fault(format!("{}: expected a decision", dir.display()))),
    }
}
