//! What is simulated: a fleet, its network, and the choices of the code that may be varied.

use std::num::NonZeroU32;
use std::time::Duration;

use arena::game::Limit;
use arena::plan::Plan;
use process::Error;
use serde_json::{Value, json};
use wire::chunk::{Split, pairs_per_chunk};

/// Nodes/s and moves of a game by which `wire::chunk` expects a pair's time: 4 × 60 moves at 1 M
/// nodes/s.
const NODES_PER_PAIR_SECOND: f64 = 1e6 / 240.0;
/// What a chunk keeps one slot busy for where it may have any number of pairs: `WANTED` of
/// `wire::chunk`.
const UNCAPPED_S: f64 = 30.0;
/// The same of short chunks, and their pairs at most: `MOST` of `wire::chunk`.
const SHORT_S: f64 = 10.0;
const SHORT_MOST: f64 = 32.0;
/// To unpack, referee and write a pair, in `results/fleet-figures`: today's code, and the first.
const PAIR_WORK: Duration = Duration::from_micros(150);
const HEAVY_PAIR_WORK: Duration = Duration::from_micros(700);
/// Any plan; only its limit matters.
const PLAN: &str = include_str!("../../../../fuzz/corpus/plan/gauntlet-stockfish");

/// How many games a worker has in its queue before it asks for the next chunk.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Ahead {
    /// So many in all.
    Games(usize),
    /// So many for each slot.
    EachSlot(usize),
    /// So many seconds of work of all slots, and a pair a slot at least.
    Seconds(f64),
}

/// How far beyond the gap-free prefix chunks are handed out.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Window {
    /// 3 chunks a slot, 64 at least.
    Chunks,
    /// So many seconds of work of all slots, and 3 chunks a slot at least.
    Seconds(f64),
}

/// How many pairs a chunk has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Chunking {
    /// 30 s of work of one slot, 32 pairs at most.
    Code,
    /// 30 s of work of one slot.
    Uncapped,
    /// 10 s of work of one slot, 32 pairs at most.
    Short,
}

/// What the code chose, or an alternative to it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Design {
    pub(crate) ahead: Ahead,
    /// Batches of results that a worker sends at once.
    pub(crate) batches: usize,
    pub(crate) chunking: Chunking,
    pub(crate) window: Window,
    /// Whether the coordinator is asked what is missing of a chunk that was never delivered before.
    pub(crate) asks_fresh: bool,
    /// What a pair costs the coordinator, one after another.
    pub(crate) pair_work: Duration,
}

impl Design {
    /// As the code has it.
    pub(crate) const CODE: Design = Design {
        ahead: Ahead::EachSlot(2),
        batches: 8,
        chunking: Chunking::Code,
        window: Window::Chunks,
        asks_fresh: true,
        pair_work: PAIR_WORK,
    };

    /// By the name of a flag.
    pub(crate) fn with(self, flag: &str) -> Option<Design> {
        Some(match flag {
            "code" => self,
            "ahead" => Design { ahead: Ahead::Seconds(1.0), ..self },
            "shallow" => Design { ahead: Ahead::Games(2), ..self },
            "single" => Design { batches: 1, ..self },
            "uncapped" => Design { chunking: Chunking::Uncapped, ..self },
            "short" => Design { chunking: Chunking::Short, ..self },
            "window" => Design { window: Window::Seconds(90.0), ..self },
            "fresh" => Design { asks_fresh: false, ..self },
            "heavy" => Design { pair_work: HEAVY_PAIR_WORK, ..self },
            _ => return None,
        })
    }
}

/// Machines that go and come.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(crate) struct Churn {
    /// Of the whole fleet, an hour. Another machine comes a minute later.
    pub(crate) deaths: f64,
    /// Of the whole fleet, an hour: orderly ones.
    pub(crate) leaves: f64,
}

#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Cell {
    /// Of what it is a part.
    pub(crate) set: &'static str,
    pub(crate) slots: usize,
    /// Of each worker.
    pub(crate) worker_slots: usize,
    /// Mean seconds that both games of a pair take.
    pub(crate) pair_s: f64,
    /// Round trip between a worker and the broker.
    pub(crate) rtt: Duration,
    /// Of packets, 0 to 1.
    pub(crate) loss: f64,
    /// Round trip between the coordinator and the broker.
    pub(crate) coordinator_rtt: Duration,
    pub(crate) churn: Churn,
    pub(crate) pairs: u64,
    /// Pairs without a gap at which the rule decides.
    pub(crate) decides_at: Option<u64>,
    pub(crate) design: Design,
    /// Names of its flags.
    pub(crate) flags: String,
    pub(crate) seed: u64,
}

impl Cell {
    pub(crate) fn new(slots: usize, worker_slots: usize, pair_s: f64, rtt_ms: u64) -> Cell {
        Cell {
            set: "",
            slots,
            worker_slots,
            pair_s,
            rtt: Duration::from_millis(rtt_ms),
            loss: 0.0,
            coordinator_rtt: Duration::from_millis(1),
            churn: Churn::default(),
            pairs: 0,
            decides_at: None,
            design: Design::CODE,
            flags: "code".to_owned(),
            seed: 1,
        }
    }

    /// So many seconds of work for all slots, at most `most` pairs.
    pub(crate) fn lasting(self, seconds: f64, most: u64) -> Cell {
        let pairs = (self.slots as f64 * seconds / self.pair_s).ceil() as u64;
        Cell { pairs: pairs.clamp(1, most), ..self }
    }

    /// With the flags of that text, joined by `+`.
    pub(crate) fn with(self, flags: &str) -> Result<Cell, Error> {
        let each = flags.split('+');
        let design = each.clone().try_fold(Design::CODE, Design::with);
        let design = design.ok_or_else(|| {
            Error::usage(format!(
                "{flags}: expected code, or some of ahead, shallow, single, uncapped, short, window, \
                 fresh, heavy, joined by +"
            ))
        })?;
        Ok(Cell { design, flags: flags.to_owned(), ..self })
    }

    /// The split that the code makes of such a run.
    pub(crate) fn split(&self) -> Result<Split, Error> {
        let nodes = (self.pair_s * NODES_PER_PAIR_SECOND).round().max(1.0) as u64;
        let run: Value = serde_json::from_str(PLAN).map_err(Error::fault)?;
        let plan: Plan = serde_json::from_value(run["plan"].clone()).map_err(Error::fault)?;
        let of_work = |seconds: f64, most: f64| {
            let pairs = (seconds / self.pair_s).clamp(1.0, most) as u32;
            NonZeroU32::new(pairs).unwrap_or(NonZeroU32::MIN)
        };
        let each = match self.design.chunking {
            Chunking::Code => pairs_per_chunk(&Plan { limit: Limit::Nodes(nodes), ..plan }),
            Chunking::Uncapped => of_work(UNCAPPED_S, f64::MAX),
            Chunking::Short => of_work(SHORT_S, SHORT_MOST),
        };
        Ok(Split::new(self.pairs, each))
    }

    /// Games that a worker has before it asks for the next chunk.
    pub(crate) fn games_ahead(&self) -> usize {
        match self.design.ahead {
            Ahead::Games(games) => games,
            Ahead::EachSlot(games) => self.worker_slots * games,
            Ahead::Seconds(seconds) => {
                let games = (2.0 * seconds / self.pair_s).ceil() as usize;
                self.worker_slots * games.max(2)
            }
        }
    }

    /// By how many slots the ledger's window is to be reckoned: it gives 3 chunks to each.
    pub(crate) fn window_slots(&self, slots: usize, chunk: NonZeroU32) -> usize {
        match self.design.window {
            Window::Chunks => slots,
            Window::Seconds(seconds) => {
                let chunk_s = f64::from(chunk.get()) * self.pair_s;
                let chunks = slots as f64 * seconds / chunk_s;
                slots.max((chunks / 3.0).ceil() as usize)
            }
        }
    }

    /// Whether it differs from another in its seed and the moment of its decision alone.
    pub(crate) fn is_another_of(&self, other: &Cell) -> bool {
        let Cell { seed, decides_at, .. } = *other;
        self.set == "stop" && Cell { seed, decides_at, ..self.clone() } == *other
    }

    pub(crate) fn to_json(&self) -> Value {
        json!({
            "set": self.set,
            "flags": self.flags,
            "slots": self.slots,
            "worker_slots": self.worker_slots,
            "pair_s": self.pair_s,
            "rtt_ms": self.rtt.as_millis() as u64,
            "loss": self.loss,
            "coordinator_rtt_ms": self.coordinator_rtt.as_millis() as u64,
            "deaths_per_h": self.churn.deaths,
            "leaves_per_h": self.churn.leaves,
            "pairs": self.pairs,
            "decides_at": self.decides_at,
            "seed": self.seed,
        })
    }
}
