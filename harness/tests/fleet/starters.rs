//! The files of `scripts/fleet`: what starts workers elsewhere.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn starters() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/fleet");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    files.sort();
    assert_eq!(files.len(), 5, "{files:?}");
    files.into_iter().map(|path| (path.clone(), fs::read_to_string(path).unwrap())).collect()
}

/// Every flag of every `verdict …` in them is one of that command.
#[test]
fn they_type_what_there_is() {
    let mut typed = 0;
    for (path, text) in starters() {
        let whole = text.replace("\\\n", " ");
        for line in whole.lines() {
            let line = line.trim_start_matches(['#', ' ']);
            let Some((_, command)) = line.split_once("verdict ") else { continue };
            let words: Vec<&str> = command.split_whitespace().collect();
            let word = match words[..] {
                ["worker", ..] => vec!["worker"],
                ["tables", what @ ("count" | "merge"), ..] => vec!["tables", what],
                _ => continue,
            };
            let help = Command::new(env!("CARGO_BIN_EXE_verdict"))
                .args(&word)
                .arg("--help")
                .output()
                .unwrap();
            let help = String::from_utf8(help.stdout).unwrap();
            for flag in words.iter().filter_map(|word| word.strip_prefix("--")) {
                let flag = flag.trim_end_matches(['\'', '"']);
                assert!(help.contains(&format!("--{flag}")), "{}: --{flag}", path.display());
                typed += 1;
            }
        }
    }
    assert!(typed >= 12, "{typed}");
}

#[test]
fn shells_and_others_read_them() {
    for (path, text) in starters() {
        match path.extension().and_then(|it| it.to_str()) {
            Some("sbatch" | "sh") => {
                let read = Command::new("bash").arg("-n").arg(&path).status().unwrap();
                assert!(read.success(), "{}", path.display());
            }
            Some("service") => {
                for part in ["[Unit]", "[Service]", "[Install]"] {
                    assert!(text.lines().any(|line| line == part), "{part}");
                }
                let plain = |line: &&str| {
                    !line.is_empty() && !line.starts_with('#') && !line.starts_with('[')
                };
                assert!(text.lines().filter(plain).all(|line| line.split_once('=').is_some()));
            }
            Some("yaml") => {
                let script = "import sys, yaml\nj = yaml.safe_load(open(sys.argv[1]))\n\
                              t = j['spec']['template']['spec']\n\
                              assert j['kind'] == 'Job' and t['restartPolicy'] == 'OnFailure'\n\
                              assert 'verdict worker' in t['containers'][0]['args'][0]";
                let has = Command::new("python3").args(["-c", "import yaml"]).output();
                if !has.is_ok_and(|it| it.status.success()) {
                    println!("skipped: python3-yaml is missing (apt-get install python3-yaml)");
                    continue;
                }
                let read =
                    Command::new("python3").args(["-c", script]).arg(&path).output().unwrap();
                assert!(read.status.success(), "{}", String::from_utf8_lossy(&read.stderr));
            }
            other => panic!("{other:?}"),
        }
    }
}

/// As the array job does it: a task a file, one of them twice, and nothing counts twice.
#[test]
fn an_array_job_counts_as_one_process() {
    let dir = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/fleet/count.sbatch");
    let bin = Path::new(env!("CARGO_BIN_EXE_verdict")).parent().unwrap();
    let way = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let game = |result: &str, moves: &str| {
        format!("[Event \"a\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n")
    };
    for (name, text) in [
        ("a.pgn", game("1-0", "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6")),
        ("b.pgn", game("0-1", "1. d4 d5 2. c4 dxc4") + &game("1/2-1/2", "1. c4 c5")),
    ] {
        fs::write(dir.path().join(name), text).unwrap();
    }
    fs::write(dir.path().join("files.txt"), "a.pgn\nb.pgn\n").unwrap();
    let run = |words: &[&str]| {
        let done = Command::new(env!("CARGO_BIN_EXE_verdict"))
            .args(words)
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    for task in ["0", "1", "0"] {
        let done = Command::new("bash")
            .arg(&script)
            .args(["files.txt", "counts"])
            .env("SLURM_ARRAY_TASK_ID", task)
            .env("PATH", &way)
            .current_dir(dir.path())
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    }
    run(&["tables", "merge", "counts/0.counts", "counts/1.counts", "--out", "all.counts"]);
    run(&["tables", "count", "a.pgn", "b.pgn", "--mit", "--pst", "--out", "one.counts"]);
    for counts in ["all.counts", "one.counts"] {
        let out = counts.replace(".counts", "");
        run(&["tables", "mit", counts, "--out", &out]);
    }
    let table = |name: &str| {
        let mut files: Vec<_> =
            fs::read_dir(dir.path().join(name)).unwrap().map(|it| it.unwrap().path()).collect();
        files.sort();
        let text = |path: &PathBuf| (path.file_name().unwrap().to_owned(), fs::read(path).unwrap());
        let tables = files.iter().filter(|path| path.extension().is_some_and(|it| it == "mat"));
        tables.map(text).collect::<Vec<_>>()
    };
    assert!(!table("one").is_empty());
    assert_eq!(table("all"), table("one"));
}
