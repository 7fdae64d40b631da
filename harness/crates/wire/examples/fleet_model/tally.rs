//! What a simulation counts.

use std::time::Duration;

use serde_json::{Value, json};

#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    /// Of all slots, until their machines went or the run ended.
    pub(crate) slot_time: Duration,
    /// Of it, games were played.
    pub(crate) busy: Duration,
    /// When the last chunk was first given to a worker, with `slot_time` and `busy` so far.
    pub(crate) handed_out: Option<(Duration, Duration, Duration)>,
    /// When the last pair was recorded that was to be played.
    pub(crate) ended: Option<Duration>,
    pub(crate) recorded_pairs: u64,
    /// Chunks that were given to nobody after four of their workers had died.
    pub(crate) poisoned: u64,
    /// From a machine's death until another worker has its chunk.
    pub(crate) back_after_death: Vec<Duration>,
    /// The same from the moment a machine is told to leave.
    pub(crate) back_after_leave: Vec<Duration>,
    /// From the decision until a worker stops.
    pub(crate) stops: Vec<Duration>,
    /// Pairs that were played when the rule decided and count for nothing.
    pub(crate) vain: u64,
    /// Pairs that were begun at a machine that went.
    pub(crate) redrawn: u64,
    /// As the code counts them, by what workers say in their beats.
    pub(crate) redrawn_by_code: u64,
    /// Games that came twice.
    pub(crate) duplicates: u64,
    /// Questions for missing pairs that were not answered in time.
    pub(crate) unanswered: u64,
    /// Chunks that a worker had at once.
    pub(crate) most_held: usize,
    /// From the broker's storing a result until the acknowledgement.
    pub(crate) longest_ack: Duration,
    /// Between workers and broker.
    pub(crate) worker_bytes: u64,
    /// Between coordinator and broker.
    pub(crate) coordinator_bytes: u64,
}

impl Tally {
    /// Busy slot time in slot time, tail and all.
    pub(crate) fn efficiency(&self) -> f64 {
        share(self.busy, self.slot_time)
    }

    /// The same until the last chunk was handed out.
    pub(crate) fn steady(&self) -> Option<f64> {
        self.handed_out.map(|(_, slot_time, busy)| share(busy, slot_time))
    }

    /// From the last hand-out to the end.
    pub(crate) fn tail(&self) -> Option<Duration> {
        Some(self.ended?.saturating_sub(self.handed_out?.0))
    }

    /// With what another run like it gave; times of its end are those of the first.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.slot_time += other.slot_time;
        self.busy += other.busy;
        self.recorded_pairs += other.recorded_pairs;
        self.poisoned += other.poisoned;
        self.back_after_death.extend(&other.back_after_death);
        self.back_after_leave.extend(&other.back_after_leave);
        self.stops.extend(&other.stops);
        self.vain += other.vain;
        self.redrawn += other.redrawn;
        self.redrawn_by_code += other.redrawn_by_code;
        self.duplicates += other.duplicates;
        self.unanswered += other.unanswered;
        self.most_held = self.most_held.max(other.most_held);
        self.longest_ack = self.longest_ack.max(other.longest_ack);
        self.worker_bytes += other.worker_bytes;
        self.coordinator_bytes += other.coordinator_bytes;
    }

    pub(crate) fn to_json(&self) -> Value {
        let per_pair = |bytes: u64| (bytes as f64 / self.recorded_pairs.max(1) as f64).round();
        json!({
            "efficiency": rounded(Some(self.efficiency())),
            "steady": rounded(self.steady()),
            "tail_s": seconds(self.tail()),
            "seconds": seconds(self.ended),
            "back_after_death": quantiles(&self.back_after_death),
            "back_after_leave": quantiles(&self.back_after_leave),
            "stop": quantiles(&self.stops),
            "vain_pairs": self.vain,
            "redrawn_pairs": self.redrawn,
            "redrawn_by_code": self.redrawn_by_code,
            "poisoned_chunks": self.poisoned,
            "duplicate_games": self.duplicates,
            "unanswered": self.unanswered,
            "most_held": self.most_held,
            "longest_ack_s": seconds(Some(self.longest_ack)),
            "worker_bytes_per_pair": per_pair(self.worker_bytes),
            "coordinator_bytes_per_pair": per_pair(self.coordinator_bytes),
        })
    }
}

fn share(part: Duration, whole: Duration) -> f64 {
    if whole.is_zero() { 0.0 } else { part.as_secs_f64() / whole.as_secs_f64() }
}

/// To four digits.
fn rounded(number: Option<f64>) -> Option<f64> {
    number.map(|number| (number * 1e4).round() / 1e4)
}

fn seconds(time: Option<Duration>) -> Option<f64> {
    time.map(|time| (time.as_secs_f64() * 1e3).round() / 1e3)
}

/// `None` without samples.
fn quantiles(times: &[Duration]) -> Option<Value> {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = |share: f64| {
        let place = (share * sorted.len() as f64).ceil() as usize;
        sorted.get(place.saturating_sub(1)).copied()
    };
    let count = sorted.len();
    sorted.last()?;
    Some(json!({
        "count": count,
        "p50_s": seconds(at(0.5)),
        "p99_s": seconds(at(0.99)),
        "most_s": seconds(at(1.0)),
    }))
}
