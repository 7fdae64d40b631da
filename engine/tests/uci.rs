//! The binary as a program talks to it, and as it should not.

use std::io::Write as _;

use crate::common::session::{MIDDLEGAME, Session, field};

/// TST-09: only where they are asked for.
#[test]
fn statistics_are_told_when_asked_for() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    for (value, is_told) in [("true", true), ("false", false)] {
        session.send(&format!("setoption name Statistics value {value}\nucinewgame"));
        let lines = session.ask("go depth 5", "bestmove");
        for name in ["main search nodes", "quiescence nodes", "null moves", "effective branching"] {
            let start = format!("info string {name}");
            assert_eq!(lines.iter().any(|line| line.starts_with(&start)), is_told, "{name}");
        }
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

const ENDGAME: &str = "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

/// `stop` ends a search with the move that was told last, wherever in an iteration it comes.
#[test]
fn stop_changes_no_move() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    for (index, position) in [MIDDLEGAME, ENDGAME, "position startpos"].into_iter().enumerate() {
        for depth in 1..=6 {
            session.send("ucinewgame");
            session.send(position);
            let mut lines = session.ask("go infinite", &format!("info depth {depth} "));
            // Somewhere else in the next iteration each time.
            for _ in 0..(7 * index + depth) % 5 {
                lines.extend(session.ask("isready", "readyok"));
            }
            lines.extend(session.ask("stop", "bestmove"));
            let told = lines.iter().rev().find_map(|line| field(line, "pv")).expect("a line");
            let best = lines.last().and_then(|line| field(line, "bestmove"));
            assert_eq!(best, Some(told), "{position}, depth {depth}");
        }
    }
    session.quit();
}

/// After `ucinewgame` searches are what they were, node for node, whatever was searched before.
#[test]
fn a_new_game_forgets_every_search() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    let mut game = |searches: &[(&str, &str)]| -> Vec<String> {
        session.send("ucinewgame");
        let mut told = Vec::new();
        for (position, go) in searches {
            session.send(position);
            let lines = session.ask(go, "bestmove");
            let [.., info, best] = &lines[..] else { panic!("{lines:?}") };
            let words = ["depth", "seldepth", "score", "nodes"].map(|name| field(info, name));
            told.push(format!("{words:?} {best}"));
        }
        told
    };
    let (deep, counted) = ((MIDDLEGAME, "go depth 6"), (ENDGAME, "go nodes 30000"));
    let once = game(&[deep, counted]);
    assert_eq!(game(&[deep, counted]), once);
    assert_eq!(game(&[deep, counted, ("position startpos", "go depth 5"), deep])[..2], once);
    let alone = game(&[counted]);
    assert_eq!(game(&[counted, deep])[..1], alone);
    assert_eq!(game(&[deep])[..], once[..1]);
    session.quit();
}

/// UCI-02, UCI-05.
#[test]
fn mistakes_get_one_line_and_change_nothing() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("position startpos moves e2e4");
    for (mistake, word) in [
        ("setoption name Hash value many", "whole number"),
        ("setoption name search.psv value true", "did you mean 'search.pvs'"),
        ("setoption", "expected: setoption"),
        ("xyzzy", "unknown command"),
        ("perft many", "no depth"),
        ("bench 0", "at least 1"),
        ("bench many", "no depth"),
        ("bench 1 2 3", "one depth, found also '2'"),
        ("perft 50000", "perft: expected a depth from 0 to 127, found 50000"),
        ("go perft 100000", "perft: expected a depth from 0 to 127, found 100000"),
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

/// After a position that is refused there is none until another comes: a move for the old one, perhaps of
/// the other side, would be worse than none.
#[test]
fn a_refused_position_leaves_none() {
    for protocol in ["uci", "d"] {
        let mut session = Session::start();
        session.ask(protocol, if protocol == "uci" { "uciok" } else { "Key" });
        for (refused, word) in [
            ("position startpos moves e2e4 e2e4", "illegal move"),
            ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "not a position"),
            ("position fen 4k3/8/8/8/8/8/8/4K3 w K - 0 1 moves e1e2", "castling rights"),
            ("position fen rubbish", "not a FEN"),
            ("position startpos e2e4", "expected: position"),
            ("position", "expected: position"),
        ] {
            session.ask("position startpos moves e2e4\ngo depth 1", "bestmove");
            session.send(refused);
            for asked in ["go depth 3", "go infinite\nstop", "go ponder wtime 9 btime 9\nponderhit"]
            {
                let lines = session.ask(asked, "bestmove");
                assert_eq!(lines.last().map(String::as_str), Some("bestmove 0000"), "{refused}");
                let reason = &lines[lines.len() - 2];
                assert!(reason.contains("no position") && reason.contains(word), "{reason}");
            }
            for asked in ["d", "eval", "perft 2", "go perft 2", "see e7e5"] {
                let lines = session.ask(&format!("{asked}\nisready"), "readyok");
                assert!(lines.len() == 2 && lines[0].contains(word), "{asked}: {lines:?}");
            }
            session.ask("eval 4k3/8/8/8/8/8/8/4K3 w - - 0 1", "evaluation");
        }
        session.send("ucinewgame");
        assert_ne!(session.last("go depth 1", "bestmove"), "bestmove 0000");
        session.quit();
    }
    let mut session = Session::start();
    session.send("position fen rubbish");
    let told = session.last("e2e4", "there is no position");
    assert!(told.contains("not a FEN"), "{told}");
    session.quit();
}

/// The protocol allows no `bestmove` before `stop` or `ponderhit` there, whether there is a position or not.
#[test]
fn without_a_position_endless_searches_wait_for_their_word() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("position fen rubbish");
    for (go, word) in [
        ("go infinite", "stop"),
        ("go ponder wtime 9 btime 9", "ponderhit"),
        ("go ponder wtime 9 btime 9", "stop"),
    ] {
        session.send(go);
        let lines = session.ask("isready\ngo depth 1\nisready", "readyok");
        assert!(lines.iter().any(|line| line.contains("no position")), "{go}: {lines:?}");
        let lines = session.read_to("readyok");
        assert!(lines.iter().any(|line| line.contains("ignored during a search")), "{lines:?}");
        assert_eq!(session.ask(word, "bestmove"), ["bestmove 0000"], "{go}, {word}");
    }
    session.send("go infinite");
    let rest = session.end_of_input();
    assert_eq!(rest.lines().last(), Some("bestmove 0000"), "{rest}");
}

/// It may come while the last one is still searched, which goes on.
#[test]
fn a_position_refused_during_a_search() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("position startpos\ngo infinite");
    session.read_to("info depth 2");
    session.send("position fen rubbish");
    assert_ne!(session.last("stop", "bestmove"), "bestmove 0000");
    assert_eq!(session.last("go depth 1", "bestmove"), "bestmove 0000");
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
    // EVA-17, UCI-04
    session.ask("eval", "evaluation");
    session.ask("eval k7/8/8/3p4/4P3/8/8/K7 w - - 0 1", "evaluation");
    session.send("position fen k7/8/8/3p4/4P3/8/8/K7 w - - 0 1");
    assert_eq!(session.last("see e4d5", "see"), "see e4d5: +1.00 (pins respected +1.00)");
    assert_eq!(session.last("see E4D5", "see"), "see E4D5: +1.00 (pins respected +1.00)");
    session.quit();
}

/// SEE-12, SEE-20: who takes when, with the running score, who joins in from behind and who stops.
#[test]
fn exchanges_are_spelt_out() {
    let mut session = Session::start();
    session.send("position fen 6r1/4kq2/b2p1p2/p1pPb3/p1P2B1Q/2P4P/2B1R1P1/6K1 w - - 0 1");
    let wanted = "\
exchange on e5, pins ignored
  1  white bishop f4  takes bishop                  3.00  +3.00
  2  black pawn d6    takes bishop                  3.00  +0.00
     white gains nothing by going on
  3  white rook e2    takes pawn                    1.00  +1.00
  4  black pawn f6    takes rook                    5.00  -4.00
exchange on e5, pins respected
  1  white bishop f4  takes bishop                  3.00  +3.00
  2  black pawn d6    takes bishop                  3.00  +0.00
  3  white rook e2    takes pawn                    1.00  +1.00
see f4e5: +0.00 (pins respected +1.00)";
    assert_eq!(session.ask("see f4e5", "see").join("\n"), wanted);
    session.send("position fen 1n2kb1r/p1P4p/2qb4/5pP1/4n2Q/8/PP1PPP1P/RNB1KBNR w KQk - 0 1");
    let wanted = "\
exchange on b8, pins ignored
  1  white pawn c7    takes knight, becomes queen  11.00 +11.00  reveals black bishop d6
  2  black bishop d6  takes queen                   9.00  +2.00
see c7b8q: +2.00 (pins respected +2.00)";
    assert_eq!(session.ask("see c7b8q", "see").join("\n"), wanted);
    session.quit();
}

/// What people type as moves is played or called what it is.
#[test]
fn moves_of_people() {
    let mut session = Session::start();
    for (text, told) in [
        ("e2e5", "illegal move 'e2e5' in rnbqkbnr/"),
        ("O-O", "illegal move 'O-O' in rnbqkbnr/"),
        ("e2e4 e7e5", "expected one move a line, found 'e2e4 e7e5'"),
        ("Nf3", "unknown command 'Nf3'"),
    ] {
        let line = session.last(text, told);
        assert!(line.ends_with("(help lists the commands)"), "{line}");
    }
    session.send("position fen r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
    session.ask("O-O", "FEN");
    assert_eq!(session.last("e8c8", "FEN"), "FEN: 2kr3r/8/8/8/8/8/8/R4RK1 w - - 2 2");
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
    let mut session = Session::start();
    session.send("uci\nposition startpos\ngo infinite");
    let rest = session.end_of_input();
    assert!(rest.lines().last().is_some_and(|line| line.starts_with("bestmove")), "{rest}");
}

/// Some shells send one before all else.
#[test]
fn a_byte_order_mark_before_the_first_word() {
    for (first, told) in [("uci", "uciok"), ("xboard\nprotover 2", "feature done=1")] {
        Session::start().ask(&format!("\u{feff}{first}"), told);
    }
}

#[test]
fn bytes_that_are_no_text() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.input.write_all(b"\xff\xfe position \x80\n\n   \n\r\nisready\r\n").expect("listens");
    session.read_to("readyok");
    session.quit();
}

/// Lines of a finished iteration: multipv 1 and on, each with its own move.
fn assert_lines(lines: &[String], depth: u32, count: usize) {
    let start = format!("info depth {depth} ");
    let infos: Vec<&String> = lines.iter().filter(|line| line.starts_with(&start)).collect();
    let last = &infos[infos.len().saturating_sub(count)..];
    let numbers: Vec<&str> = last.iter().filter_map(|line| field(line, "multipv")).collect();
    assert_eq!(numbers, ["1", "2", "3"][..count], "{lines:?}");
    let moves: std::collections::BTreeSet<&str> =
        last.iter().filter_map(|line| field(line, "pv")).collect();
    assert_eq!(moves.len(), count, "{last:?}");
}

#[test]
fn as_many_lines_as_asked_for() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name MultiPV value 3");
    session.send("position startpos");
    assert_lines(&session.ask("go depth 4", "bestmove"), 4, 3);
    assert_lines(&session.ask("go depth 3 searchmoves a2a3 h2h4", "bestmove"), 3, 2);
    // Endless searches wait for their word with many lines too.
    for go in ["go infinite depth 2", "go ponder depth 2 wtime 1000 btime 1000"] {
        session.send(go);
        let mut lines = session.read_to("info depth 2 ");
        lines.extend(session.ask("isready", "readyok"));
        assert!(!lines.iter().any(|line| line.starts_with("bestmove")), "{lines:?}");
        session.ask("stop", "bestmove");
    }
    session.send("position fen kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1");
    let lines = session.ask("go mate 2", "bestmove");
    assert!(lines.iter().any(|line| line.contains("multipv 1 score mate 2")), "{lines:?}");
    assert!(lines.last().is_some_and(|line| line.starts_with("bestmove a1a6")), "{lines:?}");
    session.quit();
}

/// Less time than is kept back for the way still brings a move.
#[test]
fn times_below_the_overhead() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name Move Overhead value 5000");
    for dynamic in [false, true] {
        session.send(&format!("setoption name time.dynamic value {dynamic}"));
        session.send("position startpos moves e2e4");
        for go in [
            "go movetime 20",
            "go wtime 100 btime 100 winc 1 binc 1",
            "go wtime 3000 btime 3000 movestogo 1",
        ] {
            let best = session.last(go, "bestmove");
            assert!(best.len() >= "bestmove a2a3".len(), "{go}: {best}");
        }
    }
    session.quit();
}

/// A clock that counts nodes gives the same search every time, and never more than it has.
#[test]
fn a_clock_of_nodes() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name nodestime value 100");
    let mut nodes = |go: &str| -> u64 {
        session.send("ucinewgame");
        session.send("position startpos moves e2e4");
        let lines = session.ask(go, "bestmove");
        let last = lines.iter().rev().find_map(|line| field(line, "nodes"));
        last.and_then(|nodes| nodes.parse().ok()).expect("a node count")
    };
    for (go, most) in [
        ("go movetime 50", 5_000),
        ("go wtime 1000 btime 1000", 100_000),
        ("go wtime 200 btime 200 winc 10 binc 10", 20_000),
    ] {
        let counts = [nodes(go), nodes(go), nodes(go)];
        assert!(counts[0] <= most + 128 && counts[0] > most / 100, "{go}: {counts:?}");
        assert_eq!(counts, [counts[0]; 3], "{go}");
    }
    session.quit();
}
