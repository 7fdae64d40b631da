//! How soon others have the chunks of workers that die, and of those that leave.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use process::Error;
use serde_json::json;
use wire::names::RunId;

use super::member::Member;
use super::place::{Place, Running};
use super::rows::{Row, Sample};
use super::seer::Seer;
use super::simulated::{Stage, run_of};

const CHUNKS: usize = 16;
/// Simulated workers that take a chunk and are not heard of again.
const VICTIMS: usize = 6;
const PATIENCE: Duration = Duration::from_secs(60);
/// Nobody else takes chunks: one that does not come at once does not come.
const AT_ONCE: Duration = Duration::from_millis(500);
const PROGRESS_EVERY: Duration = Duration::from_secs(5);

/// One real worker is killed, one is told to leave, simulated ones take a chunk and fall silent.
pub(crate) async fn chunks(stage: &Stage, is_quick: bool) -> Result<Vec<Row>, Error> {
    let place = Place::start(&stage.verdict)?;
    let mut seer = Seer::join(&place).await?;
    let token = place.invite("ann")?;
    let pairs = 32 * CHUNKS;
    let stage = Stage { flags: "--test embedded,search.pvs=false --nodes 5000", ..stage.clone() };
    let words = format!("--pairs {pairs} --chunk 32 --fleet-audit 0");
    let mut coordinator = stage.begin(&place, &words, "run")?;
    let run = run_of(&place.path("run"), &mut coordinator)?;
    let mut killed = worker(&place, &token, "killed")?;
    let killed_chunk = has_chunk(&mut seer, "killed").await?;
    let mut leaver = worker(&place, &token, "leaver")?;
    let left_chunk = has_chunk(&mut seer, "leaver").await?;

    let token = place.invite_token("bob")?;
    let mut gone: BTreeMap<u64, Instant> = BTreeMap::new();
    for victim in 0..VICTIMS {
        let member = Member::join(&token, &format!("victim{victim}")).await?;
        let message = member.link.chunks(run).next(PATIENCE).await?;
        let message = message.ok_or_else(|| Error::fault("a victim has no chunk"))?;
        // Its connection is closed, as that of a process that was killed.
        gone.insert(member.read(run, message).await?.chunk.first, Instant::now());
    }
    let heir = Member::join(&token, "heir").await?;
    let mut chunks = heir.link.chunks(run);
    let mut held: Vec<Message> = Vec::new();
    while let Some(message) = chunks.next(AT_ONCE).await? {
        held.push(message);
    }
    killed.signal("KILL")?;
    killed.wait(PATIENCE)?;
    gone.insert(killed_chunk, Instant::now());
    let told = Instant::now();
    leaver.signal("TERM")?;
    let exit = std::thread::spawn(move || leaver.wait(PATIENCE).map(|(at, _)| at));

    let mut back: BTreeMap<u64, Instant> = BTreeMap::new();
    let until = told + PATIENCE;
    let mut progressed = Instant::now();
    while back.len() < VICTIMS + 2 && Instant::now() < until {
        if let Some(message) = chunks.next(AT_ONCE).await? {
            let taken = heir.read(run, message).await?;
            held.push(taken.message);
            if !taken.missing.is_empty() {
                back.entry(taken.chunk.first).or_insert(taken.at);
            }
        }
        if progressed.elapsed() > PROGRESS_EVERY {
            progressed = Instant::now();
            for message in &held {
                message.ack_with(AckKind::Progress).await.map_err(Error::fault)?;
            }
        }
    }
    let exited = exit.join().map_err(|_| Error::fault("the leaver"))??;
    let left = back.remove(&left_chunk).ok_or_else(|| not_back("the leaver"))?;
    let mut times = Vec::new();
    for (first, at) in &gone {
        let back = back.get(first).ok_or_else(|| not_back("a dead worker"))?;
        times.push((*first == killed_chunk, (*back - *at).as_secs_f64()));
    }
    let of = |is_real: bool| {
        let times = times.iter().filter(|(real, _)| *real == is_real);
        Sample::new(times.map(|(_, seconds)| *seconds).collect())
    };
    let (real, victims) = (of(true), of(false));
    let given = give_back(&heir, &token, run, held, if is_quick { 20 } else { 200 }).await?;
    let worst = victims.most().max(real.most());
    // Before the exit of the process is in time as well.
    let after_exit = left.saturating_duration_since(exited).as_secs_f64();
    let after_signal = (left - told).as_secs_f64();
    Ok(vec![
        Row {
            key: "dead",
            what: format!(
                "from a worker's death until another has its chunk; {VICTIMS} that have just taken theirs (the worst \
                 case), and a real one, killed"
            ),
            asked: "≤ 31 s",
            found: format!("at most {:.1} s; the real one {:.1} s", victims.most(), real.most()),
            holds: Some(worst <= 31.0),
            data: json!({"victims_s": victims.data(), "real_s": real.most()}),
        },
        Row {
            key: "leaver",
            what: format!(
                "from an orderly leaver's word until another has its chunk: {} simulated ones, and a real one until \
                 its end",
                given.count()
            ),
            asked: "≤ 1 s",
            found: format!(
                "p50 {:.1} ms, at most {:.0} ms; the real one's chunk was back {after_signal:.2} s after SIGTERM (it \
                 finishes its pair), {:.0} ms after its end",
                given.at(50.0),
                given.most(),
                1e3 * after_exit
            ),
            holds: Some(given.most() <= 1e3 && after_exit <= 1.0),
            data: json!({"simulated_ms": given.data(), "after_sigterm_s": after_signal,
                "after_exit_s": after_exit}),
        },
    ])
}

fn not_back(whose: &str) -> Error {
    Error::fault(format!("the chunk of {whose} is not back after {} s", PATIENCE.as_secs()))
}

fn worker(place: &Place, token: &str, name: &str) -> Result<Running, Error> {
    let words = format!("worker --join {token} --name {name} --slots 1");
    place.begin(&format!("{name}.log"), &words)
}

/// Waits until a worker holds a chunk: its first pair.
async fn has_chunk(seer: &mut Seer, name: &str) -> Result<u64, Error> {
    loop {
        let heard = seer.next(PATIENCE).await?;
        if let Some(chunk) = heard.beat.chunks.first().filter(|_| heard.instance == name) {
            return Ok(chunk.first);
        }
    }
}

/// Two workers give a chunk to each other: how long that takes.
async fn give_back(
    heir: &Member,
    token: &wire::token::Token,
    run: RunId,
    held: Vec<Message>,
    times: usize,
) -> Result<Sample, Error> {
    let other = Member::join(token, "other").await?;
    let mut message = held.last().cloned().ok_or_else(|| Error::fault("no chunk is held"))?;
    let (mut from, mut to) = (heir, &other);
    let mut given = Vec::new();
    for _ in 0..times {
        let mut chunks = to.link.chunks(run);
        let waiting = async {
            let next = chunks.next(PATIENCE).await?;
            let next = next.ok_or_else(|| Error::fault("no chunk was given back"))?;
            to.read(run, next).await
        };
        let giving = async {
            // Until then the other one has asked.
            tokio::time::sleep(Duration::from_millis(20)).await;
            let at = Instant::now();
            from.link.give_back(&message).await;
            at
        };
        let (taken, at) = tokio::join!(waiting, giving);
        let taken = taken?;
        given.push(taken.at - at);
        message = taken.message;
        std::mem::swap(&mut from, &mut to);
    }
    Ok(Sample::of_times(given))
}
