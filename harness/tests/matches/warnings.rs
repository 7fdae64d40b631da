//! What must be known to read a match's figures is told when it begins, and wherever its result is.

use std::fs;
use std::thread::available_parallelism;

use serde_json::Value;

use super::{Place, Played, rascal, scoundrel};
use crate::common::script::script;

/// Everything that tells of a match: what is said when it begins, the result, the page for people, the
/// report; and `summary.json`.
fn told(place: &Place, words: &str) -> ([String; 4], Value) {
    let _ = fs::remove_dir_all(place.path("run"));
    let words = format!("match --pairs 1 --max-moves 3 --out @run {words}");
    let output = place.verdict(&words).output().unwrap();
    let Played { dir, code, stdout, stderr } = place.played("run", output);
    assert!([0, 1, 2].contains(&code), "{words}: {stderr}");
    let read = |name: &str| fs::read_to_string(dir.join(name)).unwrap();
    let summary = serde_json::from_str(&read("summary.json")).unwrap();
    ([stderr, stdout, read("summary.md"), read("report.html")], summary)
}

#[test]
fn a_player_that_meets_itself_is_noticed() {
    let place = Place::new();
    let program = env!("CARGO_BIN_EXE_scoundrel");
    let copy = place.path("copy");
    fs::copy(program, &copy).unwrap();
    for (base, test) in [
        ("embedded".to_owned(), "embedded:default".to_owned()),
        ("embedded:rebel".to_owned(), "embedded:rebel --test-name other".to_owned()),
        (scoundrel("first"), format!("uci:{},arg=first", copy.display())),
    ] {
        let (texts, summary) = told(&place, &format!("--nodes 30 --base {base} --test {test}"));
        assert!(texts.iter().all(|text| text.contains("A/A test")), "{base}: {texts:?}");
        assert!(
            texts[0].contains("same player") && texts[0].contains("pair is drawn"),
            "{}",
            texts[0]
        );
        assert_eq!(summary["same_players"], true, "{base}");
    }
    // With a clock they are no twins.
    let both = scoundrel("first");
    let clock = format!("--movetime 20ms --time-margin 30s --base {both} --test {both}");
    let (texts, _) = told(&place, &clock);
    assert!(texts[0].contains("A/A test") && !texts[0].contains("pair is drawn"), "{}", texts[0]);
}

#[test]
fn players_that_differ_are_not() {
    let place = Place::new();
    // Two scripts with the same words start what lies beside them.
    let beside = |name: &str| {
        let folder = place.path(name);
        fs::create_dir(&folder).unwrap();
        let path = folder.join("engine");
        script(&path, &format!("exec {} first", env!("CARGO_BIN_EXE_scoundrel")));
        format!("uci:{}", path.display().to_string().replace(',', r"\,"))
    };
    for (base, test) in [
        ("embedded".to_owned(), "embedded,search.pvs=false".to_owned()),
        (scoundrel("first"), scoundrel("first seed:2")),
        (scoundrel("first"), scoundrel("first") + ",Hash=2"),
        (scoundrel("first"), scoundrel("first") + " --test-limit nodes=40"),
        (scoundrel("first"), scoundrel("first") + " --test-restart"),
        (scoundrel("first"), scoundrel("first") + " --test-margin 500ms"),
        (beside("a"), beside("b")),
        (beside(r"c,1"), beside(r"c,2")),
    ] {
        let (texts, summary) = told(&place, &format!("--nodes 30 --base {base} --test {test}"));
        assert!(texts.iter().all(|text| !text.contains("A/A test")), "{test}: {texts:?}");
        assert_eq!(summary.get("same_players"), None, "{test}");
    }
}

#[test]
fn a_tournament_says_which_players_are_the_same() {
    let place = Place::new();
    let words = "tournament --player a=embedded --player b=embedded:default --player c=embedded:winglet \
                 --nodes 20 --pairs 1 --max-moves 3 --out @all";
    let output = place.verdict(words).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    let same: Vec<&str> = told.lines().filter(|line| line.contains("A/A test")).collect();
    assert!(matches!(same[..], [line] if line.contains("01-a-v-b")), "{told}");
}

#[test]
fn more_threads_than_processors_are_warned_of() {
    let place = Place::new();
    let processors = available_parallelism().unwrap().get();
    let slots = 2 * processors + 1;
    let clock = "--movetime 20ms --time-margin 30s";
    let wide = format!("--slots {slots} --concurrency {slots} --pairs {slots}");
    let wide = format!("match {clock} {wide} --max-moves 2 --out @wide --base embedded:winglet");
    let output = place.verdict(&wide).output().unwrap();
    let (said, figures) = (
        String::from_utf8_lossy(&output.stderr).into_owned(),
        format!("{slots} threads will search at once ({slots} slots) on {processors} processors"),
    );
    assert!(said.contains(&figures) && said.contains("lose on time"), "{said}");
    assert!(said.contains(&format!("expected at most --slots {processors}")), "{said}");
    let read = |name: &str| fs::read_to_string(place.path("wide").join(name)).unwrap();
    let summary: Value = serde_json::from_str(&read("summary.json")).unwrap();
    let over = &summary["oversubscribed"];
    assert_eq!((&over["threads"], &over["processors"]), (&slots.into(), &processors.into()));
    assert_eq!(over["games"], 2 * slots, "{over}");
    for name in ["summary.md", "report.html"] {
        let words = format!("up to {slots} threads searched at once on {processors} processors");
        assert!(read(name).contains(&words), "{name}");
    }

    // Threads of one search count as well.
    let threads = format!("{},Threads=8", scoundrel("first"));
    let many = 8 * processors.div_ceil(8) + 8;
    let slots = many / 8;
    let words = format!("{clock} --slots {slots} --pairs {slots} --test {threads}");
    let words = format!("match {words} --max-moves 2 --out @threads");
    let output = place.verdict(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&format!("{many} threads will search at once")), "{said}");
}

/// Slots that no game is for take no thread; slots on processors of their own take no more than one.
#[test]
fn the_slots_that_are_advised_would_do() {
    let place = Place::new();
    let processors = available_parallelism().unwrap().get();
    let threads = format!("{},Threads=2", scoundrel("first"));
    let told = |name: &str, words: &str| {
        let words = format!("match --movetime 20ms --time-margin 30s --max-moves 2 {words}");
        let words = format!("{words} --test {threads} --pairs {processors} --out @{name}");
        let output = place.verdict(&words).output().unwrap();
        assert!(output.status.code().is_some_and(|code| code <= 2), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let wide = format!("--slots {} --concurrency {processors}", 8 * processors);
    let said = told("wide", &wide);
    let way_out = match processors / 2 {
        0 => "expected fewer Threads".to_owned(),
        slots => format!("expected at most --slots {slots}"),
    };
    assert!(said.contains(&way_out), "{said}");
    let said = told("pinned", &format!("--pin --slots {processors} --concurrency {processors}"));
    assert!(said.contains("expected fewer Threads"), "{said}");
}

/// A loss on time is the player's own only where there was a processor for it.
#[test]
fn time_losses_with_too_few_processors_are_told_apart() {
    let place = Place::new();
    let processors = available_parallelism().unwrap().get();
    let many = processors + 1;
    for (name, threads, is_over) in [("own", 1, false), ("over", many, true)] {
        let test = format!("{},Threads={threads}", scoundrel("overstep:3000"));
        let plan = "--pairs 1 --movetime 20ms --time-margin 2s --max-faults off --slots 1";
        let played = place.play(name, &format!("{plan} --test {test}")).decided();
        let summary = played.summary();
        assert_eq!(summary.faults.test.get("time-loss"), Some(&2), "{name}");
        let fault = fs::read_to_string(played.dir.join("faults/0/fault.txt")).unwrap();
        let load = format!("or the machine's: {many} threads on {processors} processors");
        assert_eq!(fault.contains(&load), is_over, "{fault}");
        let lost = summary.oversubscribed.map(|over| over.time_losses.test);
        assert_eq!(lost, is_over.then_some(2), "{name}");
        let words =
            format!("Time losses with {many} threads on {processors} processors: base 0, test 2");
        assert_eq!(played.stdout.contains(&words), is_over, "{}", played.stdout);
        // They are results all the same.
        assert_eq!(summary.wdl.loss, 2, "{name}");
    }
}

/// Nodes and depths are the same on any machine: nothing is spoilt.
#[test]
fn without_a_clock_too_few_processors_only_take_longer() {
    let place = Place::new();
    let slots = available_parallelism().unwrap().get() + 1;
    let test = rascal("chatter");
    let words =
        format!("--depth 1 --slots {slots} --concurrency {slots} --pairs {slots} --test {test}");
    let words = format!("match {words} --max-moves 2 --out @run");
    let output = place.verdict(&words).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("only take longer"), "{said}");
    let summary = fs::read_to_string(place.path("run/summary.json")).unwrap();
    assert!(!summary.contains("oversubscribed"), "{summary}");
}

/// Of a run that several machines have begun.
#[test]
fn pairs_that_were_to_be_compared_and_are_not() {
    let place = Place::new();
    let _ = told(&place, "--nodes 30 --test embedded,search.pvs=false");
    let due = "{\"what\":\"due\",\"first\":0,\"pairs\":1}\n";
    fs::write(place.path("run/fleet.jsonl"), due).unwrap();
    let output = place.verdict("resume @run --quiet").output().unwrap();
    let Played { code, stderr, .. } = place.played("run", output);
    assert!([0, 1, 2].contains(&code), "{stderr}");
    assert!(
        stderr.contains("still to be compared with what another machine plays: 1."),
        "{stderr}"
    );
}
