//! A UCI player that thinks in its opponent's time is told what the protocol says, in its order.

use std::fs;
use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::players::{Bench, LONG, START, bench_with, kind};
use crate::common::script::script;
use arena::player::program::{ProgramSettings, ProgramSpec};
use arena::player::{Clock, GoLimit};
use shakmaty::Color;

const LIMIT: GoLimit = GoLimit::Clock(Clock {
    white: Duration::from_secs(60),
    black: Duration::from_secs(50),
    white_increment: Duration::ZERO,
    black_increment: Duration::ZERO,
    moves_to_go: None,
    next_control: None,
    nodes_per_ms: None,
});

/// What an engine does in the opponent's time.
const PONDERS: &str = "echo 'info depth 3 score cp 12 nodes 99 pv g1f3'";

/// Writes an engine that keeps a diary of what it is told, and ponders; it answers `go` with `best`.
fn engine(dir: &Path, best: &str, ponders: &str) -> ProgramSpec {
    let program = dir.join("engine.sh");
    let diary = dir.join("diary");
    let text = format!(
        "while IFS= read -r line; do\n\
         printf '%s\\n' \"$line\" >> '{}'\n\
         case \"$line\" in\n\
         uci) echo 'option name Ponder type check default false'\n\
         echo 'option name UCI_Chess960 type check default false'; echo uciok;;\n\
         isready) echo readyok;;\n\
         'go ponder'*) {ponders};;\n\
         go*) echo 'info depth 1 score cp 5 nodes 10 pv e2e4'; echo 'bestmove {best}';;\n\
         ponderhit) echo 'bestmove g1f3 ponder b8c6';;\n\
         stop) echo 'bestmove a2a3';;\n\
         quit) exit 0;;\n\
         esac\n\
         done",
        diary.display()
    );
    script(&program, &text);
    ProgramSpec::parse(&format!("uci:{}", program.display())).unwrap()
}

fn ponders() -> Bench {
    bench_with(ProgramSettings { ponder: true, ..ProgramSettings::default() })
}

#[test]
fn hits_misses_and_the_end_of_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let spec = engine(dir.path(), "e2e4 ponder e7e5", PONDERS);
    let bench = ponders();
    let mut player = bench.start(&spec);
    player.new_game(START, false).unwrap();
    let mut answers = Vec::new();
    for moves in ["", "e2e4 e7e5", "e2e4 e7e5 g1f3 d7d6"] {
        let thought = player.think(Color::White, moves, &LIMIT).unwrap();
        answers.push((thought.best.to_string(), thought.nodes));
    }
    // What it said while it pondered belongs to the move that came of it.
    let expected = [("e2e4", 10), ("g1f3", 99), ("e2e4", 10)];
    assert_eq!(answers, expected.map(|(best, nodes)| (best.to_owned(), nodes)));
    player.end_game().unwrap();
    player.new_game(START, false).unwrap();
    player.think(Color::White, "", &LIMIT).unwrap();
    player.end_game().unwrap();
    player.new_game(START, false).unwrap();
    player.quit();

    let diary = fs::read_to_string(dir.path().join("diary")).unwrap();
    // The time of its moves depends on the machine.
    let told: Vec<String> = diary.lines().map(|line| line.replace(" winc 0 binc 0", "")).collect();
    let places = |begins: &str| told.iter().position(|line| line.starts_with(begins)).unwrap();
    assert!(told[places("setoption name Ponder")].ends_with("value true"));
    let game = &told[places("ucinewgame") + 2..];
    let words: Vec<String> =
        game.iter().map(|line| line.split(" wtime").next().unwrap().to_owned()).collect();
    assert_eq!(
        words,
        [
            "position startpos",
            "go",
            "position startpos moves e2e4 e7e5",
            "go ponder",
            "ponderhit",
            "position startpos moves e2e4 e7e5 g1f3 b8c6",
            "go ponder",
            "stop",
            "position startpos moves e2e4 e7e5 g1f3 d7d6",
            // It plays what is not legal there: there is nothing to ponder.
            "go",
            "ucinewgame",
            "isready",
            "position startpos",
            "go",
            "position startpos moves e2e4 e7e5",
            "go ponder",
            "stop",
            "ucinewgame",
            "isready",
            "quit",
        ],
        "{diary}"
    );
}

/// A position that cannot be would be our fault, not the engine's.
#[test]
fn replies_that_cannot_be_played_are_not_pondered() {
    const RANDOM: &str = "1r4kr/8/8/8/8/8/8/1R4KR w HBhb - 0 1";
    for (fen, chess960, best, ponders_at) in [
        (START, false, "e2e4 ponder e1e8", None),
        (START, false, "e2e5 ponder e7e5", None),
        (RANDOM, true, "g1h1 ponder g8h8", Some("moves g1h1 g8h8")),
        (RANDOM, true, "g1h1 ponder g8c8", None),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let bench = ponders();
        let mut player = bench.start(&engine(dir.path(), best, PONDERS));
        player.new_game(fen, chess960).unwrap();
        player.think(Color::White, "", &LIMIT).unwrap();
        player.end_game().unwrap();
        player.quit();
        let diary = fs::read_to_string(dir.path().join("diary")).unwrap();
        assert_eq!(diary.contains("go ponder"), ponders_at.is_some(), "{best}: {diary}");
        assert!(diary.contains(ponders_at.unwrap_or_default()), "{best}: {diary}");
    }
}

/// It says no more after that: nobody has to wait until its time has run out.
#[test]
fn an_answer_before_the_hit_is_a_fault_at_once() {
    let dir = tempfile::tempdir().unwrap();
    let bench = ponders();
    let said = dir.path().join("said");
    let answers = format!("echo 'bestmove g1f3'; : > '{}'", said.display());
    let mut player = bench.start(&engine(dir.path(), "e2e4 ponder e7e5", &answers));
    player.new_game(START, false).unwrap();
    player.think(Color::White, "", &LIMIT).unwrap();
    let asked = Instant::now();
    while !said.exists() {
        assert!(asked.elapsed() < LONG, "does not ponder");
        sleep(Duration::from_millis(5));
    }
    let fault = player.think(Color::White, "e2e4 e7e5", &LIMIT).unwrap_err();
    assert_eq!(kind(&fault), "Garbage");
    assert!(fault.to_string().contains("answered while pondering"), "{fault}");
    assert!(fault.to_string().contains("found 'bestmove g1f3'"), "{fault}");
    assert!(asked.elapsed() < LONG, "{:?}", asked.elapsed());
}
