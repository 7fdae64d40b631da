//! Disks that are full, at a worker and at a coordinator.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread::sleep;
use std::time::{Duration, Instant};

use process::children::{Sandbox, SandboxKind};

use super::files::{cached, git};
use super::{Fleet, PATIENCE, Running};
use crate::common::canonical::canonical;
use crate::common::script::script;
use crate::common::verdict::limited;

/// A match with a file to be sent.
const MATCH: &str = "match --test embedded,search.pvs=false --nodes 20 --max-moves 20 --pairs 12 --quiet --book book.epd";

/// A broker, and a book of 300 kB.
fn start() -> Option<Fleet> {
    let fleet = Fleet::start()?;
    let book = Path::new(env!("CARGO_MANIFEST_DIR")).join("../openings/balanced_8ply.epd");
    fs::copy(book, fleet.path("book.epd")).unwrap();
    Some(fleet)
}

/// The worker that has said so is told in words what to do.
fn assert_declines(fleet: &Fleet, worker: &mut Running) {
    fleet.wait_for("pc.log", "is not played here", worker);
    let said = fleet.log("pc.log");
    for words in ["book.epd", "no room in", "cache/fleet", "make room there", "VERDICT_CACHE"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let left = fs::read_dir(fleet.path("cache/fleet")).into_iter().flatten().count();
    assert_eq!(left, 0, "half a file is left");
}

#[test]
fn a_file_that_does_not_fit_is_declined_by_this_worker_alone() {
    let Some(fleet) = start() else { return };
    let token = fleet.invite("alice");
    let mut command = fleet.command(&format!("worker --join {token} --name pc --slots 1"));
    command.env("VERDICT_CACHE", fleet.path("cache"));
    limited(&mut command, 100_000);
    let mut worker = fleet.spawn("pc.log", command);
    fleet.wait_for("pc.log", "joined", &mut worker);
    let words = MATCH.replace("--pairs 12", "--pairs 4000");
    let mut playing = fleet.begin("match.log", &format!("{words} --out run --fleet srv --slots 1"));
    assert_declines(&fleet, &mut worker);
    let status = fleet.status();
    assert!(status["workers"].to_string().contains("no room in"), "{status}");
    // The others go on.
    let before = fleet.log("run/games.jsonl").lines().count();
    fleet.wait_for_games("run", before + 4);
    assert!(!fleet.log("run/games.jsonl").contains("alice.pc"));
    // Who waits for the match need not ask.
    fleet.wait_for("match.log", "alice.pc does not play run: ", &mut playing);
    playing.signal(libc::SIGINT);
    assert_eq!(playing.code(), Some(2), "{}", fleet.log("match.log"));
}

/// As soon as there is room, it plays.
#[test]
fn a_worker_whose_disk_was_full_plays_when_there_is_room() {
    let Some(fleet) = start() else { return };
    fs::create_dir(fleet.path("cache")).unwrap();
    let mount = |size: &str| format!("mount -t tmpfs -o {size} cache cache");
    let unshared = |script: &str| {
        let mut command = Command::new("unshare");
        command.args(["-rm", "sh", "-c", script]).current_dir(fleet.dir.path());
        command
    };
    let tried = unshared(&mount("size=64m")).output();
    if !tried.as_ref().is_ok_and(|it| it.status.success()) {
        println!("skipped: a small disk cannot be mounted here: {tried:?}");
        return;
    }
    let token = fleet.invite("alice");
    // The disk grows when the file `more` is there.
    let script = format!(
        "{} || exit 1; (for i in $(seq 900); do [ -e more ] && break; sleep 0.1; done; {}) & VERDICT_CACHE=cache \
         exec {} worker --join {token} --name pc --slots 1 --sandbox off",
        mount("size=64m"),
        mount("remount,size=4g"),
        env!("CARGO_BIN_EXE_verdict"),
    );
    let mut worker = fleet.spawn("pc.log", unshared(&script));
    fleet.wait_for("pc.log", "joined", &mut worker);
    let alone = fleet.run(&format!("{MATCH} --out alone"));
    let mut playing = fleet.begin("match.log", &format!("{MATCH} --out run --fleet srv --slots 0"));
    assert_declines(&fleet, &mut worker);
    fs::write(fleet.path("more"), "").unwrap();
    assert_eq!(playing.code(), alone.status.code(), "{}", fleet.log("pc.log"));
    let said = fleet.log("pc.log");
    // It is told once, however often it is tried.
    assert_eq!(said.matches("is not played here").count(), 1, "{said}");
    assert_eq!(
        canonical(&fleet.path("run"), None).unwrap(),
        canonical(&fleet.path("alone"), None).unwrap()
    );
}

/// The compiler says that the disk is full: another attempt may work.
#[test]
fn a_build_that_does_not_fit_is_tried_again_later() {
    let Some(fleet) = start() else { return };
    let repo = fleet.path("repo");
    fs::create_dir(&repo).unwrap();
    // In the sandbox of the worker this folder is not seen.
    script(
        &repo.join("make.sh"),
        &format!(
            "[ -e {} ] || {{ echo 'cc: No space left on device' >&2; exit 1; }}; mkdir -p out; cp {} out/engine",
            fleet.path("book.epd").display(),
            env!("CARGO_BIN_EXE_mutineer_process"),
        ),
    );
    git(fleet.dir.path(), &["init", "-q", "repo"]);
    git(&repo, &["add", "."]);
    git(&repo, &["commit", "-qm", "one"]);
    if let Err(why) = Sandbox::find(SandboxKind::Bwrap) {
        println!("skipped: {why}");
        return;
    }
    let token = fleet.invite("alice");
    let mut worker = fleet.stranger(&token, "pc", "");
    let mut command = fleet.command(
        "match --repo repo --build ./make.sh --binary out/engine --base git:HEAD --test git:HEAD --nodes 60 \
         --pairs 400 --quiet --rule los=95 --builds make --fleet srv --slots 1 --out run",
    );
    command.env("VERDICT_CACHE", fleet.path("here"));
    let mut playing = fleet.spawn("match.log", command);
    let until = Instant::now() + PATIENCE;
    while !fleet.log("pc.log").contains("is not played here") {
        let said = fleet.log("match.log");
        assert!(playing.0.try_wait().unwrap().is_none() && Instant::now() < until, "{said}");
        sleep(Duration::from_millis(50));
    }
    let said = fleet.log("pc.log");
    for words in ["no room in", "cache-pc", "make room there", "No space left on device"] {
        assert!(said.contains(words), "{words}: {said}");
    }
    assert!(worker.0.try_wait().unwrap().is_none(), "{said}");
    fleet.wait_for_games("run", 4);
    // The sources have arrived; nothing is left of the build but its log.
    let cache = fleet.cache("pc");
    assert_eq!(cached(&cache), ["sources.zst"]);
    assert_eq!(fs::read_dir(cache.join("trees")).unwrap().count(), 0);
    for build in fs::read_dir(cache.join("builds")).unwrap().flatten() {
        let left = fs::read_dir(build.path()).unwrap().flatten().map(|it| it.file_name());
        assert_eq!(left.collect::<Vec<_>>(), ["build.log"]);
    }
}

#[test]
fn a_coordinator_whose_journal_cannot_grow_stops_and_is_resumed() {
    let Some(fleet) = start() else { return };
    let alone = fleet.run(&format!("{MATCH} --out alone"));
    let token = fleet.invite("alice");
    let mut worker = fleet.worker(&token, "pc", 1);
    let words = format!("{MATCH} --out run --fleet srv --slots 0 --chunk 2");
    let mut command = fleet.command(&words);
    limited(&mut command, 20_001);
    let mut playing = fleet.spawn("match.log", command);
    assert_eq!(playing.code(), Some(74), "{}", fleet.log("match.log"));
    let said = fleet.log("match.log");
    assert!(said.contains("games.jsonl: cannot record a game"), "{said}");
    assert!(said.contains("continue with: verdict resume run"), "{said}");
    // The worker is told, and waits for other work.
    fleet.wait_for("pc.log", "games played here", &mut worker);
    assert_eq!(fleet.status()["runs"][0]["state"], "stopped");
    let resumed = fleet.run("resume run --quiet --fleet srv --slots 0");
    let said = String::from_utf8_lossy(&resumed.stderr).into_owned();
    assert_eq!(resumed.status.code(), alone.status.code(), "{said}");
    assert_eq!(
        canonical(&fleet.path("run"), None).unwrap(),
        canonical(&fleet.path("alone"), None).unwrap()
    );
}
