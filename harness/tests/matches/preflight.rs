//! Programs are tried before the first game: what cannot play is refused, and leaves no folder.

use std::fs;
use std::process::Output;

use super::{Place, rascal, scoundrel};
use crate::common::script::script;

/// The command is refused as wrong usage, in words that have these parts, and has made no folder.
#[track_caller]
fn refused(place: &Place, words: &str, parts: &[&str]) {
    let Output { status, stderr, .. } = place.verdict(words).output().unwrap();
    let told = String::from_utf8_lossy(&stderr);
    assert_eq!(status.code(), Some(64), "{words}: {told}");
    assert!(parts.iter().all(|part| told.contains(part)), "{words}: {told}");
    assert!(!place.path("out").exists(), "{words}");
}

#[test]
fn a_program_that_is_no_engine_is_refused_at_once() {
    let place = Place::new();
    let banner = place.path("banner");
    script(&banner, "printf 'Welcome\\n\\033[1mto chess\\n'; echo no board >&2; cat >/dev/null");
    let leaves = place.path("leaves");
    script(&leaves, "echo 'usage: leaves --uci' >&2; exit 1");
    let short = "--pairs 2 --nodes 20 --startup 400ms --quiet --out @out";
    for side in ["base", "test"] {
        let match_of = |spec: &str| format!("match --{side} {spec} {short}");
        refused(
            &place,
            &match_of("uci:/bin/cat"),
            &[
                &format!("--{side}: "),
                "no 'uciok' within 400ms",
                "It printed 'uci'",
                "uci:/bin/cat,arg=--uci",
                "xboard:/bin/cat",
                "longer than 400ms to start: --startup 1m",
            ],
        );
        let printed = "It printed 'Welcome', '\\x1b[1mto chess'; on stderr 'no board'";
        let patient = short.replace("400ms", "4s");
        let words = format!("match --{side} uci:{} {patient}", banner.display());
        refused(&place, &words, &[printed]);
        let leaves = format!("uci:{}", leaves.display());
        let told = ["exited with status 1", "on stderr 'usage: leaves --uci'"];
        refused(&place, &match_of(&leaves), &told);
    }
    let never = rascal("never-done");
    refused(&place, &format!("match --test {never} {short}"), &["feature done=1", "uci:"]);
}

/// A file that the system does not run.
#[test]
fn a_program_that_cannot_be_run_is_refused() {
    let place = Place::new();
    let file = place.path("file");
    script(&file, "");
    fs::write(&file, [0x7f, b'E', b'L', b'F', 9, 9, 9]).unwrap();
    let words = format!("match --test uci:{} --pairs 1 --quiet --out @out", file.display());
    refused(&place, &words, &["did not start: ", &file.display().to_string()]);
}

/// Wherever programs are named.
#[test]
fn tournaments_nights_and_resumed_runs_refuse_as_matches_do() {
    let place = Place::new();
    let words = "tournament --player a=embedded --player b=uci:/bin/cat --nodes 20 --pairs 1 \
                 --startup 300ms --quiet --out @out";
    refused(&place, words, &["b: ", "no 'uciok' within 300ms"]);

    let night = r#"{"matches": [{"name": "m", "test": "uci:/bin/cat", "startup": "300ms"}]}"#;
    fs::write(place.path("night.json"), night).unwrap();
    let parts = ["night.json", "no 'uciok' within 300ms"];
    refused(&place, "nightly @night.json --quiet --out @out", &parts);

    let engine = place.path("engine");
    script(&engine, &format!("exec {} first", env!("CARGO_BIN_EXE_scoundrel")));
    let plan = format!("--test uci:{} --nodes 20 --pairs 2 --max-moves 5", engine.display());
    place.play("run", &plan).decided();
    let journal = place.path("run/games.jsonl");
    let games = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, games.lines().next().unwrap().to_owned() + "\n").unwrap();
    script(&engine, "exit 1");
    let resumed = place.resume("run", "");
    assert_eq!(resumed.code, 64, "{}", resumed.stderr);
    assert!(resumed.stderr.contains("exited with status 1"), "{}", resumed.stderr);
    fs::remove_file(&engine).unwrap();
    assert_eq!(place.resume("run", "").code, 64);
}

/// It would lose every game, and not for a change in it.
#[test]
fn a_program_that_a_limit_ends_is_refused_with_those_it_obeys() {
    let place = Place::new();
    let short = "--pairs 2 --quiet --out @out";
    let test = scoundrel("exit-by-nodes");
    refused(
        &place,
        &format!("match --test {test} --nodes 3000 {short}"),
        &["does not obey nodes", "status 9", "--depth 8, --movetime 100ms or --tc 1+0.01"],
    );
    // One that no limit suits is broken: its games tell, and keep what there is to know.
    let words = format!("match --test {} --nodes 9 {short}", scoundrel("exit-in-search"));
    assert_eq!(place.verdict(&words).output().unwrap().status.code(), Some(3));
    assert!(place.path("out/faults").is_dir());
}

/// Its games would each run into `--hang`; it is told what it obeys.
#[test]
fn a_program_that_ignores_its_limit_is_refused_with_those_it_obeys() {
    let place = Place::new();
    let short = "--pairs 2 --startup 30s --hang 4s --quiet --out @out";
    let test = scoundrel("ignore-nodes");
    refused(
        &place,
        &format!("match --test {test} --nodes 3000 {short}"),
        &[
            "--test: ",
            "does not obey nodes",
            "until 'stop' was sent",
            "It obeys depth, time a move and a clock",
            "--depth 8, --movetime 100ms or --tc 1+0.01 in place of nodes=3000",
        ],
    );
    // Its own limit counts, not that of both.
    let own = format!("match --test {test} --depth 2 --test-limit nodes=9 {short}");
    refused(&place, &own, &["in place of nodes=9"]);
    let words = format!("match --test {test} --nodes 9 --test-limit depth=2 {short} --max-moves 5");
    let output = place.verdict(&words).output().unwrap();
    assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
    fs::remove_dir_all(place.path("out")).unwrap();

    let limitless = scoundrel("until-stop");
    let words = format!("match --base {limitless} --nodes 9 {short}");
    refused(&place, &words, &["--base: ", "does not obey nodes", "verdict check"]);
}

/// What it loads for its first search, it loads only once: it is told how to wait for that.
#[test]
fn a_program_that_is_slow_once_is_told_the_flag_for_it() {
    let place = Place::new();
    let test = scoundrel("slow-first:20000");
    let words = format!("match --test {test} --nodes 20 --pairs 1 --quiet --out @out");
    let slow = "If its first search takes longer than 10s: --startup 1m";
    refused(&place, &words, &["does not obey nodes", slow]);
}

#[test]
fn so_are_programs_that_speak_xboard() {
    let place = Place::new();
    let short = "--pairs 2 --startup 30s --hang 4s --quiet --out @out";
    for (vice, limit, obeyed) in [
        ("no-limits", "--depth 2", "It obeys nodes, time a move and a clock"),
        ("no-level", "--tc 1+0.01", "It obeys depth, nodes and time a move"),
    ] {
        let test = rascal(vice);
        let words = format!("match --test {test} {limit} {short}");
        refused(&place, &words, &["does not obey ", "refuses what it is told", obeyed]);
    }
    let words = format!("match --test {} --depth 2 {short}", rascal("until-now"));
    refused(&place, &words, &["does not obey depth", "until '?' was sent"]);
}

/// It is tried in a process of its own: one that counts its searches plays as if it had not been.
#[test]
fn no_game_knows_that_its_program_was_tried() {
    let place = Place::new();
    let test = scoundrel("exit-in-search:3");
    let plan = format!("--test {test} --nodes 50 --pairs 2 --max-faults off --concurrency 1");
    let played = place.play("run", &plan).decided();
    assert_eq!(played.summary().faults.test.get("crash"), Some(&4), "{}", played.stderr);
    let games: Vec<_> = place.games("run").lines().map(str::to_owned).collect();
    assert!(games.iter().all(|game| game.contains("\"termination\":\"crash\"")), "{games:?}");
    let records = arena::record::Games::open(&played.dir).unwrap().map(Result::unwrap);
    for game in records {
        let own = (game.plies - game.book_plies) / 2;
        assert_eq!(own, 3, "game {}", game.game);
    }
}
