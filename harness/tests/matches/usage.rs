//! What is wrong is said before the first game, with the exit code for it.

use std::fs;
use std::process::Command;

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
        ("match --pairs 0", 64, "expected at least 1, found '0'"),
        ("match --concurrency 0", 64, "expected at least 1"),
        ("match --nodes 0", 64, "expected at least 1"),
        ("match --movetime 50", 64, "like 50ms or 50s, found '50'"),
        ("match --test no-such-engine", 64, "no program of that name in $PATH"),
        ("match --test ./no-such-engine", 64, "engine ./no-such-engine not found"),
        ("match --test rebel", 64, "embedded:rebel"),
        ("match --test /etc/passwd", 64, "is not executable"),
        ("check no-such-engine", 64, "no program of that name in $PATH"),
        ("match --book @no-such-book.epd --out @run", 74, "no-such-book.epd"),
        ("match --book @broken.epd --out @run", 74, "broken.epd:1"),
        ("match --pairs 1 --nodes 1 --out @file", 74, "file"),
        ("resume @no-such-run", 64, "no-such-run"),
        ("", 64, "Usage"),
    ] {
        let output = place.verdict(words).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{words}: {stderr}");
        assert!(stderr.contains(expected), "{words}: {stderr}");
        assert!(!place.path("run").exists(), "{words}");
    }
}

/// A program needs no kind before its path or name.
#[test]
fn a_path_or_a_name_is_a_uci_program() {
    let place = Place::new();
    let engine = std::path::Path::new(env!("CARGO_BIN_EXE_mutineer_process"));
    let (folder, name) = (engine.parent().unwrap(), engine.file_name().unwrap());
    let name = name.to_str().unwrap();
    let path = format!("{}:{}", folder.display(), std::env::var("PATH").unwrap_or_default());
    let plan = "--pairs 1 --nodes 20 --max-moves 5 --base uci:";
    for (run, test) in [("path", engine.to_str().unwrap()), ("name", name)] {
        let words = format!("{plan}{} --test {test},Hash=2", engine.display());
        let output = place.match_command(run, &words).env("PATH", &path).output().unwrap();
        place.played(run, output).decided();
        let text = fs::read_to_string(place.path(run).join("run.json")).unwrap();
        let run: serde_json::Value = serde_json::from_str(&text).unwrap();
        assert_eq!(run["test"]["spec"], format!("uci:{},Hash=2", engine.display()), "{text}");
    }
}

/// What is typed for another runner is answered with the line that does it here, which can be typed.
#[test]
fn lines_of_other_runners_are_translated() {
    let place = Place::new();
    for (theirs, key, value) in [
        (
            "-engine cmd=sf name=a -engine cmd=sf2 name=b -each tc=10+0.1 -rounds 7 -repeat",
            "pairs",
            serde_json::json!(7),
        ),
        ("match -engine cmd=a -each st=0.5", "movetime", "0.5s".into()),
        ("match --sprt elo0=-3 elo1=1 --pairs 9", "rule", "sprt=-3,1".into()),
        ("match --openings file=@a.epd order=sequential", "order", "sequential".into()),
        ("match --threads 3", "option", "Threads=3".into()),
        ("match --games 9", "pairs", serde_json::json!(5)),
        (
            "match --draw movenumber=30 movecount=4 score=5",
            "draw",
            "movenumber=30,movecount=4,score=5".into(),
        ),
        ("match -engine cmd=sh arg=a,b -each nodes=5", "test", r"uci:sh,arg=a\,b".into()),
    ] {
        let output = place.verdict(theirs).output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(64), "{theirs}: {stderr}");
        let line = stderr.lines().find_map(|line| line.trim().strip_prefix("verdict "));
        let line = line.unwrap_or_else(|| panic!("{theirs}: {stderr}"));
        let program = env!("CARGO_BIN_EXE_verdict");
        // Its engines need not be there.
        let line = line.replace("uci:sf2", "uci:sh").replace("uci:sf", "uci:sh");
        let line = line.replace("uci:a", "uci:sh");
        let shell = format!("{program} {line} --print-plan");
        let printed = Command::new("sh").args(["-c", &shell]).output().unwrap();
        assert_eq!(printed.status.code(), Some(0), "{line}: {printed:?}");
        let plan: serde_json::Value = serde_json::from_slice(&printed.stdout).unwrap();
        assert_eq!(plan[key], value, "{line}: {plan}");
    }
}

/// Which games are ended early, before the first and in the result; limits by their own word.
#[test]
fn adjudication_and_limits_are_told() {
    let place = Place::new();
    let book = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/openings.epd");
    let off = "--draw off --resign off --max-moves off";
    for (name, rules, begun, ended) in [
        (
            "on",
            "--max-moves 5 --tc 10",
            &["adjudication: draw: |score|", "draw at move 5", "tc=10, "][..],
            Some("2 of 2 draws by length"),
        ),
        ("off", off, &["no adjudication"], None),
    ] {
        let words = format!("match --book {book} --pairs 1 --nodes 20 --out @{name} {rules}");
        let words = if rules.contains("--tc") { words.replace("--nodes 20 ", "") } else { words };
        let played = place.played(name, place.verdict(&words).output().unwrap()).decided();
        for part in begun {
            assert!(played.stderr.contains(part), "{part}: {}", played.stderr);
        }
        let page = fs::read_to_string(played.dir.join("summary.md")).unwrap();
        for text in [&played.stdout, &page] {
            assert_eq!(text.contains("By adjudication: "), ended.is_some(), "{text}");
            assert!(ended.is_none_or(|ended| text.contains(ended)), "{text}");
        }
    }
    let summary = fs::read_to_string(place.path("on/summary.md")).unwrap();
    assert!(summary.contains("| limit | tc=10 | tc=10 |"), "{summary}");
    let pgn = fs::read_to_string(place.path("on/games.pgn")).unwrap();
    assert!(pgn.contains("[TimeControl \"10\"]"), "{pgn}");
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

/// A number that looks decided and is not: what the rule waits for, or why it does not say more.
#[test]
fn statistics_say_why_there_is_no_verdict() {
    let place = Place::new();
    let plan = "--nodes 40 --max-moves 9 --pairs 12 --concurrency 1";
    for (name, rule, part) in [
        ("los", "los=95", "judges LOS once, after 12 pairs"),
        ("sprt", "sprt=0,5", "not enough for the rule sprt=0,5"),
    ] {
        place.play(name, &format!("{plan} --rule {rule}"));
        let journal = place.path(name).join("games.jsonl");
        let text = fs::read_to_string(&journal).unwrap();
        let first: Vec<&str> = text.lines().take(4).collect();
        fs::write(&journal, first.join("\n") + "\n").unwrap();
        let output = place.verdict(&format!("stats @{name}")).output().unwrap();
        let told = String::from_utf8_lossy(&output.stdout);
        let line = told.lines().find(|line| line.starts_with("verdict ")).expect(&told);
        assert!(line.contains("none yet: 2 of 12 pairs are played"), "{line}");
        assert!(line.contains(part), "{line}");
    }
    place.play("few", "--nodes 40 --max-moves 9 --pairs 3");
    let output = place.verdict("stats @few").output().unwrap();
    let told = String::from_utf8_lossy(&output.stdout);
    let line = told.lines().find_map(|line| line.strip_prefix("verdict  UNDECIDED: "));
    assert!(line.is_some_and(|why| !why.is_empty()), "{told}");
    let output = place.verdict("stats @few --json").output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(json["reason"].as_str().unwrap().starts_with("UNDECIDED: "), "{json}");
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
