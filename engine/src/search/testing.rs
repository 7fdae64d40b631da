//! A search stopped in the middle of a line, for the tests of single rules.

use std::sync::Arc;

use super::picker::is_tactical;
use super::stack::StackEntry;
use super::statistics::SearchStatistics;
use super::worker::Worker;
use super::{Buffers, HashSize, HashTable, Heuristics, Limits, Setup};
use crate::tablebase::Probing;
use crate::tablebase::testing::three_men;
use crate::types::Value;
use crate::{Params, Position};

/// A middle game in which nothing hangs and nobody is ahead, White to move.
pub(super) const QUIET: &str = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/4PN2/PP2BPPP/RNBQ1RK1 w - - 0 8";

/// The worker of a test.
pub(super) type TestWorker<'a> = Worker<'a, SearchStatistics>;

/// Plays moves from a position as nodes would, each position evaluated unless in check, and asks a
/// question of the last one; the ply is handed on too.
pub(super) fn after<R>(
    params: Params,
    fen: &str,
    moves: &[&str],
    ask: impl FnOnce(&mut TestWorker<'_>, usize) -> R,
) -> R {
    after_by(&Setup::new(&Arc::new(params)), fen, moves, ask)
}

/// The same by more than parameters.
pub(super) fn after_by<R>(
    setup: &Setup,
    fen: &str,
    moves: &[&str],
    ask: impl FnOnce(&mut TestWorker<'_>, usize) -> R,
) -> R {
    let (hash, mut heuristics) = (HashTable::new(HashSize::MIN), Heuristics::new());
    let mut buffers = Buffers::new(1 << 12);
    let position = Position::from_fen(fen).expect(fen);
    let limits = Limits::default();
    let memory = (&hash, &mut heuristics, &mut buffers);
    let mut statistics = SearchStatistics::default();
    let mut worker = Worker::new(setup, &position, memory, &limits, &(), &mut statistics);
    meet(&mut worker, 0);
    for (ply, text) in moves.iter().enumerate() {
        let mv = worker.position.parse_uci(text).expect(text);
        let gain = worker.position.see(mv, &setup.exchange, setup.pins);
        worker.make(mv, ply);
        worker.buffers.stack[ply + 1].wins = is_tactical(mv) && gain > Value::ZERO;
        meet(&mut worker, ply + 1);
    }
    ask(&mut worker, moves.len())
}

fn meet(worker: &mut TestWorker<'_>, ply: usize) {
    let in_check = worker.position.in_check();
    worker.buffers.stack[ply].in_check = in_check;
    if !in_check {
        worker.evaluate(ply);
    }
}

impl TestWorker<'_> {
    /// What a ply knows.
    pub(super) fn ply(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.buffers.stack[ply]
    }
}

/// The usual personality with the tests' endgame tablebases.
pub(super) fn with_tables(change: impl FnOnce(&mut Probing)) -> Setup {
    let mut probing = Probing { tables: Some(three_men()), ..Probing::default() };
    change(&mut probing);
    Setup::new(&Arc::new(personality("default"))).with_probing(probing)
}

/// A personality's parameters.
pub(super) fn personality(name: &str) -> Params {
    Params::personality(name).expect(name)
}

/// The plain parameters with one switch on.
pub(super) fn only(switch: &str) -> Params {
    let mut params = Params::default();
    params.set(switch, "true").expect(switch);
    params
}
