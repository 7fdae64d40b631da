//! Programs, books and what options name, by their hash.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arena::build::{Cache, Recipe, Wanted, build, build_received, pack_sources};
use process::children::{Confinement, Sandbox, SandboxKind};

use super::{Fleet, Running};
use crate::common::canonical::canonical;
use crate::common::script::script;

/// How a worker may run programs of others here.
fn sandbox() -> SandboxKind {
    match Sandbox::find(SandboxKind::Bwrap) {
        Ok(_) => SandboxKind::Bwrap,
        Err(why) => {
            println!("without a sandbox: {why}");
            SandboxKind::Off
        }
    }
}

impl Fleet {
    /// A worker with a cache of its own, as on another machine; its log is `NAME.log`.
    pub(super) fn stranger(&self, token: &str, name: &str, words: &str) -> Running {
        let log = format!("{name}.log");
        let file = fs::File::create(self.path(&log)).unwrap();
        let mut command = self.command(&format!(
            "worker --join {token} --name {name} --slots 2 --sandbox {} {words}",
            sandbox()
        ));
        // A home that is another one than the coordinator's.
        command.env("VERDICT_CACHE", self.cache(name)).env("HOME", "/tmp");
        command.stdout(file.try_clone().unwrap()).stderr(file);
        let mut worker = Running(command.spawn().unwrap());
        self.wait_for(&log, "joined", &mut worker);
        worker
    }

    /// A match that workers alone play; its exit code.
    fn play(&self, words: &str) -> Option<i32> {
        self.begin("match.log", &format!("{words} --fleet srv --slots 0")).code()
    }

    pub(super) fn cache(&self, name: &str) -> PathBuf {
        self.path(&format!("cache-{name}"))
    }
}

/// A copy, written by another process: see [`script`].
pub(super) fn engine(name: &str, to: &Path) {
    assert!(Command::new("cp").args([Path::new(name), to]).status().unwrap().success());
}

/// The names of all files in a worker's cache, sorted.
pub(super) fn cached(cache: &Path) -> Vec<String> {
    let folders = fs::read_dir(cache.join("fleet")).into_iter().flatten().flatten();
    let files = folders.flat_map(|folder| fs::read_dir(folder.path()).into_iter().flatten());
    let mut names: Vec<String> =
        files.flatten().map(|file| file.file_name().into_string().unwrap()).collect();
    names.sort_unstable();
    names
}

#[test]
fn a_program_and_what_it_reads_are_sent() {
    let Some(fleet) = Fleet::start() else { return };
    engine(env!("CARGO_BIN_EXE_mutineer_process"), &fleet.path("first"));
    engine(env!("CARGO_BIN_EXE_scoundrel"), &fleet.path("second"));
    let book =
        fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../openings/balanced_8ply.epd"));
    let book: String =
        book.unwrap().lines().take(50).fold(String::new(), |book, line| book + line + "\n");
    fs::write(fleet.path("my,book.epd"), book).unwrap();
    let words = "match --base uci:second,arg=first --test first --nodes 200 --pairs 6 --quiet \
                 --book my,book.epd --rule los=95";
    let alone = fleet.run(&format!("{words} --out alone"));
    assert!(alone.status.code().is_some_and(|code| code < 3), "{alone:?}");
    let token = fleet.invite("alice");
    let _worker = fleet.stranger(&token, "pc", "");
    let played = fleet.play(&format!("{words} --out sent"));
    assert_eq!(played, alone.status.code(), "{}", fleet.log("pc.log"));
    let games = |run: &str| canonical(&fleet.path(run), None).unwrap();
    assert_eq!(games("sent"), games("alone"));
    assert_eq!(cached(&fleet.cache("pc")), ["first", "my,book.epd", "second"]);
    // Nobody needs them any more.
    assert_eq!(fleet.play(&format!("{words} --out again")), alone.status.code());
    assert_eq!(games("again"), games("alone"));
}

#[test]
fn a_program_that_plays_otherwise_there_is_declined() {
    let Some(fleet) = Fleet::start() else { return };
    // Its home decides how it plays: a machine on which a program finds something else.
    script(
        &fleet.path("turncoat"),
        "case \"$HOME\" in /tmp) exec \"$1\" seed:7;; *) exec \"$1\" first;; esac",
    );
    let scoundrel = env!("CARGO_BIN_EXE_scoundrel");
    let token = fleet.invite("alice");
    let mut worker = fleet.stranger(&token, "pc", "");
    let words = format!(
        "match --base uci:{scoundrel},arg=first --test uci:turncoat,arg={scoundrel} --nodes 200 \
         --pairs 400 --quiet --fleet srv --out run --slots 1"
    );
    let mut command = fleet.command(&words);
    let log = fs::File::create(fleet.path("match.log")).unwrap();
    command.env("HOME", fleet.path("home")).stdout(log.try_clone().unwrap()).stderr(log);
    let _playing = Running(command.spawn().unwrap());
    fleet.wait_for("pc.log", "is not played here", &mut worker);
    let log = fleet.log("pc.log");
    assert!(log.contains("signature") && log.contains("expected"), "{log}");
    // The others go on.
    fleet.wait_for_games("run", 40);
    let status = fleet.status();
    assert!(status["workers"].to_string().contains("signature"), "{status}");
    assert!(!fleet.log("run/games.jsonl").contains("alice.pc"));
}

#[test]
fn what_is_installed_is_not_sent() {
    let Some(fleet) = Fleet::start() else { return };
    for name in ["mine", "theirs"] {
        engine(env!("CARGO_BIN_EXE_scoundrel"), &fleet.path(name));
    }
    let token = fleet.invite("alice");
    let _worker = fleet.stranger(&token, "pc", "--have scoundrel=theirs");
    let played = fleet.play(
        "match --base uci:mine,arg=first --test uci:mine,arg=first --nodes 200 --pairs 4 --quiet --out run",
    );
    assert!(played.is_some_and(|code| code < 3), "{}", fleet.log("pc.log"));
    assert_eq!(fleet.log("run/games.jsonl").lines().count(), 8);
    assert_eq!(cached(&fleet.cache("pc")), [""; 0]);
    let wrong = fleet.run(&format!("worker --join {token} --have x=no-such-file"));
    assert_eq!(wrong.status.code(), Some(64));
}

pub(super) fn git(repo: &Path, words: &[&str]) {
    let done = Command::new("git")
        .args(["-c", "user.name=a", "-c", "user.email=a@b", "-C"])
        .arg(repo)
        .args(words)
        .output()
        .unwrap();
    assert!(done.status.success(), "{words:?}: {done:?}");
}

/// A build that is made again from what was sent of it, and what it may not do.
#[test]
fn sources_are_built_in_the_sandbox() {
    let dir = tempfile::tempdir().unwrap();
    let repo = dir.path().join("repo");
    fs::create_dir(&repo).unwrap();
    fs::write(dir.path().join("secret"), "secret").unwrap();
    script(
        &repo.join("make.sh"),
        &format!(
            "mkdir -p out; {{ echo '#!/bin/sh'; echo echo made; cat {}; true; }} > out/engine; chmod +x \
             out/engine",
            dir.path().join("secret").display()
        ),
    );
    git(dir.path(), &["init", "-q", "repo"]);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-qm", "one"]);
    let recipe =
        Recipe { repo, command: "./make.sh".to_owned(), binary: PathBuf::from("out/engine") };
    let cache = Cache::at(dir.path().join("here"));
    let wanted = Wanted::Revision("HEAD".to_owned());
    let built = build(&wanted, &recipe, &cache, &|_| ()).unwrap();
    let read = |path: &Path| fs::read_to_string(path).unwrap();
    assert!(read(&built.binary).contains("secret"));
    let packed = dir.path().join("sources.zst");
    assert!(pack_sources(&built.identity, &cache, &packed).unwrap());
    let sandbox = match Sandbox::find(SandboxKind::Bwrap) {
        Ok(sandbox) => sandbox,
        Err(why) => {
            println!("skipped: {why}");
            return;
        }
    };
    let theirs = Cache::at(dir.path().join("there"));
    let confinement = Confinement::of(sandbox);
    let how = ("./make.sh", Path::new("out/engine"));
    let make = || build_received(&packed, how, &theirs, &confinement, &|_| ()).unwrap();
    let made = make();
    assert!(read(&made.binary).contains("made") && !read(&made.binary).contains("secret"));
    assert!(!made.cached && make().cached);
    // A commit of that name is not taken for it.
    assert_ne!(made.identity.commit, built.identity.commit);
    let other = ("./make.sh", Path::new("out/other"));
    assert!(build_received(&packed, other, &theirs, &confinement, &|_| ()).is_err());
    // Nothing half is left.
    assert_eq!(fs::read_dir(theirs.root().join("trees")).unwrap().count(), 0);
}

/// Its crates are fetched before, and the build has no network.
#[test]
fn cargo_builds_in_the_sandbox() {
    let sandbox = match Sandbox::find(SandboxKind::Bwrap) {
        Ok(sandbox) => sandbox,
        Err(why) => {
            println!("skipped: {why}");
            return;
        }
    };
    let dir = tempfile::tempdir().unwrap();
    let repo = dir.path().join("repo");
    fs::create_dir_all(repo.join("src")).unwrap();
    let package =
        "[package]\nname = \"tiny\"\nversion = \"0.1.0\"\nedition = \"2024\"\n[workspace]\n";
    fs::write(repo.join("Cargo.toml"), package).unwrap();
    fs::write(repo.join("src/main.rs"), "fn main() { println!(\"made\"); }\n").unwrap();
    git(dir.path(), &["init", "-q", "repo"]);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-qm", "one"]);
    let (command, binary) = ("cargo build --release", PathBuf::from("target/release/tiny"));
    let recipe = Recipe { repo, command: command.to_owned(), binary: binary.clone() };
    let cache = Cache::at(dir.path().join("here"));
    let built = build(&Wanted::WorkTree, &recipe, &cache, &|_| ()).unwrap();
    let packed = dir.path().join("sources.zst");
    assert!(pack_sources(&built.identity, &cache, &packed).unwrap());
    let theirs = Cache::at(dir.path().join("there"));
    let confinement = Confinement::of(sandbox);
    let made = build_received(&packed, (command, &binary), &theirs, &confinement, &|_| ()).unwrap();
    let output = Command::new(&made.binary).output().unwrap();
    assert_eq!(output.stdout, b"made\n");
}
