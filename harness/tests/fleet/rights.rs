//! Who is let in.

use super::Fleet;

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
    // Secrets are in no log, and in no file but the coordinator's own.
    for file in
        ["pc.log", "pc2.log", "serve.log", "srv/broker.log", "srv/broker.json", "srv/keys.json"]
    {
        let text = fleet.log(file);
        assert!(!text.contains(seed(&alice)) && !text.contains(seed(&bob)), "{file}");
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
