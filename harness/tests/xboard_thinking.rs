//! What an xboard player records of a move: the figures of the line that tells of it.

use std::path::Path;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::common::players::{LONG, START, bench_with};
use crate::common::script::script;
use arena::player::program::{ProgramSettings, ProgramSpec};
use arena::player::{GoLimit, Thought};
use arena::record::Score;
use shakmaty::Color;

const LIMIT: GoLimit = GoLimit::Depth(5);

/// Writes an engine that opens with `e2e4`, behind which it says something, and then answers so.
fn engine(dir: &Path, behind: &str, answer: &str) -> ProgramSpec {
    let program = dir.join("engine.sh");
    let text = format!(
        "while read -r word rest; do\n\
         case \"$word\" in\n\
         protover) echo 'feature ping=1 usermove=1 done=1';;\n\
         ping) echo \"pong $rest\";;\n\
         go) printf '1 5 0 10 e2e4\\nmove e2e4\\n{behind}'; : > '{}';;\n\
         usermove) printf '{answer}';;\n\
         quit) exit 0;;\n\
         esac\n\
         done",
        dir.join("said").display()
    );
    script(&program, &text);
    ProgramSpec::parse(&format!("xboard:{}", program.display())).unwrap()
}

/// Its second move.
fn second(ponder: bool, behind: &str, answer: &str) -> Thought {
    let dir = tempfile::tempdir().unwrap();
    let bench = bench_with(ProgramSettings { ponder, ..ProgramSettings::default() });
    let mut player = bench.start(&engine(dir.path(), behind, answer));
    player.new_game(START, false).unwrap();
    player.think(Color::White, "", &LIMIT).unwrap();
    let asked = Instant::now();
    while !dir.path().join("said").exists() {
        assert!(asked.elapsed() < LONG);
        sleep(Duration::from_millis(5));
    }
    let thought = player.think(Color::White, "e2e4 e7e5", &LIMIT).unwrap();
    assert_eq!(thought.best.to_string(), "g1f3");
    player.quit();
    thought
}

#[test]
fn what_was_said_in_the_opponents_time_counts_for_an_answer_without_a_word() {
    let figures = |ponder| {
        let thought = second(ponder, "7 33 0 900 Nf3 Nc6\\n", "move g1f3\\n");
        (thought.score, thought.depth, thought.nodes)
    };
    assert_eq!(figures(true), (Some(Score::Cp(33)), 7, 900));
    assert_eq!(figures(false), (None, 0, 0));
}

#[test]
fn the_best_of_several_variations_counts() {
    let answer = "5 20 0 500 g1f3 b8c6\\n5 10 0 500 b1c3\\n5 -50 0 520 f1a6\\nmove g1f3\\n";
    let thought = second(false, "", answer);
    assert_eq!((thought.score, thought.depth, thought.nodes), (Some(Score::Cp(20)), 5, 520));
}
