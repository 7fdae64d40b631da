//! The signature of behaviour: the node total of fixed positions at a fixed depth.
//!
//! Two builds with the same total play the same; a change of playing behaviour states its total in
//! the commit message.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::Engine;
use crate::params::Params;
use crate::position::{FenError, Position};
use crate::search::{HashSize, Limits, Observer, SearchStatistics};

/// Depth of a plain `bench`, plies.
pub const DEPTH: u32 = 13;

/// The hash table of the bench; a larger one would change the total.
pub const HASH_MIB: usize = 16;

/// Openings, middle games, end games, and positions where rules bite.
pub const POSITIONS: &[&str] = &[
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
    "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3",
    "rnbqkb1r/pp2pppp/3p1n2/8/3NP3/8/PPP2PPP/RNBQKB1R w KQkq - 1 5",
    "rnbq1rk1/ppp1ppbp/3p1np1/8/2PPP3/2N2N2/PP3PPP/R1BQKB1R w KQ - 2 6",
    "r1bq1rk1/pp2bppp/2n1pn2/2pp4/2PP4/2N1PN2/PP2BPPP/R1BQ1RK1 w - - 0 8",
    "2rq1rk1/pb1n1ppN/4p3/1pb5/3P1Pn1/P1N5/1PQ1B1PP/R1B2RK1 b - - 0 16",
    "r1b2rk1/1pqn1ppp/p2bpn2/8/3N4/2N1B3/PPQ1BPPP/R4RK1 w - - 0 13",
    "1k1r4/pp1b1R2/3q2pp/4p3/2B5/4Q3/PPP2B2/2K5 b - - 0 1",
    "3r1k2/4npp1/1ppr3p/p6P/P2PPPP1/1NR5/5K2/2R5 w - - 0 1",
    "2q1rr1k/3bbnnp/p2p1pp1/2pPp3/PpP1P1P1/1P2BNNP/2BQ1PRK/7R b - - 0 1",
    "r3r1k1/ppqb1ppp/8/4p1NQ/8/2P5/PP3PPP/R3R1K1 b - - 0 1",
    "4r1k1/r1q2ppp/ppp2n2/4P3/5Rb1/1N1BQ3/PPP3PP/R5K1 w - - 1 17",
    "8/8/1p1r1k2/p1pPN1p1/P3KnP1/1P6/8/3R4 b - - 0 1",
    "8/pp2r1k1/2p1p3/3pP2p/1P1P1P1P/P5KR/8/8 w - - 0 1",
    "8/3k4/p6Q/pq6/3p4/1P6/P3p1P1/6K1 w - - 0 1",
    "8/1p3pp1/7p/5P1P/2k3P1/8/2K2P2/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "8/8/8/5N2/8/p7/8/2NK3k w - - 0 1",
    "6k1/6p1/P6p/r1N5/5p2/7P/1b3PP1/4R1K1 w - - 0 1",
    "4k2r/1pb2ppp/1p2p3/1R1p4/3P4/2r1PN2/P4PPP/1R4K1 b - - 3 22",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
];

/// What a bench found.
#[derive(Debug, Clone, Copy)]
pub struct BenchReport {
    /// The signature.
    pub nodes: u64,
    /// Time for all positions.
    pub time: Duration,
}

impl BenchReport {
    /// Nodes per second.
    #[must_use]
    pub fn nps(&self) -> u64 {
        let micros = self.time.as_micros().max(1);
        (u128::from(self.nodes) * 1_000_000 / micros) as u64
    }
}

/// The field's form, last line `N nodes M nps`.
impl fmt::Display for BenchReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Total time (ms) : {}", self.time.as_millis())?;
        writeln!(f, "Nodes searched  : {}", self.nodes)?;
        write!(f, "{} nodes {} nps", self.nodes, self.nps())
    }
}

/// Searches every position to `depth` plies from a cleared state; `each` hears of every one.
///
/// # Errors
/// Never with the positions above: a test reads them all.
pub fn bench(
    params: &Arc<Params>,
    depth: u32,
    each: impl FnMut(usize, &str, u64),
) -> Result<BenchReport, FenError> {
    bench_watched(params, depth, each, &())
}

/// The same, until the observer stops it: the report is of what was searched by then.
///
/// # Errors
/// As [`bench()`].
pub fn bench_watched(
    params: &Arc<Params>,
    depth: u32,
    each: impl FnMut(usize, &str, u64),
    observer: &dyn Observer,
) -> Result<BenchReport, FenError> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    run(params, each, observer, |engine, position| engine.search(position, &limits, observer).nodes)
}

/// The same, and what the searches counted about themselves (TST-09).
///
/// # Errors
/// As [`bench()`].
pub fn bench_counted(
    params: &Arc<Params>,
    depth: u32,
    each: impl FnMut(usize, &str, u64),
) -> Result<(BenchReport, SearchStatistics), FenError> {
    let limits = Limits { depth: Some(depth), ..Limits::default() };
    let mut statistics = SearchStatistics::default();
    let report = run(params, each, &(), |engine, position| {
        let (report, counts) = engine.search_counted(position, &limits, &());
        statistics.add(&counts);
        report.nodes
    })?;
    Ok((report, statistics))
}

fn run(
    params: &Arc<Params>,
    mut each: impl FnMut(usize, &str, u64),
    observer: &dyn Observer,
    mut search: impl FnMut(&mut Engine, &Position) -> u64,
) -> Result<BenchReport, FenError> {
    let mut engine = Engine::new(params, HashSize::from_mib(HASH_MIB));
    let (mut nodes, mut time) = (0, Duration::ZERO);
    for (index, fen) in POSITIONS.iter().enumerate() {
        if observer.stop() {
            break;
        }
        let position = Position::from_fen(fen)?;
        engine.new_game();
        let started = Instant::now();
        let found = search(&mut engine, &position);
        time += started.elapsed();
        nodes += found;
        each(index, fen, found);
    }
    Ok(BenchReport { nodes, time })
}
