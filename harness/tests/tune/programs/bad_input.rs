//! What cannot be, told before the first game.

use std::process::{Command, Stdio};

use super::{QUICK, engine, said};
use crate::common::script::script;
use crate::common::verdict::{signal, until_listening, verdict};

#[test]
fn options_that_cannot_be_varied() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    for (name, text) in [
        ("unknown", "Aim, int, 20, 0, 100, 8, 0.002\nAm, int, 20, 0, 100, 8, 0.002\n"),
        ("outside", "Aim, int, 20, 0, 200, 8, 0.002\n"),
        ("twice", "Aim, int, 20, 0, 100, 8, 0.002\naim, int, 20, 0, 100, 8, 0.002\n"),
        ("fraction", "Aim, float, 20, 0, 100, 8, 0.002\n"),
        ("json", "{\"Aim\": {\"value\": 3}}"),
        ("list", "{\"Style\": \"('Dull', 'Wild')\"}"),
    ] {
        std::fs::write(here.join(name), text).unwrap();
    }
    for (words, expected) in [
        ("sweep Aam=1..9", "did you mean 'Aim'"),
        ("sweep Aim=90..101", "expected 0 to 100"),
        ("sweep Aim=1.5,2", "a whole number"),
        ("sweep Style=Dull,Mild", "one of Dull, Sharp, Wild"),
        ("sweep Guard=yes,no", "true or false"),
        ("sweep Note=1,2", "is text, 'hello'"),
        ("sweep Care=0..1", "expected Care=FROM..TO:STEP"),
        ("sweep Aim=1..9 aim=3..4", "'aim=3..4': 'Aim' is there twice"),
        ("sweep --params @twice", "twice:2: 'Aim' is there twice"),
        ("sweep Style=Dull..Wild", "expected values, Style=Dull,Sharp,Wild"),
        ("tune clop Aim=1..9 aim=3..4", "'aim=3..4': 'Aim' is there twice"),
        ("tune clop --params @twice", "twice:2: 'Aim' is there twice"),
        ("tune clop Style=Dull..Wild", "has a list of values"),
        ("tune clop Guard=false..true", "is on or off"),
        ("tune clop --params @list", "is a list of values"),
        ("tune spsa --param Aam", "did you mean 'Aim'"),
        ("tune spsa --param Care", "declares no range"),
        ("tune spsa --param Aim --param aim", "twice"),
        ("tune spsa --param Guard", "is on or off"),
        ("tune spsa --params @unknown", "unknown:2: the engine has no option 'Am'"),
        ("tune spsa --params @outside", "within the declared 0..=100"),
        ("tune spsa --params @twice", "twice:2: 'Aim' is there twice"),
        ("tune spsa --params @fraction", "only options of text that hold a number"),
        ("tune spsa --params @json", "'Aim': min_value: expected a number"),
        ("tune spsa --params @list", "is a list of values"),
        ("tune spsa --param Idle", "no-op: Idle"),
        ("sweep Idle=1..3", "no-op: all candidates search like the base in 25 positions"),
        ("sweep Aim=1..9 --truth Aam=3:1", "'Aam' is not varied"),
    ] {
        let output = verdict(here, &format!("{words} --base @engine {QUICK} --out @none"));
        assert_eq!(output.status.code(), Some(64), "{words}: {output:?}");
        assert!(said(&output).contains(expected), "{words}: {}", said(&output));
        assert!(!here.join("none").exists(), "{words}");
    }
    // A button's name has a blank.
    let output = Command::new(env!("CARGO_BIN_EXE_verdict"))
        .args(["sweep", "Clear Hash=1,2", "--depth", "1", "--base"])
        .arg(here.join("engine"))
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(64), "{output:?}");
    assert!(said(&output).contains("'Clear Hash' is a button"), "{output:?}");
}

/// An engine that cannot be started is called as it was given, not by a side of the tuner's match.
#[test]
fn the_engine_is_called_by_its_flag() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "");
    script(&here.join("ends"), "exit 3");
    for method in ["tune spsa --param Aim", "tune clop Aim=1..9", "sweep Aim=1..9"] {
        let output = verdict(here, &format!("{method} --base uci:@ends {QUICK} --out @none"));
        assert_eq!(output.status.code(), Some(64), "{method}: {output:?}");
        let said = said(&output);
        assert!(said.contains("--base: "), "{method}: {said}");
        assert!(!said.contains("minus") && !said.contains("base: base"), "{method}: {said}");
    }
}

#[test]
fn engines_that_cannot_be_tuned() {
    for (vice, more, expected) in [
        ("mute", "", Some("declares no options")),
        ("twice", "", Some("declares 'Aim' twice")),
        ("forgets", "", Some("forgets it at ucinewgame")),
        ("forgets", "--restart", Some("no-op: Aim")),
        ("at-start", "", Some("expected --restart")),
        ("at-start", "--restart", None),
        ("keeps", "", Some("Aim: told of it between games")),
        ("keeps", "--restart", None),
        ("random", "", None),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let here = dir.path();
        engine(here, vice);
        let words = format!("tune spsa --param Aim:10 --base @engine --pairs 2 --batch 2 {more}");
        let output = verdict(here, &format!("{words} {QUICK} --confirm none --out @t"));
        match expected {
            Some(expected) => {
                assert_eq!(output.status.code(), Some(64), "{vice}: {output:?}");
                assert!(said(&output).contains(expected), "{vice} {more}: {}", said(&output));
                assert!(!here.join("t").exists(), "{vice}");
            }
            None => assert_eq!(output.status.code(), Some(0), "{vice}: {output:?}"),
        }
    }
}

/// What does not repeat itself is said, and not refused.
#[test]
fn chance_is_told() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "random");
    let loud = QUICK.replace("--quiet", "");
    let words = "tune spsa --param Idle --base @engine --pairs 2 --batch 2 --confirm none --out @t";
    let output = verdict(here, &format!("{words} {loud}"));
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(said(&output).contains("does not repeat itself"), "{}", said(&output));
    assert!(said(&output).contains("cannot be told"), "{}", said(&output));
}

/// A value at which the program ends is told with the value.
#[test]
fn a_value_that_the_engine_does_not_bear() {
    let dir = tempfile::tempdir().unwrap();
    let here = dir.path();
    engine(here, "late");
    let output = verdict(here, &format!("tune clop Aim=1..99 --base @engine {QUICK} --out @none"));
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    assert!(said(&output).contains("Aim=99"), "{}", said(&output));
    assert!(!here.join("none").exists());
}

/// Before speed is measured, too, what changes nothing is refused, and so are engines that do not
/// play as they are told.
#[test]
fn speed_is_not_measured_of_what_changes_nothing() {
    for (vice, words, expected) in [
        ("", "Idle=1..3", Some("no-op: all candidates")),
        ("", "Idle=1..3 --keep-no-ops", None),
        ("", "Aim=30,40", None),
        ("forgets", "Aim=30,40", Some("forgets it at ucinewgame")),
        ("at-start", "Aim=30,40", Some("expected --restart")),
        ("keeps", "Aim=30,40", Some("expected --restart")),
        ("keeps", "Aim=30,40 --restart", None),
    ] {
        let dir = tempfile::tempdir().unwrap();
        let here = dir.path();
        engine(here, vice);
        let words = format!("sweep {words} --base @engine --measure speed --depth 1 --quiet");
        let output = verdict(here, &format!("{words} --out @t"));
        let code = if expected.is_some() { 64 } else { 0 };
        assert_eq!(output.status.code(), Some(code), "{vice} {words}: {output:?}");
        assert!(said(&output).contains(expected.unwrap_or_default()), "{words}: {}", said(&output));
        assert_eq!(here.join("t").exists(), expected.is_none(), "{words}");
    }
}

/// Ctrl-C while the engine is tried out ends all, with nothing written.
#[test]
fn the_trial_is_interrupted() {
    for words in ["tune spsa --param Aim:10", "sweep Aim=30,40"] {
        let dir = tempfile::tempdir().unwrap();
        let here = dir.path();
        let engine = engine(here, "slow");
        let mut child = Command::new(env!("CARGO_BIN_EXE_verdict"))
            .args(words.split(' '))
            .args(["--depth", "1", "--base"])
            .arg(engine)
            .arg("--out")
            .arg(here.join("none"))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        until_listening(&mut child);
        signal(&child, libc::SIGINT);
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{words}: {output:?}");
        assert!(said(&output).contains("change play"), "{words}: {}", said(&output));
        assert!(said(&output).contains("nothing is written"), "{words}: {}", said(&output));
        // That verdict has ended the engine is no fault of it.
        assert!(!said(&output).contains("error:"), "{words}: {}", said(&output));
        assert!(!here.join("none").exists(), "{words}");
    }
}
