//! Ratings as EloStat computes them: its table of 2007 (TST-05), and games of which it says little.

use std::fs;

use serde_json::Value;
use stats::elo_of_score;
use stats::ratings::{EloStatRow, RatingScale, Results, elostat};

use super::command::verdict;
use super::known;
use super::tournament::matches;

fn rows(results: &Results, scale: &RatingScale) -> Vec<EloStatRow> {
    elostat(results, scale).expect("ratings")
}

fn row<'a>(rows: &'a [EloStatRow], name: &str) -> &'a EloStatRow {
    rows.iter().find(|row| row.name == name).unwrap_or_else(|| panic!("{name} is not rated"))
}

/// Ratings as printed, margins within 2 Elo.
#[test]
fn the_table_of_2007_is_reproduced() {
    let (table, results) = known::elostat();
    let mean = table["mean"].as_f64().expect("a rating");
    let rows = rows(&results, &RatingScale { mean, ..RatingScale::default() });
    let number = |value: &Value| value.as_f64().expect("a number");
    let players = table["players"].as_array().expect("players");
    assert_eq!(rows.len(), players.len());
    for player in players {
        let found = row(&rows, player["name"].as_str().expect("a name"));
        assert_eq!(found.elo.round(), number(&player["elo"]), "{found:?}");
        let [plus, minus] = found.margins.expect("margins");
        for (margin, printed) in [(plus, &player["plus"]), (minus, &player["minus"])] {
            assert!((margin - number(printed)).abs() < 2.0, "{player}: {found:?}");
        }
        // All met all alike: the opponents' mean is that of the others.
        assert!((5.0 * found.average_opponent + found.elo - 6.0 * mean).abs() < 1e-6, "{found:?}");
    }
    // The games of v0.241b are all printed. Its interval reaches further down, as printed.
    let [plus, minus] = row(&rows, "v0.241b").margins.expect("margins");
    assert!((minus - plus - 3.0).abs() < 1.0, "{plus} {minus}");
}

/// Two players differ by the Elo of the score, and each one's margins are the other's turned over.
#[test]
fn two_players() {
    let rows = rows(&matches(&[("a", "b", [10, 20, 6])]), &RatingScale::default());
    let wanted = elo_of_score(20.0 / 36.0).expect("finite");
    let [a, b] = ["a", "b"].map(|name| row(&rows, name));
    assert!((a.elo - wanted / 2.0).abs() < 1e-6 && (b.elo + wanted / 2.0).abs() < 1e-6, "{rows:?}");
    let ([up, down], [other_up, other_down]) = (a.margins.expect("a"), b.margins.expect("b"));
    assert!((up - other_down).abs() < 1e-6 && (down - other_up).abs() < 1e-6);
    assert_eq!(a.average_opponent, b.elo);
}

/// Unequal numbers of games: everyone stands as far above its opponents as its score says, less one
/// amount for all.
#[test]
fn every_equation_is_met() {
    let results = matches(&[
        ("a", "b", [7, 4, 3]),
        ("b", "c", [50, 4, 8]),
        ("c", "a", [2, 4, 9]),
        ("d", "a", [1, 0, 2]),
    ]);
    let rows = rows(&results, &RatingScale { mean: 1_500.0, ..RatingScale::default() });
    let rest = |row: &EloStatRow| {
        let score = (row.wdl.win as f64 + row.wdl.draw as f64 / 2.0) / row.wdl.games() as f64;
        elo_of_score(score).expect("finite") - (row.elo - row.average_opponent)
    };
    for row in &rows {
        assert!((rest(row) - rest(&rows[0])).abs() < 1e-6, "{rows:?}");
    }
    let mean = rows.iter().map(|row| row.elo).sum::<f64>() / 4.0;
    assert!((mean - 1_500.0).abs() < 1e-6);
    let anchors = vec![("b".to_owned(), 2_000.0)];
    let anchored = self::rows(&results, &RatingScale { anchors, ..RatingScale::default() });
    let shift = 2_000.0 - row(&rows, "b").elo;
    for row in &anchored {
        assert!((row.elo - self::row(&rows, &row.name).elo - shift).abs() < 1e-6);
    }
}

/// Score 1 is 600 Elo above the opponents, without margins; draws alone leave no margin; who never
/// met stands in a set of its own.
#[test]
fn games_that_say_little() {
    let results = matches(&[("a", "b", [3, 0, 0]), ("c", "d", [0, 5, 0])]);
    let rows = rows(&results, &RatingScale::default());
    let told: Vec<_> =
        rows.iter().map(|row| (row.name.as_str(), row.set, row.elo.round(), row.margins)).collect();
    let none = Some([0.0, 0.0]);
    let wanted =
        [("a", 0, 300.0, None), ("b", 0, -300.0, None), ("c", 1, 0.0, none), ("d", 1, 0.0, none)];
    assert_eq!(told, wanted);
    assert!(self::rows(&Results::new(), &RatingScale::default()).is_empty());
}

#[test]
fn the_command_prints_its_layout() {
    let dir = tempfile::tempdir().unwrap();
    let game = |(white, black, result, first): (&str, &str, &str, &str)| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. {first} {result}\n\n"
        )
    };
    let games = [
        ("A", "B", "1-0", "e4"),
        ("B", "A", "1/2-1/2", "e4"),
        ("A", "B", "1-0", "d4"),
        ("B", "A", "1-0", "c4"),
        ("C", "D", "1-0", "c4"),
        ("C", "D", "*", "e4"),
        ("C", "D", "2-0", "d4"),
    ];
    fs::write(dir.path().join("games.pgn"), games.map(game).concat()).unwrap();
    let run = |words: &[&str]| verdict(&[&["ratings", "games.pgn"], words].concat(), dir.path());
    let (code, text, told) = run(&["--elostat", "--mean", "2090"]);
    assert_eq!((code, told.as_str()), (Some(0), ""), "{text}");
    let wanted =
        "    Program                           Elo    +    -  Games    Score   Av.Op.   Draws

  1 A                              : 2134  410  346      4   62.5 %     2046   25.0 %
  2 B                              : 2046  346  410      4   37.5 %     2134   25.0 %

  3 C                              : 2390   --   --      1  100.0 %     1790    0.0 %
  4 D                              : 1790   --   --      1    0.0 %     2390    0.0 %

Players below an empty line met nobody above it: their ratings cannot be compared.

Left out: 1 game without a result; 1 game that cannot be used.
The first that cannot be used: games.pgn:37: game 7: ";
    assert!(text.starts_with(wanted), "{text}");

    for (words, told) in [
        (&["--elostat", "--json"][..], "cannot be used with"),
        (&["--elostat", "--white-advantage", "on"], "cannot be used with"),
        (&["--elostat", "--anchor", "E=1"], "no player is called \"E\""),
    ] {
        let (code, _, error) = run(words);
        assert_eq!(code, Some(64), "{words:?}: {error}");
        assert!(error.contains(told), "{words:?}: {error}");
    }
}
