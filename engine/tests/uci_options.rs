//! The binary's options over UCI: which are listed, and what setting them does.

use engine::eval::ImbalanceTable;
use engine::params::{MaterialTable, OpeningKeys, PERSONALITIES, SPECS};

use crate::common::session::Session;

/// The words of UCI's grammar of options.
const GRAMMAR: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

/// The names of the options that an answer to `uci` lists.
fn names(lines: &[String]) -> Vec<&str> {
    let options = lines.iter().filter_map(|line| line.strip_prefix("option name "));
    options.map(|rest| rest.split_once(" type ").expect("a type").0).collect()
}

/// User interfaces show them all, and send them all back; some have no room for 256.
#[test]
fn the_handshake_lists_what_a_user_interface_can_show() {
    let mut session = Session::start();
    let lines = session.ask("uci", "uciok");
    assert!(lines[0].starts_with("id name mutineer"));
    let usual: Vec<String> = names(&lines).into_iter().map(str::to_owned).collect();
    assert!(usual.len() <= 25, "{usual:?}");
    for name in ["Hash", "Threads", "Move Overhead", "Personality", "Parameter File"] {
        assert!(usual.iter().any(|usual| usual == name), "{name}");
    }
    session.send("setoption name List Parameters value true");
    let all = session.ask("uci", "uciok");
    assert_eq!(names(&all).len(), usual.len() + SPECS.len());
    assert_eq!(names(&all)[..usual.len()], usual);
    session.send("setoption name List Parameters value false");
    assert_eq!(session.ask("uci", "uciok"), lines);
    session.quit();
    let mut session = Session::start_with(&["--all-options"]);
    assert_eq!(session.ask("uci", "uciok"), all);
    session.quit();
}

/// How many values the line of a list has.
fn choices(line: &str) -> usize {
    match line.split(' ').nth(2) {
        Some("Personality") => PERSONALITIES.len(),
        Some("MIT") => 1 + MaterialTable::NAMES.len(),
        Some("Openings") => 1 + OpeningKeys::NAMES.len(),
        Some("imbalance.table") => MaterialTable::NAMES.len(),
        Some("opening.table") => OpeningKeys::NAMES.len(),
        name => panic!("{name:?} is a list"),
    }
}

/// A choice that is a word of the grammar makes the whole option unreadable.
#[test]
fn no_value_is_a_word_of_the_grammar() {
    let mut session = Session::start_with(&["--all-options"]);
    let lines = session.ask("uci", "uciok");
    for line in lines.iter().filter(|line| line.starts_with("option ")) {
        for word in GRAMMAR {
            let count = line.split(' ').filter(|found| *found == word).count();
            let expected = match word {
                "var" if line.contains(" type combo ") => choices(line),
                "name" | "type" => 1,
                "default" => usize::from(!line.ends_with(" type button")),
                "min" | "max" => usize::from(line.contains(" type spin ")),
                _ => 0,
            };
            assert_eq!(count, expected, "{word} in {line}");
        }
    }
    for name in ["Default", "default", "DEFAULT", "Rebel"] {
        session.send(&format!("setoption name Personality value {name}"));
    }
    let lines = session.ask("isready", "readyok");
    assert_eq!(lines.len(), 1, "{lines:?}");
    session.quit();
}

#[test]
fn what_is_not_listed_is_obeyed_all_the_same() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name Hash value 4");
    session.send("setoption name Personality value rebel");
    session.send("setoption name pst.knight_mg[e4] value -333");
    let lines = session.ask("isready", "readyok");
    let told = "info string playing as rebel, values set otherwise: 1 (pst.knight_mg[e4]=-333)";
    assert_eq!(lines, [told, "readyok"]);
    session.send("ucinewgame");
    session.send("position startpos moves e2e4 e7e5");
    let lines = session.ask("go depth 4", "bestmove");
    let info = &lines[lines.len() - 2];
    for word in ["depth 4", "seldepth", "score", "nodes", "nps", "hashfull", "time", "pv"] {
        assert!(info.contains(word), "'{word}' in {info}");
    }
    session.quit();
}

/// Sends every option back as it was listed, but for the personality.
fn send_all_back(session: &mut Session) {
    let offered: Vec<String> = session.ask("uci", "uciok");
    for line in offered.iter().filter_map(|line| line.strip_prefix("option name ")) {
        let (name, rest) = line.split_once(" type ").expect("a type");
        let Some((_, default)) = rest.split_once("default ") else { continue };
        let default = default.split(" min ").next().and_then(|text| text.split(" var ").next());
        let value = if name == "Personality" { "rebel" } else { default.expect("a default") };
        session.send(&format!("setoption name {name} value {value}"));
    }
}

/// What is played then is the personality, whatever is listed.
#[test]
fn a_personality_survives_what_is_sent_back() {
    for arguments in [&[][..], &["--all-options"]] {
        let mut session = Session::start_with(arguments);
        for _ in 0..2 {
            send_all_back(&mut session);
            let lines = session.ask("isready", "readyok");
            assert!(!lines.iter().any(|line| line.contains("playing as")), "{lines:?}");
        }
        session.quit();
    }
    // Nor does what is sent back undo what was asked for, nor does another personality.
    let told = |name: &str| format!("info string playing as {name}, values set otherwise: 1 ");
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name lmr.min_move value 9");
    assert!(session.ask("isready", "readyok")[0].starts_with(&told("default")));
    send_all_back(&mut session);
    let lines = session.ask("isready", "readyok");
    assert!(lines.iter().any(|line| line.starts_with(&told("rebel"))), "{lines:?}");
    session.quit();
}

/// What is set on top of a personality is told once, and told again only when it is something else.
#[test]
fn what_is_played_is_told_where_it_is_not_the_personality() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name Personality value rebel");
    // As `default` has it: nobody was told so, it is asked for.
    session.send("setoption name material.pawn value 224");
    let told = "info string playing as rebel, values set otherwise: ";
    assert_eq!(session.ask("isready", "readyok")[0], format!("{told}1 (material.pawn=224)"));
    session.send("setoption name material.pawn value 224");
    assert_eq!(session.ask("isready", "readyok").len(), 1, "as it was");
    session.send("setoption name material.pawn value 230");
    assert_eq!(session.ask("isready", "readyok").len(), 1, "as the personality has it");
    session.send("setoption name search.pvs value true\nposition startpos");
    let lines = session.ask("go depth 1", "bestmove");
    assert_eq!(lines[0], format!("{told}1 (search.pvs=true)"));
    session.quit();
}

/// PAR-01, PAR-02: the page's values are the rows', whichever was set last.
#[test]
fn options_of_rebel_are_its_rows() {
    let mut session = Session::start();
    let listed = session.ask("uci", "uciok");
    for line in [
        "option name ChessKnowledge type spin default -1 min -1 max 500",
        "option name Selective Search type spin default -1 min -1 max 1",
    ] {
        assert!(listed.iter().any(|own| own == line), "{listed:?}");
    }
    session.send("setoption name Personality value rebel");
    let told = |rest: &str| format!("info string playing as rebel, values set otherwise: {rest}");
    for (set, answer) in [
        ("ChessKnowledge value 200", told("1 (lazy.margin=256)")),
        ("lazy.margin value 64", told("1 (lazy.margin=64)")),
        ("chessknowledge value 400", told("1 (lazy.margin=512)")),
        ("Selective Search value 0", told("2 (selective.full_null=true, lazy.margin=512)")),
        ("ChessKnowledge value -1", told("2 (selective.full_null=true, lazy.margin=64)")),
    ] {
        session.send(&format!("setoption name {set}"));
        assert_eq!(session.ask("isready", "readyok")[0], answer, "{set}");
    }
    session.send("setoption name ChessKnowledge value 501");
    let lines = session.ask("isready", "readyok");
    assert!(lines[0].contains("'ChessKnowledge': expected 0 to 500, found 501"), "{lines:?}");
    session.quit();
}

/// Some user interfaces send all options before every search.
#[test]
fn an_option_that_is_so_already_changes_nothing() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    let first = session.nodes(&["Hash value 2"]);
    assert!(session.nodes(&["Hash value 2"]) < first, "what was found is remembered");
    assert_eq!(session.nodes(&["Hash value 3", "\tHash\tvalue\t2"]), first);
    session.quit();
}

/// A table that the machine cannot hold is not begun: the one there is stays, with what it knows.
#[test]
#[cfg(target_os = "linux")]
fn more_hash_than_there_is_memory_is_refused() {
    let mut command = std::process::Command::new("sh");
    let engine = env!("CARGO_BIN_EXE_mutineer");
    command.args(["-c", &format!("ulimit -v 1000000; exec '{engine}'")]);
    let mut session = Session::of(command);
    session.ask("uci", "uciok");
    let first = session.nodes(&["Hash value 2"]);
    session.send("setoption name Hash value 2000");
    let told = session.ask("isready", "readyok");
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(told[0].contains("option Hash: 2000 MiB do not fit"), "{told:?}");
    assert!(session.nodes(&[]) < first, "what was found is remembered");
    session.send("setoption name Hash value 2");
    assert_eq!(session.ask("isready", "readyok").len(), 1);
    assert!(session.nodes(&[]) < first, "its size is what it was");
    session.quit();
}

/// What is forgotten is what can no longer be used: parameters and tables are compared when the next
/// search comes, however they came to be what they are.
#[test]
fn what_is_played_by_is_compared_before_it_is_forgotten() {
    let file = |name: &str| format!("{}/again.{name}", env!("CARGO_TARGET_TMPDIR"));
    let (openings, material) = (file("txt"), file("mit"));
    std::fs::write(&openings, "823c9b50fd114196\n").expect("written");
    let table = ImbalanceTable::built_in(MaterialTable::All).expect("a table");
    std::fs::write(&material, table.pack(table.provenance())).expect("written");
    let mut session = Session::start();
    session.ask("uci", "uciok");
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
        let first = session.nodes(&[before, &["Clear Hash"]].concat());
        assert!(session.nodes(same) < first, "{same:?}: what was found is remembered");
    }
    let first = session.nodes(&["Clear Hash"]);
    session.nodes(&["Personality value rebel"]);
    assert_eq!(session.nodes(&["Personality value default", "lmr.min_move value 6"]), first);
    session.quit();
}

/// PRO-19, PRO-25: tables within the program, by name; what is set is told before the next search.
#[test]
fn tables_by_name() {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name MIT value 3010");
    let told = session.ask("isready", "readyok");
    assert!(told[0].contains("unknown name '3010'; did you mean '3100'?"), "{told:?}");
    session.send("setoption name Personality value rebel");
    session.send("setoption name mit value all");
    session.send("setoption name Openings value 2600");
    let told = session.ask("isready", "readyok");
    let set = "imbalance.on=true, imbalance.table=all, opening.on=true, opening.table=2600";
    assert!(told[0].ends_with(&format!("otherwise: 4 ({set})")), "{told:?}");
    let with = session.nodes(&["imbalance.mode value 1", "Clear Hash"]);
    let without = session.nodes(&["MIT value own", "Openings value own", "Clear Hash"]);
    assert_ne!(with, without);
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
