//! `run.json`: written, read back, compared.

use std::fs;

use arena::record::{RecordError, RunFile, Side, sha256_file};
use serde_json::json;

use crate::common::samples::run_file;

#[test]
fn written_and_read_back() {
    let dir = tempfile::tempdir().unwrap();
    let run = run_file();
    run.write(dir.path()).unwrap();
    run.write(dir.path()).unwrap();
    assert_eq!(RunFile::read(dir.path()).unwrap(), run);
    let files: Vec<_> = fs::read_dir(dir.path()).unwrap().map(|f| f.unwrap().file_name()).collect();
    assert_eq!(files, ["run.json"], "nothing else is left behind");
    assert!(run.machine.cores.is_some_and(|cores| cores > 0));
    assert_eq!(run.created.len(), "2025-03-09T17:05:00Z".len());
    run.same_run(&RunFile::read(dir.path()).unwrap()).unwrap();
}

#[test]
fn what_is_no_run_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let error = RunFile::read(dir.path()).unwrap_err();
    assert!(error.to_string().contains("run.json: cannot read"), "{error}");
    let mut value = serde_json::to_value(run_file()).unwrap();
    value["format"] = json!(99);
    for (text, line, reason) in [
        ("{\n  \"format\": 1,\n  oops", 3, "expected a run"),
        ("{}", 1, "missing field"),
        (&value.to_string(), 1, "expected format 1, found 99"),
    ] {
        fs::write(dir.path().join("run.json"), text).unwrap();
        let error = RunFile::read(dir.path()).unwrap_err();
        let message = error.to_string();
        assert!(matches!(error, RecordError::Damaged { line: l, .. } if l == line), "{message}");
        assert!(message.contains(reason), "{message}");
    }
}

#[test]
fn a_file_that_cannot_be_replaced_stays() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("run.json");
    fs::write(&path, "old").unwrap();
    // What another process has left beside it is no hindrance.
    let temporary = format!("run.json.{}.tmp", std::process::id());
    fs::create_dir(dir.path().join(temporary)).unwrap();
    run_file().write(dir.path()).unwrap();
    assert!(RunFile::read(dir.path()).is_ok());
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(run_file().write(dir.path()).is_err());
    assert!(path.is_dir());
}

#[test]
fn another_run_is_told_by_its_first_difference() {
    type Change = fn(&mut RunFile);
    let same: [(&str, Change); 7] = [
        ("nothing", |_| {}),
        ("created", |run| run.created = "2001-01-01T00:00:00Z".to_owned()),
        ("machine", |run| run.machine.cpu = Some("another".to_owned())),
        ("version", |run| run.versions.verdict = "99.0.0".to_owned()),
        ("book moved", |run| run.book.as_mut().unwrap().path = "/elsewhere.epd".to_owned()),
        ("concurrency", |run| run.plan["concurrency"] = json!(2_000)),
        ("slots", |run| _ = run.plan.as_object_mut().unwrap().shift_remove("slots")),
    ];
    for (name, change) in same {
        let mut now = run_file();
        change(&mut now);
        assert_eq!(run_file().same_run(&now), Ok(()), "{name}");
    }
    let different: [(&str, Change); 10] = [
        ("seed was 1 when the run started, and is 2 now", |run| run.seed = 2),
        ("base.spec was \"embedded:default\" when", |run| run.base.spec = "x".to_owned()),
        ("test.build was \"abab", |run| run.test.build = None),
        ("test.options.search.pvs was false when the run started, and is true now", |run| {
            run.test.options["search.pvs"] = json!(true);
        }),
        ("base.options.lmr.on was absent when the run started, and is false now", |run| {
            run.base.options.insert("lmr.on".to_owned(), json!(false));
        }),
        ("book.sha256 was", |run| run.book.as_mut().unwrap().sha256 = String::new()),
        ("book was {", |run| run.book = None),
        ("plan.limit.nodes was 3000", |run| run.plan["limit"] = json!({"nodes": 3001})),
        ("plan.adjudication[1].resign was 3", |run| run.plan["adjudication"][1] = json!({})),
        ("plan.elo1 was 0.1 when the run started, and is 0.2 now", |run| {
            run.plan["elo1"] = json!(0.2)
        }),
    ];
    for (expected, change) in different {
        let mut now = run_file();
        change(&mut now);
        let message = run_file().same_run(&now).unwrap_err().to_string();
        assert!(message.starts_with(expected), "{message}");
    }
}

/// A program that does not start on one day must not keep its run from going on on another.
#[test]
fn a_program_that_could_not_be_asked_may_be_the_same() {
    let mut unheard = run_file();
    unheard.test.name = String::new();
    unheard.test.options.clear();
    unheard.test.spec = "uci:/usr/games/an engine,Hash=4".to_owned();
    let mut heard = unheard.clone();
    heard.test.name = "Engine 1".to_owned();
    heard.test.options.insert("Threads".to_owned(), json!("1"));
    for (recorded, now) in [(&heard, &unheard), (&unheard, &heard)] {
        assert_eq!(recorded.same_run(now), Ok(()));
    }
    assert_eq!(unheard.label(Side::Test), "an engine (0123456789)");
    heard.test.build = None;
    assert!(unheard.same_run(&heard).unwrap_err().field.starts_with("test.build"));
    let mut other = heard.clone();
    other.test.name = "Engine 2".to_owned();
    assert_eq!(heard.same_run(&other).unwrap_err().field, "test.name");
}

#[test]
fn labels_never_coincide() {
    let mut run = run_file();
    assert_eq!(run.label(Side::Base), "mutineer 0.1.0 (0123456789)");
    assert_eq!(run.label(Side::Test), "mutineer 0.1.0 (0123456789) search.pvs=false");
    run.test = run.base.clone();
    assert_eq!(run.label(Side::Base), "mutineer 0.1.0 (0123456789) [base]");
    assert_eq!(run.label(Side::Test), "mutineer 0.1.0 (0123456789) [test]");
    run.test.commit = Some("0123456789abcdef+fedcba9876".to_owned());
    assert_eq!(run.label(Side::Test), "mutineer 0.1.0 (0123456789+fedcba)");
    run.test.commit = run.base.commit.clone();
    for name in ["a", "b", "c", "d", "e"] {
        run.test.options.insert(name.to_owned(), json!("1"));
    }
    assert_eq!(run.label(Side::Test), "mutineer 0.1.0 (0123456789) a=1 b=1 c=1 +2 options");
}

#[test]
fn hashes_of_files() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("abc");
    fs::write(&file, "abc").unwrap();
    assert_eq!(
        sha256_file(&file).unwrap(),
        "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    );
    assert!(sha256_file(&dir.path().join("none")).is_err());
}
