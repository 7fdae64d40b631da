//! Perft and bench as commands of a session: how they are ended, and when they are not. How long the end of
//! a session waits for them is tested where they are made.

use std::io::Write as _;

use crate::common::session::Session;

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
    session.quit();
}

/// A script says all at once, and wants what it asked for.
#[test]
fn a_count_is_finished_when_the_end_was_waiting_behind_it() {
    for protocol in ["", "uci\n"] {
        for end in ["", "quit\n"] {
            let mut session = Session::start();
            session
                .input
                .write_all(format!("{protocol}go perft 4\n{end}").as_bytes())
                .expect("listens");
            let text = session.end_of_input();
            assert!(text.ends_with("Nodes searched: 197281\n"), "{protocol}{end}: {text}");
        }
    }
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
