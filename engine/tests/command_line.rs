//! `mutineer` with words: exit codes where it is not understood, or cannot be heard.

use std::fs::File;
use std::process::{Command, Stdio};

fn mutineer(words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_mutineer"));
    command.args(words.split(' ')).stdin(Stdio::null());
    command
}

fn code(command: &mut Command) -> Option<i32> {
    command.status().expect("the engine starts").code()
}

#[test]
fn wrong_words_are_told() {
    for (words, told) in [
        ("foo", "cannot understand 'foo'"),
        ("bench one", "'one' is no depth"),
        ("bench 1 2", "one depth, found also '2'"),
        ("bench 0", "at least 1"),
        ("bench 1 --stat", "bench knows no option '--stat'"),
        ("perft one", "'one' is no depth"),
        ("perft 12000", "perft: expected a depth from 0 to 127, found 12000"),
        ("bench --set search.psv=1", "did you mean 'search.pvs'"),
        ("bench --set search.pvs", "expected NAME=VALUE"),
        ("bench --set file=no/such.json", "no/such.json: "),
        ("bench --set ChesKnowledge=100", "did you mean 'ChessKnowledge'"),
        ("params jsn", "expected json, markdown, spsa, file or rebel, found 'jsn'"),
        ("params rebel --personality no/such.eng", "no/such.eng: "),
        ("params markdown --personality rebel", "of 'default' alone"),
        ("eval --personality", "--personality: expected a value"),
        ("eval --jsn", "eval knows no option '--jsn'"),
        ("--all-option", "cannot understand '--all-option'"),
    ] {
        let output = mutineer(words).output().expect("the engine starts");
        assert_eq!(output.status.code(), Some(64), "{words}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains(told), "{words}: {said}");
    }
}

/// A file is a personality, or goes on top of one; the same options in every command.
#[test]
fn files_and_parameters_of_a_player() {
    let file = concat!(env!("CARGO_TARGET_TMPDIR"), "/player.json");
    std::fs::write(file, r#"{"material.knight": 300}"#).expect("written");
    let said = |words: &str| {
        let output = mutineer(words).output().expect("the engine starts");
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let fen = "4k3/8/8/8/8/8/8/N3K3 w - - 0 1";
    let eval = |player: &str| said(&format!("eval {player} {fen}"));
    let on_top = eval(&format!("--personality rebel --set file={file}"));
    assert_eq!(on_top, eval("--personality rebel --set material.knight=300"));
    assert_ne!(on_top, eval(&format!("--personality {file}")), "the file alone");
    let last = |words: &str| {
        let (said, nodes) = (said(words), " nodes ");
        let line = said.lines().last().expect("a line").to_owned();
        line.split_once(nodes).expect(nodes).0.to_owned()
    };
    let changed = last("bench --personality rebel --set material.knight=300 3");
    assert_eq!(last(&format!("bench --set file={file} --personality REBEL 3")), changed);
    assert_ne!(last("bench --personality rebel 3"), changed);
}

/// PAR-05: a player written as a file plays the same, in either form.
#[test]
fn a_player_as_a_file() {
    let said = |words: &str| {
        let output = mutineer(words).output().expect("the engine starts");
        assert!(output.status.success(), "{words}: {output:?}");
        String::from_utf8(output.stdout).expect("text")
    };
    let player = "--personality prodeo --set ChessKnowledge=200 --set M37_COUNT=3";
    let table = said(&format!("params json {player}"));
    assert_ne!(said("params json --personality prodeo"), table);
    for (form, name) in [("file", "/as-file.json"), ("rebel", "/as-file.eng")] {
        let path = env!("CARGO_TARGET_TMPDIR").to_owned() + name;
        let text = said(&format!("params {form} {player}"));
        assert_eq!(text.contains("[ChessKnowledge = 200] "), form == "rebel", "{text}");
        std::fs::write(&path, text).expect("written");
        assert_eq!(said(&format!("params json --personality {path}")), table, "{form}");
    }
    assert_eq!(said("params"), said("params json --personality default"));
}

/// TST-09: what the searches counted about themselves, and the same nodes.
#[test]
fn bench_tells_its_statistics_when_asked() {
    let lines = |words: &str| {
        let output = mutineer(words).output().expect("the engine starts");
        assert!(output.status.success(), "{words}: {output:?}");
        let said = [output.stdout, output.stderr].concat();
        let said = String::from_utf8(said).expect("text");
        said.lines().map(str::to_owned).collect::<Vec<_>>()
    };
    let told = lines("bench --stats --personality rebel 4");
    let plain = lines("bench --personality rebel 4");
    for name in [
        "quiescence nodes, of all",
        "  by the first move",
        "  by the hash move",
        "  by a killer",
        "  searched again (SEL-10)",
        "lazy evaluations that stood, of tries",
        "  wrong about alpha",
        "effective branching factor",
    ] {
        let line = told.iter().find(|line| line.starts_with(name)).expect(name);
        let figures: Vec<&str> = line[name.len()..].split_whitespace().collect();
        let share = figures.iter().rev().find_map(|figure| figure.parse::<f64>().ok());
        assert!(share.is_some_and(|share| share > 0.0), "{line}");
        assert!(!plain.iter().any(|line| line.starts_with(name)), "{name}");
    }
    let total = |lines: &[String]| {
        let line = lines.iter().find(|line| line.starts_with("Nodes searched")).expect("a total");
        line.clone()
    };
    assert_eq!(total(&told), total(&plain));
}

/// UCI-04: as the line mode has it.
#[test]
fn eval_says_what_the_search_never_evaluates() {
    for (fen, is_said) in [("4k3/8/8/8/8/8/8/r3K3", true), ("4k3/8/8/8/8/8/r7/4K3", false)] {
        let output =
            mutineer(&format!("eval {fen} w - - 0 1")).output().expect("the engine starts");
        let said = String::from_utf8_lossy(&output.stdout);
        assert_eq!(said.contains("never evaluates here"), is_said, "{said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn words_that_are_no_unicode_are_refused() {
    use std::os::unix::ffi::OsStrExt as _;
    for word in ["d", "suite"] {
        let output = mutineer(word)
            .arg(std::ffi::OsStr::from_bytes(b"caf\xe9.epd"))
            .output()
            .expect("the engine starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code().is_some_and(|code| code == 64 || code == 74), "{said}");
        assert!(said.contains("caf\u{fffd}.epd"), "{said}");
    }
}

#[test]
fn help_may_come_last() {
    for words in ["bench --stats --help", "suite there-is-none.epd --help"] {
        assert_eq!(code(mutineer(words).stdout(Stdio::null())), Some(0), "{words}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn what_cannot_be_written_is_a_failure() {
    let full = || File::create("/dev/full").expect("the device");
    for words in ["--version", "--help", "d", "eval", "perft 1", "params", "bench 1"] {
        let mut command = mutineer(words);
        assert_eq!(code(command.stdout(full()).stderr(Stdio::null())), Some(74), "{words}");
    }
    // Where nobody can hear what is wrong, the exit code says it.
    assert_eq!(code(mutineer("foo").stderr(full())), Some(64));
    assert_eq!(code(mutineer("suite --foo").stderr(full())), Some(64));
}
