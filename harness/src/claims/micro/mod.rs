//! Micro-benchmarks: two ways to the same end, which the papers compared in C and Java of their
//! day. The engine's bitboards have no use for them; they are built here only to be timed.

mod exchange;
mod mailbox;
mod tables;

use std::sync::Arc;

use engine::{Params, Position};
use serde::{Deserialize, Serialize};

use super::Finding;
use super::measurement_file::MeasurementFile;
use arena::record::Versions;
use process::cpu_time;
use tuning::sweep::speed::ratio;

/// How often each way is timed; they take turns.
pub(super) const ROUNDS: usize = 40;

/// The least time of a round, in microseconds: the faster way is repeated until it takes so long.
const LEAST_MICROS: u64 = 4_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Benchmark {
    /// To clear the attack tables of 64 bytes by words, against byte by byte (GEN-22).
    WordsForBytes,
    /// An exchange evaluation that keeps its arrays, against one that makes them (GEN-21).
    KeptArrays,
    /// Moves from a list for each kind of man, against one list of all kinds (GEN-10).
    PieceLists,
    /// To evaluate, against to evaluate and set two tables of 128 bytes up (EVA-14).
    NoAttackTables,
    /// To make two tables of 128 bytes, against two of 128 integers (EVA-14).
    BytesForIntegers,
}

/// Raised whenever a way is built otherwise: what was timed before is then another measurement.
const FORM: u32 = 2;

/// One way; a call goes it once, over all that there is.
type BenchFn = Box<dyn FnMut()>;

impl Benchmark {
    /// What it is made of, in words.
    pub(super) fn form(self) -> String {
        format!("{self:?} of form {FORM}, {ROUNDS} rounds")
    }

    /// The way that the claim calls better, and the other.
    fn ways(self, params: &Arc<Params>, positions: &[Position]) -> [BenchFn; 2] {
        match self {
            Benchmark::WordsForBytes => tables::words_for_bytes(),
            Benchmark::KeptArrays => exchange::incremental_arrays(positions),
            Benchmark::PieceLists => mailbox::piece_lists(positions),
            Benchmark::NoAttackTables => tables::no_attack_tables(params, positions),
            Benchmark::BytesForIntegers => tables::bytes_for_integers(),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Micro {
    pub versions: Versions,
    pub benchmark: Benchmark,
    /// How often a round goes each way.
    pub repeats: u64,
    /// Processor time of each round of the way that is said to be better, in microseconds.
    pub with: Vec<u64>,
    /// And of the other.
    pub without: Vec<u64>,
}

impl Micro {
    /// Time of the other way over time of the one that is said to be better: the geometric mean,
    /// and its 95 % interval over rounds.
    pub fn faster(&self) -> Finding {
        ratio(&self.without, &self.with).into()
    }
}

impl MeasurementFile for Micro {
    const FILE: &str = "micro.json";
    const WHAT: &str = "a micro-benchmark";
}

/// Times both ways. `None` when `stop` says so meanwhile.
pub(super) fn measure(
    benchmark: Benchmark,
    params: Params,
    positions: &[Position],
    stop: &dyn Fn() -> bool,
) -> Option<Micro> {
    let mut ways = benchmark.ways(&Arc::new(params), positions);
    let mut repeats = 1;
    while !stop() && time(&mut ways[0], repeats) < LEAST_MICROS {
        repeats *= 2;
    }
    let mut micros = [Vec::with_capacity(ROUNDS), Vec::with_capacity(ROUNDS)];
    for round in 0..ROUNDS {
        for turn in 0..2 {
            if stop() {
                return None;
            }
            let way = (round + turn) % 2;
            micros[way].push(time(&mut ways[way], repeats));
        }
    }
    let [with, without] = micros;
    Some(Micro { versions: Versions::here(), benchmark, repeats, with, without })
}

/// The processor time of so many calls, in microseconds.
fn time(way: &mut BenchFn, repeats: u64) -> u64 {
    let before = cpu_time::of_thread();
    for _ in 0..repeats {
        way();
    }
    let taken = cpu_time::of_thread().saturating_sub(before).as_micros();
    u64::try_from(taken).unwrap_or(u64::MAX)
}
