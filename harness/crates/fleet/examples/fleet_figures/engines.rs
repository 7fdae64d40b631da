//! Real engines: four processes of one slot each, against one process with four slots.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

use arena::record::{GameRecord, Games};
use process::Error;
use serde_json::json;

use super::place::{self, Place, Running};
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

/// One arm: until a number of games was finished at which no slot is idle yet, and what all processes
/// have used for all games, without what they had used before the first.
struct Arm {
    time: Duration,
    processor: Duration,
}

/// Both arms play the same pairs in the same order, in turn. What else the machine does spoils times
/// more than processor times.
pub(crate) async fn engines(stage: &Stage, is_quick: bool) -> Result<Row, Error> {
    let (pairs, games, times) = if is_quick { (30, 30, 1) } else { (120, 200, 4) };
    let (mut ratios, mut efforts, mut rates) = (Vec::new(), Vec::new(), Vec::new());
    for time in 0..times {
        // A machine that gets slower favours neither.
        let four_first = time % 2 == 1;
        let early =
            if four_first { Some(four_processes(stage, pairs, games).await?) } else { None };
        let one = one_process(stage, pairs, games)?;
        let four = match early {
            Some(four) => four,
            None => four_processes(stage, pairs, games).await?,
        };
        ratios.push(one.time.as_secs_f64() / four.time.as_secs_f64());
        efforts.push(one.processor.as_secs_f64() / four.processor.as_secs_f64());
        rates.push([one, four].map(|arm| rounded(games as f64 / arm.time.as_secs_f64())));
    }
    let [ratios, efforts] = [ratios, efforts].map(Sample::new);
    Ok(Row {
        key: "engines",
        what: format!(
            "games/s of {SLOTS} worker processes of one slot each, in those of one process with {SLOTS} slots; the \
             embedded engine, 2,000 nodes a move, the first {games} games of the same {pairs} pairs, {times} times in turn"
        ),
        asked: "≥ 97 %",
        found: format!(
            "{:.1} % on average, {:.1} to {:.1} %; by processor time a game, broker and coordinator included, \
             {:.1} %, {:.1} to {:.1} %",
            100.0 * ratios.mean(),
            100.0 * ratios.at(0.0),
            100.0 * ratios.most(),
            100.0 * efforts.mean(),
            100.0 * efforts.at(0.0),
            100.0 * efforts.most()
        ),
        holds: Some(ratios.mean() >= 0.97),
        data: json!({"time": ratios.data(), "mean": rounded(ratios.mean()), "processor": efforts.data(),
            "processor_mean": rounded(efforts.mean()), "games_a_second_one_and_four": rates}),
    })
}

fn words(stage: &Stage, pairs: usize) -> String {
    format!("{} --pairs {pairs}", stage.words(FLAGS))
}

fn one_process(stage: &Stage, pairs: usize, games: usize) -> Result<Arm, Error> {
    let dir = tempfile::tempdir()?;
    let words = format!("{} --slots {SLOTS} --out run", words(stage, pairs));
    let used = place::run(&stage.verdict, dir.path(), &words)?;
    Ok(Arm { time: time_of(&dir.path().join("run"), games)?, processor: used.processor })
}

/// Time until so many games are finished.
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
async fn four_processes(stage: &Stage, pairs: usize, games: usize) -> Result<Arm, Error> {
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
    let mut coordinator = place.begin("match.log", &words)?;
    let all_used = || {
        let theirs = workers.iter().filter_map(Running::used).map(|used| used.processor);
        theirs.sum::<Duration>() + place.used()
    };
    let mut began: Option<(Instant, Duration)> = None;
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
                let (began, before) = *began.get_or_insert_with(|| (at, all_used()));
                finished.insert(instance, beat.games as usize);
                sum = finished.values().sum();
                if sum >= games {
                    let (_, own) = coordinator.wait(PATIENCE)?;
                    let processor = all_used() - before + own.processor;
                    return Ok(Arm { time: at - began, processor });
                }
            }
            () = tokio::time::sleep_until((asked + pause).into()) => {
                asked = Instant::now();
                seer.ask().await?;
            }
        }
    }
}
