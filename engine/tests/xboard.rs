//! The binary as xboard talks to it, and as it should not.

use std::io::Write as _;

use crate::common::session::Session;

/// A session after the handshake, with a limit that every machine keeps alike.
fn start() -> Session {
    let mut session = Session::start();
    session.send("xboard\nprotover 2");
    session.read_to("feature done=1");
    session.send("accepted ping\nrejected debug\nnew\nrandom\nlevel 0 5 0\nsd 2");
    session
}

/// What came before `pong`, after all that is sent here.
pub(crate) fn until_pong(session: &mut Session, text: &str) -> Vec<String> {
    session.send(text);
    let mut lines = session.ask("ping 77", "pong 77");
    lines.pop();
    lines
}

/// The engine's move, after all that is sent here.
fn reply(session: &mut Session, text: &str) -> String {
    let line = session.last(text, "move ");
    line.strip_prefix("move ").expect("a move").to_owned()
}

/// UCI-03: the second game is only played if `new` leaves force mode.
#[test]
fn two_games_in_a_row_as_black() {
    let mut session = start();
    for _ in 0..2 {
        reply(&mut session, "usermove e2e4");
        reply(&mut session, "time 30000\notim 29000\nusermove d2d3");
        session.send("result * {no more of this}\nforce\nnew\nlevel 0 5 0\nsd 2");
    }
    session.quit();
}

/// AMB-87: the paper's listing is lost, so every order is understood.
#[test]
fn any_order_of_new_force_and_go() {
    let mut session = start();
    for (commands, white_moves) in [
        ("new\nforce\ngo", true),
        ("force\nnew\ngo", true),
        ("force\nforce\nnew\nnew\nusermove e2e4", false),
        ("new\nforce\nusermove e2e4\ngo", false),
        ("new\nforce\ne2e4\ngo", false),
        ("new\nwhite\ngo", true),
        ("new\nforce\nusermove e2e4\nwhite\nblack\ngo", false),
        ("force\nusermove e2e4\nplayother\nusermove e7e5", true),
    ] {
        session.send("new\nsd 2");
        let depth = commands.replace("new", "new\nsd 2");
        let mv = reply(&mut session, &depth);
        let rank = mv.as_bytes()[1];
        assert_eq!(rank <= b'2', white_moves, "{commands:?}: {mv}");
        until_pong(&mut session, "force");
    }
    session.quit();
}

#[test]
fn force_follows_and_undo_goes_back() {
    let mut session = start();
    session.send("force\nusermove e2e4\nusermove e7e5\nusermove g1f3\nundo\nundo");
    assert_eq!(until_pong(&mut session, "usermove e2e5"), ["Illegal move: e2e5"]);
    assert_eq!(until_pong(&mut session, "usermove c7c5"), [""; 0]);
    // Black's men again, the engine's move taken back as well.
    session.send("new\nsd 2");
    reply(&mut session, "usermove e2e4");
    session.send("remove");
    reply(&mut session, "usermove e2e4");
    let told = until_pong(&mut session, "force\nundo\nundo\nundo\nremove");
    assert_eq!(
        told,
        ["Error (command not legal now): undo", "Error (command not legal now): remove"]
    );
    session.quit();
}

#[test]
fn positions_and_the_games_end() {
    let mut session = start();
    session.send("force\nsetboard 6k1/5ppp/8/8/8/8/8/K2R4 w - - 0 1\npost\nsd 3");
    let lines = session.ask("go", "1-0");
    assert_eq!(lines.last().map(String::as_str), Some("1-0 {White mates}"));
    let [.., thinking, mv, _] = lines.as_slice() else { panic!("{lines:?}") };
    assert_eq!(mv, "move d1d8");
    let words: Vec<_> = thinking.split(' ').collect();
    assert_eq!((words[0], words[1], words[4]), ("3", "100001", "d1d8"), "{thinking}");
    assert!(words[2..4].iter().all(|word| word.parse::<u64>().is_ok()), "{thinking}");
    // It is over: neither side can move.
    assert_eq!(until_pong(&mut session, "usermove g8h8"), ["Illegal move: g8h8"]);
    assert_eq!(until_pong(&mut session, "go"), ["1-0 {White mates}"]);
    for (fen, mv, outcome) in [
        ("k7/8/1K6/8/8/8/7Q/8 w - - 0 1", "h2h8", "1-0 {White mates}"),
        ("k7/8/1K6/8/8/8/8/2Q5 w - - 0 1", "c1c7", "1/2-1/2 {Stalemate}"),
        ("k7/8/8/8/8/8/1q6/K7 w - - 0 1", "a1b2", "1/2-1/2 {Draw by insufficient"),
        ("k7/8/8/8/8/8/P7/K7 w - - 99 80", "a1b1", "1/2-1/2 {Draw by fifty"),
    ] {
        session.send(&format!("new\nsetboard {fen}"));
        let told = until_pong(&mut session, &format!("usermove {mv}"));
        assert!(told.len() == 1 && told[0].starts_with(outcome), "{fen}: {told:?}");
    }
    session.send("new\nforce\nusermove g1f3\nusermove g8f6\nusermove f3g1\nusermove f6g8");
    session.send("usermove g1f3\nusermove g8f6\nusermove f3g1\nplayother");
    assert_eq!(until_pong(&mut session, "usermove f6g8"), ["1/2-1/2 {Draw by repetition}"]);
    session.quit();
}

#[test]
fn a_position_that_cannot_be_is_refused_until_another_comes() {
    let mut session = start();
    for fen in ["8/8/8/8/8/8/8/8 w - - 0 1", "rubbish", ""] {
        let told =
            until_pong(&mut session, &format!("force\nsetboard {fen}\nusermove e2e4\ngo\nanalyze"));
        assert!(told[0].starts_with("tellusererror Illegal position: "), "{told:?}");
        assert!(told[1].starts_with("Illegal move (there is no legal position)"), "{told:?}");
        assert_eq!(told[2], "Error (there is no legal position): go");
        assert_eq!(told.len(), 3, "{told:?}");
    }
    // Nor is there anything else of the old position.
    reply(&mut session, "exit\nnew\nsd 5\nusermove e2e4");
    let commands = "force\nsetboard rubbish\nhint\nundo\nremove\nwhite\n.";
    let told = until_pong(&mut session, commands);
    assert!(told[0].starts_with("tellusererror Illegal position: "), "{told:?}");
    let refused = ["undo", "remove", "white"];
    let refused = refused.map(|word| format!("Error (there is no legal position): {word}"));
    assert_eq!(told[1..], refused);
    // A refused `go` leaves it in force mode.
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let refused = "exit\nforce\nsetboard 8/8/8/8/8/8/8/8 w - - 0 1\ngo";
    let told =
        until_pong(&mut session, &format!("{refused}\nsetboard {start}\nsd 1\nusermove e2e4"));
    assert!(told.iter().all(|line| !line.starts_with("move ")), "{told:?}");
    reply(&mut session, "exit\nnew\nsd 1\nusermove e2e4");
    session.quit();
}

#[test]
fn every_limit_ends_in_a_move() {
    let mut session = start();
    for limit in [
        "level 40 5 0\nsd 2",
        "level 0 0:01 0",
        "level 0 0:01 0.01\ntime 5\notim 1",
        "level 0 0 0\ntime -7\notim -7",
        "level 1 0:01 0",
        "st 0.05",
        "st 0",
        "st 3600\nsd 3",
        "nps 10000\nst 1",
        "nps 1\nlevel 40 5 0",
        "level 40 5\nlevel x y z\nst soon\nsd deep\nsd 2",
    ] {
        session.send(&format!("new\n{limit}"));
        reply(&mut session, "go");
        reply(&mut session, "usermove a7a6");
        session.send("force");
    }
    session.quit();
}

/// The node rate makes time a number of nodes: every machine plays the same.
#[test]
fn nodes_in_place_of_time() {
    let mut session = start();
    let mut last = Vec::new();
    for _ in 0..2 {
        session.send("new\nst 1\nnps 5000\npost");
        let mut lines = session.ask("usermove e2e4", "move ");
        for line in &mut lines {
            let words: Vec<_> = line.split(' ').collect();
            if let [depth, score, _, nodes, rest @ ..] = words.as_slice() {
                assert!(nodes.parse::<u64>().expect("nodes") <= 5000, "{line}");
                *line = format!("{depth} {score} {nodes} {}", rest.join(" "));
            }
        }
        assert!(last.is_empty() || last == lines);
        last = lines;
    }
    session.quit();
}

/// Several lines for analysts, and what a search counts about itself.
#[test]
fn lines_and_statistics() {
    let mut session = start();
    session.send("option MultiPV=3\noption Statistics=1\npost\nsd 5");
    let lines = session.ask("usermove e2e4", "move ");
    let of_two: Vec<_> = lines.iter().filter(|line| line.starts_with("2 ")).collect();
    assert!(of_two.len() >= 3, "{lines:?}");
    let factor = lines.iter().find(|line| line.starts_with("# effective branching factor"));
    let factor = factor.and_then(|line| line.split_whitespace().last()?.parse::<f64>().ok());
    assert!(factor.is_some_and(|factor| factor > 1.0), "{lines:?}");
    session.quit();
}

/// `?` makes it move now; a ping before that waits for the move, one while it analyses does not.
#[test]
fn ping_during_a_search() {
    let mut session = start();
    session.send("new\nlevel 0 600 0\npost\ngo");
    session.read_to("4 ");
    session.send("ping 1\nusermove e7e5\nping 2\ntime 10\notim 10\n.");
    session.read_to("stat01: ");
    session.send("?");
    let lines = session.read_to("pong 2");
    let starting = |word: &str| lines.iter().position(|line| line.starts_with(word));
    let moves: Vec<_> = lines.iter().filter(|line| line.starts_with("move ")).collect();
    assert!(starting("move ") < starting("pong 1"), "{lines:?}");
    assert_eq!(moves.len(), 2, "e7e5 came early and was answered all the same: {lines:?}");

    session.send("new\nanalyze");
    session.read_to("3 ");
    session.ask("ping 3", "pong 3");
    // Broken off, its move is not made; what waited for it is told so.
    session.send("exit\nnew\nlevel 0 600 0\ngo");
    session.read_to("4 ");
    session.send("ping 4\nusermove e7e5\nforce");
    let lines = session.ask("ping 5", "pong 5");
    let told: Vec<_> = lines.iter().filter(|line| !line.starts_with(char::is_numeric)).collect();
    assert_eq!(told, ["pong 4", "Error (command not legal now): usermove e7e5", "pong 5"]);
    session.quit();
}

/// A command that cannot be obeyed is told so, and the search goes on: its move comes.
#[test]
fn mistakes_during_a_search_change_nothing() {
    let mut session = start();
    session.send("new\nlevel 0 600 0\npost\ngo");
    session.read_to("4 ");
    session.send("undo\nremove\nvariant atomic\nping 1\n?");
    let lines = session.read_to("pong 1");
    let told: Vec<_> = lines.iter().filter(|line| line.starts_with("Error")).collect();
    assert_eq!(told.len(), 3, "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("move ")), "{lines:?}");
    session.quit();
}

#[test]
fn analysis_follows_the_board() {
    let mut session = start();
    session.send("post\nanalyze");
    session.read_to("3 ");
    let status = session.last(".", "stat01: ");
    let words: Vec<_> = status.split(' ').collect();
    assert_eq!((words.len(), words[5]), (7, "20"), "{status}");
    let legal_first = |session: &mut Session, text: &str, rank: &[u8]| {
        until_pong(session, text);
        let line = session.read_to("3 ").pop().expect("a line");
        let mv = line.split(' ').nth(4).expect("a variation").as_bytes();
        assert!(rank.contains(&mv[1]), "{text}: {line}");
    };
    legal_first(&mut session, "usermove e2e4", b"78");
    legal_first(&mut session, "undo", b"12");
    legal_first(&mut session, "setboard 4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", b"78");
    legal_first(&mut session, "new", b"12");
    legal_first(&mut session, "option Clear Hash", b"12");
    // Nothing to analyse is no reason to fail; `go` plays on from it.
    until_pong(&mut session, "setboard 7k/6Q1/6K1/8/8/8/8/8 b - - 0 1");
    assert_eq!(until_pong(&mut session, "."), [""; 0]);
    until_pong(&mut session, "new\nexit");
    assert_eq!(until_pong(&mut session, "usermove e2e4\n.\nexit\n?"), [""; 0]);
    reply(&mut session, "sd 2\ngo");
    session.quit();
}

/// What was searched under other options has nothing to say of the board that came after.
#[test]
fn analysis_under_new_options_is_of_the_board_there_is() {
    let mut session = start();
    session.send("post\nanalyze");
    for lines in [2, 1].into_iter().cycle().take(10) {
        session.read_to("8 ");
        until_pong(&mut session, &format!("option MultiPV={lines}\nusermove e2e4"));
        for line in session.read_to("2 ") {
            let mv = line.split(' ').nth(4).expect("a variation").as_bytes();
            assert!(b"78".contains(&mv[1]), "{line}");
        }
        until_pong(&mut session, "undo");
    }
    session.quit();
}

/// The move that is expected behind the engine's first one, when its search on the opponent's time has
/// come to its last iteration.
fn pondered(session: &mut Session, level: &str) -> String {
    session.send(&format!("new\n{level}\nsd 5\nhard\npost"));
    let hint = session.last("usermove e2e4", "Hint: ");
    session.read_to("5 ");
    hint.strip_prefix("Hint: ").expect("a move").to_owned()
}

#[test]
fn pondering_is_told_and_used() {
    let mut session = start();
    let expected = pondered(&mut session, "level 0 600 0");
    session.ask("ping 1", "pong 1");
    // The search goes on, or was done but for the move.
    let lines = session.ask(&format!("usermove {expected}"), "move ");
    assert!(!lines.iter().any(|line| line.starts_with("1 ")), "{lines:?}");
    // Another move: from the beginning.
    let hint = session.last("hint", "Hint: ");
    let other = ["a2a3", "a2a4", "h2h3"].into_iter().find(|mv| !hint.ends_with(mv));
    let lines = session.ask(&format!("usermove {}", other.expect("one")), "move ");
    assert!(lines.iter().any(|line| line.starts_with("1 ")), "{lines:?}");
    until_pong(&mut session, "easy\nforce");
    // A clock that shows less than expected: what was begun is not gone on with. The last move of a
    // control takes all there is: there less than a tenth is too much.
    for (level, time) in [("level 0 600 0", "time 100"), ("level 1 600 0", "time 3500000")] {
        let expected = pondered(&mut session, level);
        let lines = session.ask(&format!("{time}\notim 100\nusermove {expected}"), "move ");
        assert!(lines.iter().any(|line| line.starts_with("1 ")), "{level}: {lines:?}");
        until_pong(&mut session, "easy\nforce");
    }
    session.quit();
}

/// A game that is over is not played on.
#[test]
fn after_a_result_no_move_is_answered() {
    let mut session = start();
    reply(&mut session, "usermove e2e4");
    let told = until_pong(&mut session, "result 1-0 {White mates}\nusermove d2d3");
    assert!(told.is_empty(), "{told:?}");
    session.quit();
}

#[test]
fn thinking_is_told_from_post_to_nopost() {
    let mut session = start();
    for (word, is_told) in [("post", true), ("nopost", false), ("post", true)] {
        let lines = session.ask(&format!("new\nsd 2\n{word}\nusermove e2e4"), "move ");
        assert_eq!(lines.iter().any(|line| line.starts_with("1 ")), is_told, "{word}: {lines:?}");
    }
    session.quit();
}

/// What was found on the opponent's time is given up: the expected move is thought about anew.
#[test]
fn easy_ends_pondering() {
    let mut session = start();
    let expected = pondered(&mut session, "level 0 600 0");
    let lines = session.ask(&format!("easy\nusermove {expected}"), "move ");
    assert!(lines.iter().any(|line| line.starts_with("1 ")), "{lines:?}");
    session.quit();
}

/// A hint is for the move that comes next.
#[test]
fn hints_do_not_outlive_their_move() {
    let mut session = start();
    session.send("new\nsd 5");
    session.ask("usermove e2e4", "move ");
    session.ask("hint", "Hint: ");
    let told = until_pong(&mut session, "force\nusermove a2a3\nhint");
    assert!(told.is_empty(), "{told:?}");
    session.quit();
}

/// Words may stand apart by any white space.
#[test]
fn a_position_with_tabs() {
    let mut session = start();
    let told = until_pong(
        &mut session,
        "force\nsetboard\t4k3/8/8/8/8/8/8/4K2R\tw  K - 0 1\nusermove e1g1",
    );
    assert!(told.is_empty(), "{told:?}");
    session.quit();
}

#[test]
fn fischer_random() {
    let mut session = start();
    let fen = "1r4kr/pppppppp/8/8/8/8/PPPPPPPP/1R4KR w HBhb - 0 1";
    session.send(&format!("variant fischerandom\nforce\nsetboard {fen}"));
    // The king takes his rook: castling too.
    let told = until_pong(&mut session, "usermove O-O\nusermove g8h8\nundo\nusermove O-O-O");
    assert!(told.is_empty(), "{told:?}");
    assert_eq!(until_pong(&mut session, "usermove O-O"), ["Illegal move: O-O"]);
    reply(&mut session, "go");
    let told = until_pong(&mut session, "variant crazyhouse");
    assert_eq!(told, ["Error (unknown variant): variant crazyhouse"]);
    session.quit();
}

/// UCI-05.
#[test]
fn mistakes_get_one_line() {
    let mut session = start();
    for (mistake, answer) in [
        ("xyzzy", "Error (unknown command): xyzzy"),
        ("edit", "Error (unknown command): edit"),
        ("usermove", "Illegal move:"),
        ("usermove e7e5", "Illegal move: e7e5"),
        ("e2e5", "Illegal move: e2e5"),
        ("usermove Nf3", "Illegal move: Nf3"),
        ("undo", "Error (command not legal now): undo"),
        ("level 1", "Error (expected: level MOVES MINUTES[:SECONDS] INCREMENT): level 1"),
        ("sd", "Error ('' is no depth in plies): sd"),
        ("time now", "Error ('now' is no time in hundredths of a second): time now"),
        ("option", "Error (expected: option NAME[=VALUE]): option"),
        ("option =5", "Error (expected: option NAME[=VALUE]): option =5"),
        ("uci", "Error (unknown command): uci"),
    ] {
        let told = until_pong(&mut session, mistake);
        assert!(told.len() == 1 && told[0].starts_with(answer), "{mistake}: {told:?}");
    }
    let quiet = "otim 5\nname someone\nrating 2600 1500\ncomputer\nrandom\neasy\nhard\neasy\nics -\n\
                 nopost\npost\nresult\nresult 1-0 {White mates}\nhint\n?\n.\nexit\ndraw";
    assert_eq!(until_pong(&mut session, quiet), [""; 0]);
    session.input.write_all(b"\xff\xfe \x80\n\n   \n\r\nusermove \xff\r\n").expect("listens");
    let told = until_pong(&mut session, "");
    assert_eq!(told.len(), 2, "{told:?}");
    reply(&mut session, "new\nsd 1\ngo");
    session.quit();
}

/// The end of input ends a search with its move, and the program; `quit` needs no move.
#[test]
fn end_of_input_is_quit() {
    for (last, moves) in [("", 1), ("\nquit", 0)] {
        let mut session = start();
        session.send(&format!("new\nlevel 0 600 0\ngo{last}"));
        let rest = session.end_of_input();
        assert_eq!(rest.matches("move ").count(), moves, "{rest}");
    }
}

/// UCI-01: a person who is in the line mode may still ask for a protocol.
#[test]
fn the_line_mode_leads_here_too() {
    let mut session = Session::start();
    session.send("d");
    session.read_to("Key");
    session.send("xboard\nprotover 2");
    session.read_to("feature done=1");
    reply(&mut session, "new\nsd 1\nusermove e2e4");
    session.quit();
    let mut session = Session::start();
    session.ask("uci", "uciok");
    let told = session.last("xboard", "info string");
    assert!(told.contains("unknown command 'xboard'"), "{told}");
    session.quit();
}
