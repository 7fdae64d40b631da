//! What terminals get: aligned columns in lines that fit, and errors of bounded length.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use super::command::verdict;

/// Exit code, standard output and standard error in a window of so many columns.
fn in_window(columns: usize, words: &[&str], place: &Path) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    let command = command.args(words).current_dir(place).env("COLUMNS", columns.to_string());
    let output = command.output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// A round robin of so many players whose names Markdown would escape.
fn round_robin(place: &Path, players: usize) {
    let mut text = String::new();
    for white in 0..players {
        for black in (0..players).filter(|black| *black != white) {
            let result = ["1-0", "1/2-1/2", "0-1"][(white * 2 + black) % 3];
            text.push_str(&format!(
                "[White \"engine_{white} *dev*\"]\n[Black \"engine_{black} *dev*\"]\n\
                 [Result \"{result}\"]\n\n1. e4 {result}\n\n"
            ));
        }
    }
    fs::write(place.join("games.pgn"), text).unwrap();
}

#[test]
fn ratings_fit_the_window() {
    let dir = tempfile::tempdir().unwrap();
    round_robin(dir.path(), 12);
    for columns in [40, 80, 120, 400] {
        let (code, text, _) = in_window(columns, &["ratings", "games.pgn"], dir.path());
        assert_eq!(code, Some(0));
        let widest = text.lines().map(|line| line.chars().count()).max().unwrap();
        assert!(widest <= columns, "{widest} of {columns}\n{text}");
        assert!(!text.contains(['|', '\\', '`']) && !text.contains("##"), "{text}");
        // However the columns are parted, each opponent has one, and rows begin with names.
        let heads: Vec<&str> = text.lines().filter(|line| line.starts_with(" #  player")).collect();
        let heads = heads.join(" ");
        assert_eq!(heads.matches(" v 12").count(), 2, "{text}");
        assert!(text.lines().any(|line| line.starts_with(" 1  engine_")), "{text}");
    }
    let (_, wide, _) = in_window(400, &["ratings", "games.pgn"], dir.path());
    let of_players = wide.lines().skip_while(|line| !line.starts_with(" #")).take(13);
    let of_players: Vec<&str> = of_players.collect();
    let name = of_players[0].find("player").unwrap();
    assert!(of_players[1..].iter().all(|line| line[name..].starts_with("engine_")), "{wide}");
    // Files, and who asks for it, get Markdown.
    let (_, markdown, _) = in_window(40, &["ratings", "games.pgn", "--markdown"], dir.path());
    assert!(
        markdown.starts_with("## Ratings\n") && markdown.contains("| 1 | engine\\_"),
        "{markdown}"
    );
}

/// What a file quotes may be as long as the file.
#[test]
fn no_error_is_as_long_as_what_it_quotes() {
    let dir = tempfile::tempdir().unwrap();
    let long = "x".repeat(700_000);
    let game = |white: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n1. e4 1-0\n\n")
    };
    fs::write(dir.path().join("result.pgn"), game("A", "1-0") + &game("A", &long)).unwrap();
    fs::write(dir.path().join("name.pgn"), game(&long, "1-0") + &game("A", "1-0")).unwrap();
    let run = dir.path().join("run");
    fs::create_dir(&run).unwrap();
    fs::write(run.join("run.json"), format!("{{\"format\": \"{long}\"}}")).unwrap();
    fs::write(run.join("games.jsonl"), format!("{{\"game\": \"{long}\"}}\n")).unwrap();
    for words in [
        &["ratings", "result.pgn"][..],
        &["ratings", "result.pgn", "--json"],
        &["ratings", "result.pgn", "--markdown"],
        &["stats", "result.pgn", "--test", "A"],
        &["stats", "name.pgn"],
        &["stats", "name.pgn", "--test", "B"],
        &["stats", "run"],
        &["ratings", "run"],
    ] {
        let (_, text, told) = verdict(words, dir.path());
        assert!(text.len() + told.len() < 8_000, "{words:?}: {} {}", text.len(), told.len());
        // Where the window ends, lines are broken.
        let words_of = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(!told.is_empty() || words_of.contains("expected the result"), "{words:?}");
    }
    let (_, text, told) = verdict(&["ratings", "name.pgn"], dir.path());
    assert!(text.len() + told.len() < 8_000, "{} {}", text.len(), told.len());
    let json = verdict(&["ratings", "result.pgn", "--json"], dir.path()).1;
    let json: Value = serde_json::from_str(&json).unwrap();
    let first = json["counted"]["left_out"]["first_unusable"].as_str().unwrap();
    assert!(first.contains("result.pgn:7: game 2: expected the result"), "{first}");
}
