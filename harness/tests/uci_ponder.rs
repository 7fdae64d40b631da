//! A UCI player that thinks in its opponent's time is told what the protocol says, in its order.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::Duration;

use harness::player::external::External;
use harness::player::program::{ProgramHost, ProgramSettings, ProgramSpec};
use harness::player::{Clock, GoLimit};
use shakmaty::Color;
use tokio_util::sync::CancellationToken;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
const LIMIT: GoLimit = GoLimit::Clock(Clock {
    white: Duration::from_secs(60),
    black: Duration::from_secs(50),
    white_increment: Duration::ZERO,
    black_increment: Duration::ZERO,
    moves_to_go: None,
    next_control: None,
    nodes_per_ms: None,
});

/// Writes an engine that keeps a diary of what it is told, and ponders.
fn engine(dir: &Path) -> ProgramSpec {
    let program = dir.join("engine.sh");
    let diary = dir.join("diary");
    let script = format!(
        "#!/bin/sh\n\
         while IFS= read -r line; do\n\
         printf '%s\\n' \"$line\" >> '{}'\n\
         case \"$line\" in\n\
         uci) echo 'option name Ponder type check default false'; echo uciok;;\n\
         isready) echo readyok;;\n\
         'go ponder'*) echo 'info depth 3 score cp 12 nodes 99 pv g1f3';;\n\
         go*) echo 'info depth 1 score cp 5 nodes 10 pv e2e4'; echo 'bestmove e2e4 ponder e7e5';;\n\
         ponderhit) echo 'bestmove g1f3 ponder b8c6';;\n\
         stop) echo 'bestmove a2a3';;\n\
         quit) exit 0;;\n\
         esac\n\
         done\n",
        diary.display()
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    ProgramSpec::parse(&format!("uci:{}", program.display())).unwrap()
}

#[test]
fn hits_misses_and_the_end_of_a_game() {
    let dir = tempfile::tempdir().unwrap();
    let spec = engine(dir.path());
    let runtime =
        tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
    let settings = ProgramSettings { ponder: true, ..ProgramSettings::default() };
    let host = ProgramHost::new(settings, runtime.handle().clone(), CancellationToken::new());
    let mut player = External::start(&spec, &host.unwrap()).unwrap();
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
            "go",
            "position startpos moves e2e4 e7e5 g1f3 d7d6 e2e4 e7e5",
            "go ponder",
            "stop",
            "ucinewgame",
            "isready",
            "quit",
        ],
        "{diary}"
    );
}
