//! Ratings from the journals of runs.

use std::fs;
use std::path::{Path, PathBuf};

use ::pgn::Outcome;
use arena::record::{GameRecord, Identity, Journal, RunFile, Side, Termination, pgn};
use harness::crosstable::{Crosstable, CrosstableInput, InputCounts, Options};
use stats::Wdl;

use crate::common::samples::{identity, pair, run_file};

/// The two games of a pair with these half points of the test player.
fn played(number: u64, half_points: [u8; 2]) -> [GameRecord; 2] {
    let [mut first, mut second] = pair(number);
    for (game, half_points) in [&mut first, &mut second].into_iter().zip(half_points) {
        game.result = match (half_points, game.white) {
            (1, _) => Outcome::Draw,
            (2, Side::Test) | (0, Side::Base) => Outcome::White,
            _ => Outcome::Black,
        };
        game.termination = match game.result {
            Outcome::Draw => Termination::DrawAdjudication,
            _ => Termination::ResignAdjudication,
        };
    }
    [first, second]
}

/// A run's folder with pairs of these half points of the test player.
fn run(folder: &Path, name: &str, players: [&str; 2], pairs: &[(u64, [u8; 2])]) -> PathBuf {
    let dir = folder.join(name);
    let [base, test] = players.map(identity);
    fs::create_dir(&dir).unwrap();
    let mut journal = Journal::create(&dir).unwrap();
    describe(&dir, base, test);
    for &(number, half_points) in pairs {
        let mut games = played(number, half_points);
        // Games of another run are others.
        games.iter_mut().for_each(|game| game.hash.push_str(name));
        journal.append(&games.each_ref()).unwrap();
    }
    journal.close().unwrap();
    dir
}

fn describe(dir: &Path, base: Identity, test: Identity) {
    fs::create_dir_all(dir).unwrap();
    RunFile { base, test, ..run_file() }.write(dir).unwrap();
}

fn wdl(tally: &CrosstableInput, first: &str, second: &str) -> [u64; 3] {
    let [first, second] = [first, second].map(|name| tally.results.find(name).expect(name));
    let Wdl { win, draw, loss } = tally.results.between(first, second);
    [win, draw, loss]
}

const DEFAULT: &str = "embedded:default";
const CHANGED: &str = "embedded:default,lmr.on=false";

#[test]
fn all_runs_of_a_folder_are_one_tournament() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path();
    run(place, "one", [DEFAULT, CHANGED], &[(0, [2, 1]), (1, [0, 1]), (2, [2, 2])]);
    run(place, "two", [CHANGED, "uci:/usr/games/toga2"], &[(0, [0, 1])]);
    run(place, "three", [DEFAULT, CHANGED], &[(0, [1, 1])]);
    describe(&place.join("planned"), identity(DEFAULT), identity(CHANGED));
    fs::write(place.join("README.md"), "no run").unwrap();

    let inputs = [place.to_owned()];
    let tally = CrosstableInput::read(&inputs, &[]).unwrap();
    let toga = "mutineer 0.1.0 (0123456789)";
    assert_eq!(tally.results.names().len(), 3, "{:?}", tally.results.names());
    assert_eq!(wdl(&tally, CHANGED, DEFAULT), [3, 4, 1]);
    assert_eq!(wdl(&tally, toga, CHANGED), [0, 1, 1]);
    let wanted =
        InputCounts { runs: 3, runs_without_games: 1, pairs_tagged: 5, ..InputCounts::default() };
    assert_eq!(tally.counted, wanted);

    let table = Crosstable::read(&inputs, Options::default()).unwrap();
    assert_eq!(table.ratings.games(), [10, 10]);
    assert_eq!(table.ratings.players[0].name, CHANGED);
    assert!(
        table.page().markdown().contains("1 run folder without a journal"),
        "{}",
        table.page().markdown()
    );

    // What is given twice counts once.
    let again = [place.to_owned(), place.join("one")];
    let counted = CrosstableInput::read(&again, &[]).unwrap().counted;
    assert_eq!(counted, InputCounts { same_inputs: 1, ..tally.counted });

    // A name, or the spec that it stands for.
    let renamed = [("uci:/usr/games/toga2".to_owned(), "toga".to_owned())];
    let tally = CrosstableInput::read(&inputs, &renamed).unwrap();
    assert_eq!(wdl(&tally, "toga", CHANGED), [0, 1, 1]);
}

#[test]
fn pairs_count_up_to_the_first_gap_and_once() {
    let dir = tempfile::tempdir().unwrap();
    let folder =
        run(dir.path(), "gap", [DEFAULT, CHANGED], &[(1, [2, 2]), (0, [2, 0]), (3, [2, 2])]);
    let tally = CrosstableInput::read(&[folder], &[]).unwrap();
    assert_eq!(wdl(&tally, CHANGED, DEFAULT), [3, 0, 1]);
    assert_eq!((tally.counted.pairs_tagged, tally.counted.beyond_gap), (2, 2));

    // The same two games over again say nothing new.
    let folder = dir.path().join("again");
    fs::create_dir(&folder).unwrap();
    let mut journal = Journal::create(&folder).unwrap();
    describe(&folder, identity(DEFAULT), identity(CHANGED));
    for number in 0..3 {
        let mut games = played(0, [2, 1]);
        for (half, game) in games.iter_mut().enumerate() {
            (game.game, game.pair) = (2 * number + half as u64, number);
        }
        journal.append(&games.each_ref()).unwrap();
    }
    journal.close().unwrap();
    let tally = CrosstableInput::read(&[folder], &[]).unwrap();
    assert_eq!((tally.counted.pairs_tagged, tally.counted.repeated_pairs), (3, 2));

    let folder = run(dir.path(), "self", [DEFAULT, DEFAULT], &[(0, [2, 0])]);
    let tally = CrosstableInput::read(&[folder], &[]).unwrap();
    assert_eq!((tally.counted.against_itself, tally.results.games()), (2, [0, 0]));
}

/// A run, its PGN and copies of both are the same games, and the same players.
#[test]
fn a_run_and_its_pgn_are_counted_once() {
    let dir = tempfile::tempdir().unwrap();
    let place = dir.path();
    let pairs = [(0, [2, 1]), (1, [0, 1]), (3, [2, 2])];
    let one = run(place, "one", [DEFAULT, CHANGED], &pairs);
    let file = RunFile::read(&one).unwrap();
    pgn::render(&one, &file).unwrap();
    let copy = place.join("copy");
    fs::create_dir(&copy).unwrap();
    for name in ["run.json", "games.jsonl", "games.pgn"] {
        fs::copy(one.join(name), copy.join(name)).unwrap();
    }
    let alone = CrosstableInput::read(std::slice::from_ref(&one), &[]).unwrap();
    for (others, same_games, pgn_files) in [
        (vec![one.join("games.pgn")], 6, 1),
        (vec![copy.clone()], 4, 0),
        (vec![copy.clone(), copy.join("games.pgn"), one.join("games.pgn")], 4 + 6 + 6, 2),
    ] {
        let both: Vec<PathBuf> = [one.clone()].into_iter().chain(others.clone()).collect();
        let tally = CrosstableInput::read(&both, &[]).unwrap();
        assert_eq!(tally.results.games(), alone.results.games(), "{others:?}");
        assert_eq!(tally.results.names(), alone.results.names(), "{others:?}");
        assert_eq!((tally.counted.same_games, tally.counted.pgn_files), (same_games, pgn_files));
        let page = Crosstable::read(&both, Options::default()).unwrap().page().markdown();
        assert!(
            page.contains(&format!("{same_games} games that an earlier input also has")),
            "{page}"
        );
    }

    // The PGN of another run of the same players.
    let two = run(place, "two", [DEFAULT, CHANGED], &[(7, [2, 2])]);
    pgn::render(&two, &RunFile::read(&two).unwrap()).unwrap();
    let tally = CrosstableInput::read(&[one, two.join("games.pgn")], &[]).unwrap();
    assert_eq!(tally.results.names().len(), 2, "{:?}", tally.results.names());
    assert_eq!(wdl(&tally, CHANGED, DEFAULT), [3, 2, 1]);
}

/// Equal games of two runs show nothing new, whichever player was the base.
#[test]
fn runs_that_repeat_each_other_count_once() {
    let dir = tempfile::tempdir().unwrap();
    let write = |name: &str, players: [&str; 2], turned: bool| {
        let folder = dir.path().join(name);
        fs::create_dir(&folder).unwrap();
        let mut journal = Journal::create(&folder).unwrap();
        let [base, test] = players.map(identity);
        describe(&folder, base, test);
        let mut games = played(0, [2, 1]);
        for game in &mut games {
            game.time.started_ms = if turned { 0 } else { game.time.started_ms };
            if turned {
                (game.white, game.black) = (game.black, game.white);
            }
        }
        journal.append(&games.each_ref()).unwrap();
        journal.close().unwrap();
        folder
    };
    let first = write("first", [DEFAULT, CHANGED], false);
    let turned = write("turned", [CHANGED, DEFAULT], true);
    let tally = CrosstableInput::read(&[first, turned], &[]).unwrap();
    assert_eq!((tally.counted.pairs_tagged, tally.counted.repeated_pairs), (2, 1));
    assert_eq!(wdl(&tally, CHANGED, DEFAULT), [1, 1, 0]);
}

#[test]
fn a_damaged_journal_is_named() {
    let dir = tempfile::tempdir().unwrap();
    let folder = run(dir.path(), "bad", [DEFAULT, CHANGED], &[(0, [2, 0])]);
    fs::write(folder.join("games.jsonl"), "{\"game\": 0}\n{}\n").unwrap();
    let error = CrosstableInput::read(&[folder], &[]).expect_err("refused").to_string();
    assert!(error.contains("games.jsonl, line 1: expected a game"), "{error}");
}
