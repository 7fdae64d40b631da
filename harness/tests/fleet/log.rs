//! `verdict status --log`: what a worker has said.

use super::Fleet;

/// Exit code, and what it printed.
fn log(fleet: &Fleet, words: &str) -> (Option<i32>, String) {
    let said = fleet.run(&format!("status --fleet srv --log {words}"));
    let text = String::from_utf8_lossy(&said.stdout) + String::from_utf8_lossy(&said.stderr);
    (said.status.code(), text.into_owned())
}

#[test]
fn a_worker_sends_its_last_lines_on_request() {
    let Some(fleet) = Fleet::start() else { return };
    assert_eq!(log(&fleet, "pc").0, Some(64));
    let token = fleet.invite("alice");
    let mut worker = fleet.worker(&token, "pc", 1);
    let played = fleet.run("match --nodes 40 --pairs 4 --quiet --fleet srv --slots 0 --out run");
    assert_eq!(played.status.code(), Some(2), "{}", String::from_utf8_lossy(&played.stderr));
    fleet.wait_for("pc.log", "games played here", &mut worker);
    for name in ["alice.pc", "pc", "alice"] {
        let (code, said) = log(&fleet, name);
        assert_eq!(code, Some(0), "{said}");
        // As it was printed, behind the time.
        let printed = fleet.log("pc.log");
        assert_eq!(said.lines().count(), printed.lines().count(), "{said}");
        for (line, printed) in said.lines().zip(printed.lines()) {
            assert_eq!(&line["2026-11-29 20:31:35 ".len()..], printed, "{said}");
        }
        assert!(!said.contains(token.rsplit('_').next().unwrap()), "{said}");
    }
    let (_, last) = log(&fleet, "pc --lines 1");
    assert!(last.lines().count() == 1 && last.contains("8 games played here"), "{last}");
    let (code, said) = log(&fleet, "alice.px");
    assert!(code == Some(64) && said.contains("did you mean alice.pc?"), "{said}");
    worker.kill();
    let (code, said) = log(&fleet, "pc");
    assert!(code == Some(74) && said.contains("alice.pc does not answer"), "{said}");
}
