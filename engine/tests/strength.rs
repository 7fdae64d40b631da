//! Limited strength: what a search keeps to, what it repeats, and what the protocols make of it.

use std::sync::Arc;

use engine::search::Strength;
use engine::{Engine, HashSize, Limits, Move, Params, Position, SearchReport};

use crate::common::session::{MIDDLEGAME, Session, field};
use crate::xboard::until_pong;

const MANY_MOVES: &str = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
const MATE_IN_ONE: &str = "6k1/5ppp/8/8/8/8/5PPP/4Q1K1 w - - 0 1";

fn engine() -> Engine {
    Engine::new(&Arc::new(Params::standard()), HashSize::from_mib(1))
}

fn limits(elo: u32, seed: u64) -> Limits {
    Limits { strength: Some(Strength::new(elo, seed)), ..Limits::default() }
}

fn search(fen: &str, limits: &Limits) -> SearchReport {
    engine().search(&Position::from_fen(fen).expect("legal"), limits, &())
}

/// The first plies of a game of an engine with itself, each game begun anew.
fn game(engine: &mut Engine, elo: u32, seed: u64) -> Vec<Move> {
    engine.new_game();
    let mut position = Position::startpos();
    let next = |_| {
        let mv = engine.search(&position, &limits(elo, seed), &()).best.expect("a move");
        position.play(mv);
        mv
    };
    (0..16).map(next).collect()
}

#[test]
fn nodes_are_limited_by_strength_and_by_any_other_limit() {
    for elo in (Strength::MIN_ELO..=Strength::MAX_ELO).step_by(400) {
        let most = Strength::new(elo, 0).nodes();
        for seed in 0..5 {
            let report = search(MANY_MOVES, &limits(elo, seed));
            assert!(report.nodes <= most && report.best.is_some(), "{elo}: {}", report.nodes);
            let fewer = Limits { nodes: Some(50), ..limits(elo, seed) };
            let report = search(MANY_MOVES, &fewer);
            assert!(report.nodes <= 50 && report.best.is_some(), "{elo}: {}", report.nodes);
            let shallow = Limits { depth: Some(1), ..limits(elo, seed) };
            assert!(search(MANY_MOVES, &shallow).depth <= 1, "{elo}");
        }
    }
}

/// The same seed makes the same game, another seed or Elo another.
#[test]
fn games_are_repeated() {
    let mut engine = engine();
    let first = game(&mut engine, 1200, 1);
    assert_eq!(game(&mut engine, 1200, 1), first);
    assert_ne!(game(&mut engine, 1200, 2), first);
    assert_ne!(game(&mut engine, 1600, 1), first);
}

/// The move told last is the one that is played, with its own score.
#[test]
fn mistakes_are_made_and_told() {
    let full = search(MANY_MOVES, &Limits { depth: Some(8), ..Limits::default() });
    let reports: Vec<SearchReport> =
        (0..40).map(|seed| search(MANY_MOVES, &limits(Strength::MIN_ELO, seed))).collect();
    let others = reports.iter().filter(|report| report.best != full.best).count();
    assert!(others > 20, "{others} of 40");
    assert!(reports.iter().any(|report| report.score < full.score));
    assert!(reports.iter().all(|report| report.pv.first().copied() == report.best));
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 800");
    for seed in 0..20 {
        session.send(&format!("setoption name Strength Seed value {seed}\n{MIDDLEGAME}"));
        let lines = session.ask("go movetime 10000", "bestmove");
        let [.., info, best] = &lines[..] else { panic!("{lines:?}") };
        assert_eq!(field(info, "pv"), field(best, "bestmove"), "{lines:?}");
    }
    session.quit();
}

#[test]
fn a_mate_in_one_is_played() {
    let mate = |elo, seed| search(MATE_IN_ONE, &limits(elo, seed)).score.mate() == Some(1);
    for elo in (1000..=Strength::MAX_ELO).step_by(200) {
        assert!((0..20).all(|seed| mate(elo, seed)), "{elo}");
    }
}

#[test]
fn moves_that_are_asked_for() {
    let position = Position::from_fen(MANY_MOVES).expect("legal");
    let wanted: Vec<Move> =
        ["a3a4", "h2h3"].map(|text| position.parse_uci(text).expect("legal")).to_vec();
    for seed in 0..20 {
        let asked = Limits { searchmoves: wanted.clone(), ..limits(800, seed) };
        assert!(wanted.contains(&search(MANY_MOVES, &asked).best.expect("a move")));
    }
}

/// An Elo alone changes nothing; more threads do not play otherwise when strength is limited.
#[test]
fn off_is_as_if_there_were_no_limit() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    let first = session.nodes(&["Clear Hash"]);
    assert_eq!(session.nodes(&["UCI_Elo value 900", "Strength Seed value 7", "Clear Hash"]), first);
    let limited = session.nodes(&["UCI_LimitStrength value true", "Clear Hash"]);
    assert!(limited <= Strength::new(900, 7).nodes(), "{limited}");
    assert_eq!(session.nodes(&["Threads value 3", "Clear Hash"]), limited);
    assert_eq!(
        session.nodes(&["Threads value 1", "UCI_LimitStrength value false", "Clear Hash"]),
        first
    );
    session.send("setoption name UCI_Elo value 700");
    let told = session.ask("isready", "readyok");
    assert!(told[0].contains("UCI_Elo: expected a whole number from 800 to"), "{told:?}");
    session.quit();
}

/// An analysis goes on until it is stopped, a search on the opponent's time until the move comes.
#[test]
fn analysis_and_pondering_wait() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name UCI_LimitStrength value true\nsetoption name UCI_Elo value 1000");
    for (go, end) in [("go infinite", "stop"), ("go ponder wtime 9000 btime 9000", "ponderhit")] {
        session.send(MIDDLEGAME);
        session.send(go);
        let waits = session.ask("isready", "readyok");
        assert!(!waits.iter().any(|line| line.starts_with("bestmove")), "{waits:?}");
        assert!(session.last(end, "bestmove").len() > "bestmove ".len());
    }
    session.quit();
}

#[test]
fn xboard_limits_strength_too() {
    let mut session = Session::start();
    session.send("xboard");
    let told = session.ask("protover 2", "feature done=1");
    for option in ["UCI_LimitStrength -check 0", "UCI_Elo -spin"] {
        assert!(told.iter().any(|line| line.contains(option)), "{told:?}");
    }
    session.send("option UCI_LimitStrength=1\noption UCI_Elo=800\nnew\npost\nst 20\nusermove e2e4");
    assert!(session.last("", "move ").starts_with("move "));
    let told = until_pong(&mut session, "option UCI_Elo=700");
    assert!(told.iter().any(|line| line.contains("from 800 to")), "{told:?}");
    session.quit();
}
