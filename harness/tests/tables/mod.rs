//! Tables from games: the counts, whatever they are read from; what is made of them; wrong inputs.

mod any_text;
mod bad_games;
mod counts;
mod hostile;
mod made;
mod signs;
mod spilled;
mod stopped;
mod usage;

use std::path::Path;
use std::process::Output;

use crate::common::verdict::verdict;
use serde_json::Value;

/// Games of our own engine, from FENs, the start and Chess960 starts; one has no result.
const GAMES: &str = include_str!("../data/tables_games.pgn");
/// What `scripts/check-tables.py tables_games.pgn --write tables_counts.json` found in them.
const SLOW: &str = include_str!("../data/tables_counts.json");

fn json(path: &Path) -> Value {
    serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap()
}

/// Runs `verdict tables …`, which must succeed.
fn tables(place: &Path, words: &str) -> String {
    let output = verdict(place, &format!("tables {words}"));
    assert_eq!(output.status.code(), Some(0), "{words}: {output:?}");
    String::from_utf8(output.stdout).unwrap()
}

/// Runs `verdict tables …`, which must fail with this exit code; returns what it says of it.
fn refused(place: &Path, words: &str, code: i32) -> String {
    let output: Output = verdict(place, &format!("tables {words}"));
    assert_eq!(output.status.code(), Some(code), "{words}: {output:?}");
    String::from_utf8(output.stderr).unwrap()
}
