//! Ratings that can be told by hand, and EloStat's table of 2007 (TST-05).

use serde_json::Value;
use stats::ratings::{Level, RatingScale, Results, rate};
use stats::{IntervalKind, Pentanomial, Wdl, elo as match_elo, elo_of_score, los as match_los};

use super::tournament::{elo, matches, place, rated, row};

#[test]
fn two_players_differ_by_the_elo_of_the_score() {
    for (games, score) in
        [([3, 0, 1], 0.75), ([10, 20, 6], 20.0 / 36.0), ([0, 7, 1], 0.4375), ([0, 4, 0], 0.5)]
    {
        let ratings = rated(&matches(&[("a", "b", games)]));
        let (a, b) = (elo(&ratings, "a").0, elo(&ratings, "b").0);
        let wanted = elo_of_score(score).expect("finite");
        assert!((a - b - wanted).abs() < 1e-6, "{games:?}: {a} {b} {wanted}");
        assert!((a + b).abs() < 1e-6, "{games:?}");
    }
}

/// For two players of many games errors and LOS are those of a match.
#[test]
fn a_match_has_the_errors_of_its_statistics() {
    let wdl = Wdl { win: 400, draw: 900, loss: 300 };
    let mut results = Results::new();
    let (test, base) = (results.player("test"), results.player("base"));
    for (half_points, count) in [(2, wdl.win), (1, wdl.draw), (0, wdl.loss)] {
        for _ in 0..count {
            results.add_game(test, base, half_points);
        }
    }
    let ratings = rated(&results);
    let [test, base] = ["test", "base"].map(|name| place(&ratings, name));
    let difference = ratings.difference(test, base).expect("defined");
    let wanted = match_elo(&wdl, IntervalKind::Normal);
    assert!((difference.elo - wanted.elo.expect("defined")).abs() < 1e-6);
    assert!((difference.error95 / wanted.error95.expect("defined") - 1.0).abs() < 0.005);
    let los = ratings.los(test, base).expect("defined");
    assert!((los - match_los(&wdl).expect("defined")).abs() < 1e-3);
    // Half the difference is each player's distance to the mean.
    assert!((elo(&ratings, "test").1 - difference.error95 / 2.0).abs() < 1e-9);
}

#[test]
fn pairs_have_the_errors_of_the_pentanomial() {
    // Every opening decides: White wins most games, so that the pairs are nearly all 1–1.
    let mut results = Results::new();
    let (test, base) = (results.player("test"), results.player("base"));
    let mut pairs = Pentanomial::default();
    for (with_white, with_black, count) in [(2, 0, 700), (2, 1, 120), (1, 0, 90), (1, 1, 90)] {
        for _ in 0..count {
            results.add_pair(test, base, with_white, with_black);
            pairs.add_pair(with_white + with_black);
        }
    }
    let ratings = rated(&results);
    let difference =
        ratings.difference(place(&ratings, "test"), place(&ratings, "base")).expect("defined");
    let wanted = match_elo(&pairs, IntervalKind::Normal);
    assert!((difference.elo - wanted.elo.expect("defined")).abs() < 1e-6);
    let error95 = wanted.error95.expect("defined");
    assert!((difference.error95 / error95 - 1.0).abs() < 0.01, "{difference:?} {error95}");
    assert_eq!(results.pairs_between(test, base).0, pairs);
    assert_eq!(results.pairs_between(base, test).0, pairs.mirrored());
}

#[test]
fn three_players_in_a_ring_are_equal() {
    let ring = matches(&[("a", "b", [7, 4, 3]), ("b", "c", [7, 4, 3]), ("c", "a", [7, 4, 3])]);
    let ratings = rated(&ring);
    let errors = ["a", "b", "c"].map(|name| {
        let (elo, error) = elo(&ratings, name);
        assert!(elo.abs() < 1e-6, "{name}: {elo}");
        error
    });
    assert!(errors.iter().all(|error| (error - errors[0]).abs() < 1e-6), "{errors:?}");
    for (a, b) in [("a", "b"), ("b", "c"), ("c", "a")] {
        let los = ratings.los(place(&ratings, a), place(&ratings, b)).expect("defined");
        assert!((los - 0.5).abs() < 1e-9);
    }
}

/// Who never met is compared through others: 100 Elo and 100 Elo are 200 Elo.
#[test]
fn differences_add_up_along_a_chain() {
    let ratings = rated(&matches(&[("a", "b", [64, 0, 36]), ("b", "c", [64, 0, 36])]));
    let step = elo_of_score(0.64).expect("finite");
    assert!((elo(&ratings, "a").0 - elo(&ratings, "c").0 - 2.0 * step).abs() < 1e-6);
    let of = |a, b| ratings.difference(place(&ratings, a), place(&ratings, b)).expect("defined");
    // The two matches err independently.
    let wanted = of("a", "b").error95.hypot(of("b", "c").error95);
    assert!((of("a", "c").error95 - wanted).abs() < 1e-6);
    // The player in the middle is surest of its place.
    assert!(elo(&ratings, "b").1 < elo(&ratings, "a").1);
}

#[test]
fn white_has_the_advantage_of_its_score() {
    let mut results = Results::new();
    let (a, b) = (results.player("a"), results.player("b"));
    // Each wins with White, three in four, and a scores 60% in all.
    for (white, black, won, games) in [(a, b, 17, 20), (b, a, 13, 20)] {
        for game in 0..games {
            results.add_game(white, black, if game < won { 2 } else { 0 });
        }
    }
    let with = |white_advantage| {
        rate(&results, &RatingScale { white_advantage, ..RatingScale::default() }).expect("ratings")
    };
    let ratings = with(true);
    let white = ratings.white.expect("fitted");
    let [strong, weak] =
        [17.0 / 20.0, 13.0 / 20.0].map(|score| elo_of_score(score).expect("finite"));
    assert!((white.elo - (strong + weak) / 2.0).abs() < 1e-6, "{white:?}");
    assert!(white.error95 > 50.0 && white.error95 < 200.0, "{white:?}");
    let difference = elo(&ratings, "a").0 - elo(&ratings, "b").0;
    assert!((difference - (strong - weak) / 2.0).abs() < 1e-6);
    // Without it the score of all games counts.
    let ratings = with(false);
    let difference = elo(&ratings, "a").0 - elo(&ratings, "b").0;
    assert!((difference - elo_of_score(0.6).expect("finite")).abs() < 1e-6);
}

#[test]
fn anchors_only_shift() {
    let results = matches(&[
        ("a", "b", [7, 4, 3]),
        ("b", "c", [5, 4, 8]),
        ("c", "a", [2, 4, 9]),
        ("d", "a", [5, 1, 5]),
    ]);
    let free = rated(&results);
    let anchored = |anchors: &[(&str, f64)]| {
        let anchors = anchors.iter().map(|(name, elo)| ((*name).to_owned(), *elo)).collect();
        rate(&results, &RatingScale { anchors, ..RatingScale::default() }).expect("ratings")
    };
    let one = anchored(&[("b", 2_500.0)]);
    let shift = 2_500.0 - elo(&free, "b").0;
    for name in ["a", "b", "c", "d"] {
        assert!((elo(&one, name).0 - elo(&free, name).0 - shift).abs() < 1e-9);
        let of = |ratings| {
            let [a, b] = [name, "a"].map(|name| place(ratings, name));
            if a == b { None } else { Some(ratings.los(a, b).expect("defined")) }
        };
        assert_eq!(of(&one).is_some(), of(&free).is_some());
        if let (Some(one), Some(free)) = (of(&one), of(&free)) {
            assert!((one - free).abs() < 1e-12);
        }
    }
    assert!(elo(&one, "b").1.abs() < 1e-6, "an only anchor has no error");
    // Several: their mean is held.
    let two = anchored(&[("b", 2_500.0), ("d", 2_400.0)]);
    assert!((elo(&two, "b").0 + elo(&two, "d").0 - 4_900.0).abs() < 1e-6);
    let mean =
        rate(&results, &RatingScale { mean: 2_090.0, ..RatingScale::default() }).expect("ratings");
    assert!((elo(&mean, "c").0 - elo(&free, "c").0 - 2_090.0).abs() < 1e-9);
}

/// EloStat's table of 2007 and the games under it.
pub(super) fn elostat() -> (Value, Results) {
    let table: Value =
        serde_json::from_str(include_str!("../data/elostat_2007.json")).expect("JSON");
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let count = |value: &Value| value.as_u64().expect("a count");
    let rows: Vec<(String, String, [u64; 3])> = ["printed", "chosen"]
        .into_iter()
        .flat_map(|key| table[key].as_array().expect("rows"))
        .map(|row| (text(&row[0]), text(&row[1]), [&row[2], &row[3], &row[4]].map(count)))
        .collect();
    let rows: Vec<_> = rows.iter().map(|(a, b, wdl)| (a.as_str(), b.as_str(), *wdl)).collect();
    let results = matches(&rows);
    (table, results)
}

/// The likeliest ratings are EloStat's to 5 Elo. Its margins take the opponents' ratings as known.
#[test]
fn elostats_ratings_are_near_the_likeliest() {
    let (table, results) = elostat();
    let scale =
        RatingScale { mean: table["mean"].as_f64().expect("a rating"), ..RatingScale::default() };
    let ratings = rate(&results, &scale).expect("ratings");
    let number = |value: &Value| value.as_f64().expect("a number");
    for player in table["players"].as_array().expect("players") {
        let rated = row(&ratings, player["name"].as_str().expect("a name"));
        assert_eq!((rated.points(), rated.games()), (number(&player["points"]), 125));
        let Level::Elo { elo, error95: Ok(joint), error95_known_opponents: Ok(alone) } =
            rated.level
        else {
            panic!("{rated:?}");
        };
        assert!((elo - number(&player["elo"])).abs() < 5.0, "{player}: {elo}");
        for margin in ["plus", "minus"] {
            assert!((alone - number(&player[margin])).abs() < 5.0, "{player}: {alone}");
        }
        // That the others move too makes the distance to everybody's mean surer.
        assert!(joint < alone, "{player}: {joint} {alone}");
    }
    let names: Vec<&str> = ratings.players.iter().map(|rated| rated.name.as_str()).collect();
    assert_eq!(names[0], "v0.25b (clmr,ss,qsp)");
    assert_eq!(names[5], "v0.241b");
    assert!(ratings.los(0, 5).expect("defined") > 0.9999);
}

/// The ten matches that are not printed do not matter for the ratings, as long as the points are right.
#[test]
fn ratings_depend_on_points_and_pairings_alone() {
    let (table, results) = elostat();
    let mut drawish: Vec<(&str, &str, [u64; 3])> = Vec::new();
    for key in ["printed", "chosen"] {
        for row in table[key].as_array().expect("rows") {
            let [won, drawn, lost] = [2, 3, 4].map(|at: usize| row[at].as_u64().expect("a count"));
            let fewer = won.min(lost);
            let (a, b) = (row[0].as_str().expect("a name"), row[1].as_str().expect("a name"));
            drawish.push((a, b, [won - fewer, drawn + 2 * fewer, lost - fewer]));
        }
    }
    let (usual, drawish) = (rated(&results), rated(&matches(&drawish)));
    for player in &usual.players {
        let (a, b) = (elo(&usual, &player.name), elo(&drawish, &player.name));
        assert!((a.0 - b.0).abs() < 1e-6, "{}", player.name);
        assert!(b.1 < a.1, "draws say more: {}", player.name);
    }
}
