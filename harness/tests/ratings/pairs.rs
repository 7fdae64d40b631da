//! Pairs in PGN of other runners, in the forms that fastchess and cutechess-cli write.

use std::fs;
use std::path::Path;

use harness::crosstable::CrosstableInput;
use serde_json::{Value, json};

use super::command::verdict;

/// Eight games that fastchess played from an EPD book, two from each position: mutineer against itself at
/// two node limits.
const FASTCHESS: &str = include_str!("../data/pairs_fastchess.pgn");

/// The games of a PGN text.
fn games(text: &str) -> Vec<String> {
    let parts = text.split("[Event ").filter(|part| !part.is_empty());
    parts.map(|part| format!("[Event {part}")).collect()
}

/// A game of a runner. Moves carry their comments.
fn game(round: &str, [white, black]: [&str; 2], result: &str, fen: &str, moves: &str) -> String {
    let fen =
        if fen.is_empty() { String::new() } else { format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n") };
    format!(
        "[Event \"e\"]\n[Round \"{round}\"]\n[White \"{white}\"]\n[Black \"{black}\"]\n\
         [Result \"{result}\"]\n{fen}\n{moves} {result}\n\n"
    )
}

const AB: [&str; 2] = ["A", "B"];
const BA: [&str; 2] = ["B", "A"];

fn tally(games: &[String]) -> CrosstableInput {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("games.pgn");
    fs::write(&path, games.concat()).unwrap();
    CrosstableInput::read(&[path], &[]).unwrap()
}

/// What `verdict stats` says of A in these games: JSON, and standard error.
fn stats(games: &[String]) -> (Value, String) {
    let dir = tempfile::tempdir().unwrap();
    (stats_in(dir.path(), games), verdict(&["stats", "games.pgn", "--test", "A"], dir.path()).2)
}

fn stats_in(dir: &Path, games: &[String]) -> Value {
    fs::write(dir.join("games.pgn"), games.concat()).unwrap();
    let (code, text, told) = verdict(&["stats", "games.pgn", "--test", "A", "--json"], dir);
    assert_eq!(code, Some(0), "{told}");
    serde_json::from_str(&text).unwrap()
}

/// Both games of a round from one position, in whatever order they ended.
#[test]
fn the_pairs_of_fastchess_are_its_rounds() {
    let in_order = games(FASTCHESS);
    assert_eq!(in_order.len(), 8);
    let reversed = in_order.iter().rev().cloned().collect();
    let interleaved = [0, 2, 5, 1, 3, 7, 4, 6].map(|at: usize| in_order[at].clone()).to_vec();
    for order in [in_order, reversed, interleaved] {
        let (json, told) = stats(&order);
        assert_eq!(json["ptnml"], json!([0, 0, 1, 1, 2]));
        assert_eq!(json["wdl"], json!({"win": 6, "draw": 1, "loss": 1}));
        assert_eq!(json["counted"]["pairs_by_round"], 4);
        assert_eq!(json["twins"], json!({"repeated_pairs": 0, "effective_pairs": 4}));
        assert!(told.contains("all 8 of their games are in pairs"), "{told}");
    }
}

/// A small book comes back to its positions: the round tells the pair, not the first game that fits.
#[test]
fn a_position_that_is_played_again_is_another_pair() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
    let won = |round, players| game(round, players, "1-0", fen, "1. e4 {+1.00/3 0.01s}");
    let lost = |round, players| game(round, players, "0-1", fen, "1. Kd2 {-1.00/3 0.01s}");
    // In round 1 A wins both, in round 2 it loses both.
    let (json, _) = stats(&[won("1", AB), won("2", BA), lost("1", BA), lost("2", AB)]);
    assert_eq!(json["ptnml"], json!([1, 0, 0, 0, 1]));
    // Half of round 3 and half of round 4 were never played.
    let (json, told) = stats(&[won("1", AB), lost("3", AB), lost("1", BA), won("4", BA)]);
    assert_eq!((&json["ptnml"], &json["games"]), (&json!([0, 0, 0, 0, 1]), &json!(4)));
    assert_eq!(json["wdl"], json!({"win": 2, "draw": 0, "loss": 2}));
    assert!(told.contains("2 of their 4 games"), "{told}");
}

#[test]
fn each_runner_tells_its_pairs_in_its_own_way() {
    let [one, two] = ["4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1"];
    let booked = |third: &str| format!("1. e4 {{book}} e5 {{book}} 2. {third} {{+0.10/5 0.01s}}");
    let other_book = "1. d4 {book} d5 {book} 2. c4 {+0.10/5 0.01s}";
    let searched = |first: &str| format!("1. {first} {{+0.10/5 0.01s}} e6 {{-0.05/5 0.01s}}");
    let draw = "1/2-1/2";
    let from_start = |round, players, first| game(round, players, draw, "", &searched(first));
    let of_book = |round, players, moves: &str| game(round, players, draw, "", moves);
    let bare = |round, players, moves| game(round, players, draw, "", moves);
    let from = |round, players, fen| game(round, players, draw, fen, "1. Kf2 Kd8");
    for (name, games, [by_round, by_opening, single]) in [
        (
            "fastchess, a PGN book",
            vec![
                of_book("1", AB, &booked("Nf3")),
                of_book("2", BA, &booked("Nc3")),
                of_book("2", AB, &booked("f4")),
                of_book("1", BA, &booked("d4")),
            ],
            [2, 0, 0],
        ),
        (
            "fastchess without comments: the engines differ at once",
            vec![bare("1", AB, "1. e4 e5"), bare("1", BA, "1. d4 d5"), bare("2", AB, "1. c4")],
            [1, 0, 1],
        ),
        (
            "cutechess-cli, two games an encounter, from the start position",
            vec![
                from_start("1", AB, "e4"),
                from_start("1", BA, "d4"),
                from_start("2", AB, "c4"),
                from_start("2", BA, "e4"),
            ],
            [2, 0, 0],
        ),
        (
            "cutechess-cli, a game an encounter, openings repeated",
            vec![
                of_book("1", AB, &booked("Nf3")),
                of_book("2", BA, &booked("Nc3")),
                of_book("3", AB, other_book),
                of_book("4", BA, other_book),
                of_book("5", AB, &booked("f4")),
            ],
            [0, 2, 1],
        ),
        (
            "the same from positions",
            vec![from("1", AB, one), from("2", BA, one), from("3", AB, two), from("4", BA, one)],
            [0, 1, 2],
        ),
        (
            "one round of many games",
            (0..5).flat_map(|_| [from_start("1", AB, "e4"), from_start("1", BA, "d4")]).collect(),
            [5, 0, 0],
        ),
        ("colours never swapped", vec![from("1", AB, one), from("1", AB, one)], [0, 0, 2]),
        (
            "files of several workers, joined as OpenBench does",
            vec![from("1", AB, one), from("1", BA, one), from("1", BA, two), from("1", AB, two)],
            [2, 0, 0],
        ),
        ("no round", vec![from("?", AB, one), from("?", BA, two), from("?", BA, one)], [0, 1, 1]),
        (
            "our own, without our tags",
            vec![bare("1.2", AB, "1. e4"), bare("1.1", BA, "1. d4"), bare("2.1", AB, "1. e4")],
            [1, 0, 1],
        ),
        (
            "second and third game of a round",
            vec![bare("1.2", AB, "1. e4"), bare("1.3", BA, "1. d4")],
            [0, 0, 2],
        ),
        (
            "a first engine that tells no score, in a round",
            vec![bare("1", AB, "1. e4 e5 {+0.10/5 0.01s}"), from_start("1", BA, "d4")],
            [1, 0, 0],
        ),
        (
            "books that are told and differ",
            vec![of_book("1", AB, &booked("Nf3")), of_book("1", BA, other_book)],
            [0, 0, 2],
        ),
    ] {
        let tally = tally(&games);
        let counted = &tally.counted;
        assert_eq!(
            [counted.pairs_found, counted.single_games],
            [by_round + by_opening, single],
            "{name}"
        );
        assert_eq!(counted.pairs_by_round > 0, by_round > 0, "{name}");
        assert_eq!(counted.pairs_found > counted.pairs_by_round, by_opening > 0, "{name}");
    }
}

/// Ten games from the start position: as many are counted as the runner counts.
#[test]
fn no_game_is_dropped() {
    let open = "1. e4 {+0.10/5 0.01s} e5 {0.00/5 0.01s}";
    let again = |number: usize, result| {
        let players = if number.is_multiple_of(2) { AB } else { BA };
        game("1", players, result, "", open)
    };
    let results =
        ["1-0", "1/2-1/2", "1-0", "1/2-1/2", "0-1", "1/2-1/2", "0-1", "1-0", "1/2-1/2", "1-0"];
    let ten: Vec<String> =
        results.iter().enumerate().map(|(at, result)| again(at, result)).collect();
    let (json, _) = stats(&ten);
    assert_eq!((&json["games"], &json["pairs"]), (&json!(10), &json!(5)));
    assert_eq!(json["wdl"], json!({"win": 2, "draw": 4, "loss": 4}));
    assert_eq!(json["ptnml"], json!([1, 2, 0, 2, 0]));
    // The second pair is the first once more, so that it says nothing new.
    assert_eq!(json["twins"], json!({"repeated_pairs": 1, "effective_pairs": 4}));
    let text = |games: &[String]| {
        let dir = tempfile::tempdir().unwrap();
        fs::write(dir.path().join("games.pgn"), games.concat()).unwrap();
        let (_, text, told) = verdict(&["stats", "games.pgn", "--test", "A"], dir.path());
        text + &told
    };
    let of_ten = text(&ten);
    assert!(of_ten.contains("repeats  1 of 5 pairs"), "{of_ten}");
    // The repeated pair was found as the others were.
    assert!(of_ten.contains("equal event, round and start position: 5\n"), "{of_ten}");

    // Colours as they are, none is in a pair; nine repeat the first: played, and no evidence.
    let unswapped: Vec<String> = (0..10).map(|_| again(0, "1-0")).collect();
    let of_unswapped = text(&unswapped);
    assert!(of_unswapped.contains("repeats  9 of 10 single games"), "{of_unswapped}");
}

/// However often one game is given, it is one game's evidence.
#[test]
fn single_games_that_repeat_are_no_evidence() {
    let moves = "1. e4 {+0.10/5 0.01s} e5 {0.00/5 0.01s}";
    let new = ["1-0", "0-1", "1/2-1/2"].map(|result| game("1", AB, result, "", moves));
    let (once, _) = stats(&new);
    let (often, told) = stats(&[&new[..], &vec![new[0].clone(); 17]].concat());
    assert_eq!(often["wdl"], json!({"win": 18, "draw": 1, "loss": 1}));
    assert_eq!(often["counted"]["left_out"]["repeated_games"], 17);
    assert!(told.contains("repeat earlier ones move by move: 17"), "{told}");
    for key in ["elo", "elo_error95", "nelo", "los", "score"] {
        assert_eq!(often[key], once[key], "{key}");
    }
    // Turned round, so that the players' order is another.
    let turned: Vec<String> = vec![game("1", BA, "1-0", "", moves); 20];
    assert_eq!(stats(&turned).0["wdl"], json!({"win": 0, "draw": 0, "loss": 20}));
}

/// Beside many pairs one game more changes little, and counts.
#[test]
fn games_in_no_pair_count_singly() {
    let moves = |at: usize| {
        format!(
            "1. e4 {{+0.10/5 0.01s}} e5 {{0.0{}/5 0.01s}} 2. {}",
            at % 9,
            ["a3", "b3", "c3", "d3"][at % 4]
        )
    };
    let pair = |at: usize| {
        let results =
            [["1-0", "0-1"], ["1-0", "1/2-1/2"], ["1/2-1/2", "1/2-1/2"], ["0-1", "1/2-1/2"]]
                [at % 4];
        let round = (at + 1).to_string();
        let long = format!("{}{}", moves(at), " Ng8 Ng1".repeat(at));
        [game(&round, AB, results[0], "", &long), game(&round, BA, results[1], "", &long)]
    };
    let pairs: Vec<String> = (0..20).flat_map(pair).collect();
    let (of_pairs, _) = stats(&pairs);
    let more = [pairs, vec![game("21", AB, "1/2-1/2", "", &moves(1))]].concat();
    let (with_one_more, told) = stats(&more);
    assert_eq!((&with_one_more["games"], &with_one_more["pairs"]), (&json!(41), &json!(20)));
    assert_eq!(with_one_more["ptnml"], of_pairs["ptnml"]);
    assert!(told.contains("40 of their 41 games"), "{told}");
    let error = |json: &Value| json["elo_error95"].as_f64().expect("an error");
    let (before, after) = (error(&of_pairs), error(&with_one_more));
    assert!((after / before - 1.0).abs() < 0.05, "{before} {after}");
}
