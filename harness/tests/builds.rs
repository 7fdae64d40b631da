//! Players that are built from commits and from the work tree.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;
use tempfile::TempDir;

/// A repository of an "engine": a script that says its bench, or plays as mutineer.
struct Place {
    dir: TempDir,
    /// The repository's name.
    at: &'static str,
}

impl Place {
    fn new() -> Place {
        let place = Place { dir: tempfile::tempdir().unwrap(), at: "repo" };
        fs::create_dir(place.repo()).unwrap();
        place.git("init --quiet");
        place.commit("100");
        place.commit("200");
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.dir.path().join(name)
    }

    fn repo(&self) -> PathBuf {
        self.path(self.at)
    }

    fn git(&self, words: &str) -> String {
        let mut git = Command::new("git");
        git.arg("-C").arg(self.repo());
        git.args(["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]);
        let output = git.args(words.split(' ')).output().unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    }

    /// Writes the engine's source with this bench.
    fn write(&self, bench: &str) {
        let engine = env!("CARGO_BIN_EXE_mutineer_process");
        let script = format!(
            "#!/bin/sh\nif [ \"$1\" = bench ]; then echo '{bench} nodes 7 nps'; else exec {engine}; fi\n"
        );
        fs::write(self.repo().join("engine.sh"), script).unwrap();
    }

    fn commit(&self, bench: &str) {
        self.write(bench);
        self.git("add engine.sh");
        self.git(&format!("commit --quiet -m {bench}"));
    }

    fn verdict(&self, words: &[&str]) -> Output {
        self.command(words).output().unwrap()
    }

    fn command(&self, words: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        command.env("VERDICT_CACHE", self.path("cache"));
        // A file is no place to fetch submodules from unless the user says so.
        for (key, value) in
            [("COUNT", "1"), ("KEY_0", "protocol.file.allow"), ("VALUE_0", "always")]
        {
            command.env(format!("GIT_CONFIG_{key}"), value);
        }
        command.current_dir(self.repo()).args(words);
        command
    }

    /// A short match between two builds.
    fn play(&self, base: &str, test: &str, build: &str, out: &str) -> (Option<i32>, String) {
        let out = self.path(out).display().to_string();
        let words = [
            "match",
            "--base",
            base,
            "--test",
            test,
            "--build",
            build,
            "--binary",
            "made/engine",
            "--pairs",
            "1",
            "--nodes",
            "30",
            "--max-moves",
            "6",
            "--out",
            &out,
        ];
        let output = self.verdict(&words);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    }

    fn run_file(&self, out: &str) -> Value {
        serde_json::from_slice(&fs::read(self.path(out).join("run.json")).unwrap()).unwrap()
    }
}

const BUILD: &str =
    "mkdir -p made && cp engine.sh made/engine && chmod +x made/engine && echo built";

fn builds(cache: &Path) -> usize {
    fs::read_dir(cache.join("builds")).map_or(0, Iterator::count)
}

#[test]
fn commits_and_the_work_tree_play() {
    let place = Place::new();
    let (code, said) = place.play("git:HEAD~1", "workdir", BUILD, "one");
    assert!(matches!(code, Some(0..=2)), "{said}");
    let run = place.run_file("one");
    assert_eq!((&run["base"]["bench"], &run["test"]["bench"]), (&100.into(), &200.into()), "{run}");
    assert_eq!(run["base"]["commit"], place.git("rev-parse HEAD~1"));
    assert_eq!(run["test"]["commit"], place.git("rev-parse HEAD"), "nothing is changed");
    assert_eq!(builds(&place.path("cache")), 2);

    // The same again is built no more; what the work tree changes is another build.
    let (_, said) = place.play("git:HEAD~1", "git:HEAD", BUILD, "two");
    assert!(said.matches("was built before").count() == 2, "{said}");
    place.write("200\necho more");
    fs::write(place.repo().join("new.txt"), "a new file").unwrap();
    let (_, said) = place.play("git:HEAD", "workdir", BUILD, "three");
    assert!(said.contains("+") && said.contains(", built, "), "{said}");
    let run = place.run_file("three");
    let commit = run["test"]["commit"].as_str().unwrap();
    assert!(commit.starts_with(&(place.git("rev-parse HEAD") + "+")), "{commit}");
    assert_eq!(builds(&place.path("cache")), 3);

    // A run of builds goes on like any other.
    let dir = place.path("three").display().to_string();
    let resumed = place.verdict(&["resume", &dir, "--quiet"]);
    assert!(matches!(resumed.status.code(), Some(0..=2)), "{resumed:?}");

    // They are listed, and removed.
    let listed = String::from_utf8(place.verdict(&["builds"]).stdout).unwrap();
    assert_eq!(listed.matches("bench 200").count(), 1, "{listed}");
    let pruned = place.verdict(&["builds", "prune", "--keep", "1"]);
    assert!(String::from_utf8_lossy(&pruned.stdout).contains("removed 2 builds"), "{pruned:?}");
    assert_eq!(builds(&place.path("cache")), 1);

    // What is to stay has to be said; what would go is told.
    let refused = place.verdict(&["builds", "prune"]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(64), "{said}");
    assert!(["--keep N", "--days N", "1 build,"].iter().all(|it| said.contains(it)), "{said}");
    let told = place.verdict(&["builds", "prune", "--all", "--dry-run"]);
    assert!(String::from_utf8_lossy(&told.stdout).starts_with("would remove 1 build,"), "{told:?}");
    assert_eq!(builds(&place.path("cache")), 1);

    // A run that is finished needs its builds no more.
    place.verdict(&["builds", "prune", "--all"]);
    assert_eq!(builds(&place.path("cache")), 0);
    let finished = place.verdict(&["resume", &dir]);
    let said = String::from_utf8_lossy(&finished.stderr);
    assert!(matches!(finished.status.code(), Some(0..=2)), "{finished:?}");
    assert!(said.contains("three is finished: nothing is left to play"), "{said}");
    assert_eq!(builds(&place.path("cache")), 0);

    // Another whose builds are gone makes them again, unless they can no longer be made.
    fs::write(place.path("three").join("games.jsonl"), "").unwrap();
    let resumed = place.verdict(&["resume", &dir, "--quiet"]);
    assert!(matches!(resumed.status.code(), Some(0..=2)), "{resumed:?}");
    assert_eq!(builds(&place.path("cache")), 2);
    place.verdict(&["builds", "prune", "--all"]);
    fs::write(place.path("three").join("games.jsonl"), "").unwrap();
    fs::remove_file(place.repo().join("new.txt")).unwrap();
    let refused = place.verdict(&["resume", &dir, "--quiet"]);
    let said = String::from_utf8_lossy(&refused.stderr);
    assert_eq!(refused.status.code(), Some(74), "{refused:?}");
    assert!(said.contains("the work tree of which it was built has changed"), "{said}");
}

/// What matches leave in a work tree is none of its source, wherever it lies: the same code is built once.
#[test]
fn runs_in_the_work_tree_do_not_change_its_build() {
    let place = Place::new();
    let play = |word: &[&str]| {
        let words = "--binary made/engine --pairs 1 --nodes 30 --max-moves 6 --build";
        let all = [word, &words.split(' ').collect::<Vec<_>>(), &[BUILD]].concat();
        let output = place.verdict(&all);
        assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    let head = place.git("rev-parse HEAD");
    let both = ["--base", "git:HEAD~1", "--test", "workdir"];
    let players = ["--player", "a=git:HEAD~1", "--player", "b=workdir"];
    let first = play(&[&["match"], &both[..]].concat());
    assert!(first.contains(&format!("workdir is {head}, built, ")), "{first}");
    for word in [
        [&["match"], &both[..]].concat(),
        [&["match", "--out", "runs/mine"], &both[..]].concat(),
        [&["tournament", "--out", "runs/all"], &players[..]].concat(),
        [&["match"], &both[..]].concat(),
    ] {
        let said = play(&word);
        assert!(said.contains(&format!("workdir is {head}, was built before")), "{said}");
        assert_eq!(said.matches(".gitignore: /results/").count(), 1, "{said}");
    }
    // Work that is not verdict's still counts, beside it as well.
    fs::write(place.repo().join("results/net.bin"), "a network").unwrap();
    let said = play(&[&["match"], &both[..]].concat());
    assert!(said.contains(&format!("workdir is {head}+")), "{said}");
    fs::remove_file(place.repo().join("results/net.bin")).unwrap();
    fs::write(place.repo().join(".gitignore"), "/results/\n/runs/\n").unwrap();
    place.git("add .gitignore");
    place.git("commit --quiet -m ignore");
    let said = play(&[&["match"], &both[..]].concat());
    assert!(!said.contains(".gitignore"), "{said}");
}

/// Each commit is built with the submodules that it names, wherever they are by then.
#[test]
fn submodules_are_those_of_the_commit() {
    let place = Place::new();
    let git = |folder: &str, words: &str| {
        let mut git = Command::new("git");
        git.arg("-C").arg(place.path(folder));
        git.args(["-c", "user.name=nobody", "-c", "user.email=nobody@localhost"]);
        git.args(["-c", "protocol.file.allow=always"]);
        let output = git.args(words.split(' ')).output().unwrap();
        assert!(output.status.success(), "{words}: {output:?}");
    };
    for name in ["net", "other"] {
        fs::create_dir(place.path(name)).unwrap();
        git(name, "init --quiet");
        fs::write(place.path(name).join("bench"), name.len().to_string()).unwrap();
        git(name, "add bench");
        git(name, "commit --quiet -m net");
    }
    // Where it is, is said from where the repository came from.
    fs::create_dir(place.path("origin")).unwrap();
    git("repo", &format!("remote add origin {}", place.path("origin/engine").display()));
    git("repo", "submodule --quiet add ../../net net");
    git("repo", "commit --quiet -m one");
    git("repo", "config --file=.gitmodules submodule.net.url ../../other");
    git("repo", "submodule --quiet sync");
    git("repo", "-c fetch.recurseSubmodules=no submodule --quiet update --init");
    git("repo/net", "fetch --quiet origin");
    git("repo/net", "checkout --quiet FETCH_HEAD");
    git("repo", "add .gitmodules net");
    git("repo", "commit --quiet -m two");
    let build = "mkdir -p made && sed \"s/echo '200/echo '$(cat net/bench)/\" engine.sh > made/engine \
                 && chmod +x made/engine";
    let (code, said) = place.play("git:HEAD~1", "git:HEAD", build, "run");
    assert!(matches!(code, Some(0..=2)), "{said}");
    let run = place.run_file("run");
    assert_eq!((&run["base"]["bench"], &run["test"]["bench"]), (&3.into(), &5.into()), "{run}");
}

/// In a hook git says of which repository it is: builds are none of that one's business.
#[test]
fn a_hooks_repository_is_left_alone() {
    let place = Place::new();
    let hooked = place.path("hooked");
    place.git(&format!("clone --quiet . {}", hooked.display()));
    fs::write(hooked.join("staged"), "staged").unwrap();
    let git_dir = hooked.join(".git");
    place.git(&format!("-C {} add staged", hooked.display()));
    let files = || {
        let list = ["HEAD", "index", "config"].map(|name| fs::read(git_dir.join(name)).unwrap());
        let status = place.git(&format!("-C {} status --porcelain", hooked.display()));
        (list, status)
    };
    let before = files();
    let out = place.path("run").display().to_string();
    // The build asks git, too, as build scripts do.
    let build = format!("{BUILD}; git rev-parse HEAD > {}", place.path("asked").display());
    let words = "--binary made/engine --pairs 1 --nodes 30 --max-moves 6 --build";
    let mut all = vec!["match", "--base", "git:HEAD~1", "--test", "workdir"];
    all.extend(words.split(' ').chain([&build, "--out", &out]));
    let mut command = place.command(&all);
    command.env("GIT_DIR", &git_dir).env("GIT_PREFIX", "");
    command.env("GIT_INDEX_FILE", git_dir.join("index"));
    command.env("GIT_CONFIG", git_dir.join("config"));
    place.commit("300");
    let output = command.output().unwrap();
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    assert_eq!(files(), before);
    let run = place.run_file("run");
    assert_eq!((&run["base"]["bench"], &run["test"]["bench"]), (&200.into(), &300.into()), "{run}");
    let asked = fs::read_to_string(place.path("asked")).unwrap();
    assert_eq!(asked.trim(), place.git("rev-parse HEAD"), "the last build's");
}

/// Whatever ends verdict ends its builds and benches, too, with all that they have started.
#[test]
#[cfg(target_os = "linux")]
fn nothing_builds_on_alone() {
    let place = Place::new();
    let started = place.path("started");
    let sleeper = format!("echo $$ > {}; exec sleep 300", started.display());
    let slow_build = format!("sh -c '{sleeper}'; true");
    let slow_bench = format!(
        "mkdir -p made && printf '#!/bin/sh\\n{sleeper}' > made/engine && chmod +x made/engine"
    );
    for (build, name) in [(slow_build, "build"), (slow_bench, "bench")] {
        let _ = fs::remove_file(&started);
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        command.env("VERDICT_CACHE", place.path(name)).current_dir(place.repo());
        command.args(["match", "--base", "git:HEAD", "--binary", "made/engine", "--build", &build]);
        let mut verdict = command.stderr(Stdio::null()).spawn().unwrap();
        let begun = Instant::now();
        let process = loop {
            let text = fs::read_to_string(&started).unwrap_or_default();
            if let Ok(process) = text.trim().parse::<u32>() {
                break process;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "no {name}");
            sleep(Duration::from_millis(10));
        };
        verdict.kill().unwrap();
        verdict.wait().unwrap();
        let is_alive = || {
            // One that nobody has waited for yet is dead all the same.
            let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            stat.contains("(sleep)") && !stat.contains(") Z ")
        };
        while is_alive() {
            assert!(begun.elapsed() < Duration::from_secs(60), "the {name} goes on");
            sleep(Duration::from_millis(10));
        }
    }
}

/// A mirror on a server has commits and no work tree.
#[test]
fn bare_repositories_have_commits() {
    let place = Place::new();
    let bare = place.path("bare").display().to_string();
    place.git(&format!("clone --quiet --bare . {bare}"));
    let play = |base: &str, out: &str| {
        let out = place.path(out).display().to_string();
        let words = "--binary made/engine --pairs 1 --nodes 30 --max-moves 6 --build";
        let mut all = vec!["match", "--repo", &bare, "--base", base, "--test", "git:HEAD"];
        all.extend(words.split(' ').chain([BUILD, "--out", &out]));
        let output = place.verdict(&all);
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = play("git:HEAD~1", "one");
    assert!(matches!(code, Some(0..=2)), "{said}");
    assert_eq!(place.run_file("one")["base"]["bench"], 100);
    let (code, said) = play("workdir", "two");
    assert!(code == Some(74) && said.contains("work tree"), "{code:?} {said}");
}

/// As a machine that checks a project out for every run has them.
#[test]
fn shallow_repositories_have_commits_of_later() {
    let mut place = Place::new();
    let deep = format!("file://{}", place.repo().display());
    place.at = "shallow";
    let shallow = place.repo().display().to_string();
    let words = ["clone", "--quiet", "--depth", "1", &deep, &shallow];
    assert!(Command::new("git").args(words).status().unwrap().success());
    let (code, said) = place.play("git:HEAD", "git:HEAD", BUILD, "first");
    assert!(matches!(code, Some(0..=2)), "{said}");
    place.commit("300");
    let (code, said) = place.play("git:HEAD~1", "git:HEAD", BUILD, "second");
    assert!(matches!(code, Some(0..=2)), "{said}");
    let run = place.run_file("second");
    assert_eq!((&run["base"]["bench"], &run["test"]["bench"]), (&200.into(), &300.into()), "{run}");
}

/// What is submodules' own is not built half: their changes are not in any commit of this repository.
#[test]
fn changed_submodules_are_refused() {
    let place = Place::new();
    fs::create_dir(place.path("net")).unwrap();
    let net = place.path("net");
    for words in ["init --quiet", "commit --quiet --allow-empty -m net"] {
        place.git(&format!("-C {} {words}", net.display()));
    }
    place
        .git(&format!("-c protocol.file.allow=always submodule --quiet add {} net", net.display()));
    place.git("commit --quiet -m submodule");
    let (code, said) = place.play("git:HEAD", "workdir", BUILD, "one");
    assert!(matches!(code, Some(0..=2)), "{said}");
    place.git("-C net commit --quiet --allow-empty -m more");
    let (code, said) = place.play("git:HEAD", "workdir", BUILD, "two");
    assert!(code == Some(74) && said.contains("net: the submodule is changed"), "{code:?} {said}");
}

/// Links are copied as links, and what replaces one is not written through it.
#[test]
fn links_are_not_followed() {
    let place = Place::new();
    let precious = place.path("precious");
    fs::create_dir(&precious).unwrap();
    fs::write(precious.join("file"), "precious").unwrap();
    let repo = place.repo();
    let link = |to: &Path, name: &str| {
        let at = repo.join(name);
        let _ = fs::remove_file(&at);
        std::os::unix::fs::symlink(to, at).unwrap();
    };
    fs::write(repo.join("a"), "a").unwrap();
    fs::write(repo.join("b"), "b").unwrap();
    fs::write(repo.join("turns"), "file").unwrap();
    link(Path::new("a"), "net");
    link(&precious.join("file"), "file");
    link(&precious, "folder");
    place.git("add .");
    place.git("commit --quiet -m links");
    link(Path::new("b"), "net");
    for name in ["file", "folder", "turns"] {
        fs::remove_file(repo.join(name)).unwrap();
    }
    fs::write(repo.join("file"), "mine").unwrap();
    for name in ["folder", "turns"] {
        fs::create_dir(repo.join(name)).unwrap();
        fs::write(repo.join(name).join("file"), "mine").unwrap();
    }
    let seen = place.path("seen").display().to_string();
    let look = format!("cat net a b file folder/file turns/file > {seen}.$(cat net)");
    let (code, said) = place.play("git:HEAD", "workdir", &format!("{BUILD}; {look}; true"), "one");
    assert!(matches!(code, Some(0..=2)), "{said}");
    assert_eq!(fs::read_to_string(precious.join("file")).unwrap(), "precious");
    assert_eq!(
        fs::read_to_string(place.path("seen.b")).unwrap(),
        "babminemine".to_owned() + "mine"
    );
    // The folder that has become a file again.
    fs::remove_dir_all(repo.join("turns")).unwrap();
    fs::write(repo.join("turns"), "again").unwrap();
    let look = format!("cat turns > {seen}.last");
    let (code, said) = place.play("git:HEAD", "workdir", &format!("{BUILD}; {look}; true"), "two");
    assert!(matches!(code, Some(0..=2)), "{said}");
    assert_eq!(fs::read_to_string(place.path("seen.last")).unwrap(), "again");
}

/// Only cargo knows which of the results that lie about are of other flags.
#[test]
fn results_of_another_build_are_not_taken() {
    let place = Place::new();
    let build = |bench: &str| {
        format!(
            "mkdir -p made target && \
             {{ [ -e target/engine ] || sed s/200/{bench}/ engine.sh > target/engine; }} && \
             cp target/engine made/engine && chmod +x made/engine"
        )
    };
    for bench in ["300", "400"] {
        let (code, said) = place.play("git:HEAD", "git:HEAD", &build(bench), bench);
        assert!(matches!(code, Some(0..=2)), "{said}");
        assert_eq!(place.run_file(bench)["test"]["bench"].to_string(), bench);
    }
}

/// A commit alone is what the work tree is measured against.
#[test]
fn against_a_commit_the_work_tree_is_judged() {
    let place = Place::new();
    let out = place.path("run").display().to_string();
    let words = "--binary made/engine --pairs 1 --nodes 30 --max-moves 6 --build";
    let mut all = vec!["match", "--base", "git:HEAD~1", "--out", &out];
    all.extend(words.split(' ').chain([BUILD]));
    let output = place.verdict(&all);
    assert!(matches!(output.status.code(), Some(0..=2)), "{output:?}");
    let run = place.run_file("run");
    assert_eq!((&run["base"]["bench"], &run["test"]["bench"]), (&100.into(), &200.into()), "{run}");
}

#[test]
fn equal_benches_are_told() {
    let place = Place::new();
    place.git("commit --quiet --allow-empty -m same");
    let (_, said) = place.play("git:HEAD~1", "git:HEAD", BUILD, "run");
    assert!(said.contains("no functional change"), "{said}");
    let page = fs::read_to_string(place.path("run/summary.md")).unwrap();
    assert!(page.contains("\nBench: 200 (base 200): no functional change\n"), "{page}");
}

#[test]
fn what_does_not_build_stops_before_the_first_game() {
    let place = Place::new();
    for (base, build, told) in [
        ("git:HEAD", "echo engine.c:3: expected a brace; exit 1", "engine.c:3: expected a brace"),
        ("git:HEAD", "true", "left no made/engine"),
        ("git:no-such-branch", BUILD, "no-such-branch"),
    ] {
        let (code, said) = place.play(base, "embedded", build, "run");
        assert_eq!(code, Some(74), "{said}");
        assert!(said.contains(told), "{told}: {said}");
        assert!(!place.path("run").exists());
    }
    let nowhere = place.verdict(&["match", "--base", "git:HEAD", "--repo", "/nowhere"]);
    assert_eq!(nowhere.status.code(), Some(74), "{nowhere:?}");
}
