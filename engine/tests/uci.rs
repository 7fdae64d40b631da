//! The binary as a program talks to it, and as it should not.

#[path = "common/session.rs"]
mod session;

use std::io::Write as _;

use session::Session;

#[test]
fn handshake_lists_options_and_obeys_them() {
    let mut session = Session::start();
    let lines = session.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name mutineer"));
    for option in ["Hash", "Threads", "Move Overhead", "Personality", "search.pvs", "pst.knight_mg"]
    {
        assert!(lines.iter().any(|line| line.contains(&format!("name {option} type"))), "{option}");
    }
    session.send("setoption name Hash value 4");
    session.send("setoption name Personality value rebel");
    session.send("setoption name pst.knight_mg[e4] value 33");
    session.ask("isready", "readyok");
    session.send("ucinewgame");
    session.send("position startpos moves e2e4 e7e5");
    let lines = session.ask("go depth 4", "bestmove");
    let info = &lines[lines.len() - 2];
    for word in ["depth 4", "seldepth", "score", "nodes", "nps", "hashfull", "time", "pv"] {
        assert!(info.contains(word), "'{word}' in {info}");
    }
    session.quit();
}

#[test]
fn every_kind_of_go_ends_in_a_move() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    for go in [
        "go depth 3",
        "go nodes 500",
        "go movetime 30",
        "go wtime 100 btime 100",
        "go wtime 1 btime 1 winc 0 binc 0",
        "go wtime -5 btime -5",
        "go movetime 0",
        "go wtime 1000 btime 1000 winc 10 binc 10 movestogo 1",
        "go mate 1 depth 2",
        "go searchmoves a2a3 depth 2",
        "go depth 2 nonsense",
        "go nodes 0",
    ] {
        session.send("position startpos");
        let best = session.last(go, "bestmove");
        assert!(best.len() >= "bestmove a2a3".len(), "{go}: {best}");
    }
    session.quit();
}

#[test]
fn infinite_and_ponder_wait_for_their_word() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("position fen 7k/8/8/8/8/8/R7/K7 w - - 0 1");
    session.send("go infinite depth 1");
    session.read_to("info depth 1");
    session.send("isready");
    let lines = session.read_to("readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    session.ask("stop", "bestmove");
    session.send("position startpos moves e2e4 e7e5");
    session.send("go ponder wtime 200 btime 200");
    session.read_to("info depth 3");
    let lines = session.ask("isready", "readyok");
    assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
    session.ask("ponderhit", "bestmove");
    session.ask("isready", "readyok");
    session.quit();
}

/// A program may send `stop` and go on at once, without reading the first answer.
#[test]
fn go_right_after_stop_is_obeyed() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    for _ in 0..20 {
        session
            .send("position startpos\ngo infinite\nstop\nucinewgame\nsetoption name Hash value 2");
        session.send("position startpos moves e2e4\ngo depth 2");
        session.read_to("bestmove");
        let lines = session.read_to("bestmove");
        assert!(lines.iter().all(|line| !line.contains("ignored")), "{lines:?}");
    }
    session.quit();
}

#[test]
fn mistakes_get_one_line_and_change_nothing() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("position startpos moves e2e4");
    for (mistake, word) in [
        ("position startpos moves e2e4 e2e4", "illegal move"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "not a position"),
        ("position fen rubbish", "not a FEN"),
        ("position", "expected: position"),
        ("setoption name Hash value many", "whole number"),
        ("setoption name search.psv value true", "did you mean 'search.pvs'"),
        ("setoption", "expected: setoption"),
        ("xyzzy", "unknown command"),
        ("perft many", "no depth"),
        ("see e2e5", "illegal move"),
    ] {
        session.send(mistake);
        let lines = session.ask("isready", "readyok");
        assert_eq!(lines.len(), 2, "{mistake}: {lines:?}");
        assert!(lines[0].starts_with("info string"), "{lines:?}");
        assert!(lines[0].contains(word), "{mistake}: {lines:?}");
    }
    let lines = session.ask("d", "Key");
    assert!(lines.iter().any(|line| line.contains("/4P3/") && line.contains(" b ")), "{lines:?}");
    session.quit();
}

#[test]
fn positions_without_moves() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("position fen 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    let lines = session.ask("go depth 3", "bestmove");
    assert_eq!(lines, ["info depth 0 score mate 0", "bestmove (none)"]);
    session.quit();
}

#[test]
fn the_fields_forms() {
    let mut session = Session::start();
    session.send("position startpos");
    let lines = session.ask("go perft 3", "Nodes searched");
    assert_eq!(lines.last().map(String::as_str), Some("Nodes searched: 8902"));
    assert!(lines.contains(&"e2e4: 600".to_owned()));
    // EVA-17
    session.ask("eval", "evaluation");
    session.send("position fen k7/8/8/3p4/4P3/8/8/K7 w - - 0 1");
    assert_eq!(session.last("see e4d5", "see"), "see e4d5: +1.00 (pins respected +1.00)");
    session.quit();
}

#[test]
fn castling_is_written_as_the_game_asks() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    let fen = "position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    session.send(fen);
    session.send("go searchmoves e1g1 depth 1");
    assert!(session.read_to("bestmove").pop().expect("a line").starts_with("bestmove e1g1"));
    session.send("setoption name UCI_Chess960 value true");
    session.send(fen);
    assert!(session.last("go searchmoves e1h1 depth 1", "bestmove").starts_with("bestmove e1h1"));
    session.quit();
}

/// The end of input ends a search, and the program.
#[test]
fn end_of_input_is_quit() {
    let Session { mut child, mut input, mut output } = Session::start();
    writeln!(input, "uci\nposition startpos\ngo infinite").expect("the engine listens");
    drop(input);
    let mut rest = String::new();
    std::io::Read::read_to_string(&mut output, &mut rest).expect("text");
    assert!(rest.lines().last().is_some_and(|line| line.starts_with("bestmove")), "{rest}");
    assert!(child.wait().expect("it ends").success());
}

#[test]
fn bytes_that_are_no_text() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.input.write_all(b"\xff\xfe position \x80\n\n   \n\r\nisready\r\n").expect("listens");
    session.read_to("readyok");
    session.quit();
}
