//! Who is let in.

use std::fs;
use std::path::{Path, PathBuf};

use super::{Fleet, idlers};

fn seed(token: &str) -> &str {
    token.rsplit_once('_').unwrap().1
}

#[test]
fn who_is_removed_is_out_at_once() {
    let Some(fleet) = Fleet::start() else { return };
    let [alice, bob] = ["alice", "bob"].map(|name| fleet.invite(name));
    let mut gone = fleet.worker(&alice, "pc", 1);
    let mut stays = fleet.worker(&bob, "pc2", 1);
    assert!(fleet.run("serve --dir srv remove alice").status.success());
    assert_eq!(gone.code(), Some(64), "{}", fleet.log("pc.log"));
    let again = fleet.run(&format!("worker --join {alice} --slots 1"));
    assert_eq!(again.status.code(), Some(64), "{}", String::from_utf8_lossy(&again.stderr));
    assert!(stays.0.try_wait().unwrap().is_none(), "{}", fleet.log("pc2.log"));
}

#[test]
fn a_coordinator_that_is_removed_stops_at_once_and_says_why() {
    let Some(fleet) = Fleet::start() else { return };
    let carol = fleet.invite("carol --coordinator");
    let words = "match --test embedded,search.pvs=false --nodes 200 --pairs 2000 --quiet --out run";
    // Its own search threads would play for long.
    let mut playing = fleet.begin("match.log", &format!("{words} --slots 1 --fleet {carol}"));
    fleet.wait_for_games("run", 4);
    assert!(fleet.run("serve --dir srv remove carol").status.success());
    assert_eq!(playing.code(), Some(64), "{}", fleet.log("match.log"));
    let said = fleet.log("match.log");
    assert!(said.contains("the broker no longer takes the key of carol"), "{said}");
    assert!(fleet.log("run/games.jsonl").lines().count() < 2000, "{said}");
}

/// The files in a folder and in those inside.
fn files(dir: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(dir).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

#[test]
fn keys_are_in_no_log_and_in_no_file() {
    let Some(fleet) = Fleet::start() else { return };
    let [alice, bob] = ["alice", "bob"].map(|name| fleet.invite(name));
    let carol = fleet.invite("carol --coordinator");
    let here = fs::read_to_string(fleet.path("srv/coordinator.token")).unwrap();
    let mut worker = fleet.trusting_worker(&alice, "pc");
    let words = format!(
        "match {} --nodes 100 --max-moves 10 --pairs 2000 --chunk 2 --max-faults off --out run",
        idlers(20)
    );
    let mut playing = fleet.begin("match.log", &format!("{words} --slots 1 --fleet {carol}"));
    fleet.wait_for_games("run", 8);
    let mut outputs = Vec::new();
    for words in [
        format!("status --fleet {carol}"),
        // What is not right, or too much for a key.
        format!("status --fleet {alice}"),
        format!("worker --join {} --slots 1", alice.replace("alice", "bob")),
        format!("worker --join {}x --slots 1", alice),
        format!("{words} --fleet {bob}x"),
        "serve --dir srv remove bob".to_owned(),
        format!("worker --join {bob} --slots 1"),
        "serve --dir srv list".to_owned(),
        "status --fleet srv".to_owned(),
    ] {
        let said = fleet.run(&words);
        outputs.push((words, [said.stdout, said.stderr].concat()));
    }
    playing.signal(libc::SIGINT);
    assert_eq!(playing.code(), Some(2), "{}", fleet.log("match.log"));
    let said = fleet.log("match.log");
    assert!(said.contains("verdict resume run --fleet vw1_carol@127.0.0.1:"), "{said}");
    worker.signal(libc::SIGTERM);
    assert_eq!(worker.code(), Some(0), "{}", fleet.log("pc.log"));
    for path in files(fleet.dir.path()) {
        outputs.push((path.display().to_string(), fs::read(path).unwrap()));
    }
    for token in [&alice, &bob, &carol, &here] {
        let key = seed(token.trim());
        assert!(key.len() == 58 && key.starts_with("SU"));
        for (what, text) in &outputs {
            let has_key = text.windows(20).any(|part| part == &key.as_bytes()[..20]);
            let is_own = token == &here && what.ends_with("srv/coordinator.token");
            assert!(!has_key || is_own, "a key is in: {what}");
        }
    }
}

#[test]
fn wrong_invitations() {
    let Some(fleet) = Fleet::start() else { return };
    let token = fleet.invite("alice");
    let cut = &token[..token.len() - 3];
    std::fs::write(fleet.path("empty.txt"), "").unwrap();
    for join in [cut, "vw9_x", "nothing.txt", "empty.txt", &token.replace("alice", "Alice")] {
        let refused = fleet.run(&format!("worker --join {join} --slots 1"));
        let said = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert_eq!(refused.status.code(), Some(64), "{said}");
        assert!(!said.contains(&seed(&token)[..40]), "{said}");
    }
    // Somebody else's name: the broker grants rights by key.
    let other = fleet.run(&format!("worker --join {} --slots 1", token.replace("alice", "bob")));
    assert_ne!(other.status.code(), Some(0), "{}", String::from_utf8_lossy(&other.stderr));
    for words in ["invite Alice", "invite alice", "invite eve --host a:b", "remove eve"] {
        let refused = fleet.run(&format!("serve --dir srv {words}"));
        assert_eq!(refused.status.code(), Some(64), "{words}");
    }
    // Nobody is invited by a command that fails.
    let list = fleet.run("serve --dir srv list --json");
    let list: serde_json::Value = serde_json::from_slice(&list.stdout).unwrap();
    assert_eq!(list.as_array().unwrap().len(), 2, "{list}");
}

#[test]
fn beyond_this_machine_all_is_encrypted() {
    let at = "0.0.0.0:0";
    if super::has_broker() {
        let dir = tempfile::tempdir().unwrap();
        let words = ["serve", "--dir", "srv", "--listen", at];
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_verdict"));
        let version = std::process::Command::new(fleet::server::find_program().unwrap())
            .arg("--version")
            .output()
            .unwrap();
        let version = String::from_utf8_lossy(&version.stdout).trim().to_owned();
        let is_old = !fleet::server::is_hardened(version.rsplit('v').next().unwrap());
        if is_old {
            let refused = command.args(words).current_dir(dir.path()).output().unwrap();
            assert_eq!(refused.status.code(), Some(64), "{version} is let in");
        }
    }
    let Some(fleet) = Fleet::start_at(at, &["--old-server-ok"]) else { return };
    let token = fleet.invite("alice --host 127.0.0.1");
    let _worker = fleet.worker(&token, "pc", 1);
    let played = fleet.run("match --nodes 40 --pairs 4 --quiet --fleet srv --slots 0 --out run");
    assert_eq!(played.status.code(), Some(2), "{}", String::from_utf8_lossy(&played.stderr));
    // Of another authority: it is not talked to.
    let pin = token.rsplit('_').nth(1).unwrap();
    let flipped: String = pin.chars().rev().collect();
    let refused = fleet.run(&format!("worker --join {} --slots 1", token.replace(pin, &flipped)));
    assert_eq!(refused.status.code(), Some(64), "{}", String::from_utf8_lossy(&refused.stderr));
}
