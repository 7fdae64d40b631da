//! `verdict claims`: measured once, told from what lies in the folders.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn verdict(place: &Path, words: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    command.current_dir(place).arg("claims").args(words.split_ascii_whitespace());
    command.output().unwrap()
}

const SMALL: &str = "--pairs 2 --nodes 60 --positions 4 --depth 5 --out made";

#[test]
fn measured_once_and_told() {
    let dir = tempfile::tempdir().unwrap();
    let words = format!("--only CLM-13 --personality rebel {SMALL}");
    let output = verdict(dir.path(), &words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("2 of 2 measured"), "{output:?}");
    let read = |name: &str| fs::read_to_string(dir.path().join("made").join(name)).unwrap();
    let page = read("README.md");
    let row = page.lines().find(|line| line.starts_with("| CLM-13 |")).unwrap();
    let cells: Vec<&str> = row.split(" | ").collect();
    assert_eq!(cells[2], "0 Elo or more; 1.12 to 1.32 times as fast", "{row}");
    // Two pairs prove nothing, whatever they say.
    assert!(cells[4].starts_with("**unclear**: ") && cells[4].contains(", 4 games W "), "{row}");
    assert!(cells[4].contains(" times as fast (") && cells[4].contains("4 positions"), "{row}");
    assert!(cells[5].starts_with("match not yet run (1 min); speed not yet run"), "{row}");
    let run = read("CLM-13-rebel-match/run.json");
    assert!(run.contains("embedded:rebel,futility.on=false"), "{run}");

    // Of other conditions it says nothing: it is put away and measured again.
    let other = words.replace("--nodes 60", "--nodes 50");
    let listed = String::from_utf8(verdict(dir.path(), &format!("{other} --list")).stdout).unwrap();
    assert!(listed.contains("stale") && listed.contains("done"), "{listed}");
    verdict(dir.path(), &format!("{other} --for 0s"));
    let told = read("README.md");
    assert!(told.contains("match to be run again (1 min), was Elo +0.0"), "{told}");
    let output = verdict(dir.path(), &other);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(read("CLM-13-rebel-match/run.json").contains("\"nodes\": 50"));
    assert!(read("old/CLM-13-rebel-match-1/CLM-13-rebel-match/run.json").contains("\"nodes\": 60"));
    fs::remove_dir_all(dir.path().join("made/CLM-13-rebel-match")).unwrap();
    fs::remove_file(dir.path().join("made/CLM-13-rebel-match.plan.json")).unwrap();
    assert_eq!(verdict(dir.path(), &words).status.code(), Some(0));
    let page = read("README.md");

    // What is there is not measured again, even if games are no longer there.
    let speed = read("CLM-13-rebel-speed/speed.json");
    fs::remove_file(dir.path().join("made/CLM-13-rebel-match/games.jsonl")).unwrap();
    let output = verdict(dir.path(), &words);
    assert_eq!((output.status.code(), output.stderr), (Some(0), vec![]));
    assert_eq!((read("CLM-13-rebel-speed/speed.json"), read("README.md")), (speed, page));
    let listed = verdict(dir.path(), &format!("--only CLM-13 --list {SMALL}")).stdout;
    let listed = String::from_utf8(listed).unwrap();
    let states: Vec<_> = listed.lines().map(|line| line.split("  ").next().unwrap()).collect();
    assert_eq!(states, ["done", "to do", "done", "to do"], "{listed}");
}

/// Shares that the search counts, and odds of nodes.
#[test]
fn counted_and_with_odds() {
    let dir = tempfile::tempdir().unwrap();
    let words = format!("--only CLM-29 --only CLM-28 --personality rebel {SMALL}");
    let output = verdict(dir.path(), &words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let read = |name: &str| fs::read_to_string(dir.path().join("made").join(name)).unwrap();
    let page = read("README.md");
    let cell = |id: &str| {
        let row = page.lines().find(|line| line.starts_with(&format!("| {id} |"))).unwrap();
        row.split(" | ").nth(4).unwrap().to_owned()
    };
    assert!(cell("CLM-29").contains(" % (") && cell("CLM-29").contains("4 positions to depth 5"));
    assert!(cell("CLM-28").contains(", 4 games W "), "{page}");
    let run = read("CLM-28-rebel-match/run.json");
    assert!(run.contains("\"nodes=120\"") && run.contains("\"nodes=60\""), "{run}");
    let share: serde_json::Value =
        serde_json::from_str(&read("CLM-29-rebel-share/share.json")).unwrap();
    assert_eq!(share["counts"].as_array().map(Vec::len), Some(4));
}

/// Positions that are played out, and two ways to build a program, which are no matter of personality.
#[test]
fn played_out_and_timed() {
    let dir = tempfile::tempdir().unwrap();
    let claim = |id: &str, measure: &str| {
        format!(r#"{{"id": "{id}", "claim": "", "source": "", "mechanisms": [], {measure}}}"#)
    };
    let text = format!(
        r#"{{"conditions": {{"personalities": ["rebel", "default"], "pairs": 2, "nodes": 60, "seed": 1,
        "positions": 3, "rounds": 1, "depth": {{"rebel": 3, "default": 3}}}}, "claims": [{}, {}, {}, {}]}}"#,
        claim(
            "P",
            r#""mates": {"positions": "won.epd", "depth": 3, "moves": 1, "of": [0.9, null]}"#
        ),
        claim("B1", r#""micro": {"benchmark": "words_for_bytes", "faster": [1, null]}"#),
        claim("B2", r#""micro": {"benchmark": "no_attack_tables", "faster": [null, null]}"#),
        claim(
            "S",
            r#""with": {"lmr.on": "true"}, "without": {"lmr.on": "false"},
            "speed": {"faster": [null, null], "deeper": 1}"#
        ),
    );
    fs::write(dir.path().join("own.json"), text).unwrap();
    let words = "--claims own.json --out made";
    let output = verdict(dir.path(), words);
    assert_eq!(output.status.code(), Some(74), "no book: {output:?}");
    assert!(String::from_utf8_lossy(&output.stderr).contains("won.epd"), "{output:?}");

    let won = "k7/8/1K6/8/8/8/7Q/8 w - -\n8/8/4k3/8/8/3K4/3R4/8 w - -\n";
    fs::write(dir.path().join("won.epd"), won).unwrap();
    let output = verdict(dir.path(), words);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("6 of 6 measured"), "{output:?}");
    let page = fs::read_to_string(dir.path().join("made/README.md")).unwrap();
    let row = |id: &str| page.lines().find(|line| line.starts_with(&format!("| {id} |"))).unwrap();
    let played: Vec<&str> = row("P").split(" | ").collect();
    assert_eq!(played[2], "mate within 1 moves in 90 % or more of the positions");
    // Two positions judge nothing.
    assert!(played[4].starts_with("**unclear**: 50.0 % (9.5 to 90.5) within 1 moves"), "{page}");
    let timed: Vec<&str> = row("B1").split(" | ").collect();
    assert!(timed[4].contains(" times as fast (") && timed[5].trim() == "|", "{page}");
    assert!(row("B2").contains("**measured**: "), "{page}");
    assert!(row("S").contains("| no amount, 1 plies deeper |"), "{page}");
    assert!(row("S").contains("3 positions to depth 4"), "{page}");

    // What cannot be measured moves nothing away.
    for words in ["--pairs 0", "--nodes 0", "--positions 0", "--depth 0"] {
        let output = verdict(dir.path(), &format!("--claims own.json --out made {words}"));
        assert_eq!(output.status.code(), Some(64), "{words}: {output:?}");
    }
    assert!(!dir.path().join("made/old").exists());

    // Another book is another measurement.
    fs::write(dir.path().join("won.epd"), &won[..26]).unwrap();
    let listed = String::from_utf8(verdict(dir.path(), &format!("{words} --list")).stdout).unwrap();
    assert!(listed.contains("B1-rebel-micro") && !listed.contains("B1-default"), "{listed}");
    let of_default = verdict(dir.path(), &format!("{words} --personality default --list")).stdout;
    assert!(String::from_utf8_lossy(&of_default).contains("B1-rebel-micro"));
    let stale: Vec<&str> = listed.lines().filter(|line| line.starts_with("stale")).collect();
    assert!(stale.len() == 2 && stale[0].contains("P-rebel-mates"), "{listed}");
}

/// Players that search alike need no match, unless the mechanism acts late.
#[test]
fn alike() {
    let dir = tempfile::tempdir().unwrap();
    let claim = |id: &str, more: &str| {
        format!(
            r#"{{"id": "{id}", "claim": "", "source": "", "mechanisms": [], "with": {{"lmr.on": "false",
            "lmr.min_move": "3"}}, "without": {{"lmr.on": "false"}}, "match": {{"elo": [5, 7]}}{more}}}"#
        )
    };
    let text = format!(
        r#"{{"conditions": {{"personalities": ["rebel"], "pairs": 2, "nodes": 60, "seed": 1, "positions": 3,
        "rounds": 1, "depth": {{"rebel": 3}}}}, "claims": [{}, {}]}}"#,
        claim("A", ""),
        claim("B", r#", "rare": true"#)
    );
    fs::write(dir.path().join("alike.json"), text).unwrap();
    let output = verdict(dir.path(), "--claims alike.json --out made");
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    let page = fs::read_to_string(dir.path().join("made/README.md")).unwrap();
    assert!(page.contains("| match: both search alike, so it was not played |"), "{page}");
    assert!(page.contains(", 4 games W "), "{page}");
    assert!(!dir.path().join("made/A-rebel-match/games.jsonl").exists());
}

/// What is unclear is played on with other openings and judged by all games, also in the personality
/// that it was claimed of.
#[test]
fn an_unclear_match_goes_on() {
    let dir = tempfile::tempdir().unwrap();
    let text = r#"{"conditions": {"personalities": ["rebel"], "pairs": 4, "most_pairs": 10, "nodes": 300,
        "seed": 7, "positions": 3, "rounds": 1, "depth": {"rebel": 3, "winglet": 3}}, "claims": [{"id": "A",
        "claim": "", "source": "", "mechanisms": [], "personalities": ["winglet"],
        "with": {"king_safety.on": "true"}, "without": {"king_safety.on": "false"}, "rare": true, "match": {"elo": [5, 7]}}]}"#;
    fs::write(dir.path().join("own.json"), text).unwrap();
    let words = "--claims own.json --out made";
    let list = || {
        let listed = verdict(dir.path(), &format!("{words} --list")).stdout;
        let listed = String::from_utf8(listed).unwrap();
        listed.lines().map(|line| line.trim_end().to_owned()).collect::<Vec<_>>()
    };
    let match_only = format!("{words} --measure match");
    assert_eq!(verdict(dir.path(), &match_only).status.code(), Some(0));
    assert_eq!(
        list(),
        [
            "done        A-rebel-match",
            "done        A-winglet-match",
            "to do       A-rebel-more",
            "to do       A-winglet-more"
        ]
    );
    let read = |name: &str| fs::read_to_string(dir.path().join("made").join(name)).unwrap();
    let cells = || {
        let page = read("README.md");
        assert!(page.contains("| in `rebel` | in its own |"), "{page}");
        let row = page.lines().find(|line| line.starts_with("| A |")).unwrap().to_owned();
        row.split(" | ").map(str::to_owned).collect::<Vec<_>>()
    };
    let found = cells();
    assert!(
        found[4].contains(", 8 games") && found[4].ends_with("; more pairs not yet run (1 min)")
    );
    assert!(found[5].starts_with("`winglet`: **unclear**: "), "{found:?}");

    assert_eq!(verdict(dir.path(), words).status.code(), Some(0));
    let found = cells();
    assert!(found[4].starts_with("**unclear**: ") && found[4].ends_with(", 20 games"), "{found:?}");
    let run = read("A-rebel-more/run.json");
    assert!(run.contains("\"seed\": 8") && run.contains("los=95,pairs=6"), "{run}");
    assert_eq!(list()[2], "done        A-rebel-more");
    // A match of other conditions is not gone on with before it was played again.
    let listed = verdict(dir.path(), &format!("{words} --nodes 50 --list")).stdout;
    let listed = String::from_utf8(listed).unwrap();
    assert!(
        listed.contains("stale       A-rebel-match") && listed.contains("not needed  A-rebel-more")
    );
}

/// The page for visitors: quotes, what was found, what is missing and what is old, with pictures.
#[test]
fn then_and_now() {
    let dir = tempfile::tempdir().unwrap();
    let text = r#"{"conditions": {"personalities": ["rebel", "default"], "pairs": 2, "nodes": 60, "seed": 1,
        "positions": 3, "rounds": 1, "depth": {"rebel": 3, "default": 3}},
        "papers": [{"id": "900", "title": "A <paper>", "by": "Nobody", "year": "1999"}], "claims": [
        {"id": "A", "claim": "a<b & c", "quote": "twice as *fast*", "source": "900 Part (1)", "mechanisms": [],
        "with": {"lmr.on": "true"}, "without": {"lmr.on": "false"}, "speed": {"faster": [1.9, 2.1]}},
        {"id": "B", "claim": "b", "source": "900 Part (2)", "mechanisms": [], "not": "history"},
        {"id": "C", "claim": "c", "source": "901", "mechanisms": [], "elsewhere":
        {"outcome": "confirmed", "found": "so", "file": "f.md"}}]}"#;
    fs::write(dir.path().join("own.json"), text).unwrap();
    let words = "--claims own.json --out made --personality rebel";
    assert_eq!(verdict(dir.path(), words).status.code(), Some(0));
    let read = |name: &str| fs::read_to_string(dir.path().join("made").join(name)).unwrap();
    let holds = |text: &str, parts: &[&str]| {
        parts.iter().for_each(|part| assert!(text.contains(part), "{part} in {text}"));
    };
    let page = read("then-and-now.md");
    // Three positions judge nothing.
    holds(
        &page,
        &[
            "**So far 1 confirmed, 0 contradicted, 1 unclear.**",
            "1 measurements are not yet made, 0 are out of date, and 1 claims cannot",
            "\n- **A \\<paper> (Nobody, 1999)**: 0 ✓ confirmed, 0 ✗ contradicted, 1 ? unclear, 1 left.\n  [Part](#c1)\n",
            "\nThen: speed, 1.9 to 2.1 times as fast. Now:\n",
            "\n## A \\<paper> (Nobody, 1999)\n",
            "\n### Part\n",
            "\n#### A: a\\<b & c\n\n> “twice as \\*fast\\*” — Nobody, 1999\n",
            "<img src=\"then-and-now/A.svg\" alt=\"A. speed: claimed 1.9 to 2.1 times as fast; rebel ",
            "\n- [`rebel`](A-rebel-speed), speed: ? **unclear**: ",
            "\n- `default`, speed: … **not yet measured**\n",
            "\n#### B: b\n\nNot measured: history.\n",
            "\n✓ **confirmed**, in another way: so ([f.md](../../f.md))\n",
        ],
    );
    let picture = read("then-and-now/A.svg");
    holds(
        &picture,
        &[
            "<title id=\"A-title\">A: a&lt;b &amp; c</title>",
            "default not yet measured</desc>",
            "class=\"range\"",
            "class=\"whisker even\"",
            ">? unclear</text>",
            ">… not yet measured</text>",
        ],
    );
    assert!(picture.matches("http").count() == 1 && !picture.contains("script"), "{picture}");

    verdict(dir.path(), &format!("{words} --depth 4 --for 0s"));
    let page = read("then-and-now.md");
    holds(
        &page,
        &[
            "**So far 1 confirmed, 0 contradicted, 0 unclear.**",
            "1 measurements are not yet made, 1 are out of date",
            "\n- [`rebel`](A-rebel-speed), speed: ~ **out of date**: was ",
        ],
    );
    holds(
        &read("then-and-now/A.svg"),
        &["class=\"whisker old\"", ">~ out of date</text>", ">was "],
    );
}

#[test]
fn a_deadline_leaves_the_rest() {
    let dir = tempfile::tempdir().unwrap();
    let output = verdict(dir.path(), &format!("--only CLM-20 --for 0s {SMALL}"));
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let page = fs::read_to_string(dir.path().join("made/README.md")).unwrap();
    assert!(page.contains("So far 0 confirmed, 0 contradicted, 0 unclear. "), "{page}");
}

#[test]
fn what_cannot_be_measured_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    fs::write(dir.path().join("bad.json"), "{\n\"claims\": 3}").unwrap();
    for (words, code, expected) in [
        ("--only CLM-99", 64, "nothing to measure"),
        ("--personality rebell", 64, "nothing to measure"),
        ("--claims bad.json", 74, "bad.json:2: expected"),
        ("--claims no.json", 74, "no.json"),
        ("--until 25:00", 64, "25:00"),
        ("--pairs 9 --most-pairs 8", 64, "--most-pairs 8: expected at least"),
    ] {
        let output = verdict(dir.path(), words);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words}: {said}");
        assert!(said.contains(expected), "{words}: {said}");
    }
}

/// A claim with openings of its own, from a folder where they are not: said before the rest is measured.
#[test]
fn what_lacks_its_book_is_left_alone() {
    let dir = tempfile::tempdir().unwrap();
    let words = format!("--only CLM-24 --only CLM-20 --personality rebel --measure match {SMALL}");
    let output = verdict(dir.path(), &words);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{said}");
    assert!(said.starts_with("warning: CLM-24-rebel-match: openings/simple_endings.epd"), "{said}");
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("1 of 2 measured"), "{output:?}");
    assert!(!dir.path().join("made/CLM-24-rebel-match").exists());
}
