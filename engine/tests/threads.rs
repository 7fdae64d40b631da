//! Several threads: limits hold for all of them together, and one thread is as if there were no others.

use std::cell::RefCell;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::params::PERSONALITIES;
use engine::search::SearchEvent;
use engine::{Engine, HashSize, IterationInfo, Limits, Move, Observer, Params, Position};

use crate::common::session::{MIDDLEGAME, Session, field};
use crate::xboard::until_pong;

fn engine_of(params: Params, threads: usize) -> Engine {
    let mut engine = Engine::new(&Arc::new(params), HashSize::from_mib(1));
    engine.set_threads(threads);
    assert_eq!(engine.threads(), threads);
    engine
}

fn engine(threads: usize) -> Engine {
    engine_of(Params::standard(), threads)
}

fn middlegame() -> Position {
    Position::from_fen(MIDDLEGAME.strip_prefix("position fen ").expect("a FEN")).expect("legal")
}

/// Notes what is told: line, nodes, first move.
#[derive(Default)]
struct Notes(RefCell<Vec<(usize, u64, Move)>>);

impl Observer for Notes {
    fn iteration(&self, info: &IterationInfo<'_>) {
        self.0.borrow_mut().push((info.multipv, info.nodes, info.pv[0]));
    }
}

#[test]
fn one_thread_is_as_if_there_had_been_no_others() {
    let limits = Limits { depth: Some(8), ..Limits::default() };
    let expected = Engine::new(&Arc::new(Params::standard()), HashSize::from_mib(1)).search(
        &middlegame(),
        &limits,
        &(),
    );
    let mut engine = engine(3);
    engine.search(&middlegame(), &limits, &());
    engine.set_threads(1);
    for _ in 0..2 {
        engine.new_game();
        let report = engine.search(&middlegame(), &limits, &());
        assert_eq!((report.nodes, report.pv), (expected.nodes, expected.pv.clone()));
    }
}

/// A limit of nodes is one of all threads' together: never exceeded, and used up but for what a thread had been
/// granted when the leader had no more.
#[test]
fn nodes_are_limited_together() {
    const THREADS: usize = 4;
    const GRANT: u64 = 64;
    let mut engine = engine(THREADS);
    for limit in [1, 100, 5_000, 60_000] {
        engine.new_game();
        let limits = Limits { nodes: Some(limit), ..Limits::default() };
        let notes = Notes::default();
        let report = engine.search(&middlegame(), &limits, &notes);
        assert!(report.best.is_some());
        assert!(report.nodes <= limit, "{} of {limit}", report.nodes);
        assert!(report.nodes + THREADS as u64 * GRANT >= limit, "{} of {limit}", report.nodes);
        assert!(notes.0.borrow().iter().all(|(_, nodes, _)| *nodes <= limit));
    }
}

#[test]
fn other_limits_hold() {
    let mut engine = engine(4);
    let (position, notes) = (middlegame(), Notes::default());
    let limits = Limits { depth: Some(7), multipv: 3, ..Limits::default() };
    let report = engine.search(&position, &limits, &notes);
    let told = notes.0.into_inner();
    assert_eq!(report.depth, 7);
    assert!((1..=3).all(|line| told.iter().any(|(number, ..)| *number == line)));
    let last_told = told.iter().rev().find(|(line, ..)| *line == 1).map(|(_, _, mv)| *mv);
    assert_eq!(report.best, last_told);
    let wanted = position.parse_uci("h2h3").expect("legal");
    let limits = Limits { depth: Some(6), searchmoves: vec![wanted], ..Limits::default() };
    assert_eq!(engine.search(&position, &limits, &()).best, Some(wanted));
    let mate = Position::from_fen("7k/8/5KQ1/8/8/8/8/8 w - - 0 1").expect("legal");
    let limits = Limits { mate: Some(1), ..Limits::default() };
    assert_eq!(engine.search(&mate, &limits, &()).score.mate(), Some(1));
    for fen in ["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"] {
        let end = Position::from_fen(fen).expect("legal");
        assert_eq!(engine.search(&end, &Limits::default(), &()).best, None);
    }
}

/// What is counted (TST-09) is of all threads: each node is one of the two kinds, but for those on which
/// the threads stopped.
#[test]
fn counts_are_of_all_threads() {
    let limits = Limits { nodes: Some(40_000), ..Limits::default() };
    let (report, counts) = engine(3).search_counted(&middlegame(), &limits, &());
    let counted = counts.of(SearchEvent::MainNode) + counts.of(SearchEvent::QuiescenceNode);
    assert!((report.nodes - 3..=report.nodes).contains(&counted), "{counted} of {}", report.nodes);
}

/// Moves in a row, other options between them, whoever plays.
#[test]
fn every_personality_plays_on() {
    let limits = Limits { nodes: Some(8_000), ..Limits::default() };
    for (name, _) in PERSONALITIES {
        let params = Params::personality(name).expect("known");
        let mut engine = engine_of(params.clone(), 3);
        let mut position = Position::startpos();
        for number in 0..6 {
            let report = engine.search(&position, &limits, &());
            position.play(report.best.expect("a move"));
            match number {
                2 => engine.set_hash(HashSize::from_bytes(100_000)),
                3 => engine.set_params(&Arc::new(params.clone())),
                4 => engine.set_threads(2),
                _ => {}
            }
        }
        assert_eq!(engine.threads(), 2, "{name}");
    }
}

/// Far more than it takes, on a machine that does something else meanwhile.
const SOON: Duration = Duration::from_secs(20);

#[test]
fn a_stop_is_obeyed_soon() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name Threads value 4");
    session.ask("isready", "readyok");
    session.send(MIDDLEGAME);
    session.ask("go infinite", "info depth 6");
    let begun = Instant::now();
    session.ask("stop", "bestmove");
    for _ in 0..20 {
        session.ask("go infinite\nstop", "bestmove");
        session.ask("go movetime 1", "bestmove");
        session.ask("go ponder wtime 100 btime 100\nponderhit", "bestmove");
    }
    assert!(begun.elapsed() < SOON, "{:?}", begun.elapsed());
    session.quit();
}

#[test]
fn threads_are_an_option() {
    let mut session = Session::start();
    let offers = session.ask("uci", "uciok");
    assert!(offers.iter().any(|o| o == "option name Threads type spin default 1 min 1 max 256"));
    for value in ["0", "257", "-1", "two"] {
        session.send(&format!("setoption name Threads value {value}"));
        let told = session.ask("isready", "readyok");
        let expected = format!(
            "info string option Threads: expected a whole number from 1 to 256, found '{value}'"
        );
        assert_eq!(told, [expected, "readyok".to_owned()]);
    }
    let alone = session.nodes(&[]);
    session.send("setoption name Threads value 3\nsetoption name Clear Hash");
    session.send(MIDDLEGAME);
    let lines = session.ask("go nodes 30000", "bestmove");
    let nodes = lines.iter().filter_map(|line| field(line, "nodes")?.parse::<u64>().ok());
    assert!(nodes.max().is_some_and(|most| (10_000..=30_000).contains(&most)), "{lines:?}");
    assert_eq!(session.nodes(&["Threads value 1", "Clear Hash"]), alone);
    session.quit();
}

#[test]
fn xboard_sets_cores() {
    let mut session = Session::start();
    session.send("xboard");
    let features = session.ask("protover 2", "feature done=1");
    assert!(features.iter().any(|line| line.contains(" smp=1 ")), "{features:?}");
    let told = until_pong(&mut session, "cores 0\ncores\ncores 257");
    assert_eq!(told.len(), 3, "{told:?}");
    for line in told {
        assert!(line.contains("option Threads: expected a whole number from 1 to 256"), "{line}");
    }
    // Where this machine has only one processor, it says so.
    until_pong(&mut session, "cores 2\nst 1");
    let moved = session.last("new\nusermove e2e4", "move ");
    assert!(moved.len() >= "move e7e5".len(), "{moved}");
    session.quit();
}
