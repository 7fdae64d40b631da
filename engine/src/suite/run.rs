//! Searching a suite: every position from a cleared engine, several at once.

use std::cell::Cell;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, mpsc};
use std::thread;

use crate::engine::Engine;
use crate::memory::check_room;
use crate::search::{HashSize, IterationInfo, Limits, Observer, Setup};
use crate::types::{Move, Value};

use super::case::Case;

/// How positions are searched.
#[derive(Debug, Clone)]
pub struct Conditions {
    /// Parameters and their tables.
    pub setup: Arc<Setup>,
    /// The hash table of each search.
    pub hash: HashSize,
    /// What ends a search.
    pub limits: Limits,
    /// Positions searched at once, at least one. Changes no result unless time is the limit.
    pub threads: usize,
}

/// What the search made of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Whether all that was wanted holds at the end.
    pub solved: bool,
    /// The move it plays; none where there is no legal move.
    pub best: Option<Move>,
    /// Score of that move, side to move.
    pub score: Value,
    /// Completed iterations, plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time to solution: nodes after which all that was wanted held to the end.
    pub solution_nodes: Option<u64>,
}

/// The machine has no room for the hash tables.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("not enough memory for {threads} hash tables of {mib} MiB")]
pub struct NoMemory {
    threads: usize,
    mib: usize,
}

/// Searches every position and returns what came of each, in order; `each` hears of them as they
/// are finished.
///
/// A position with a mate to find is finished as soon as it is solved: what was asked for is there,
/// and most such searches end long before the limit.
///
/// # Errors
/// When the hash tables cannot be had in full, which would change results.
pub fn run(
    cases: &[&Case],
    conditions: &Conditions,
    mut each: impl FnMut(&Outcome),
) -> Result<Vec<Outcome>, NoMemory> {
    let threads = conditions.threads.min(cases.len()).max(1);
    let hash = conditions.hash;
    let no_memory = || NoMemory { threads, mib: hash.bytes() >> 20 };
    check_room(hash.bytes().saturating_mul(threads)).map_err(|_| no_memory())?;
    let engines: Vec<Engine> =
        (0..threads).map(|_| Engine::with_setup(&conditions.setup, hash)).collect();
    if engines.iter().any(|engine| engine.hash_size() < hash) {
        return Err(no_memory());
    }
    let next = AtomicUsize::new(0);
    let (sender, receiver) = mpsc::channel();
    let mut outcomes = vec![None; cases.len()];
    thread::scope(|scope| {
        for mut engine in engines {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                while let Some((index, case)) = take(cases, next) {
                    // The receiver outlives every sender.
                    let _ = sender.send((index, solve(&mut engine, case, &conditions.limits)));
                }
            });
        }
        drop(sender);
        for (index, outcome) in receiver {
            each(&outcome);
            outcomes[index] = Some(outcome);
        }
    });
    Ok(outcomes.into_iter().flatten().collect())
}

/// The next position that nobody has taken.
fn take<'a>(cases: &[&'a Case], next: &AtomicUsize) -> Option<(usize, &'a Case)> {
    let index = next.fetch_add(1, Ordering::Relaxed);
    cases.get(index).map(|&case| (index, case))
}

fn solve(engine: &mut Engine, case: &Case, limits: &Limits) -> Outcome {
    engine.new_game();
    let watch = Watch { case, since: Cell::new(None) };
    let report = engine.search(&case.position, limits, &watch);
    watch.hear(report.best, report.score, report.nodes);
    let solution_nodes = watch.since.get();
    Outcome {
        solved: solution_nodes.is_some(),
        best: report.best,
        score: report.score,
        depth: report.depth,
        nodes: report.nodes,
        solution_nodes,
    }
}

/// Watches since when the position has been solved.
struct Watch<'a> {
    case: &'a Case,
    since: Cell<Option<u64>>,
}

impl Watch<'_> {
    fn hear(&self, best: Option<Move>, score: Value, nodes: u64) {
        let solved = self.case.is_solved(best, score);
        self.since.set(solved.then(|| self.since.get().unwrap_or(nodes)));
    }
}

impl Observer for Watch<'_> {
    fn stop(&self) -> bool {
        self.case.mate.is_some() && self.since.get().is_some()
    }

    fn iteration(&self, info: &IterationInfo<'_>) {
        self.hear(info.pv.first().copied(), info.score, info.nodes);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Right, wrong, and right again for good: only the last counts.
    #[test]
    fn solution_nodes_are_the_last_change_for_the_better() {
        let case = Case::parse("6k1/5ppp/8/8/8/8/8/K2R4 w - - bm Rd8; dm 1;").expect("a case");
        let (right, mate) = (Some(case.best[0]), Value::mate_in(1));
        let watch = Watch { case: &case, since: Cell::new(None) };
        for (best, score, nodes, since) in [
            (right, Value::ZERO, 5, None),
            (right, mate, 10, Some(10)),
            (right, mate, 20, Some(10)),
            (None, mate, 30, None),
            (right, mate, 40, Some(40)),
        ] {
            watch.hear(best, score, nodes);
            assert_eq!((watch.since.get(), watch.stop()), (since, since.is_some()), "{nodes}");
        }
    }
}
