//! `verdict check` of a sound engine and of unsound ones.

use std::process::Command;

fn check(spec: &str) -> (Option<i32>, String) {
    let output =
        Command::new(env!("CARGO_BIN_EXE_verdict")).args(["check", spec]).output().unwrap();
    let text = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap()).concat();
    (output.status.code(), text)
}

const MUTINEER: &str = env!("CARGO_BIN_EXE_mutineer_process");
const SCOUNDREL: &str = env!("CARGO_BIN_EXE_scoundrel");

#[test]
fn our_own_engine_is_sound() {
    for protocol in ["uci", "xboard"] {
        let (code, text) = check(&format!("{protocol}:{MUTINEER}"));
        assert_eq!(code, Some(0), "{text}");
        assert!(text.contains("ok   plays by nodes") && text.contains(" 0 failed"), "{text}");
        assert!(text.contains("ok   plays by a clock of nodes"), "{text}");
    }
}

#[test]
fn what_is_wrong_is_said() {
    for (vice, expected) in [
        ("illegal:0", "is not legal"),
        ("exit-in-search:0", "exited with status 5"),
        ("overstep:200", "ms over its time"),
        ("exit-at-start", "FAIL starts"),
    ] {
        let (code, text) = check(&format!("uci:{SCOUNDREL},arg={vice}"));
        assert_eq!(code, Some(3), "{vice}: {text}");
        assert!(text.contains(expected), "{vice}: {text}");
    }
    // Once, not for each position.
    let (_, text) = check(&format!("uci:{SCOUNDREL},arg=exit-in-search:0"));
    let line = text.lines().find(|line| line.contains("plays by nodes")).unwrap();
    assert!(line.contains("every position: crashed: "), "{line}");
    assert_eq!(line.matches("crashed").count(), 1, "{line}");
    for (vices, expected) in [
        ("ignore-quit", "does not end within 1s of 'quit'; ended by signal 15 (SIGTERM)"),
        ("ignore-quit,arg=ignore-term", "does not end within 1s of 'quit'; ended by signal 9"),
        ("fail-at-quit", "exited with status 6 after 'quit'"),
    ] {
        let (code, text) = check(&format!("uci:{SCOUNDREL},arg={vices}"));
        assert_eq!(code, Some(3), "{vices}: {text}");
        let line = text.lines().find(|line| line.contains("ends when told")).unwrap();
        assert!(line.starts_with("FAIL") && line.contains(expected), "{vices}: {text}");
    }
    let (code, text) = check("uci:/no/such/engine");
    assert_eq!(code, Some(64), "{text}");
    assert!(text.contains("/no/such/engine not found"), "{text}");
}
