//! What is wrong is told at once, in words.

use super::Fleet;

/// What a command says that fails in the way of a wrong command line.
fn refused(fleet: &Fleet, words: &str) -> String {
    let said = fleet.run(words);
    let text = String::from_utf8_lossy(&said.stderr).into_owned();
    assert_eq!(said.status.code(), Some(64), "{words}: {text}");
    text
}

#[test]
fn what_is_wrong_is_told_at_once() {
    let Some(mut fleet) = Fleet::start() else { return };
    let [alice, bob] = ["alice", "bob"].map(|name| fleet.invite(name));
    let carol = fleet.invite("carol --coordinator");
    // Invitations for something else.
    let said = refused(&fleet, &format!("match --nodes 40 --pairs 4 --out none --fleet {alice}"));
    assert!(said.contains("verdict serve invite NAME --coordinator"), "{said}");
    assert!(!fleet.path("none").exists());
    let said = refused(&fleet, &format!("worker --slots 1 --join {carol}"));
    assert!(said.contains("carol is invited to play matches"), "{said}");
    // A port that is taken.
    let (_, port) = fleet.listen.rsplit_once(':').unwrap();
    let said = refused(&fleet, &format!("serve --dir none --web off --listen {}", fleet.listen));
    assert!(said.contains(&format!("--listen {port}: nats-server")), "{said}");
    assert!(!fleet.path("none").exists());
    let said = refused(&fleet, &format!("serve --dir srv --web off --listen {}", fleet.listen));
    assert!(said.contains("another verdict serve runs in srv"), "{said}");
    // A match without workers says so.
    let words = "match --nodes 40 --pairs 4 --chunk 4 --fleet srv --slots 0 --out run";
    let mut playing = fleet.begin("match.log", words);
    fleet.wait_for("match.log", "waits for workers, 0 are there", &mut playing);
    assert!(fleet.log("match.log").contains("no games here; run"), "{}", fleet.log("match.log"));
    let mut worker = fleet.worker(&bob, "pc", 1);
    assert_eq!(playing.code(), Some(2), "{}", fleet.log("match.log"));
    // Who is removed is not only away.
    assert!(fleet.run("serve --dir srv remove bob").status.success());
    assert_eq!(worker.code(), Some(64));
    let until = std::time::Instant::now() + super::PATIENCE;
    let of_bob = loop {
        let status = fleet.status();
        let of_bob = status["workers"][0].clone();
        if of_bob["state"] == "removed" {
            break of_bob;
        }
        assert!(std::time::Instant::now() < until, "{status}");
    };
    assert_eq!(of_bob["why"], "its invitation was removed");
    assert!(of_bob["games"].is_null(), "{of_bob}");
    // The list is in files, which need no broker.
    fleet.serve.kill();
    let list = fleet.run("serve --dir srv list");
    assert!(String::from_utf8_lossy(&list.stdout).contains("alice"));
    assert!(refused(&fleet, "serve --dir none list").contains("verdict serve --dir none"));
}
