//! `verdict tune texel` as its users run it, on games that the engine played just before.

use std::fs;
use std::path::PathBuf;

use engine::Params;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::verdict::verdict;

/// A run of short games in a new folder.
fn run() -> (TempDir, PathBuf) {
    let dir = tempfile::tempdir().unwrap();
    let words = "match --base embedded --test embedded,killers.on=false --pairs 80 --nodes 60 \
                 --seed 2 --quiet --out @run";
    let played = verdict(dir.path(), words);
    assert!(matches!(played.status.code(), Some(0..=2)), "{played:?}");
    let path = dir.path().to_owned();
    (dir, path)
}

#[test]
fn weights_are_fitted_to_games() {
    let (_dir, place) = run();
    let fit = |out: &str, more: &str| {
        let words = format!("tune texel @run --epochs 30 --quiet --out @{out} {more}");
        let done = verdict(&place, &words);
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    // From a rook worth less than a knight, which even short games refute.
    let wrong = "--held-out 3 --from embedded,material.rook=512 --weights material.*";
    let text = fit("one", &format!("--threads 1 {wrong}"));
    assert!(text.contains("games      160"), "{text}");

    // A personality to play with, different from where it started in these weights only.
    let mut start = Params::standard();
    start.set("material.rook", "512").unwrap();
    let tuned = Params::load(place.join("one/tuned.json").to_str().unwrap()).unwrap();
    assert!(tuned.material.rook > start.material.rook, "{}", tuned.material.rook);
    let differences = tuned.differences(&start);
    for (name, _) in &differences {
        assert!(name.starts_with("material."), "{name}");
    }
    let weights = fs::read_to_string(place.join("one/weights.md")).unwrap();
    assert_eq!(weights.lines().filter(|line| line.starts_with("| `")).count(), differences.len());
    let played = verdict(
        &place,
        "match --base embedded --test embedded:@one/tuned.json --pairs 20 --nodes 60 --quiet --out @next",
    );
    assert!(matches!(played.status.code(), Some(0..=2)), "{played:?}");

    // Where the error is: the phases together are all positions, and without the only family that has
    // changed the error is the one before.
    let found: Value =
        serde_json::from_str(&fs::read_to_string(place.join("one/texel.json")).unwrap()).unwrap();
    let number = |value: &Value| value.as_f64().unwrap();
    for (set, errors) in [("fitted", "errors"), ("held_out", "held_out_errors")] {
        let phases: Vec<&Value> =
            found["phases"].as_array().unwrap().iter().map(|phase| &phase[set]).collect();
        let positions: f64 = phases.iter().map(|phase| number(&phase["positions"])).sum();
        assert_eq!(positions, number(&found["positions"][set]));
        for when in [0, 1] {
            let squares =
                phases.iter().map(|it| number(&it["positions"]) * number(&it["errors"][when]));
            let mean = squares.sum::<f64>() / positions;
            assert!((mean - number(&found[errors][when])).abs() < 1e-12, "{found}");
        }
    }
    let families = found["families"].as_array().unwrap();
    let [material] = &families[..] else { panic!("{families:?}") };
    assert_eq!(material["held_out_without"], found["held_out_errors"][0]);
    assert!(text.contains("\nmiddle game ") && text.contains("\nmaterial "), "{text}");

    // Threads change nothing.
    fit("three", &format!("--threads 3 {wrong}"));
    for name in ["tuned.json", "weights.md", "texel.json"] {
        let [one, three] =
            ["one", "three"].map(|out| fs::read(place.join(out).join(name)).unwrap());
        assert!(one == three, "{name}");
    }

    // Runs of their own to validate, results mixed with scores, another round.
    let text = fit("mixed", "--validate @next --lambda 0.5 --rounds 2 --weights king_safety.table");
    assert!(text.contains("of 35 changed"), "{text}");
}

/// Games of a run, the same as PGN, and their positions as a list teach something alike.
#[test]
fn games_come_from_pgn_and_lists_too() {
    let (_dir, place) = run();
    let done = verdict(&place, "export @run --as training --out @list.epd");
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let fit = |source: &str, more: &str| {
        let out = format!("{}-{}", source.replace('/', "-"), more.replace(' ', ""));
        let words = format!("tune texel @{source} --weights material.* --quiet --out @{out}");
        let done = verdict(&place, &format!("{words} --held-out 3 {more}"));
        let text = [done.stdout, done.stderr].map(|text| String::from_utf8(text).unwrap());
        (done.status.code(), text.concat())
    };
    let (code, text) = fit("run/games.pgn", "");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("games      160"), "{text}");
    let (code, text) = fit("run/games.jsonl", "");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("games      160"), "{text}");
    let (code, text) = fit("list.epd", "--lambda 0.5");
    assert_eq!(code, Some(0), "{text}");
    // What is fitted once is not written over.
    let (code, text) = fit("list.epd", "--lambda 0.5");
    assert_eq!(
        (code, text.contains("holds a fit of weights (texel.json)")),
        (Some(64), true),
        "{text}"
    );

    // The comments of our PGN have the scores of the run.
    let found = |text: &str| {
        let lines = text.lines().filter(|line| !line.starts_with("written"));
        lines.map(str::to_owned).collect::<Vec<_>>()
    };
    let [(_, run), (_, pgn)] = ["run", "run/games.pgn"].map(|source| fit(source, "--lambda 0.5"));
    assert_eq!(found(&run), found(&pgn));
    let bare = "[Result \"1-0\"]\n\n1. e4 e5 2. Nf3 Nc6 1-0\n";
    fs::write(place.join("bare.pgn"), bare).unwrap();
    let (code, text) = fit("bare.pgn", "--lambda 0.5");
    assert_eq!(code, Some(74));
    assert!(text.contains("bare.pgn: game 1: no scores are recorded"), "{text}");
    // Among games with scores it is skipped, and told.
    let games = fs::read_to_string(place.join("run/games.pgn")).unwrap();
    fs::write(place.join("mixed.pgn"), format!("{games}\n{bare}")).unwrap();
    let (code, text) = fit("mixed.pgn", "--lambda 0.5");
    assert_eq!(code, Some(0), "{text}");
    assert!(text.contains("skipped    1 games"), "{text}");
}

#[test]
fn wrong_input_is_told() {
    let (_dir, place) = run();
    fs::write(place.join("bad.epd"), "8/8/8/4k3/8/8/4P3/4K3 b - - 0 1 | 0.5\n\nno position\n")
        .unwrap();
    fs::write(place.join("broken.pgn"), "[Result \"1-0\"]\n\n1. e5 1-0\n").unwrap();
    for (words, code, told) in [
        ("@run --weights lmr.on", 64, "no evaluation weight is called \"lmr.on\""),
        ("@run --from embedded:nobody", 64, "unknown personality 'nobody'"),
        ("@run --from uci:/bin/true", 64, "only the embedded engine"),
        ("@run --lambda 2", 64, "a share from 0 to 1"),
        ("@nothing", 74, "nothing: No such file"),
        ("@bad.epd", 74, "bad.epd:3: expected a position and its game's result"),
        ("@run --held-out 1", 74, "0 quiet positions to fit"),
        ("@broken.pgn", 74, "skipped 1 games, the first"),
    ] {
        let done = verdict(&place, &format!("tune texel {words} --quiet --out @out"));
        let said = String::from_utf8_lossy(&done.stderr);
        assert_eq!(done.status.code(), Some(code), "{words}: {said}");
        assert!(said.contains(told), "{words}: {said}");
        assert!(!place.join("out").exists(), "{words}");
    }
}

/// Another engine's weights, from what it writes of its evaluation.
#[test]
fn traces_of_other_engines_are_fitted() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    // A pawn is worth 100, and each counts for itself; three in four of those a pawn up win.
    let mut chance = 1_u32;
    let mut below = |below: u32| {
        chance = chance.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (chance >> 16) % below
    };
    let lines: String = (0..12_000)
        .map(|game| {
            let (count, is_usual) = (below(2), below(4) > 0);
            let result = if (count == 1) == is_usual { "1-0" } else { "0-1" };
            format!("{game}/0; {result}; 0:{} 1:{}\n", 2 * i64::from(count) - 1, below(2))
        })
        .collect();
    let packed = zstd::encode_all(lines.as_bytes(), 1).unwrap();
    fs::write(here.join("trace.zst"), packed).unwrap();
    fs::write(here.join("names"), "# two\npawn, 60\ntempo, 0.0, 0, 10\n").unwrap();
    let words = "tune texel --trace @trace.zst --coefficients @names --scale 0.01 --quiet";
    let output = verdict(here, &format!("{words} --out @t"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let tuned: Value =
        serde_json::from_str(&fs::read_to_string(here.join("t/tuned.json")).unwrap()).unwrap();
    // ln 3 / 0.01.
    assert!((tuned["pawn"].as_f64().unwrap() - 109.9).abs() < 8.0, "{tuned}");
    let written = fs::read_to_string(here.join("t/coefficients.txt")).unwrap();
    assert!(written.starts_with(&format!("# two\npawn, {}\ntempo, ", tuned["pawn"])), "{written}");
    assert!(fs::read_to_string(here.join("t/weights.md")).unwrap().contains("| `pawn` | 60 |"));
    let again = verdict(here, &format!("{words} --out @t"));
    assert_eq!(again.status.code(), Some(64), "{again:?}");
    let text: String = lines.lines().take(2_000).map(|line| format!("{line}\n")).collect();
    fs::write(here.join("some"), &text).unwrap();
    let turned = text.replace("1-0", "won").replace("0-1", "1-0").replace("won", "0-1");
    fs::write(here.join("turned"), turned).unwrap();
    // What is printed is what is written.
    let output = verdict(
        here,
        "tune texel --trace @trace.zst --validate @some --coefficients @names --json --quiet --out @j",
    );
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let written: Value =
        serde_json::from_str(&fs::read_to_string(here.join("j/texel.json")).unwrap()).unwrap();
    assert_eq!(printed, written);
    assert_eq!(printed["fitting"]["l2_to"], "start");
    for (words, code, told) in [
        ("tune texel --trace @trace.zst", 64, "--coefficients"),
        ("tune texel --coefficients @names", 64, "--trace"),
        ("tune texel --trace @trace.zst --coefficients @names --lambda 0.5", 64, "--lambda"),
        ("tune texel --trace @trace.zst --coefficients @trace.zst", 74, "trace.zst"),
        ("tune texel --trace @names --coefficients @names", 74, "names:2: expected FEN or id"),
        ("tune texel --trace @none --coefficients @names", 74, "none: cannot read the trace"),
        ("tune texel --trace @turned --coefficients @names", 74, "opposite sign"),
        ("tune texel --trace @turned --coefficients @names --scale 0.01", 74, "opposite sign"),
        ("tune texel --trace @some --validate @some --coefficients @names", 64, "--validate"),
        (
            "tune texel --trace @some --validate @turned --held-out 3 --coefficients @names",
            64,
            "--held-out",
        ),
    ] {
        let output = verdict(here, &format!("{words} --quiet --out @bad"));
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words}: {said}");
        assert!(said.contains(told), "{words}: {said}");
        assert!(!here.join("bad").exists(), "{words}");
    }
}

/// A trace of recorded games, with the run's numbers of games as ids: positions of one game are on one
/// side, and count as one.
#[test]
fn games_are_known_by_their_ids() {
    let (_dir, place) = run();
    let journal = fs::read_to_string(place.join("run/games.jsonl")).unwrap();
    let games: Vec<Value> =
        journal.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(games.len(), 160);
    // Each position counts its ply and how often its game was won by White, so that a fit is possible.
    let mut lines = String::new();
    for game in &games {
        let result = game["result"].as_str().unwrap();
        for (ply, _) in game["moves"].as_str().unwrap().split(' ').enumerate().take(40) {
            let sign = if result == "1-0" { 1 } else { -1 };
            lines += &format!(
                "{}/{ply}; {result}; 0:{} 1:1\n",
                game["game"],
                sign * (1 + ply % 3) as i32
            );
        }
    }
    fs::write(place.join("names"), "lead, 50\nmove, 0\n").unwrap();
    let fit = |name: &str, text: &str| -> Value {
        fs::write(place.join(name), text).unwrap();
        let words = "tune texel --coefficients @names --scale 0.005 --held-out 4 --json --quiet";
        let done = verdict(&place, &format!("{words} --trace @{name} --out @fit-{name}"));
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        serde_json::from_slice(&done.stdout).unwrap()
    };
    let found = fit("known", &lines);
    assert_eq!(found["games"], 120);
    let of_a_game = |game: &Value| game["moves"].as_str().unwrap().split(' ').count().min(40);
    let held_out: usize = games.iter().skip(2).step_by(4).map(of_a_game).sum();
    assert_eq!(found["positions"]["held_out"].as_u64(), Some(held_out as u64));
    // Without ids each line counts as a game.
    let without: String = lines.lines().map(|line| line.replacen('/', "-", 1) + "\n").collect();
    let unknown = fit("unknown", &without);
    assert_eq!(unknown["games"], unknown["positions"]["fitted"]);
}
