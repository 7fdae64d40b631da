//! Journals and descriptions that another hand has changed: told before they are counted or gone on with.

use std::fs;

use super::{Place, Played};
use crate::common::samples::unsealed;

const PLAN: &str =
    "--test embedded,killers.on=false --pairs 8 --nodes 60 --hash 64KiB --seed 3 --max-moves 60";

impl Place {
    /// A run of [`PLAN`]; the lines of its journal.
    fn recorded(&self, name: &str) -> Vec<String> {
        self.play(name, PLAN).decided();
        let journal = fs::read_to_string(self.path(name).join("games.jsonl")).unwrap();
        let lines: Vec<String> = journal.lines().map(str::to_owned).collect();
        assert_eq!(lines.len(), 16);
        lines
    }

    fn write_journal(&self, name: &str, lines: &[String]) {
        fs::write(self.path(name).join("games.jsonl"), lines.join("\n") + "\n").unwrap();
    }

    /// As a run of an older version, which has no digests.
    fn forget_digests(&self, name: &str) {
        fs::remove_file(self.path(name).join("games.digest")).unwrap();
        let file = self.path(name).join("run.json");
        let text = fs::read_to_string(&file).unwrap();
        let older = text.replace("  \"digest\": true,\n", "");
        assert_ne!(older, text);
        fs::write(file, unsealed(&older)).unwrap();
    }

    fn run(&self, words: &str) -> Played {
        self.played("run", self.verdict(words).output().unwrap())
    }

    /// All who read the run refuse it, and say so.
    #[track_caller]
    fn assert_refused(&self, name: &str, parts: &[&str]) {
        let journal = fs::read(self.path(name).join("games.jsonl")).unwrap();
        for words in ["stats", "ratings", "report", "export", "resume", "tune texel --out @tuned"] {
            let refused = self.run(&format!("{words} @{name}"));
            assert_eq!(refused.code, 74, "{words}: {}{}", refused.stdout, refused.stderr);
            for part in parts {
                assert!(refused.stderr.contains(part), "{words}: no {part}: {}", refused.stderr);
            }
        }
        assert_eq!(fs::read(self.path(name).join("games.jsonl")).unwrap(), journal);
    }
}

/// A game of the journal with its result turned round.
fn flipped(line: &str) -> String {
    let (was, is) =
        if line.contains("\"result\":\"1-0\"") { ("1-0", "0-1") } else { ("0-1", "1-0") };
    let flipped = line.replace(&format!("\"result\":\"{was}\""), &format!("\"result\":\"{is}\""));
    assert_ne!(flipped, line);
    flipped
}

#[test]
fn a_changed_result_is_told_by_its_line() {
    let place = Place::new();
    let lines = place.recorded("run");
    let at = lines.iter().position(|line| !line.contains("1/2-1/2")).unwrap();
    let mut changed = lines.clone();
    changed[at] = flipped(&lines[at]);
    place.write_journal("run", &changed);
    let line = format!("games.jsonl, line {}: expected", at + 1);
    let way_on = "without this line (keep a copy) `verdict resume";
    place.assert_refused("run", &[&line, "games.digest", way_on]);
    // The moves tell it, too.
    place.forget_digests("run");
    place.assert_refused("run", &[&line, "after these moves", way_on]);
    // Without it the game is played again, to the same end.
    let whole = lines.join("\n");
    changed.remove(at);
    place.write_journal("run", &changed);
    place.resume("run", "").decided();
    assert!(place.games("run").lines().all(|game| whole.contains(game.trim_end_matches('}'))));
    let verified = place.run("stats @run --verify");
    assert!(
        verified.stderr.contains("verified: 16 games, 16 of them replayed"),
        "{}",
        verified.stderr
    );
}

/// Both are consistent in themselves; games of two seeds would be mixed.
#[test]
fn another_seed_is_refused_by_what_was_played() {
    let place = Place::new();
    let lines = place.recorded("run");
    place.write_journal("run", &lines[..10]);
    let file = place.path("run").join("run.json");
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(text.matches("\"seed\": 3").count(), 2);
    let reseeded = text.replace("\"seed\": 3", "\"seed\": 4");
    fs::write(&file, &reseeded).unwrap();
    place.assert_refused("run", &["run.json, line 1", "its seal differs"]);
    // As in a run of an older version.
    fs::write(&file, unsealed(&reseeded)).unwrap();
    place.assert_refused("run", &["games.jsonl, line ", "by the schedule", "run.json"]);
    let told = place.run("stats @run").stderr;
    assert!(!told.contains("without this line"), "good games would be deleted: {told}");
    fs::write(&file, text).unwrap();
    place.resume("run", "").decided();
}

/// Games under two limits would be mixed, or judged by another rule than they were begun with.
#[test]
fn another_plan_is_refused() {
    let place = Place::new();
    let lines = place.recorded("run");
    place.write_journal("run", &lines[..10]);
    let file = place.path("run").join("run.json");
    let text = fs::read_to_string(&file).unwrap();
    for (from, to) in [
        ("\"nodes\": 60", "\"nodes\": 600"),
        ("\"los=95\"", "\"los=60\""),
        ("\"move_count\": 3", "\"move_count\": 2"),
        ("\"pairs\": 8", "\"pairs\": 5"),
        ("killers.on=false", "killers.on=true"),
    ] {
        let changed = text.replace(from, to);
        assert_ne!(changed, text, "{from}");
        fs::write(&file, changed).unwrap();
        place.assert_refused("run", &["run.json, line 1", "its seal differs"]);
    }
    fs::write(&file, unsealed(&text)).unwrap();
    assert!(place.run("stats @run").code <= 2, "a run of an older version");
    fs::write(&file, text).unwrap();
    place.resume("run", "").decided();
}

#[test]
fn games_that_the_schedule_does_not_have_are_refused() {
    let place = Place::new();
    let lines = place.recorded("run");
    place.forget_digests("run");
    let with = |from: &str, to: &str| {
        let mut changed = lines.clone();
        changed[1] = lines[1].replace(from, to);
        assert_ne!(changed[1], lines[1], "{from}");
        changed
    };
    let number = |field: &str| {
        let rest = lines[1].split_once(&format!("\"{field}\":")).unwrap().1;
        let digits: String = rest.chars().take_while(char::is_ascii_digit).collect();
        digits.parse::<u64>().unwrap()
    };
    let [game, pair, opening] = ["game", "pair", "opening"].map(number);
    let numbers = |game, pair| format!("\"game\":{game},\"pair\":{pair},");
    let sides = |white, black| format!("\"white\":\"{white}\",\"black\":\"{black}\"");
    let (test, base) = if game % 2 == 0 { ("test", "base") } else { ("base", "test") };
    for (changed, expected) in [
        (with(&numbers(game, pair), &numbers(99_998, 49_999)), "of the 16 that are planned"),
        (
            with(&numbers(game, pair), &numbers(u64::MAX, u64::MAX / 2)),
            "of the 16 that are planned",
        ),
        (with(&sides(test, base), &sides(base, test)), "by the schedule"),
        (with(&format!("\"opening\":{opening}"), "\"opening\":77777"), "by the schedule"),
        (with("\"fen\":\"", "\"fen\":\" "), "by the schedule"),
    ] {
        place.write_journal("run", &changed);
        place.assert_refused("run", &["games.jsonl, line 2: ", expected]);
    }
}

/// Nobody but the tables knows whether they gave such a result.
#[test]
fn forged_ends_by_tablebases_are_refused_where_the_run_has_none() {
    let place = Place::new();
    let mut lines = place.recorded("run");
    place.forget_digests("run");
    let by_rule = |line: &&String| line.contains("\"termination\":\"resign-adjudication\"");
    let Some(at) = lines.iter().position(|line| by_rule(&line)) else {
        panic!("no game of the run was resigned: {}", lines.join("\n"))
    };
    let forged = flipped(&lines[at]);
    lines[at] = forged.replace("resign-adjudication", "tablebase-adjudication");
    place.write_journal("run", &lines);
    place.assert_refused("run", &[&format!("line {}: ", at + 1), "syzygy"]);
}

/// The order of lines says nothing, and what is missing is played again; but both are seen.
#[test]
fn lines_that_are_moved_or_taken_out_are_told() {
    let place = Place::new();
    let lines = place.recorded("run");
    let games = place.games("run");
    let mut moved = lines.clone();
    moved.swap(2, 3);
    place.write_journal("run", &moved);
    place.assert_refused("run", &["games.jsonl, line 4: ", "changed or moved"]);
    let mut fewer = lines.clone();
    fewer.drain(4..6);
    place.write_journal("run", &fewer);
    let missing = "missing from games.jsonl: 2 games";
    let told = place.run("stats @run");
    assert!(told.stderr.contains(missing), "{}", told.stderr);
    let resumed = place.resume("run", "").decided();
    assert!(resumed.stderr.contains(missing), "{}", resumed.stderr);
    assert_eq!(place.games("run"), games);
    assert!(!place.run("stats @run").stderr.contains("warning"));
    // A line twice counts once, as ever.
    let mut twice = fs::read_to_string(place.path("run").join("games.jsonl")).unwrap();
    twice.push_str(&(lines[0].clone() + "\n"));
    fs::write(place.path("run").join("games.jsonl"), twice).unwrap();
    let [plain, doubled] = [place.run("stats @run"), place.run("stats @run --verify")];
    assert_eq!((plain.code, plain.stdout), (doubled.code, doubled.stdout));
    assert_eq!(place.games("run"), games);
}

/// A power failure may leave so little of it: nothing that was recorded is refused for that alone.
#[test]
fn a_removed_or_shortened_digest_is_told_and_all_behind_it_replayed() {
    let place = Place::new();
    let lines = place.recorded("run");
    let digest = place.path("run").join("games.digest");
    let whole = fs::read_to_string(&digest).unwrap();
    let stats = place.run("stats @run");
    assert!(!stats.stderr.contains("warning"), "{}", stats.stderr);
    let shortened: String = whole.lines().take(4).map(|line| format!("{line}\n")).collect();
    for (left, told) in [
        (Some(&shortened), "12 games (games.jsonl, from line 5 on) not covered by games.digest"),
        (None, "games.digest is missing: 16 games not covered"),
    ] {
        match left {
            Some(text) => fs::write(&digest, text).unwrap(),
            None => fs::remove_file(&digest).unwrap(),
        }
        place.write_journal("run", &lines);
        for words in ["stats", "ratings", "report"] {
            let read = place.run(&format!("{words} @run"));
            assert!(read.stderr.contains(told), "{words}: {}", read.stderr);
        }
        let at = lines.iter().rposition(|line| !line.contains("1/2-1/2")).unwrap();
        let mut forged = lines.clone();
        forged[at] = flipped(&lines[at]);
        place.write_journal("run", &forged);
        place.assert_refused("run", &[&format!("line {}: ", at + 1)]);
        place.write_journal("run", &lines);
        let resumed = place.resume("run", "").decided();
        assert!(resumed.stderr.contains(told), "{}", resumed.stderr);
        assert_eq!(fs::read_to_string(&digest).unwrap(), whole);
        assert!(!place.run("stats @run").stderr.contains("warning"));
    }
}

#[test]
fn older_and_packed_runs_are_read_as_before() {
    let place = Place::new();
    place.recorded("run");
    let stats = |words: &str| place.run(&format!("stats @run {words}"));
    let whole = stats("");
    place.forget_digests("run");
    let old = stats("--verify");
    assert_eq!((old.code, &old.stdout), (whole.code, &whole.stdout));
    assert_eq!(old.stderr.matches("which this run does not have").count(), 1, "{}", old.stderr);
    assert_eq!(stats("").stderr, "");
    let journal = place.path("run").join("games.jsonl");
    let packed = zstd::encode_all(&*fs::read(&journal).unwrap(), 3).unwrap();
    fs::write(journal.with_extension("jsonl.zst"), packed).unwrap();
    fs::remove_file(&journal).unwrap();
    let packed = stats("--verify");
    assert_eq!((packed.code, packed.stdout), (whole.code, whole.stdout));
}
