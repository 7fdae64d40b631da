//! What is wrong is said before the first game, with the exit code for it.

use std::{fs, process::Command};

use super::Place;

#[test]
fn plans_that_cannot_be_played_are_refused() {
    let place = Place::new();
    fs::write(place.path("broken.epd"), "rnbqkbnr/pppppppp/8/8 w KQkq -\n").unwrap();
    fs::write(place.path("file"), "").unwrap();
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    let rascal = env!("CARGO_BIN_EXE_rascal");
    for (words, code, expected) in [
        ("match --test embedded,killers.onn=false", 64, "killers.on"),
        ("match --test uci:/no/such/engine", 64, "/no/such/engine"),
        (&format!("match --test uci:{scoundrel},Vise=first"), 64, "did you mean 'Vice'"),
        (&format!("match --test xboard:{rascal},Stile=Solid"), 64, "did you mean 'Style'"),
        (&format!("match --nodes 9 --test xboard:{rascal},arg=old"), 64, "cannot count nodes"),
        (
            &format!("match --depth 3 --test xboard:{rascal},arg=no-setboard"),
            64,
            "cannot set up positions",
        ),
        ("match --tc 0+0", 64, "time control"),
        ("match --nodes 100 --depth 3", 64, "--depth"),
        ("match --slots 1000000", 64, "--slots 1000000: expected at most 1024"),
        ("match --concurrency 1000000", 64, "--concurrency 1000000: expected at most 4096"),
        ("match --base foo", 64, "expected git:REV[,Option=value…], workdir["),
        (
            "match --base workdir --build make --binary /bin/true",
            64,
            "expected a path from the root of the tree",
        ),
        ("match --base workdir --binary ../engine", 64, "found '../engine'"),
        ("match --hash 64KiB --test uci:/bin/sh", 64, "at least 1MiB"),
        ("match --hash 16", 64, "expected a size with its unit, like 16MB, found '16'"),
        ("match --base-hash 65536", 64, "expected a size with its unit"),
        ("nightly night.json --for 8", 64, "expected a time with its unit, like 8h, 8s or 8ms"),
        ("claims --for 8", 64, "expected a time with its unit, like 8h, 8s or 8ms, found '8'"),
        ("match --rule luck", 64, "luck"),
        ("match --pears 3", 64, "--pairs"),
        ("match --book @no-such-book.epd --out @run", 74, "no-such-book.epd"),
        ("match --book @broken.epd --out @run", 74, "broken.epd:1"),
        ("match --pairs 1 --nodes 1 --out @file", 74, "file"),
        ("resume @no-such-run", 74, "no-such-run"),
        ("", 64, "Usage"),
    ] {
        let output = place.verdict(words).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {stderr}");
        assert!(stderr.contains(expected), "{words}: {stderr}");
        assert!(!place.path("run").exists(), "{words}");
    }
}

#[test]
fn an_offset_beyond_the_book_is_told() {
    let place = Place::new();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
    let openings =
        fs::read_to_string(book).unwrap().lines().filter(|line| !line.is_empty()).count();
    for (offset, told) in [(2 * openings + 4, true), (openings, true), (openings - 1, false)] {
        let plan = "--pairs 1 --nodes 20 --max-moves 5 --order sequential";
        let out = format!("--out @run-{offset} --opening-offset {offset}");
        let output = place.verdict(&format!("match --book {book} {plan} {out}")).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        let note =
            format!("--opening-offset {offset} is beyond the {openings} openings of the book");
        assert_eq!(said.contains(&note), told, "{said}");
        if offset > 2 * openings {
            assert!(said.contains("the first is number 5 of round 3"), "{said}");
        }
    }
}

#[test]
fn a_folder_that_holds_a_run_is_not_overwritten() {
    let place = Place::new();
    let plan = "--pairs 1 --nodes 20 --max-moves 5";
    place.play("run", plan).decided();
    let games = place.games("run");
    let again = place.play("run", plan);
    assert_eq!(again.code, 64);
    assert!(again.stderr.contains("verdict resume"), "{}", again.stderr);
    assert_eq!(place.games("run"), games);
}

/// Whatever the word and whatever is there: nothing is written, and the run is read as before.
#[test]
fn nobody_writes_into_a_folder_of_something_else() {
    let place = Place::new();
    let plan = "--pairs 1 --nodes 20 --max-moves 5";
    place.play("run", plan).decided();
    fs::create_dir(place.path("mine")).unwrap();
    fs::write(place.path("mine/games.pgn"), "mine").unwrap();
    fs::write(place.path("night.json"), r#"{"matches": [{"name": "a", "pairs": 1}]}"#).unwrap();
    let list = |dir: &str| {
        let entries = fs::read_dir(place.path(dir)).unwrap();
        let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        names
    };
    let (run, mine) = (list("run"), list("mine"));
    for words in [
        &format!("match {plan}"),
        &format!("tournament --player embedded --player embedded:rebel {plan}"),
        &format!("sweep lmr.min_move=3..4 --confirm none {plan}"),
        &format!("tune spsa --param lmr.min_move --confirm none {plan}"),
        &format!("tune clop lmr.min_move=2..6 --confirm none {plan}"),
        "tune spsa --param lmr.min_move --truth lmr.min_move=6:2 --pairs 8",
        "sweep lmr.min_move=3..4 --truth lmr.min_move=3:2 --pairs 8",
        "tune texel @run",
        "nightly @night.json",
        "claims --only CLM-36 --for 0s",
    ] {
        for (dir, told) in [
            ("run", "run holds a match (run.json); give another --out"),
            ("mine", "mine is not empty (games.pgn); expected a new folder"),
        ] {
            let output = place.verdict(&format!("{words} --out @{dir}")).output().unwrap();
            let stderr = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(64), "{words}: {stderr}");
            assert!(stderr.contains(told), "{words}: {stderr}");
        }
    }
    assert_eq!((list("run"), list("mine")), (run, mine));
    assert_eq!(fs::read_to_string(place.path("mine/games.pgn")).unwrap(), "mine");
    place.resume("run", "").decided();
}

#[test]
fn the_summary_goes_to_standard_output() {
    let place = Place::new();
    let plan = "--pairs 2 --nodes 20 --max-moves 5";
    let played = place.play("run", &format!("{plan} --json")).decided();
    let summary: serde_json::Value = serde_json::from_str(&played.stdout).unwrap();
    for key in ["pairs", "games", "wdl", "ptnml", "elo", "los", "verdict", "faults", "plan"] {
        assert!(summary.get(key).is_some(), "{key}: {summary}");
    }
    assert_eq!(summary["pairs"], 2);
    assert!(played.stderr.is_empty(), "{}", played.stderr);
}

#[test]
fn statistics_of_a_run_are_its_summary() {
    let place = Place::new();
    let plan = "--test embedded,killers.on=false --pairs 12 --nodes 150";
    let played = place.play("run", &format!("{plan} --json")).decided();
    let summary: serde_json::Value = serde_json::from_str(&played.stdout).unwrap();
    let stats = |words: &str| {
        let output = place.verdict(&format!("stats @run --json {words}")).output().unwrap();
        let stats: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        (output.status.code().unwrap_or(-1), stats)
    };
    let (code, own) = stats("");
    assert_eq!(code, played.code);
    for key in ["elo", "elo_error95", "nelo", "los", "verdict"] {
        assert_eq!(own[key], summary[key], "{key}");
    }
    let (_, other) = stats("--sprt 0,5");
    assert!(own["llr"].is_null() && other["llr"].is_number(), "{other}");
    let missing = place.verdict("stats @nothing").output().unwrap();
    assert_eq!(missing.status.code(), Some(74));
}

/// Runs of other machines: added up where the players are the same, the same games once.
#[test]
fn runs_of_the_same_players_are_added_up() {
    let place = Place::new();
    let plan = "--pairs 4 --order sequential --nodes 150 --test embedded,killers.on=false";
    place.play("here", plan).decided();
    place.play("there", &format!("{plan} --opening-offset 4")).decided();
    place.play("copy", plan).decided();
    place.play("other", "--pairs 1 --nodes 150").decided();
    let stats = |words: &str| {
        let output = place.verdict(&format!("stats --json {words}")).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        let value = serde_json::from_slice::<serde_json::Value>(&output.stdout).ok();
        (value, stderr, output.status.code())
    };
    let ptnml = |words: &str| -> Vec<u64> {
        let (value, stderr, _) = stats(words);
        serde_json::from_value(value.expect(&stderr)["ptnml"].clone()).unwrap()
    };
    let (here, there) = (ptnml("@here"), ptnml("@there"));
    let sum: Vec<u64> = here.iter().zip(&there).map(|(a, b)| a + b).collect();
    assert_eq!(ptnml("@here @there"), sum);
    assert_eq!(ptnml("@here @there @copy"), sum, "the same games are one run");
    for (words, code, expected) in [
        ("@here @other", 64, "differ in their options"),
        ("@here @nothing", 74, "nothing"),
        ("@here @there --test a", 64, "one PGN file"),
    ] {
        let (_, stderr, found) = stats(words);
        assert!(found == Some(code) && stderr.contains(expected), "{words}: {found:?} {stderr}");
    }
}

#[test]
fn help_begins_with_an_example() {
    for words in [
        "--help",
        "match --help",
        "resume --help",
        "replay --help",
        "selfcheck --help",
        "stats --help",
        "stats power --help",
        "stats simulate --help",
        "tune texel --help",
        "openings --help",
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        let output = command.args(words.split_whitespace()).output().unwrap();
        let help = String::from_utf8_lossy(&output.stdout).into_owned();
        assert!(output.status.success() && help.starts_with("Example:"), "{words}: {help}");
    }
}

/// What does nothing there is not offered.
#[test]
fn the_rule_of_a_match_is_not_shown_where_games_steer() {
    for (words, shown) in [
        ("match --help", true),
        ("tournament --help", true),
        ("sweep --help", false),
        ("tune spsa --help", false),
        ("tune clop --help", false),
    ] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        let output = command.args(words.split_whitespace()).output().unwrap();
        let help = String::from_utf8_lossy(&output.stdout).into_owned();
        let has = help.lines().any(|line| line.trim_start().starts_with("--rule "));
        assert!(output.status.success() && has == shown, "{words}: {help}");
    }
}
