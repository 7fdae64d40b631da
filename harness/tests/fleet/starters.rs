//! The files of `scripts/fleet`: what starts workers elsewhere.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use super::PATIENCE;

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

/// What `scripts/fleet/worker.sbatch` makes of a task of a job; `verdict` is a script that says what it is
/// told.
fn slurm_task(dir: &Path, job: &str, task: &str) -> std::process::Child {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/fleet/worker.sbatch");
    Command::new("bash")
        .arg(script)
        .arg("vw1_x")
        .env("PATH", format!("{}:{}", dir.display(), std::env::var("PATH").unwrap()))
        .envs([("SLURM_ARRAY_JOB_ID", job), ("SLURM_ARRAY_TASK_ID", task)])
        .env("SLURM_CPUS_PER_TASK", "4")
        .env("SAID", dir.join(format!("{job}.{task}")))
        .spawn()
        .unwrap()
}

#[test]
fn a_task_of_slurm_has_a_name_of_its_own_and_leaves_when_it_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let fake = "#!/bin/bash\necho \"$*\" > $SAID\ntrap 'echo told >> $SAID; exit 5' TERM\n\
                while :; do sleep 0.05; done\n";
    let path = dir.path().join("verdict");
    fs::write(&path, fake).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    let tasks = [("7", "0"), ("7", "1"), ("8", "0")];
    let mut running = tasks.map(|(job, task)| slurm_task(dir.path(), job, task));
    let said = |(job, task): (&str, &str)| {
        fs::read_to_string(dir.path().join(format!("{job}.{task}"))).unwrap_or_default()
    };
    let until = Instant::now() + PATIENCE;
    while tasks.iter().any(|task| !said(*task).ends_with('\n')) {
        assert!(Instant::now() < until, "{:?}", tasks.map(said));
        sleep(Duration::from_millis(20));
    }
    let words = |name| format!("worker --join vw1_x --name {name} --slots 4\n");
    assert_eq!(tasks.map(said), ["slurm-7-0", "slurm-7-1", "slurm-8-0"].map(words));
    for task in &mut running {
        // SAFETY: a plain system call; the process is a child that was not waited for.
        unsafe { libc::kill(task.id().cast_signed(), libc::SIGTERM) };
        assert_eq!(task.wait().unwrap().code(), Some(5), "the worker's status");
    }
    assert!(tasks.iter().all(|task| said(*task).ends_with("told\n")));
}

/// As the array job does it: a task a file, one of them twice, and nothing counts twice. More than ten tasks,
/// so that their order is not that of their numbers' digits.
#[test]
fn an_array_job_counts_as_one_process() {
    let dir = tempfile::tempdir().unwrap();
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("../scripts/fleet/count.sbatch");
    let bin = Path::new(env!("CARGO_BIN_EXE_verdict")).parent().unwrap();
    let way = format!("{}:{}", bin.display(), std::env::var("PATH").unwrap());
    let names: Vec<String> = (b'a'..=b'l').map(|it| format!("{}.pgn", char::from(it))).collect();
    for (number, name) in names.iter().enumerate() {
        let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
        let moves =
            ["1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 dxc6", "1. d4 d5 2. c4 dxc4"][number % 2];
        let game = format!("[Event \"{name}\"]\n[Result \"{result}\"]\n\n{moves} {result}\n\n");
        fs::write(dir.path().join(name), game).unwrap();
    }
    fs::write(dir.path().join("files.txt"), names.join("\n") + "\n").unwrap();
    let run = |command: &mut Command| {
        let done = command.env("PATH", &way).current_dir(dir.path()).output().unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    };
    for task in (0..names.len()).chain([0]) {
        let task = task.to_string();
        let script = [script.as_os_str(), "files.txt".as_ref(), "counts".as_ref()];
        run(Command::new("bash").args(script).env("SLURM_ARRAY_TASK_ID", task));
    }
    // As its head says it.
    run(Command::new("sh").args(["-c", "verdict tables merge counts/*.counts --out all.counts"]));
    run(Command::new("sh").args(["-c", "verdict tables count *.pgn --mit --pst --out one.counts"]));
    let [all, one] =
        ["all", "one"].map(|it| fs::read(dir.path().join(format!("{it}.counts"))).unwrap());
    assert!(all == one, "all.counts is not one.counts");
}
