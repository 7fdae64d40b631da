//! Figures of runs without end: acknowledgements, efficiency, throughput and what it costs.

use std::time::{Duration, Instant};

use process::Error;
use serde_json::json;

use super::player::Log;
use super::rows::{Row, Sample, rounded};
use super::simulated::{Outcome, Stage, Trip};

/// Results and their acknowledgements, 8 workers.
pub(crate) async fn acknowledgements(stage: &Stage, is_quick: bool) -> Result<Row, Error> {
    let pairs = if is_quick { 160 } else { 1600 };
    let pair = Duration::from_millis(100);
    let trip = Trip { workers: 8, pairs, chunk: None, pair, alone: true, has_audits: true };
    let outcome = stage.play(&trip).await?;
    let sent = || outcome.logs.iter().flat_map(|log| &log.sent);
    let whole = Sample::of_times(sent().map(|(_, stored)| *stored));
    let told = Sample::of_times(sent().map(|(packed, stored)| stored.saturating_sub(*packed)));
    Ok(Row {
        key: "acknowledgement",
        what: "from the end of a pair until the broker has acknowledged its result; 8 workers, 100 ms a pair, \
               each pair a message"
            .to_owned(),
        asked: "p50 ≤ 2 ms",
        found: format!(
            "p50 {:.2} ms, p99 {:.1} ms ({:.2} and {:.1} ms without packing)",
            whole.at(50.0),
            whole.at(99.0),
            told.at(50.0),
            told.at(99.0)
        ),
        holds: Some(whole.at(50.0) <= 2.0),
        data: json!({"ms": whole.data(), "without_packing_ms": told.data()}),
    })
}

/// What to measure the efficiency of.
pub(crate) struct Load {
    pub(crate) key: &'static str,
    pub(crate) trip: Trip,
    pub(crate) asked: &'static str,
    pub(crate) least: Option<f64>,
}

impl Load {
    pub(crate) fn all(is_quick: bool) -> Vec<Load> {
        let scale = if is_quick { 8 } else { 1 };
        let (short, long) = (Duration::from_millis(100), Duration::from_secs(1));
        let trip = |pairs: u64, chunk, pair, alone| Trip {
            workers: 64,
            pairs: pairs / scale,
            chunk,
            pair,
            alone,
            has_audits: false,
        };
        vec![
            Load {
                key: "efficiency-100ms",
                trip: trip(16_384, None, short, false),
                asked: "≥ 90 %",
                least: Some(0.9),
            },
            Load {
                key: "efficiency-100ms-audits",
                trip: Trip { has_audits: true, ..trip(16_384, None, short, false) },
                asked: "",
                least: None,
            },
            Load {
                key: "efficiency-100ms-single",
                trip: trip(8192, None, short, true),
                asked: "",
                least: None,
            },
            Load {
                key: "efficiency-1s",
                trip: trip(2560, Some(8), long, false),
                asked: "≥ 98 %",
                least: Some(0.98),
            },
        ]
    }
}

/// Busy time of slots, in their whole time.
pub(crate) async fn efficiency(stage: &Stage, load: Load) -> Result<Row, Error> {
    let Load { key, trip, asked, least } = load;
    let outcome = stage.play(&trip).await?;
    let handed_out = until_handed_out(&outcome, &trip)?;
    let length = (outcome.ended - outcome.began).as_secs_f64();
    let whole = trip.pairs as f64 * trip.pair.as_secs_f64() / (trip.workers as f64 * length);
    let chunk = trip.chunk.map_or("of the default size".to_owned(), |it| format!("of {it} pairs"));
    let mut how = if trip.alone { ", each a message" } else { "" }.to_owned();
    how += if trip.has_audits { ", 2 % of the chunks twice" } else { "" };
    Ok(Row {
        key,
        what: format!(
            "busy slot time until the last chunk is handed out; {} workers of one slot, {} ms a pair{how}, {} pairs \
             in chunks {chunk}",
            trip.workers,
            trip.pair.as_millis(),
            trip.pairs
        ),
        asked,
        found: format!("{:.1} % (whole run {:.1} %)", 100.0 * handed_out, 100.0 * whole),
        holds: least.map(|least| handed_out >= least),
        data: json!({"handed_out": rounded(handed_out), "whole": rounded(whole),
            "seconds": rounded(length), "coordinator_us_a_pair": per_pair(&outcome, &trip)}),
    })
}

/// From when all workers play until the last chunk was taken. A pair counts with its nominal time:
/// a timer that fires late is no work.
fn until_handed_out(outcome: &Outcome, trip: &Trip) -> Result<f64, Error> {
    let first = |log: &Log| log.played.first().map(|(began, _)| *began);
    let all_play: Option<Vec<Instant>> = outcome.logs.iter().map(first).collect();
    let from = all_play.and_then(|began| began.into_iter().max());
    let to = outcome.logs.iter().filter_map(|log| log.taken.last()).max();
    let (Some(from), Some(to)) = (from, to.copied()) else {
        return Err(Error::fault("some worker has played nothing: expected more pairs"));
    };
    let busy: Duration = outcome
        .logs
        .iter()
        .flat_map(|log| &log.played)
        .map(|(began, _)| {
            (*began + trip.pair).min(to).saturating_duration_since((*began).max(from))
        })
        .sum();
    Ok(busy.as_secs_f64() / (trip.workers as f64 * (to - from).as_secs_f64()))
}

/// Processor time of the coordinator while it gathers, in microseconds a pair.
fn per_pair(outcome: &Outcome, trip: &Trip) -> f64 {
    let [idle, busy, _] = outcome.used;
    let microseconds = 1e6 * (busy.processor - idle.processor).as_secs_f64();
    rounded(microseconds / trip.pairs as f64)
}

/// Pairs that come as fast as they are taken.
pub(crate) async fn throughput(stage: &Stage, is_quick: bool) -> Result<Vec<Row>, Error> {
    let pairs = if is_quick { 2_000 } else { 50_000 };
    let pair = Duration::ZERO;
    // Pairs that the coordinator plays for audits are games, not gathering.
    let trip = Trip { workers: 8, pairs, chunk: None, pair, alone: false, has_audits: false };
    let outcome = stage.play(&trip).await?;
    let length = (outcome.ended - outcome.began).as_secs_f64();
    let rate = trip.pairs as f64 / length;
    let [idle, _, whole] = outcome.used;
    let gathering = per_pair(&outcome, &trip);
    let to_end = 1e6 * (whole.processor - idle.processor).as_secs_f64() / pairs as f64;
    let peak = whole.peak as f64 / 1e6;
    let (recorded, plies) = (stage.recorded.pairs(), stage.recorded.plies());
    Ok(vec![
        Row {
            key: "throughput",
            what: format!(
                "pairs gathered a second, refereed and on the disk; 8 workers that take no time, {pairs} pairs, \
                 {plies:.0} plies a game, no audits"
            ),
            asked: "≥ 2,000",
            found: format!("{rate:.0}"),
            holds: Some(rate >= 2e3),
            data: json!({"pairs_a_second": rounded(rate), "seconds": rounded(length),
                "plies": rounded(plies), "different_pairs": recorded}),
        },
        Row {
            key: "processor",
            what: "processor time of the coordinator for each of these pairs, its idle start subtracted"
                .to_owned(),
            asked: "≤ 150 µs",
            found: format!("{gathering:.0} µs ({to_end:.0} µs with the report at the end)"),
            holds: Some(gathering <= 150.0),
            data: json!({"gathering_us": gathering, "to_its_end_us": rounded(to_end)}),
        },
        Row {
            key: "memory",
            what: format!("peak resident memory of the coordinator in this run of {} games", 2 * pairs),
            asked: "≤ 100 MB",
            found: format!(
                "{peak:.0} MB ({:.0} MB when it was idle, {:.0} MB before the report)",
                idle.peak as f64 / 1e6,
                outcome.used[1].peak as f64 / 1e6
            ),
            holds: Some(peak <= 100.0),
            data: json!({"peak_bytes": whole.peak, "idle_bytes": idle.peak,
                "gathering_bytes": outcome.used[1].peak}),
        },
    ])
}
