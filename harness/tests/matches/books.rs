//! Matches from books so large that they are not read before.

use std::fs;

use pgn::INDEXED_FROM;

use super::Place;

const PLAN: &str = "--base embedded:winglet --test embedded:winglet,search.pvs=false --nodes 100 \
    --hash 64KiB --order sequential --concurrency 1 --quiet";
/// The same, which says what happens.
const LOUD: &str = "--base embedded:winglet --test embedded:winglet,search.pvs=false --nodes 100 \
    --hash 64KiB --order sequential --concurrency 1";
const INITIAL: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n";
const MATED: &str = "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1\n";

/// A book that begins with these lines and is long enough to be indexed.
fn book(place: &Place, lines: &str) {
    let size = usize::try_from(INDEXED_FROM).unwrap();
    let text = format!("{lines}{}", INITIAL.repeat(size / INITIAL.len() + 1));
    fs::write(place.path("book.epd"), text).unwrap();
}

#[test]
fn a_bad_entry_is_passed_over_told_and_counted() {
    let place = Place::new();
    book(&place, &format!("# large\n{INITIAL}{INITIAL}hello\n"));
    let words = format!("match --book @book.epd --out @run {LOUD} --pairs 4");
    let played = place.played("run", place.verdict(&words).output().unwrap()).decided();
    let expected = "book.epd:4: expected a FEN of four to six fields";
    assert_eq!(played.stderr.matches(expected).count(), 1, "{}", played.stderr);
    assert!(played.stderr.contains("`verdict openings check"), "{}", played.stderr);
    let openings = |game: &str| -> Vec<u64> {
        let lines = game.lines().map(serde_json::from_str::<serde_json::Value>);
        lines.map(|line| line.unwrap()["opening"].as_u64().unwrap()).collect()
    };
    // The next one takes its place, for both games of the pair, and keeps its own.
    assert_eq!(openings(&place.games("run")), [0, 0, 1, 1, 3, 3, 3, 3]);
    let summary = played.summary();
    assert_eq!((summary.pairs, summary.details.passed_over), (4, 1));
    assert!(summary.markdown().contains("entries of the book skipped | 1 |"));
}

/// Any opening of the book would fit the schedule otherwise.
#[test]
fn good_entries_are_not_passed_over() {
    let place = Place::new();
    book(&place, "");
    let words = format!("match --book @book.epd --out @run {PLAN} --pairs 1");
    place.played("run", place.verdict(&words).output().unwrap()).decided();
    let verify = || {
        let words = "stats @run --verify";
        place.played("run", place.verdict(words).output().unwrap())
    };
    assert_ne!(verify().code, 74);
    let journal = place.path("run").join("games.jsonl");
    let text = fs::read_to_string(&journal).unwrap();
    let forged = text.replace("\"opening\":0,", "\"opening\":1,\"passed_over\":1,");
    assert_eq!(forged.matches("passed_over").count(), 2);
    fs::write(&journal, forged).unwrap();
    fs::remove_file(place.path("run").join("games.digest")).unwrap();
    let refused = verify();
    assert_eq!(refused.code, 74, "{}", refused.stderr);
    let expected = "expected 0 entries";
    assert!(refused.stderr.contains(expected), "{}", refused.stderr);
}

#[test]
fn a_file_of_bad_entries_is_no_book() {
    let place = Place::new();
    book(&place, &format!("# large\n{INITIAL}{INITIAL}{}", "hello\n".repeat(200)));
    let words = format!("match --book @book.epd --out @run {PLAN} --pairs 4");
    let stopped = place.played("run", place.verdict(&words).output().unwrap());
    assert_eq!(stopped.code, 74, "{}", stopped.stderr);
    let expected = "book.epd:104: expected a FEN of four to six fields";
    assert!(stopped.stderr.contains(expected), "{}", stopped.stderr);
    let games = place.games("run");
    assert_eq!(games.lines().count(), 4, "{games}");
    assert_eq!(stopped.summary().pairs, 2);
    // It is the same book still, so the run goes on to the same entry.
    let resumed = place.resume("run", "");
    assert_eq!(resumed.code, 74, "{}", resumed.stderr);
    assert!(resumed.stderr.contains(expected), "{}", resumed.stderr);
    assert_eq!(place.games("run"), games);
}

#[test]
fn an_opening_that_is_over_is_passed_over() {
    let place = Place::new();
    book(&place, MATED);
    let words = format!("match --book @book.epd --out @run {LOUD} --pairs 1");
    let played = place.played("run", place.verdict(&words).output().unwrap()).decided();
    assert!(played.stderr.contains("book.epd:1: the game is over: mate"), "{}", played.stderr);
    assert_eq!(played.summary().details.passed_over, 1);
    assert!(place.games("run").lines().all(|game| game.contains("\"opening\":1,")));
}
