//! How a run over many machines is going, its workers and its broker, as the page shows them. Plain
//! data: whoever knows the fleet fills it in.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How a run over many machines is going.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FleetState {
    /// What the gap-free prefix waits for; `None`: for nothing.
    pub waits: Option<WaitsFor>,
    /// Pairs that finished, beyond the prefix too.
    pub finished_pairs: u64,
    /// Pairs of a chunk.
    pub chunk_pairs: u64,
    /// Chunks that workers hold.
    pub held_chunks: u64,
    /// Pairs drawn anew because a worker did not finish them.
    pub redrawn: u64,
    /// Messages that were refused.
    pub refused: u64,
    /// Games that came twice.
    pub duplicates: u64,
    /// Chunks that were played twice and compared.
    pub audited: u64,
    /// Workers whose games were found to be false.
    pub convicted: Vec<String>,
    /// Workers that play this run, and their slots.
    pub workers: u64,
    pub slots: u64,
}

/// The first pair that is missing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitsFor {
    pub pair: u64,
    /// First pair of its chunk.
    pub chunk: u64,
    /// Who has it; `None`: nobody yet.
    pub worker: Option<String>,
    /// Since when the prefix has not grown.
    pub seconds: u64,
}

impl fmt::Display for WaitsFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaitsFor { pair, chunk, worker, seconds } = self;
        write!(f, "pair {pair} of chunk {chunk}, ")?;
        match worker {
            Some(worker) => write!(f, "at {worker}, {seconds} s"),
            None => write!(f, "not handed out, {seconds} s"),
        }
    }
}

impl FleetState {
    /// For the line of a page.
    pub(crate) fn waits_for(&self) -> String {
        self.waits.as_ref().map_or("–".to_owned(), WaitsFor::to_string)
    }
}

/// What a worker does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerPhase {
    Playing,
    /// It fetches or builds a run's files, or checks its players.
    Preparing,
    #[default]
    Idle,
    /// It ends its chunks and takes no more.
    Leaving,
    /// Nothing was heard of it for too long.
    Away,
}

impl WorkerPhase {
    pub fn as_str(self) -> &'static str {
        match self {
            WorkerPhase::Playing => "playing",
            WorkerPhase::Preparing => "preparing",
            WorkerPhase::Idle => "idle",
            WorkerPhase::Leaving => "leaving",
            WorkerPhase::Away => "away",
        }
    }
}

/// A worker at one moment. All text may come from a stranger: it is escaped where it is shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerState {
    /// `NAME.INSTANCE`; the machine that coordinates has one, too.
    pub name: String,
    pub host: String,
    pub cpu: String,
    pub cores: u64,
    pub slots: u64,
    /// Commit of its verdict.
    pub verdict: String,
    /// In what it runs others' programs, such as `bwrap`; `off`: in nothing.
    pub sandbox: String,
    pub state: WorkerPhase,
    /// Id of the run, as in addresses.
    pub run: Option<String>,
    /// Chunks that it holds.
    pub chunks: Vec<HeldChunk>,
    pub games_per_s: f64,
    /// Since it joined, as the next three are.
    pub games: u64,
    pub faults: u64,
    /// Games that its harness woke too late for.
    pub late: u64,
    /// Batches of results that the broker has not yet.
    pub spooled: u64,
    /// Nodes a second of one slot, all slots at work.
    pub nps: Option<u64>,
    /// By which its clocks are scaled.
    pub scale: Option<f64>,
    /// Why it plays nothing, in words.
    pub idle_why: Option<String>,
    /// Runs that it does not play.
    pub declined: Vec<Declined>,
    /// Of the run that it plays.
    pub residual: Option<Residual>,
    /// Seconds since it was heard of.
    pub heard_s: Option<u64>,
}

/// A chunk that a worker has and has not yet ended.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldChunk {
    pub first: u64,
    pub pairs: u64,
    /// Pairs that are finished.
    pub done: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declined {
    /// Id of the run.
    pub run: String,
    /// In words.
    pub why: String,
}

/// How a worker's results differ from those of the others. It is shown; no game is dropped by it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// Over three classes of pairs, two degrees of freedom; `None`: too few pairs.
    pub chi2: Option<f64>,
    /// 0 to 1, corrected for the number of workers.
    pub p: Option<f64>,
    /// Games.
    pub time_losses: u64,
    /// Mean of a game, book included.
    pub plies: Option<f64>,
    /// Nodes a second of its games over those of its bench.
    pub nps_share: Option<f64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BrokerState {
    pub up: bool,
    /// Such as `nats-server 2.12.7 at 127.0.0.1:4222`.
    pub words: String,
    /// Stream and its bytes.
    pub streams: Vec<(String, u64)>,
}

/// All workers in a few numbers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct WorkersTotal {
    pub(crate) workers: u64,
    pub(crate) slots: u64,
    pub(crate) games_per_s: f64,
}

impl WorkersTotal {
    /// Of those that are not away.
    pub(crate) fn of(workers: &[WorkerState]) -> WorkersTotal {
        let there = workers.iter().filter(|worker| worker.state != WorkerPhase::Away);
        there.fold(WorkersTotal::default(), |sum, worker| WorkersTotal {
            workers: sum.workers + 1,
            slots: sum.slots + worker.slots,
            games_per_s: sum.games_per_s + worker.games_per_s,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_waited_for() {
        let waits = WaitsFor { pair: 1204, chunk: 1200, worker: None, seconds: 12 };
        let at = WaitsFor { worker: Some("bob.1".to_owned()), ..waits.clone() };
        for (waits, part) in [(waits, "not handed out"), (at, "at bob.1")] {
            let words = FleetState { waits: Some(waits), ..FleetState::default() }.waits_for();
            assert!(words.contains("pair 1204") && words.contains(part), "{words}");
        }
        assert_eq!(FleetState::default().waits_for(), "–");
    }

    #[test]
    fn who_is_away_does_not_count() {
        let worker =
            |state, slots| WorkerState { state, slots, games_per_s: 1.5, ..WorkerState::default() };
        let workers = [
            worker(WorkerPhase::Playing, 3),
            worker(WorkerPhase::Away, 40),
            worker(WorkerPhase::Idle, 2),
        ];
        let total = WorkersTotal { workers: 2, slots: 5, games_per_s: 3.0 };
        assert_eq!(WorkersTotal::of(&workers), total);
        let json = serde_json::to_value(&workers[0]).unwrap();
        assert_eq!(json["state"], WorkerPhase::Playing.as_str());
    }
}
