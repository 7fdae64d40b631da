//! mutineer in OpenBench: built and benched as OpenBench's worker does it (`Client/utils.py` and
//! `Client/bench.py` of commit 9906bad), and the description of the engine that its server reads
//! (`OpenBench/config.py`).

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

/// Removed when the test ends, however it ends.
struct Left(PathBuf);

impl Drop for Left {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// The number beside one of the words: before it (`N nodes`) or behind it (`nodes N`). Every other
/// character counts as a space, case does not count, and the last line that has one decides.
fn number_beside(output: &str, word: &str, behind: &[&str]) -> Option<u64> {
    let number = |text: Option<&str>| {
        let digits: String = text?.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().ok()
    };
    output.lines().rev().find_map(|line| {
        let clean = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { ' ' };
        let line: String = line.chars().map(clean).collect();
        let words: Vec<&str> = line.split_whitespace().collect();
        let before = words
            .windows(2)
            .find(|pair| pair[1].starts_with(word) && pair[0].chars().all(|c| c.is_ascii_digit()));
        let behind = behind.iter().find_map(|start| line.split_once(start));
        number(before.map(|pair| pair[0]))
            .or_else(|| number(behind.and_then(|(_, rest)| rest.split_whitespace().next())))
    })
}

/// Bench and nodes a second, as the worker finds them.
fn read_by_the_worker(output: &str) -> (Option<u64>, Option<u64>) {
    let bench = number_beside(output, "nodes", &["nodes searched ", "nodes "]);
    (bench, number_beside(output, "nps", &["nps ", "nodes second "]))
}

#[test]
fn the_worker_reads_what_engines_print() {
    for (output, found) in [
        ("1: 5 nodes\n123 nodes 456 nps\n", (Some(123), Some(456))),
        ("Nodes searched  : 123\nNodes/second    : 456\n", (Some(123), Some(456))),
        ("NPS: 456\nbest\n", (None, Some(456))),
        ("", (None, None)),
    ] {
        assert_eq!(read_by_the_worker(output), found, "{output}");
    }
}

/// The profile and the target folder of this test, so that nothing is compiled again after
/// `cargo test --workspace`.
fn as_it_is_built_here(make: &mut Command) {
    let folder = Path::new(env!("CARGO_BIN_EXE_mutineer")).parent().expect("a folder");
    let profile = match folder.file_name().and_then(|name| name.to_str()).expect("a name") {
        "debug" => "test",
        name => name,
    };
    // Features of dependencies go by the packages that are built together, and those of
    // dev-dependencies count where a test is among the targets.
    make.args([format!("PROFILE={profile}"), "PACKAGES=--workspace --test memory".to_owned()]);
    make.env("CARGO_TARGET_DIR", folder.parent().expect("a folder"));
}

#[test]
fn make_and_bench() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = format!("openbench-test-{}", std::process::id());
    let program = Left(here.join(&name));
    let mut make = Command::new("make");
    make.args(["-j", &format!("EXE={name}"), "CXX=g++", "EVALFILE=/no/such/network"]);
    as_it_is_built_here(&mut make);
    let built = make.current_dir(here).stdin(Stdio::null()).output().expect("make is installed");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    assert!(program.0.is_file());

    // As many at once as the worker has threads.
    let bench = || {
        let mut command = Command::new(format!("./{name}"));
        command.arg("bench").current_dir(here).stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the engine starts")
    };
    let found = [bench(), bench()].map(|child| {
        let output = child.wait_with_output().expect("the bench ends");
        assert!(output.status.success(), "{output:?}");
        let said = [output.stdout, output.stderr].concat();
        let (nodes, nps) = read_by_the_worker(&String::from_utf8(said).expect("text"));
        assert!(nps.is_some_and(|nps| nps > 0), "{nps:?}");
        nodes.expect("a bench")
    });
    assert_eq!(found[0], found[1]);
    // `scripts/bench-check.sh` compares the whole with the history.
    assert!(found[0] > 100_000, "{found:?}");
}

#[test]
fn a_build_that_fails_says_so() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let name = format!("openbench-broken-{}", std::process::id());
    let program = Left(here.join(&name));
    let mut make = Command::new("make");
    make.args(["-j", &format!("EXE={name}"), "CARGO=false"]).current_dir(here);
    let failed = make.output().expect("make is installed");
    assert!(!failed.status.success(), "{failed:?}");
    assert!(!program.0.exists());
}

/// The keys and types that the server's `verify_engine_…` functions ask for.
#[test]
fn the_description_is_one_that_the_server_accepts() {
    let page = include_str!("../docs/openbench.md");
    let (_, json) = page.split_once("```json\n").expect("a block of JSON");
    let (json, _) = json.split_once("```").expect("its end");
    let engine: Value = serde_json::from_str(json).expect("JSON");
    assert!(engine["private"].is_boolean() && engine["source"].is_string(), "{engine}");
    assert!(engine["nps"].as_u64().is_some_and(|nps| nps > 0), "{engine}");
    assert_eq!(engine["build"]["path"], "engine");
    for key in ["compilers", "cpuflags", "systems"] {
        let all = engine["build"][key].as_array().expect(key);
        assert!(!all.is_empty() && all.iter().all(Value::is_string), "{key}");
    }
    let known: [&[&str]; 2] = [
        &[
            "both_options",
            "both_time_control",
            "base_branch",
            "book_name",
            "test_bounds",
            "test_confidence",
            "win_adj",
            "draw_adj",
            "workload_size",
        ],
        &[
            "dev_options",
            "dev_time_control",
            "book_name",
            "win_adj",
            "draw_adj",
            "spsa_iterations",
            "spsa_pairs_per",
        ],
    ];
    for (presets, known) in ["test_presets", "tune_presets"].into_iter().zip(known) {
        let presets = engine[presets].as_object().expect(presets);
        assert!(presets.contains_key("default"), "{presets:?}");
        for preset in presets.values() {
            let keys = preset.as_object().expect("a preset").keys();
            keys.for_each(|key| assert!(known.contains(&key.as_str()), "{key}"));
        }
        // The options that the server insists on.
        for options in
            presets.values().filter_map(|it| it.get("both_options").or(it.get("dev_options")))
        {
            let options = options.as_str().expect("text");
            assert!(options.contains("Threads=1") && options.contains("Hash="), "{options}");
        }
    }
}
