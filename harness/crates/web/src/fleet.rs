//! State of a run on many machines, of its workers and its broker, as the page shows them. Plain
//! data; the caller fills it in.

use std::fmt;

use serde::{Deserialize, Serialize};

/// State of a run on many machines.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FleetState {
    /// What the gap-free prefix waits for; `None`: nothing.
    pub waits: Option<WaitsFor>,
    /// Finished pairs, with those beyond the gap-free prefix.
    pub finished_pairs: u64,
    /// Pairs in a chunk.
    pub chunk_pairs: u64,
    /// Chunks held by workers.
    pub held_chunks: u64,
    /// Pairs that were lost at one worker and played by another.
    pub redrawn: u64,
    /// Messages that were refused.
    pub refused: u64,
    /// Games that came twice.
    pub duplicates: u64,
    /// Pairs that two machines have played, and that were the same.
    pub audited: u64,
    /// Games that were taken out of the journal.
    pub struck: u64,
    /// Barred invitations, with the reason.
    pub convicted: Vec<String>,
    /// Workers that play this run, and their slots.
    pub workers: u64,
    pub slots: u64,
}

/// The first pair that is not recorded yet.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct WaitsFor {
    pub pair: u64,
    /// First pair of its chunk.
    pub chunk: u64,
    /// Who holds it; `None`: no worker.
    pub worker: Option<String>,
    /// Seconds since the prefix last grew.
    pub seconds: u64,
}

impl fmt::Display for WaitsFor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let WaitsFor { pair, chunk, worker, seconds } = self;
        write!(f, "pair {pair} (chunk from pair {chunk}) ")?;
        match worker {
            Some(worker) => write!(f, "at {worker}, {seconds} s"),
            None => write!(f, "at no worker, {seconds} s"),
        }
    }
}

impl FleetState {
    /// In words.
    pub(crate) fn waits_for(&self) -> String {
        self.waits.as_ref().map_or("–".to_owned(), WaitsFor::to_string)
    }
}

/// What a worker does.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum WorkerPhase {
    Playing,
    /// Fetching or building a run's files, or checking its players.
    Preparing,
    #[default]
    Idle,
    /// Finishing its chunks; takes no more.
    Leaving,
    /// It does not answer.
    Away,
    /// Nor does it, and its invitation is no longer valid.
    Removed,
}

impl WorkerPhase {
    pub fn as_str(self) -> &'static str {
        match self {
            WorkerPhase::Playing => "playing",
            WorkerPhase::Preparing => "preparing",
            WorkerPhase::Idle => "idle",
            WorkerPhase::Leaving => "leaving",
            WorkerPhase::Away => "away",
            WorkerPhase::Removed => "removed",
        }
    }

    /// Whether it answers.
    pub fn is_there(self) -> bool {
        !matches!(self, WorkerPhase::Away | WorkerPhase::Removed)
    }
}

/// A worker at one moment. Its texts come from another machine and are escaped where they are
/// shown.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct WorkerState {
    /// `NAME.INSTANCE`.
    pub name: String,
    pub host: String,
    pub cpu: String,
    pub cores: u64,
    pub slots: u64,
    /// Commit of its verdict.
    pub verdict: String,
    /// Sandbox for programs of others, such as `bwrap`; `off` or `none`: no sandbox.
    pub sandbox: String,
    pub state: WorkerPhase,
    /// Id of the run that it plays.
    pub run: Option<String>,
    /// Chunks that it holds.
    pub chunks: Vec<HeldChunk>,
    pub games_per_s: f64,
    /// Games since it joined; so are the next three numbers.
    pub games: u64,
    pub faults: u64,
    /// Games that were spoilt because verdict woke too late.
    pub late: u64,
    /// Batches of results that are not at the broker yet.
    pub spooled: u64,
    /// Nodes/s of one slot while all slots are busy.
    pub nps: Option<u64>,
    /// Factor of its clocks.
    pub scale: Option<f64>,
    /// Why it plays nothing.
    pub idle_why: Option<String>,
    /// Runs that it declines.
    pub declined: Vec<Declined>,
    /// For the run that it plays.
    pub residual: Option<Residual>,
    /// Seconds since its last message.
    pub heard_s: Option<u64>,
}

/// A chunk that a worker holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HeldChunk {
    pub first: u64,
    pub pairs: u64,
    /// Finished pairs.
    pub done: u64,
}

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Declined {
    /// Id of the run.
    pub run: String,
    /// The reason in words.
    pub why: String,
}

/// How much a worker's results differ from those of the others. Only shown: no game is dropped by
/// results.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Residual {
    /// χ² over three classes of pairs, two degrees of freedom; `None`: too few pairs.
    pub chi2: Option<f64>,
    /// p-value, 0 to 1, corrected for the number of workers.
    pub p: Option<f64>,
    /// Games lost on time.
    pub time_losses: u64,
    /// Mean plies of a game, with its opening.
    pub plies: Option<f64>,
    /// Nodes/s of thinking in its games.
    pub nps: Option<u64>,
}

#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct BrokerState {
    pub up: bool,
    /// Such as `nats-server 2.12.7 at 127.0.0.1:4222`.
    pub words: String,
    /// Streams and their bytes.
    pub streams: Vec<(String, u64)>,
}

/// Totals over all workers.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub(crate) struct WorkersTotal {
    pub(crate) workers: u64,
    pub(crate) slots: u64,
    pub(crate) games_per_s: f64,
}

impl WorkersTotal {
    /// Counts all workers that answer.
    pub(crate) fn of(workers: &[WorkerState]) -> WorkersTotal {
        let there = workers.iter().filter(|worker| worker.state.is_there());
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
        for (waits, part) in [(waits, "at no worker"), (at, "at bob.1")] {
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
            worker(WorkerPhase::Removed, 40),
            worker(WorkerPhase::Idle, 2),
        ];
        let total = WorkersTotal { workers: 2, slots: 5, games_per_s: 3.0 };
        assert_eq!(WorkersTotal::of(&workers), total);
        let json = serde_json::to_value(&workers[0]).unwrap();
        assert_eq!(json["state"], WorkerPhase::Playing.as_str());
    }
}
