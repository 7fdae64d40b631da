//! What lines mean to their runner: flags that are given again, numbers, limits.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use process::ErrorKind;

use super::tests::{like, noted, played};

const ENGINES: &str = "-engine cmd=a -engine cmd=b -each nodes=5";

#[test]
fn quick_is_what_fastchess_takes_it_for() {
    let processors = available_parallelism().map_or(1, NonZeroUsize::get);
    let free = processors.saturating_sub(2).max(1);
    let quick = "-quick cmd=a cmd=b book=b.epd";
    let all = |limit: &str, pairs: u64, games: usize, draw: &str| {
        format!(
            "match --test uci:a --base uci:b {limit} --time-margin 0ms --pairs {pairs} --book b.epd \
             --order random --concurrency {games} --slots {games} --draw {draw} --resign off \
             --max-moves off"
        )
    };
    let draw = "movenumber=30,movecount=8,score=8";
    for (flags, ours) in [
        (quick.to_owned(), all("--tc 10+0.1", 25_000, free, draw)),
        // What is said of each holds wherever it stands.
        (format!("-each tc=5+0.05 {quick}"), all("--tc 5+0.05", 25_000, free, draw)),
        (format!("{quick} -each tc=5+0.05"), all("--tc 5+0.05", 25_000, free, draw)),
        // Of other flags the last holds.
        (format!("-rounds 7 -concurrency 1 {quick}"), all("--tc 10+0.1", 25_000, free, draw)),
        (
            format!("{quick} -rounds 7 -concurrency 1 -draw score=9"),
            all("--tc 10+0.1", 7, 1, "movenumber=30,movecount=8,score=9"),
        ),
    ] {
        let sorted = |line: &str| {
            let mut flags: Vec<String> = line.split(" --").map(str::to_owned).collect();
            flags.sort();
            flags
        };
        assert_eq!(sorted(&played(&format!("fastchess {flags}"))), sorted(&ours), "{flags}");
    }
    assert!(noted(&format!("fastchess -rounds 7 {quick}")).contains("-rounds 7"));
}

/// As fastchess does: -repeat and -games write the same number, and keys join.
#[test]
fn of_flags_that_are_given_again_the_last_holds() {
    for (flags, part, told) in [
        ("-games 1 -repeat -rounds 9", " --pairs 9 ", "-games 1"),
        ("-repeat -games 1 -rounds 10", " --pairs 5 ", "-games 2"),
        ("-rounds 5 -rounds 8", " --pairs 8 ", "-rounds 5"),
        ("-concurrency 1 -concurrency 2", " --concurrency 2 --slots 2 ", "-concurrency 1"),
        (
            "-draw movenumber=5 movecount=2 score=3 -draw score=8",
            " --draw movenumber=5,movecount=2,score=8 ",
            "-draw score=3",
        ),
        ("-resign score=300 -resign movecount=4", " --resign movecount=4,score=300 ", ""),
        (
            "-sprt elo0=0 elo1=5 -sprt elo1=3 alpha=0.1",
            " --rule sprt=0,3,alpha=0.1 ",
            "-sprt elo1=5",
        ),
        ("-openings file=a.pgn -openings file=b.pgn", " --book b.pgn ", "-openings file=a.pgn"),
    ] {
        let line = format!("fastchess {ENGINES} {flags}");
        let ours = format!("{} ", played(&line));
        assert!(ours.contains(part), "{flags}: {ours}");
        assert!(noted(&line).contains(told), "{flags}: {}", noted(&line));
    }
    for flags in ["-rounds 5 -rounds 8", "-each depth=3", "-draw movecount=1 -draw score=3"] {
        let error = like(&format!("cutechess-cli {ENGINES} {flags}")).unwrap_err();
        assert!(error.to_string().contains("twice"), "{flags}: {error}");
    }
}

/// With -report penta=false and what implies it, fastchess prints after so many games, not rounds.
#[test]
fn intervals_count_what_the_runner_counts() {
    for (flags, games) in [
        ("", 12),
        ("-report penta=true", 12),
        ("-report penta=false", 6),
        ("-output format=cutechess", 6),
        ("-sprt elo0=0 elo1=5 model=bayesian", 6),
        ("-games 1", 6),
        ("-games 300 -rounds 2", 12),
    ] {
        for line in [format!("-ratinginterval 6 {flags}"), format!("{flags} -ratinginterval 6")] {
            let ours = format!("{} ", played(&format!("fastchess {ENGINES} {line}")));
            assert!(ours.contains(&format!(" --interval {games} ")), "{line}: {ours}");
        }
    }
}

#[test]
fn numbers_that_are_none_are_refused() {
    for flags in [
        "-rounds x",
        "-rounds 0",
        "-rounds",
        "-rounds 5 6",
        "-games 1.5",
        "-repeat x",
        "-concurrency two",
        "-seeds x",
        "-ratinginterval x",
        "-scoreinterval -3",
        "-wait 1s",
        "-maxmoves x",
        "-srand x",
        "-startup-ms 5s",
        "-ping-ms x",
        "-openings file=b.pgn start=0",
        "-openings file=b.epd plies=x",
        "-draw movecount=x",
        "-draw 40 8 10",
        "-resign 3",
        "-resign score=4,5",
        "-sprt elo0=0 elo1=5 alpha=5%",
        "-engine cmd=c depth=x",
        "-engine cmd=c st=0,5",
        "-engine cmd=c restart=maybe",
        "-each timemargin=20ms",
        "-each nodes=1e6",
        "-quick cmd=a cmd=b",
        "-quick cmd=a cmd=b b.epd",
        "-games 4 -rounds 10",
    ] {
        let error = like(&format!("fastchess {ENGINES} {flags}")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{flags}");
    }
}

/// What cutechess-cli has no default for, it asks for; fastchess has defaults.
#[test]
fn keys_that_a_runner_needs_are_asked_for() {
    for (flags, missing) in [
        ("-draw movenumber=1 movecount=1", "missing score=;"),
        ("-draw movecount=1", "missing movenumber=, score=;"),
        ("-resign movecount=3", "missing score=;"),
        ("-resign score=300 twosided=true", "missing movecount=;"),
        ("-sprt elo0=0 elo1=5 alpha=0.05", "missing beta=;"),
    ] {
        let error = like(&format!("cutechess-cli {ENGINES} {flags}")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{flags}");
        let text = error.to_string();
        assert!(text.contains(flags) && text.contains(missing), "{flags}: {text}");
        assert!(like(&format!("fastchess {ENGINES} {flags}")).is_ok(), "{flags}");
    }
    for (flags, part) in [
        ("-draw movenumber=9 movecount=1 score=0", " --draw movenumber=9,movecount=1,score=0 "),
        ("-resign movecount=3 score=400", " --resign movecount=3,score=400 "),
    ] {
        let line = format!("{} ", played(&format!("cutechess-cli {ENGINES} {flags}")));
        assert!(line.contains(part), "{line}");
    }
}

/// The error is of the flag that was typed, not of the one it stands for.
#[test]
fn an_sprt_that_cannot_be_is_refused_as_it_was_typed() {
    for bounds in [
        "elo0=5 elo1=0",
        "elo0=5 elo1=5",
        "elo0=0 elo1=5 alpha=2",
        "elo0=0 elo1=5 alpha=0.7 beta=0.7",
        "elo0=0 elo1=5 model=cubic",
    ] {
        let error = like(&format!("fastchess {ENGINES} -sprt {bounds}")).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::Usage, "{bounds}");
        let text = error.to_string();
        assert!(text.contains(&format!("-sprt {bounds}")) && !text.contains("--rule"), "{text}");
    }
}

/// A time control that cannot be read is not taken for none.
#[test]
fn time_controls_that_cannot_be_read_are_refused() {
    for tc in ["8+0,08", "x", "40/", "10+", "-5", ""] {
        for line in [format!("-each tc={tc}"), format!("-each tc={tc} nodes=5")] {
            let line = format!("fastchess -engine cmd=a -engine cmd=b {line}");
            let error = like(&line).unwrap_err();
            assert!(error.to_string().contains("8+0.08"), "{line}: {error}");
        }
    }
}

/// Else a value with a `;` in it is lost.
#[test]
fn other_commands_of_a_text_are_told() {
    let text = format!("set -e\nfastchess {ENGINES} -tb /a;/b -x | tee log");
    let notes = noted(&text);
    assert!(notes.contains("'set -e', '/b -x', 'tee log'"), "{notes}");
    assert!(!noted(&format!("cd /a; X=1; fastchess {ENGINES}")).contains("not run"));
}
