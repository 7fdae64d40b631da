//! The commands of the README and the documents: all are read as they are printed, matches and tournaments
//! are played with engines that behave as those they name, and what is quick is run.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use clap::Parser as _;
use harness::cli::Cli;
use serde_json::{Value, json};

use crate::common::script::script;

/// The pages that print commands.
const PAGES: &[&str] = &[
    "README.md",
    "harness/docs/matches.md",
    "harness/docs/coming-from.md",
    "harness/docs/openings.md",
    "harness/docs/statistics.md",
    "harness/docs/ledger.md",
    "harness/docs/faults.md",
    "harness/docs/nights.md",
    "harness/docs/bisect.md",
    "harness/docs/page.md",
    "harness/docs/fleet.md",
    "harness/docs/tuning.md",
    "harness/docs/label.md",
    "harness/docs/tables.md",
    "harness/docs/personalities.md",
    "harness/docs/claims.md",
    "harness/docs/export.md",
    "harness/docs/ci.md",
    "engine/docs/usage.md",
];

fn page(name: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(name)).unwrap()
}

/// The words of every command line of verdict in the pages' blocks of code.
fn commands() -> Vec<Vec<String>> {
    let mut commands = Vec::new();
    for text in PAGES.iter().copied().map(page) {
        let mut in_code = false;
        for line in text.lines() {
            if let Some(language) = line.strip_prefix("```") {
                in_code = !in_code && ["sh", "console"].contains(&language);
            } else if in_code {
                let words = words(line.strip_prefix("$ ").unwrap_or(line));
                commands.extend(
                    (words.first().map(String::as_str) == Some("verdict")).then_some(words),
                );
            }
        }
    }
    assert!(commands.len() > 50, "{}", commands.len());
    commands
}

/// The words of a line as a shell has them, without its comment.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in line.chars() {
        match c {
            _ if quote == Some(c) => quote = None,
            '\'' | '"' if quote.is_none() => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            '#' if quote.is_none() && word.is_none() => break,
            ' ' if quote.is_none() => words.extend(word.take()),
            c => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[test]
fn every_command_is_read() {
    for words in commands() {
        // Paths that are looked for already when they are read.
        let engine = |word: String| match word.strip_prefix("./") {
            Some(_) => env!("CARGO_BIN_EXE_mutineer_process").to_owned(),
            None => word.replace("target/release/mutineer", env!("CARGO_BIN_EXE_mutineer_process")),
        };
        let words: Vec<String> = words.into_iter().map(engine).collect();
        if let Err(error) = Cli::try_parse_from(&words) {
            panic!("{words:?}: {error}");
        }
    }
}

/// A folder with all that the pages' commands name.
struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        let engine = format!("uci:{},arg=first", env!("CARGO_BIN_EXE_scoundrel"));
        let crash = format!("uci:{},arg=exit-in-search:3", env!("CARGO_BIN_EXE_scoundrel"));
        let (rebel, default) = ("embedded:rebel", "embedded:default");
        for (out, base, test, games) in [
            ("results/NAME", engine.as_str(), crash.as_str(), "--pairs 10 --max-moves 30"),
            ("results/gauntlet", rebel, default, "--pairs 120 --max-moves 90"),
            ("OTHER", rebel, default, "--pairs 20 --seed 2"),
        ] {
            let words = format!("match --base {base} --test {test} {games} --out {out}");
            let mut words: Vec<_> = words.split(' ').collect();
            words.extend("--nodes 50 --max-faults off --quiet --test-name".split(' '));
            words.push("Glaurung 2.2");
            assert!(place.run(&words).status.code().is_some_and(|code| code <= 2), "{out}");
        }
        place.name_what_was_played();
        place
    }

    fn name_what_was_played(&self) {
        for run in ["RUN", "results/2026-11-22-a-match"] {
            fs::create_dir(self.path(run)).unwrap();
            for name in ["run.json", "games.jsonl", "games.digest"] {
                let from = self.path("results/gauntlet").join(name);
                fs::copy(from, self.path(run).join(name)).unwrap();
            }
        }
        let games = fs::read_to_string(self.path("results/gauntlet/games.pgn")).unwrap();
        let rated = "[WhiteElo \"2850\"]\n[BlackElo \"2850\"]\n[Result";
        let games = games.replace("[Result", rated);
        let packed = zstd::encode_all(games.as_bytes(), 0).unwrap();
        fs::create_dir(self.path("games")).unwrap();
        for name in ["games.pgn", "a.pgn"] {
            fs::write(self.path(name), &games).unwrap();
        }
        // A fit of the endgame needs a thousand positions.
        fs::write(self.path("games/all.pgn"), games.repeat(10)).unwrap();
        for name in ["games.pgn.zst", "book.pgn.zst"] {
            fs::write(self.path(name), &packed).unwrap();
        }
        let positions =
            (0..200).map(|at| format!("4k3/8/8/8/{}/8/4K3/8 w - - c9 \"1-0\";\n", PAWNS[at % 8]));
        fs::write(self.path("positions.epd"), positions.collect::<String>()).unwrap();
        fs::write(self.path("lines"), "lazy.margin, int, 128, 0, 1024, 32, 0.002\n").unwrap();
        // What others have played.
        let imported = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/imported");
        let files = fs::read_dir(imported).unwrap().map(|entry| entry.unwrap());
        for file in files.filter(|file| file.path().is_file()) {
            fs::copy(file.path(), self.path(file.file_name().to_str().unwrap())).unwrap();
        }
        for words in [
            "tables mit games.pgn --out mit-2700",
            "export results/gauntlet --as training --out labels.txt",
            "tables count results/NAME/games.pgn --mit --pst --openings 20 --sample 500000 --out b.counts",
        ] {
            let output = self.run(&words.split(' ').collect::<Vec<_>>());
            assert!(output.status.success(), "{output:?}");
        }
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.0.path().join(name)
    }

    fn run<S: AsRef<std::ffi::OsStr>>(&self, words: &[S]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        command.args(words).current_dir(self.0.path()).output().unwrap()
    }
}

const PAWNS: [&str; 8] = ["P7", "1P6", "2P5", "3P4", "4P3", "5P2", "6P1", "7P"];

/// What is run as it is printed, or with fewer and shorter games. Commands that begin with none of these
/// take minutes whatever is asked of them, or play against programs (another test plays those).
const RUN: [&[&str]; 17] = [
    &["resume"],
    &["stats", "results/NAME"],
    &["stats", "config.json"],
    &["stats", "openbench_101.json"],
    &["stats", "fishtest.json"],
    &["stats", "games.pgn.zst"],
    &["stats", "power"],
    &["ratings"],
    &["openings", "check"],
    &["tables"],
    &["personality"],
    &["report"],
    &["export"],
    &["replay"],
    &["claims", "--list"],
    &["sweep"],
    &["tune"],
];

#[test]
fn what_needs_no_other_program_runs_as_it_is_printed() {
    let place = Place::new();
    let mut ran = [0; RUN.len()];
    for words in commands() {
        let starts = |start: &&[&str]| words[1..].starts_with_words(start);
        let Some(at) = RUN.iter().position(starts) else { continue };
        // What takes long, other programs and builds, and their traces.
        let needs_more = |word: &String| {
            let others = ["uci:", "xboard:", "git:", "workdir", "--trace"];
            word == "speed" || others.iter().any(|other| word.starts_with(other))
        };
        if words.iter().any(needs_more) {
            continue;
        }
        let words = shortened(&words[1..]);
        let output = place.run(&words);
        // A verdict that is no acceptance is none of the command's faults.
        let is_done = output.status.code().is_some_and(|code| code <= 2);
        assert!(is_done, "{words:?}: {}", String::from_utf8_lossy(&output.stderr));
        ran[at] += 1;
    }
    assert!(ran.iter().all(|ran| *ran > 0), "{ran:?}");
}

/// The command line with few and short games, if it plays any.
fn shortened(words: &[String]) -> Vec<String> {
    let plays = words[0] == "sweep"
        || words.get(1).is_some_and(|word| ["spsa", "clop"].contains(&word.as_str()));
    let mut words = words.to_vec();
    if !plays || words.iter().any(|word| word == "--truth") {
        return words;
    }
    for (flag, value) in [("--pairs", "2"), ("--nodes", "50"), ("--max-moves", "3")] {
        match words.iter().position(|word| word == flag) {
            Some(at) => words[at + 1] = value.to_owned(),
            None => words.extend([flag.to_owned(), value.to_owned()]),
        }
    }
    words
}

trait StartsWithWords {
    fn starts_with_words(&self, words: &[&str]) -> bool;
}

impl StartsWithWords for [String] {
    fn starts_with_words(&self, words: &[&str]) -> bool {
        self.len() >= words.len() && self.iter().zip(words).all(|(own, word)| own == word)
    }
}

/// An engine in the place of one that a page names, which behaves like it: toga2 and glaurung know no
/// limit of nodes. Builds are played by this program's own engine.
fn stand_in(spec: &str, here: &Path) -> String {
    if spec.starts_with("./") {
        return spec.to_owned();
    }
    let (name, spec) = match spec.split_once('=') {
        Some((name, rest)) if !name.contains([':', ',']) => (format!("{name}="), rest),
        _ => (String::new(), spec),
    };
    let head = spec.split(',').next().unwrap();
    let (protocol, path) = head.split_once(':').unwrap_or((head, ""));
    let program = match (protocol, path.rsplit('/').next().unwrap()) {
        ("workdir", _) => return format!("{name}embedded:default"),
        ("git", _) => return format!("{name}embedded:winglet"),
        ("embedded", file) if file.contains('.') => return format!("{name}embedded:winglet"),
        ("embedded", _) => return format!("{name}{spec}"),
        (_, "mutineer") => env!("CARGO_BIN_EXE_mutineer_process").to_owned(),
        ("xboard", _) => env!("CARGO_BIN_EXE_rascal").to_owned(),
        (_, "toga2" | "glaurung") => {
            concat!(env!("CARGO_BIN_EXE_scoundrel"), " ignore-nodes").to_owned()
        }
        _ => env!("CARGO_BIN_EXE_scoundrel").to_owned(),
    };
    // A program of that name, so that names stay apart.
    let path = here.join(path.rsplit('/').next().unwrap());
    script(&path, &format!("exec {program}"));
    format!("{name}{protocol}:{}", path.display())
}

/// All players of a plan replaced.
fn replace_players(plan: &mut Value, here: &Path) {
    for key in ["base", "test", "player"] {
        match plan.get_mut(key) {
            Some(Value::String(spec)) => *spec = stand_in(spec, here),
            Some(Value::Array(specs)) => {
                let replace =
                    |spec: &mut Value| *spec = stand_in(spec.as_str().unwrap(), here).into();
                specs.iter_mut().for_each(replace);
            }
            _ => {}
        }
    }
}

/// The engines that stand in for others are known by what they play with, so a page's limit must suit
/// those that it names.
#[test]
fn matches_and_tournaments_are_played() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    fs::write(here.join("book.epd"), "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n")
        .unwrap();
    for name in ["old", "new"] {
        script(&here.join(name), &format!("exec {}", env!("CARGO_BIN_EXE_scoundrel")));
    }
    // A book that a page has made.
    fs::write(here.join("biased.epd"), "4k3/8/8/8/8/8/PPPP4/4K3 w - -\n").unwrap();
    let mut played = 0;
    for words in commands() {
        if !["match", "tournament"].contains(&words[1].as_str()) {
            continue;
        }
        let run = |words: &[String]| {
            Command::new(env!("CARGO_BIN_EXE_verdict"))
                .args(words)
                .current_dir(here)
                .output()
                .unwrap()
        };
        let printed = run(&[&words[1..], &["--print-plan".to_owned()]].concat());
        assert_eq!(printed.status.code(), Some(0), "{words:?}: {printed:?}");
        let mut plan: Value = serde_json::from_slice(&printed.stdout).unwrap();
        replace_players(&mut plan, here);
        // The limit is the page's, but for so many nodes.
        if plan["nodes"].is_u64() {
            plan["nodes"] = json!(50);
        }
        let short = json!({"pairs": 1, "max-moves": 3, "time-margin": "30s", "hang": "2s"});
        plan.as_object_mut().unwrap().extend(short.as_object().unwrap().clone());
        plan.as_object_mut().unwrap().retain(|key, _| key != "rule" && key != "scale-to");
        played += 1;
        fs::write(here.join("plan.json"), plan.to_string()).unwrap();
        let out = format!("run{played}");
        let words = [&words[1], "--plan", "plan.json", "--quiet", "--out", &out].map(str::to_owned);
        let output = run(&words);
        assert!(output.status.code().is_some_and(|code| code <= 2), "{plan}: {output:?}");
        assert_no_faults(&here.join(&out), &plan);
    }
    assert!(played >= 8, "{played}");
}

fn assert_no_faults(dir: &Path, plan: &Value) {
    let folders = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    for run in folders.chain([dir.to_owned()]).filter(|dir| dir.join("summary.json").is_file()) {
        let text = fs::read_to_string(run.join("summary.json")).unwrap();
        let summary: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(summary["faults"]["total"], 0, "{plan}: {}", summary["faults"]);
    }
}

/// The night that the page writes down is one.
#[test]
fn the_night_is_accepted() {
    let text = page("harness/docs/nights.md");
    let (_, night) = text.split_once("echo '{\"matches\"").unwrap();
    let (night, _) = night.split_once("' > night.json").unwrap();
    let mut night: Value = serde_json::from_str(&format!("{{\"matches\"{night}")).unwrap();
    let dir = tempfile::tempdir().unwrap();
    let entries = night["matches"].as_array_mut().unwrap();
    entries.iter_mut().for_each(|entry| replace_players(entry, dir.path()));
    fs::write(dir.path().join("night.json"), night.to_string()).unwrap();
    let words = ["nightly", "night.json", "--for", "0s", "--quiet"];
    let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
    let output = command.args(words).current_dir(dir.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "nothing is played in no time: {output:?}");
}
