//! `verdict selfcheck`: the engine embedded and as a program.

use super::Place;
use crate::common::script::script;

#[test]
fn both_ways_play_the_same_moves() {
    let place = Place::new();
    let engine = env!("CARGO_BIN_EXE_mutineer_process");
    for personality in ["default", "rebel"] {
        let words = format!(
            "selfcheck --engine {engine} --personality {personality} --nodes 200 --games 4"
        );
        let output = place.verdict(&words).output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert!(said.contains("4 games at 200 nodes") && said.contains(": equal, "), "{said}");
    }
}

#[test]
fn the_first_difference_is_said() {
    let place = Place::new();
    // The same program under another personality than it is told.
    let engine = env!("CARGO_BIN_EXE_mutineer_process");
    script(&place.path("engine.sh"), &format!("sed -u s/winglet/rebel/ | exec {engine}"));
    let words = "selfcheck --engine @engine.sh --personality winglet --nodes 200 --games 4";
    let output = place.verdict(words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("first game ") && said.contains(": embedded "), "{said}");
}

#[test]
fn an_engine_that_is_not_there_or_does_not_play() {
    let place = Place::new();
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    for (words, code, expected) in [
        ("selfcheck --engine @nobody".to_owned(), 64, "nobody not found"),
        ("selfcheck --personality nobody --engine /bin/sh".to_owned(), 64, "nobody"),
        (format!("selfcheck --engine {scoundrel} --games 2"), 64, "has no option 'Personality'"),
        ("selfcheck --engine /bin/false --games 2".to_owned(), 3, "/bin/false: "),
        (format!("selfcheck --engine {scoundrel} --slots 1000000"), 64, "at most 1024"),
    ] {
        let output = place.verdict(&words).output().unwrap();
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8_lossy(&said);
        assert_eq!(output.status.code(), Some(code), "{words}: {said}");
        assert!(said.contains(expected), "{words}: {said}");
    }
}
