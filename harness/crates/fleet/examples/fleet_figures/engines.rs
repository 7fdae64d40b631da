//! Real engines: four processes of one slot each, against one process with four slots.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use arena::record::{GameRecord, Games};
use process::Error;
use serde_json::json;

use super::place::{self, Place};
use super::rows::{Row, Sample, rounded};
use super::seer::{Heard, Seer};
use super::simulated::Stage;

const SLOTS: usize = 4;
const FLAGS: &str = "--test embedded,search.pvs=false --nodes 2000";
const PATIENCE: Duration = Duration::from_secs(60);
/// How often workers are asked how many games they have finished: seldom, since that costs time, but
/// often near the end.
const LOOK_EVERY: Duration = Duration::from_millis(500);
const LOOK_CLOSELY: Duration = Duration::from_millis(20);

/// Both arms play the same pairs in the same order, and are timed until a number of games is finished
/// at which no slot is idle yet.
pub(crate) async fn engines(stage: &Stage, is_quick: bool) -> Result<Row, Error> {
    let (pairs, games, times) = if is_quick { (30, 30, 1) } else { (120, 200, 4) };
    let (mut ratios, mut rates) = (Vec::new(), Vec::new());
    for _ in 0..times {
        let one = one_process(stage, pairs, games)?;
        let four = four_processes(stage, pairs, games).await?;
        ratios.push(one.as_secs_f64() / four.as_secs_f64());
        rates.push([one, four].map(|time| rounded(games as f64 / time.as_secs_f64())));
    }
    let ratios = Sample::new(ratios);
    Ok(Row {
        key: "engines",
        what: format!(
            "games/s of {SLOTS} worker processes of one slot each, in those of one process with {SLOTS} slots; the \
             embedded engine, 2,000 nodes a move, the first {games} games of the same {pairs} pairs, {times} times in turn"
        ),
        asked: "≥ 97 %",
        found: format!(
            "{:.1} % on average, {:.1} to {:.1} %",
            100.0 * ratios.mean(),
            100.0 * ratios.at(0.0),
            100.0 * ratios.most()
        ),
        holds: Some(ratios.mean() >= 0.97),
        data: json!({"mean": rounded(ratios.mean()), "least": rounded(ratios.at(0.0)),
            "most": rounded(ratios.most()), "games_a_second_one_and_four": rates}),
    })
}

fn words(stage: &Stage, pairs: usize) -> String {
    format!("{} --pairs {pairs}", stage.words(FLAGS))
}

/// Time until so many games are finished.
fn one_process(stage: &Stage, pairs: usize, games: usize) -> Result<Duration, Error> {
    let dir = tempfile::tempdir()?;
    let words = format!("{} --slots {SLOTS} --out run", words(stage, pairs));
    place::run(&stage.verdict, dir.path(), &words)?;
    time_of(&dir.path().join("run"), games)
}

fn time_of(run: &Path, games: usize) -> Result<Duration, Error> {
    let records: Result<Vec<GameRecord>, _> = Games::open(run)?.collect();
    let records = records?;
    let began = records.iter().map(|game| game.time.started_ms).min().unwrap_or_default();
    let mut ended: Vec<u64> = records.iter().map(|game| game.time.end_ms()).collect();
    ended.sort_unstable();
    let last = ended.get(games - 1).ok_or_else(|| Error::fault("expected more games"))?;
    Ok(Duration::from_millis(last - began))
}

/// The same on a fleet, by what the workers themselves say: results come in batches.
async fn four_processes(stage: &Stage, pairs: usize, games: usize) -> Result<Duration, Error> {
    let place = Place::start(&stage.verdict)?;
    let mut seer = Seer::join(&place).await?;
    let token = place.invite("ann")?;
    let mut workers = Vec::new();
    for number in 0..SLOTS {
        let words = format!("worker --join {token} --name real{number} --slots 1");
        let mut worker = place.begin(&format!("real{number}.log"), &words)?;
        worker.wait_for("joined")?;
        workers.push(worker);
    }
    let words = format!(
        "{} --fleet srv --slots 0 --chunk 4 --fleet-audit 0 --out run",
        words(stage, pairs)
    );
    let coordinator = place.begin("match.log", &words)?;
    let mut began: Option<Instant> = None;
    let mut finished: BTreeMap<String, usize> = BTreeMap::new();
    let (mut asked, mut sum) = (Instant::now(), 0);
    loop {
        let is_near = 10 * sum > 9 * games;
        let pause = if is_near { LOOK_CLOSELY } else { LOOK_EVERY };
        tokio::select! {
            heard = seer.next(PATIENCE) => {
                let Heard { instance, beat, at } = heard?;
                if beat.chunks.is_empty() && began.is_none() {
                    continue;
                }
                let began = *began.get_or_insert(at);
                finished.insert(instance, beat.games as usize);
                sum = finished.values().sum();
                if sum >= games {
                    coordinator.signal("INT")?;
                    return Ok(at - began);
                }
            }
            () = tokio::time::sleep_until((asked + pause).into()) => {
                asked = Instant::now();
                seer.ask().await?;
            }
        }
    }
}
