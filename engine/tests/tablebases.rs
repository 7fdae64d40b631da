//! Endgame tablebases from outside: the options of both protocols, and endings that are won by them.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::{env, fs};

use engine::search::{HashSize, Limits};
use engine::{Engine, Params, Position, Probing, Tablebases};

use crate::common::session::{Session, field};
use crate::xboard::until_pong;

/// Queen, rook or pawn against a bare king.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../harness/tests/data/syzygy");
const LOADED: &str = "SyzygyPath: 3 WDL and 3 DTZ tables, up to 3 men";

/// The rook takes the queen, and wins.
const TAKES: &str = "8/8/8/8/4k3/8/8/K2R3q w - - 0 1";
/// Only the king's steps to the sixth rank's other files win.
const PAWN: &str = "4k3/8/4K3/4P3/8/8/8/8 w - - 0 1";

/// A session after the handshake that has the tables.
fn uci() -> Session {
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send(&format!("setoption name SyzygyPath value {FOLDER}"));
    assert_eq!(session.ask("isready", "readyok"), [&format!("info string {LOADED}"), "readyok"]);
    session
}

/// The last line of each move, first the best.
fn lines(session: &mut Session, fen: &str, count: usize) -> Vec<String> {
    session.send(&format!("position fen {fen}"));
    let mut told = session.ask("go depth 6", "bestmove");
    told.pop();
    told.split_off(told.len() - count)
}

fn number(line: &str, name: &str) -> i64 {
    field(line, name).and_then(|word| word.parse().ok()).unwrap_or_else(|| panic!("{name}: {line}"))
}

/// What is told of a search: its hits, and a win that is known.
#[test]
fn hits_and_scores_over_uci() {
    let mut session = uci();
    let won = lines(&mut session, TAKES, 1).remove(0);
    assert!(number(&won, "tbhits") > 0 && number(&won, "cp") > 10_000, "{won}");
    let at_root = lines(&mut session, PAWN, 1).remove(0);
    assert!(number(&at_root, "tbhits") > 0 && number(&at_root, "cp") > 10_000, "{at_root}");
    for options in ["SyzygyProbeLimit value 2", "SyzygyPath value"] {
        session.send(&format!("setoption name {options}"));
        let line = lines(&mut session, TAKES, 1).remove(0);
        assert!(!line.contains("tbhits") && number(&line, "cp") < 10_000, "{options}: {line}");
        session.send("setoption name SyzygyProbeLimit value 7");
    }
    session.quit();
}

/// Who plays weaker has to find the win.
#[test]
fn limited_strength_asks_no_tables() {
    let mut session = uci();
    session.send("setoption name UCI_LimitStrength value true");
    for fen in [TAKES, PAWN] {
        let line = lines(&mut session, fen, 1).remove(0);
        assert!(!line.contains("tbhits"), "{line}");
    }
    session.quit();
}

/// Of several lines the first are those that keep the result, whatever a search thinks of the others.
#[test]
fn several_lines() {
    let mut session = uci();
    session.send("setoption name MultiPV value 4");
    let lines = lines(&mut session, PAWN, 4);
    let moves: Vec<_> = lines.iter().map(|line| field(line, "pv").expect("a line")).collect();
    let won: Vec<_> = lines.iter().map(|line| number(line, "cp") > 10_000).collect();
    assert_eq!(won, [true, true, false, false], "{lines:?}");
    assert!(moves[..2].contains(&"e6d6") && moves[..2].contains(&"e6f6"), "{moves:?}");
    session.quit();
}

/// A folder of a test's own; it goes when the test ends.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The engine says what is wrong, and where, and plays on.
#[test]
fn tables_that_are_none() {
    let folder = Folder(env::temp_dir().join(format!("mutineer-{}-none", std::process::id())));
    fs::create_dir_all(&folder.0).expect("made");
    let rook = fs::read(Path::new(FOLDER).join("KRvK.rtbw")).expect("a table");
    let table = folder.0.join("KRvK.rtbw");
    fs::write(&table, &rook[..80]).expect("written");
    let mut session = Session::start();
    session.ask("uci", "uciok");
    session.send("setoption name SyzygyPath value /no/such/folder");
    let told = session.ask("isready", "readyok").remove(0);
    assert!(told.starts_with("info string SyzygyPath: '/no/such/folder': "), "{told}");
    session.send(&format!("setoption name SyzygyPath value {}", folder.0.display()));
    session.ask("isready", "readyok");
    session.send("position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1");
    for faults in [1, 0] {
        let told = session.ask("go depth 3", "bestmove");
        let start = format!("info string {}: ", table.display());
        assert_eq!(told.iter().filter(|line| line.starts_with(&start)).count(), faults, "{told:?}");
        assert!(told.last().is_some_and(|line| line.len() > "bestmove 0000".len() - 1));
    }
    session.quit();
}

#[test]
fn over_xboard() {
    let mut session = Session::start();
    session.send("xboard");
    let lines = session.ask("protover 2", "feature done=1");
    assert!(lines[0].contains(" egt=\"syzygy\" "), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("option=\"SyzygyPath")), "{lines:?}");
    let told = until_pong(&mut session, "egtpath nalimov /tables\negtpath syzygy /no/such/folder");
    assert_eq!(told[0], "Error (expected: egtpath syzygy PATH): egtpath nalimov /tables");
    assert!(told[1].starts_with("Error (SyzygyPath: '/no/such/folder': "), "{told:?}");
    let told = until_pong(&mut session, &format!("egtpath syzygy {FOLDER}"));
    assert_eq!(told, [format!("# {LOADED}")]);
    session.send(&format!("new\nforce\npost\nsd 4\nsetboard {TAKES}"));
    let lines = session.ask("go", "move ");
    let (numbers, line) = lines[lines.len() - 2].split_once('\t').expect("a tabulator");
    let numbers: Vec<i64> =
        numbers.split_whitespace().map(|word| word.parse().expect("a number")).collect();
    assert!(numbers.len() == 7 && numbers[1] > 10_000 && numbers[6] > 0, "{lines:?}");
    assert!(line.trim_start().starts_with("d1h1"), "{line}");
    session.quit();
}

/// The result of a game that the engine plays against itself, within so many nodes a move: whether it
/// ends in mate.
fn is_mated(engine: &mut Engine, fen: &str, nodes: u64) -> bool {
    engine.new_game();
    let mut position = Position::from_fen(fen).expect(fen);
    let limits = Limits { nodes: Some(nodes), ..Limits::default() };
    loop {
        let mut moves = Vec::new();
        position.legal_moves(&mut moves);
        if moves.is_empty() {
            return position.in_check();
        }
        let drawn = position.is_insufficient_material() || position.repetitions() >= 2;
        if drawn || position.is_fifty_moves() {
            return false;
        }
        let report = engine.search(&position, &limits, &());
        position.play(report.best.expect("a move"));
    }
}

/// However little is searched, what is won is won in time, when the fifty moves are almost over too.
#[test]
fn what_is_won_is_won_in_time() {
    let fens = [
        "8/1k6/8/6Q1/8/K7/8/8 w - - 0 1",
        "7k/8/8/8/6K1/1Q6/8/8 w - - 85 60",
        "6R1/8/8/1k6/8/8/8/K7 w - - 0 1",
        "8/8/8/3k4/8/8/8/K6R w - - 70 60",
        "8/8/8/7P/1k6/7K/8/8 b - - 0 1",
        "8/3K4/8/8/6P1/7k/8/8 w - - 0 1",
        PAWN,
    ];
    let params = Arc::new(Params::personality("mediocre").expect("known"));
    let mut engine = Engine::new(&params, HashSize::MIN);
    let won = |engine: &mut Engine| fens.map(|fen| is_mated(engine, fen, 10));
    assert!(won(&mut engine).contains(&false), "without tables");
    let tables = Some(Arc::new(Tablebases::open(FOLDER.as_ref()).expect(FOLDER)));
    engine.set_probing(Probing { tables, ..Probing::default() });
    assert_eq!(won(&mut engine), [true; 7]);
}
