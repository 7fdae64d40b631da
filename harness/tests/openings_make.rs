//! Making books, checking them, and the command line around both.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::Duration;

use clap::Parser;
use harness::cli::openings::{OpeningsArgs, run};
use harness::make_book::{MakeOptions, make};
use pgn::{Book, BookError, CheckOptions, CheckReport, Terminal, check};
use process::ErrorKind;

use crate::common::verdict::{signal, until_listening};

const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn small_book() -> MakeOptions {
    let men = Vec::new();
    MakeOptions { count: 40, plies: 6, men, seed: 3, window_cp: 60, nodes: 100, threads: 2 }
}

fn check_text(name: &str, text: &str, limit: usize) -> Result<CheckReport, BookError> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, text).unwrap();
    check(path, &CheckOptions { max_plies: None, limit })
}

#[test]
fn books_do_not_depend_on_the_number_of_threads() {
    let one = make(&MakeOptions { threads: 1, ..small_book() }, &mut |_| ()).unwrap();
    let four = make(&MakeOptions { threads: 4, ..small_book() }, &mut |_| ()).unwrap();
    assert_eq!(one.to_epd(), four.to_epd());
    assert_eq!(one.to_fen(), four.to_fen());
    assert_eq!(one.tally, four.tally);
    let other_seed = make(&MakeOptions { seed: 4, ..small_book() }, &mut |_| ()).unwrap();
    assert_ne!(one.to_epd(), other_seed.to_epd());
    // A larger book begins with the smaller one.
    let larger = make(&MakeOptions { count: 60, ..small_book() }, &mut |_| ()).unwrap();
    assert!(larger.to_epd().starts_with(&one.to_epd()));
}

#[test]
fn every_candidate_is_accounted_for() {
    let mut last = 0;
    let book = make(&small_book(), &mut |tally| last = tally.accepted).unwrap();
    let tally = book.tally;
    assert_eq!((tally.accepted, last, book.positions.len()), (40, 40, 40));
    let left_out = tally.ended + tally.in_check + tally.unbalanced + tally.duplicates;
    assert_eq!(tally.candidates, tally.accepted + left_out);
    assert_eq!(tally.impossible, 0);
}

#[test]
fn endings_have_the_men_that_are_asked_for() {
    let men = ["KPPP-KPPP", "KRPP-KRPP"].map(|men| men.parse().unwrap()).to_vec();
    let options = MakeOptions { plies: 0, men, ..small_book() };
    let book = make(&options, &mut |_| ()).unwrap();
    let tally = book.tally;
    let left_out = tally.ended + tally.in_check + tally.unbalanced + tally.duplicates;
    assert!(tally.impossible > 0, "{tally:?}");
    assert_eq!(tally.candidates, tally.accepted + tally.impossible + left_out);
    let epd = book.to_epd();
    let rooks = |line: &&str| line.split(' ').next().unwrap().contains(['R', 'r']);
    let with_rooks = epd.lines().filter(rooks).count();
    assert!((10..=30).contains(&with_rooks), "{with_rooks} of 40");
    let report = check_text("book.epd", &epd, 10).unwrap();
    assert!(report.clean, "{report}");
}

#[test]
fn the_window_leaves_positions_out() {
    let any = make(&MakeOptions { window_cp: 10_000, ..small_book() }, &mut |_| ()).unwrap();
    let few = make(&MakeOptions { window_cp: 30, ..small_book() }, &mut |_| ()).unwrap();
    assert_eq!(any.tally.unbalanced, 0);
    assert!(few.tally.unbalanced > 0, "{:?}", few.tally);
}

#[test]
fn made_books_are_clean() {
    let book = make(&small_book(), &mut |_| ()).unwrap();
    let report = check_text("book.epd", &book.to_epd(), 10).unwrap();
    assert!(report.clean, "{report}");
    assert_eq!((report.openings, report.in_check, report.chess960), (40, 0, 0));
    assert_eq!((report.white_to_move, report.plies_unknown), (40, 40));
    let report = check_text("book.fen", &book.to_fen(), 10).unwrap();
    assert!(report.clean, "{report}");
    assert_eq!(report.plies.into_iter().collect::<Vec<_>>(), [(6, 40)]);
    assert!(book.to_epd().lines().all(|line| line.split(' ').count() == 4));
    assert!(book.to_fen().lines().all(|line| line.split(' ').count() == 6));
}

#[test]
fn too_few_positions_end_the_search_for_more() {
    // One ply gives 20 positions, and no score is outside so wide a window.
    let options = MakeOptions { count: 21, plies: 1, window_cp: 10_000, nodes: 1, ..small_book() };
    let error = make(&options, &mut |_| ()).expect_err("too few");
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().contains("20 of 21 openings"), "{error}");
}

#[test]
fn check_counts_what_is_there() {
    let text = [
        INITIAL,
        "nonsense",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 9",
        "7k/5Q2/6K1/8/8/8/8/8 b - -",
        "8/8/8/8/8/8/8/K1k5 w - -",
        "7k/8/8/8/8/8/8/KQ6 w - - 100 90",
        "4k3/8/8/8/8/8/4Q3/4K3 b - - 0 2",
        // The position of line 1: counters do not count.
        &INITIAL.replace("0 1", "4 5"),
        // Another one: castling rights do.
        &INITIAL.replace("KQkq", "KQk"),
    ]
    .join("\n");
    let report = check_text("book.epd", &text, 10).unwrap();
    assert!(!report.clean);
    assert_eq!(report.openings, 8);
    assert_eq!((report.unreadable.count, report.unreadable.listed[0].line), (1, 2));
    assert_eq!(report.duplicates.count, 1);
    assert_eq!((report.duplicates.listed[0].line, report.duplicates.listed[0].first), (8, 1));
    assert_eq!(report.terminal.count, 4);
    let reasons: Vec<_> =
        report.terminal.listed.iter().map(|entry| (entry.line, entry.why)).collect();
    let expected = [
        (3, Terminal::Mate),
        (4, Terminal::Stalemate),
        (5, Terminal::InsufficientMaterial),
        (6, Terminal::FiftyMoves),
    ];
    assert_eq!(reasons, expected);
    assert_eq!((report.in_check, report.white_to_move, report.black_to_move), (2, 5, 3));
    assert_eq!((report.plies[&0], report.plies[&8], report.plies[&17]), (2, 1, 1));
    assert_eq!(report.plies_unknown, 2);
    assert_eq!((report.men[&32], report.men[&3], report.men[&2]), (3, 4, 1));
    assert_eq!((report.balance[&0], report.balance[&9]), (4, 4));

    let words = report.to_string();
    for line in [
        "book.epd:2: expected a FEN of four to six fields",
        "book.epd:8: the position of line 1 again\n",
        "book.epd:3: the game is over: mate\n",
        "  terminal     4, mate 1, stalemate 1, insufficient material 1, fifty moves 1\n",
        "  to move      White 5, Black 3\n",
        "  not clean\n",
    ] {
        assert!(words.contains(line), "{line:?} in\n{words}");
    }
    let brief = check_text("book.epd", &text, 1).unwrap();
    assert_eq!((brief.terminal.count, brief.terminal.listed.len()), (4, 1));
    assert!(brief.to_string().contains("4 (3 not listed)"), "{brief}");
}

#[test]
fn transpositions_in_games_are_duplicates() {
    let text = "1. d4 Nf6 2. c4 *\n\n1. c4 Nf6 2. d4 *\n\n1. d4 * 1. d4 *\n";
    let report = check_text("book.pgn", text, 10).unwrap();
    let pairs: Vec<_> = report.duplicates.listed.iter().map(|d| (d.line, d.first)).collect();
    assert_eq!(pairs, [(3, 1), (5, 5)]);
    assert_eq!(report.plies.into_iter().collect::<Vec<_>>(), [(1, 2), (3, 2)]);
}

#[derive(Debug, Parser)]
struct Verdict {
    #[command(flatten)]
    args: OpeningsArgs,
}

/// The exit code of `verdict openings …`, run in this process; 64 if the words are wrong.
fn verdict_openings(words: &[&str]) -> u8 {
    match Verdict::try_parse_from([&["openings"], words].concat()) {
        Ok(Verdict { args }) => run(args).unwrap_or_else(|error| {
            assert_eq!(error.kind(), ErrorKind::Usage, "{error}");
            64
        }),
        Err(error) => {
            assert_ne!(error.exit_code(), 0, "{error}");
            64
        }
    }
}

#[test]
fn the_command_line_makes_and_checks() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name).display().to_string();
    let make = |name: &str, more: &[&str]| {
        let out = at(name);
        let mut words = vec!["make", "--quiet", "--out", &out];
        for (flag, value) in [("--count", "5"), ("--plies", "4"), ("--nodes", "50")] {
            if !more.contains(&flag) {
                words.extend([flag, value]);
            }
        }
        verdict_openings(&[&words, more].concat())
    };
    assert_eq!(make("book.epd", &["--threads", "2"]), 0);
    assert_eq!(make("book.fen", &["--json", "--window", "1.5"]), 0);
    assert_eq!(verdict_openings(&["check", &at("book.epd"), &at("book.fen")]), 0);
    assert_eq!(verdict_openings(&["check", "--json", &at("book.epd")]), 0);
    assert_eq!(Book::read(at("book.epd")).unwrap().len(), 5);

    fs::write(at("twice.epd"), format!("{INITIAL}\n{INITIAL}\n")).unwrap();
    assert_eq!(verdict_openings(&["check", &at("twice.epd")]), 1);
    assert_eq!(verdict_openings(&["check", &at("missing.epd"), &at("twice.epd")]), 74);
    assert_eq!(make("few.epd", &["--plies", "1", "--count", "5000"]), 64);
    for wrong in [
        &["--count", "0"][..],
        &["--plies", "0"],
        &["--window", "-1"],
        &["--window", "nan"],
        &["--nodes", "0"],
        &["--threads", "0"],
        &["--men", "KPP"],
    ] {
        assert_eq!(make("wrong.epd", wrong), 64, "{wrong:?}");
    }
    assert_eq!(make("wrong.bin", &[]), 64);
    assert_eq!(verdict_openings(&["check"]), 64);
    assert_eq!(verdict_openings(&[]), 64);
    let mut left: Vec<_> =
        fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    left.sort();
    assert_eq!(left, ["book.epd", "book.fen", "twice.epd"]);
}

/// Engines that cannot set up positions get moves from the start position, to the same openings.
#[test]
fn a_book_of_moves_has_the_same_openings() {
    let folder = tempfile::tempdir().unwrap();
    let made = |name: &str, more: &[&str]| {
        let out = folder.path().join(name);
        let mut command = Command::new(env!("CARGO_BIN_EXE_verdict"));
        let words = ["openings", "make", "--count", "20", "--nodes", "100", "--quiet", "--out"];
        (command.args(words).arg(&out).args(more).output().unwrap().status.code(), out)
    };
    let ((code, positions), (_, moves)) = (made("a.fen", &[]), made("a.pgn", &[]));
    assert_eq!(code, Some(0));
    let ends = |path: &Path| {
        let book = Book::read(path).unwrap();
        let openings = book.openings().map(|it| it.unwrap().end_fen());
        openings.map(|fen| fen.split(' ').take(4).collect::<Vec<_>>().join(" ")).collect::<Vec<_>>()
    };
    let (of_positions, of_moves) = (ends(&positions), ends(&moves));
    assert_eq!((of_positions.len(), &of_positions), (20, &of_moves));
    assert_eq!(made("b.pgn", &["--men", "KPP-KPP"]).0, Some(64));
}

#[test]
fn an_unwritable_book_shows_before_the_work() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("none/book.epd");
    assert!(!Path::new(&out).exists());
    let words = ["openings", "make", "--out", &out.display().to_string()];
    let error = run(Verdict::try_parse_from(words).unwrap().args).unwrap_err();
    assert!(format!("{error:#}").contains("cannot write the book"), "{error:#}");
}

#[test]
#[cfg(target_os = "linux")]
fn an_interrupted_book_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let files = || fs::read_dir(folder.path()).unwrap().count();
    for under in ["env", "nohup"] {
        let mut command = Command::new(under);
        command.arg(env!("CARGO_BIN_EXE_verdict"));
        command.args(["openings", "make", "--quiet", "--count", "1000000", "--out"]);
        command.arg(folder.path().join("book.epd"));
        // nohup makes a file of a terminal's output.
        command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let mut child = command.spawn().unwrap();
        until_listening(&mut child);
        assert_eq!(files(), 1);
        if under == "nohup" {
            signal(&child, libc::SIGHUP);
            sleep(Duration::from_millis(200));
            assert_eq!(child.try_wait().unwrap(), None, "it was to go on");
        }
        signal(&child, libc::SIGINT);
        assert_eq!(child.wait().unwrap().code(), Some(130), "{under}");
        assert_eq!(files(), 0);
    }
}
