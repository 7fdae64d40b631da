//! `verdict ratings` and `verdict stats` on PGN, run as a program.

use std::fs;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// Exit code, standard output and standard error.
pub(super) fn verdict(words: &[&str], place: &Path) -> (Option<i32>, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    let output = command.args(words).current_dir(place).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

/// Pairs of A and B by A's result with White and with Black, then a game of C and D.
fn games(place: &Path) {
    let mut text = String::new();
    let mut add = |white: &str, black: &str, result: &str, opening: usize| {
        let moves = ["1. e4 e5 2. Nf3 Nc6", "1. d4 d5 2. c4 e6", "1. c4 e5 2. Nc3 Nf6"];
        // Each opening is left in another way.
        let rest = " Ng1 Ng8".repeat(opening);
        text.push_str(&format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{}{rest} {result}\n\n",
            moves[opening % 3]
        ));
    };
    for opening in 0..20 {
        let (first, second) =
            [("1-0", "1/2-1/2"), ("1/2-1/2", "1/2-1/2"), ("1-0", "1-0")][opening % 3];
        add("A", "B", first, opening);
        add("B", "A", second, opening);
    }
    add("C", "D", "1-0", 0);
    add("C", "A", "0-1", 0);
    add("C", "A", "*", 0);
    fs::write(place.join("games.pgn"), text).unwrap();
}

#[test]
fn ratings_are_printed() {
    let dir = tempfile::tempdir().unwrap();
    games(dir.path());
    let run = |words: &[&str]| verdict(&[&["ratings", "games.pgn"], words].concat(), dir.path());
    let (code, text, error) = run(&[]);
    assert_eq!((code, error.as_str()), (Some(0), ""));
    assert!(
        text.starts_with("Ratings\n\n42 games of 4 players from 1 PGN file: 20 pairs"),
        "{text}"
    );
    assert!(text.contains("\nLikelihood of superiority\n"), "{text}");

    let (code, text, _) =
        run(&["--json", "--min-games", "5", "--anchor", "B=2000", "--white-advantage", "on"]);
    assert_eq!(code, Some(0));
    let table: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(table["players"].as_array().expect("players").len(), 2);
    let anchored = table["players"][1]["elo"].as_f64().expect("a rating");
    assert!((anchored - 2_000.0).abs() < 1e-6, "{anchored}");
    assert_eq!(table["counted"]["left_out"]["players_of_few_games"], 2);
    assert!(table["white_advantage"]["elo"].as_f64() > Some(0.0), "{table}");

    for (words, wanted, told) in [
        (&["--anchor", "E=1"][..], 64, "no player is called \"E\""),
        (&["--anchor", "A"], 64, "expected NAME=ELO"),
        (&["--anchor", "D=5"], 64, "\"D\" cannot be an anchor"),
        (&["--name", "Z=A"], 64, "--name: no player is called \"Z\""),
        (&["--mean", "1e9"], 64, "expected a rating from"),
        (&["nowhere.pgn"], 74, "nowhere.pgn: cannot read"),
    ] {
        let (code, _, error) = run(words);
        assert_eq!(code, Some(wanted), "{words:?}: {error}");
        assert!(error.contains(told), "{words:?}: {error}");
    }
    assert_eq!(verdict(&["ratings"], dir.path()).0, Some(64));
}

#[test]
fn statistics_of_a_pgn_are_those_of_its_counts() {
    let dir = tempfile::tempdir().unwrap();
    games(dir.path());
    let run = |words: &[&str]| verdict(&[&["stats"], words].concat(), dir.path());
    let (code, text, told) = run(&["games.pgn", "--test", "A", "--base", "B", "--json"]);
    assert_eq!(code, Some(0), "{told}");
    let of = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let pgn = of(&text);
    assert_eq!(pgn["ptnml"], serde_json::json!([0, 0, 13, 7, 0]));
    assert_eq!(pgn["wdl"], serde_json::json!({"win": 13, "draw": 21, "loss": 6}));
    assert!(told.contains("test is 'A', base is 'B'"), "{told}");
    assert!(told.contains("without a result, not counted: 1"), "{told}");
    let counts = of(&run(&["--ptnml", "0,0,13,7,0", "--json"]).1);
    for key in ["elo", "elo_error95", "los", "nelo", "games", "pairs"] {
        assert_eq!(pgn[key], counts[key], "{key}");
    }
    // From the other side, with a test.
    let words = ["games.pgn", "--test", "B", "--sprt", "-10,0"];
    let (code, text, _) = run(&words);
    assert_eq!(code, Some(2), "{text}");
    assert!(text.contains("LD 7, DD+WL 13") && text.contains("verdict  UNDECIDED"), "{text}");

    for (words, told) in [
        (&["games.pgn"][..], "its players are"),
        (&["games.pgn", "games.pgn"][..], "expected a run's folder"),
        (&["games.pgn", "--test", "A"], "expected --base"),
        (&["games.pgn", "--test", "E"], "'A', 'B', 'C', 'D'"),
        (&["games.pgn", "--test", "B", "--base", "D"], "'B' against 'D'"),
        (&[".", "--test", "B"], "are for PGN"),
        (&["--wdl", "1,2,3", "--test", "B"], "--test names a player of a PGN file"),
    ] {
        let (code, _, error) = run(words);
        assert_eq!(code, Some(64), "{words:?}: {error}");
        assert!(error.contains(told), "{words:?}: {error}");
    }
}

#[test]
fn pairs_that_are_there_again_are_told_and_left_out() {
    let dir = tempfile::tempdir().unwrap();
    games(dir.path());
    let path = dir.path().join("games.pgn");
    let text = fs::read_to_string(&path).unwrap();
    let run = |words: &[&str]| verdict(&[words, &["--json"]].concat(), dir.path());
    let both = |path: &str| {
        let stats = run(&["stats", path, "--test", "A", "--base", "B"]);
        (stats, run(&["ratings", path]))
    };
    let (once, rated_once) = both("games.pgn");
    fs::write(dir.path().join("twice.pgn"), text.repeat(2)).unwrap();
    let (twice, rated_twice) = both("twice.pgn");
    let told = "pairs of the file that repeat earlier ones move by move: 20\n";
    assert!(twice.2.contains(told) && !once.2.contains("repeat"), "{}", twice.2);
    let table = |text: &str| serde_json::from_str::<Value>(text).expect("JSON");
    let (one, two) = (table(&once.1), table(&twice.1));
    // The counts are the file's, and the certainty is not.
    assert_eq!(two["ptnml"], serde_json::json!([0, 0, 26, 14, 0]));
    assert_eq!(two["twins"], serde_json::json!({"repeated_pairs": 20, "effective_pairs": 20}));
    for key in ["elo", "elo_error95", "nelo", "los"] {
        assert_eq!(one[key], two[key], "{key}");
    }
    let (once, twice) = (table(&rated_once.1), table(&rated_twice.1));
    assert_eq!(once["players"][0]["elo"], twice["players"][0]["elo"]);
    assert_eq!(twice["counted"]["left_out"]["repeated_pairs"], 20);
    assert_eq!(twice["counted"]["repeated_single_games"], 2);
    assert_eq!(twice["counted"]["left_out"]["repeated_games"], 2);
    assert_eq!(twice["counted"]["pairs_found"], 40);
    let page = verdict(&["ratings", "twice.pgn", "--markdown"], dir.path()).1;
    assert!(page.contains("20 pairs of which an earlier one has the same moves"), "{page}");
}

/// Where hardly any game is in a pair, games are what is counted.
#[test]
fn games_without_pairs_are_counted_one_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let game = |(result, first): (&str, &str)| {
        format!("[White \"A\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n1. {first} {result}\n\n")
    };
    let games = [("1-0", "e4"), ("1/2-1/2", "e4"), ("0-1", "e4"), ("1-0", "d4")];
    let text: String = games.map(game).concat();
    fs::write(dir.path().join("games.pgn"), text).unwrap();
    let (code, text, told) = verdict(&["stats", "games.pgn", "--test", "A"], dir.path());
    assert_eq!(code, Some(0), "{told}");
    assert!(told.contains("0 of their 4 games"), "{told}");
    assert!(text.contains("WDL      2 won, 1 drawn, 1 lost"), "{text}");
}
