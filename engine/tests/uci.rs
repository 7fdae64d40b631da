//! The binary as a program talks to it, and as it should not.

use std::io::Write as _;

use engine::eval::ImbalanceTable;

use crate::common::session::Session;

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

const MIDDLEGAME: &str =
    "position fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";
const ENDGAME: &str = "position fen 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1";

/// The word behind `name` in a line.
fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|word| *word != name).nth(1)
}

/// Some user interfaces send all options before every search.
#[test]
fn an_option_that_is_so_already_changes_nothing() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    let mut nodes = |option: &str| -> u64 {
        session.send(option);
        session.send(MIDDLEGAME);
        let lines = session.ask("go depth 7", "bestmove");
        let last = lines.iter().rfind(|line| field(line, "nodes").is_some()).expect("nodes");
        field(last, "nodes").expect("nodes").parse().expect("a number")
    };
    let first = nodes("setoption name Hash value 2");
    assert!(nodes("setoption name Hash value 2") < first, "what was found is remembered");
    assert_eq!(nodes("setoption name Hash value 3\nsetoption name\tHash\tvalue\t2"), first);
    session.quit();
}

/// A program that sends all options as they are listed, but for the personality, plays another: that is
/// told once, and told again only when it is something else.
#[test]
fn what_is_played_is_told_where_it_is_not_the_personality() {
    let mut session = Session::start();
    let offered: Vec<String> = session.ask("uci", "uciok");
    for line in offered.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let (name, rest) = line.split_once(" type ").expect("a type");
        let Some((_, default)) = rest.split_once("default ") else { continue };
        let default = default.split(" min ").next().and_then(|text| text.split(" var ").next());
        let value = if name == "Personality" { "rebel" } else { default.expect("a default") };
        session.send(&format!("setoption name {name} value {value}"));
    }
    let lines = session.ask("isready", "readyok");
    let told = "info string playing as rebel, values set otherwise: ";
    assert!(lines.len() == 4 && lines[2].starts_with(told), "{lines:?}");
    assert!(lines[2].ends_with(", …)") && lines[2].matches('=').count() == 5, "{lines:?}");
    session.send("setoption name lmr.min_move value 4");
    assert_eq!(session.ask("isready", "readyok").len(), 1, "as it was");
    session.send("setoption name Personality value rebel");
    assert_eq!(session.ask("isready", "readyok").len(), 1, "as it says");
    session.send("setoption name search.pvs value true\nposition startpos");
    let lines = session.ask("go depth 1", "bestmove");
    assert_eq!(lines[0], format!("{told}1 (search.pvs=true)"));
    session.quit();
}

/// What is forgotten is what can no longer be used: parameters and tables are compared when the next
/// search comes, however they came to be what they are.
#[test]
fn what_is_played_by_is_compared_before_it_is_forgotten() {
    let file = |name: &str| format!("{}/again.{name}", env!("CARGO_TARGET_TMPDIR"));
    let (openings, material) = (file("txt"), file("mit"));
    std::fs::write(&openings, "823c9b50fd114196\n").expect("written");
    std::fs::write(&material, ImbalanceTable::built_in().pack()).expect("written");
    let mut session = Session::start();
    session.ask("uci", "uciok");
    let mut nodes = |options: &[&str]| -> u64 {
        for option in options {
            session.send(&format!("setoption name {option}"));
        }
        session.send(MIDDLEGAME);
        let lines = session.ask("go depth 7", "bestmove");
        let last = lines.iter().rfind(|line| field(line, "hashfull").is_some()).expect("nodes");
        field(last, "nodes").expect("nodes").parse().expect("a number")
    };
    let (tables, others) = (
        [format!("OpeningTable value {openings}"), format!("MIT File value {material}")],
        ["Personality value rebel", "Personality value default"],
    );
    let tables = tables.each_ref().map(String::as_str);
    for (before, same) in [
        (&[][..], &["Personality value default", "lmr.min_move value 4"][..]),
        (&[], &others),
        (&[], &["MIT File value <empty>", "OpeningTable value"]),
        (&tables, &tables),
        (&tables, &["MIT File value <empty>", tables[1]]),
        (&["lmr.min_move value 6"], &["lmr.min_move value 5", "lmr.min_move value 6"]),
    ] {
        let first = nodes(&[before, &["Clear Hash"]].concat());
        assert!(nodes(same) < first, "{same:?}: what was found is remembered");
    }
    let first = nodes(&["Clear Hash"]);
    nodes(&["Personality value rebel"]);
    assert_eq!(nodes(&["Personality value default", "lmr.min_move value 6"]), first);
    session.quit();
}

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
        ("position startpos moves e2e4 e2e4", "illegal move"),
        ("position fen 8/8/8/8/8/8/8/8 w - - 0 1", "not a position"),
        ("position fen rubbish", "not a FEN"),
        ("position", "expected: position"),
        ("setoption name Hash value many", "whole number"),
        ("setoption name search.psv value true", "did you mean 'search.pvs'"),
        ("setoption", "expected: setoption"),
        ("xyzzy", "unknown command"),
        ("perft many", "no depth"),
        ("bench 0", "at least 1"),
        ("bench many", "no depth"),
        ("bench 1 2 3", "one depth, not '2', too"),
        ("perft 50000", "perft wants a depth in 0..=127, not 50000"),
        ("go perft 100000", "perft wants a depth in 0..=127, not 100000"),
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
    // EVA-17, UCI-04
    session.ask("eval", "evaluation");
    session.ask("eval k7/8/8/3p4/4P3/8/8/K7 w - - 0 1", "evaluation");
    session.send("position fen k7/8/8/3p4/4P3/8/8/K7 w - - 0 1");
    assert_eq!(session.last("see e4d5", "see"), "see e4d5: +1.00 (pins respected +1.00)");
    assert_eq!(session.last("see E4D5", "see"), "see E4D5: +1.00 (pins respected +1.00)");
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

/// Counts run where searches run: they are heard through, and ended like them.
#[test]
fn counts_can_be_stopped() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    for count in ["go perft 30", "perft 127", "bench 127"] {
        session.send(count);
        let lines = session.ask("isready", "readyok");
        assert_eq!(lines.len(), 1, "{lines:?}");
        let told = session.last("go depth 1", "info string");
        assert_eq!(told, "info string go is ignored during a search");
        session.send("stop");
        let name = count.trim_start_matches("go ").split(' ').next().expect("a word");
        session.read_to(&format!("{name}: stopped"));
    }
    session.ask("go perft 1", "Nodes searched: 20");
    session.ask("bench 1", "Total time");
    session.send("bench 127");
    session.quit();
    let mut session = Session::start();
    session.send("uci\nperft 127");
    session.end_of_input();
}

/// People's counts are made one after another, as a file of commands asks for them.
#[test]
fn counts_of_people_come_to_their_end() {
    let mut session = Session::start();
    session.send("perft 3\nbench 1\ngo perft 2\nquit");
    let text = session.end_of_input();
    for words in ["Nodes searched: 8902", "Total time", "Nodes searched: 400"] {
        assert!(text.contains(words), "{text}");
    }
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

#[test]
fn opening_tables() {
    let path = std::env::temp_dir().join(format!("mutineer-{}-openings.txt", std::process::id()));
    let mut session = Session::start();
    session.ask("uci", "uciok");
    let option = format!("setoption name OpeningTable value {}", path.display());
    std::fs::write(&path, "# 1. e4\n823c9b50fd114196\nnonsense\n").expect("written");
    session.send(&option);
    let lines = session.ask("isready", "readyok");
    assert!(lines[0].contains(":3: expected a FEN"), "{lines:?}");
    std::fs::write(&path, "# 1. e4\n823c9b50fd114196\n").expect("written");
    assert_eq!(session.last(&option, "info string"), "info string OpeningTable: 1 positions");
    session.send("setoption name opening.on value true");
    session.send("setoption name opening.bonus value 256");
    session.send("position startpos");
    assert!(session.last("go depth 3", "bestmove").starts_with("bestmove e2e4"));
    let none = session.last("setoption name OpeningTable value <empty>", "info string");
    assert_eq!(none, "info string OpeningTable: none");
    session.quit();
    // What is left in the temporary folder does no harm.
    let _ = std::fs::remove_file(&path);
}
