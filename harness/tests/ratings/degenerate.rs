//! Games that determine no rating, or not all.

use process::ErrorKind;
use stats::ratings::{Level, MAX_PLAYERS, RatingScale, Results, Separation, Unrated, rate};

use super::tournament::{elo, matches, place, rated, row};

#[test]
fn no_games_and_no_players_are_no_trouble() {
    let none = rated(&Results::new());
    assert!(none.players.is_empty() && none.groups.is_empty());

    let mut results = Results::new();
    results.player("idle");
    let idle = rated(&results);
    assert_eq!(idle.players[0].level, Level::None(Unrated::NoGames));

    let player = results.player("idle");
    results.add_game(player, player, 2);
    assert_eq!(rated(&results).players[0].level, Level::None(Unrated::NoGames));
}

/// Ten wins to nothing: likelihood ratio exp(−1.645²/2) at E¹⁰ = 0.2585, which is 335.6 Elo.
#[test]
fn a_match_won_to_nothing_has_a_bound() {
    let sweep = matches(&[("winner", "loser", [10, 0, 0])]);
    let scale = RatingScale { anchors: vec![("loser".into(), 2_000.0)], ..RatingScale::default() };
    let ratings = rate(&sweep, &scale).expect("ratings");
    let Level::AtLeast(bound) = row(&ratings, "winner").level else { panic!("{ratings:?}") };
    let expected = (-1.352_771_8_f64 / 10.0).exp();
    let wanted = 2_000.0 + 400.0 * (expected / (1.0 - expected)).log10();
    assert!((bound - wanted).abs() < 1e-3, "{bound} {wanted}");
    let Level::Elo { elo, error95, .. } = row(&ratings, "loser").level else { panic!() };
    assert_eq!((elo, error95), (2_000.0, Err(Unrated::Alone)));
    let los = ratings.los(place(&ratings, "winner"), place(&ratings, "loser")).expect("defined");
    assert!(los > 0.999 && los < 1.0, "{los}");

    // From the other side.
    let scale = RatingScale { anchors: vec![("winner".into(), 2_000.0)], ..RatingScale::default() };
    let ratings = rate(&sweep, &scale).expect("ratings");
    let Level::AtMost(bound) = row(&ratings, "loser").level else { panic!("{ratings:?}") };
    assert!((bound - (4_000.0 - wanted)).abs() < 1e-3, "{bound}");
}

#[test]
fn more_wins_give_a_higher_bound() {
    let unswept = rated(&matches(&[("a", "b", [3, 2, 4]), ("b", "c", [3, 2, 4])]));
    let bound = |games| {
        let ratings = rated(&matches(&[
            ("a", "b", [3, 2, 4]),
            ("b", "c", [3, 2, 4]),
            ("sweeper", "a", [games, 0, 0]),
            ("sweeper", "b", [games, 0, 0]),
            ("c", "victim", [games, 0, 0]),
        ]));
        let Level::AtLeast(high) = row(&ratings, "sweeper").level else { panic!("{ratings:?}") };
        let Level::AtMost(low) = row(&ratings, "victim").level else { panic!("{ratings:?}") };
        if games >= 10 {
            assert_eq!(ratings.players[0].name, "sweeper");
        }
        assert_eq!(ratings.players[4].name, "victim");
        // Games that somebody wins, or loses, throughout say nothing of the others.
        assert_eq!(elo(&ratings, "a"), elo(&unswept, "a"));
        (high, low)
    };
    let mut last = (f64::NEG_INFINITY, f64::INFINITY);
    for games in [1, 2, 10, 1_000] {
        let next = bound(games);
        assert!(next.0 > last.0 && next.1 < last.1, "{games}: {next:?} {last:?}");
        last = next;
    }
}

/// a–b, a–c, and two groups that never met.
#[test]
fn groups_that_never_met_are_rated_on_their_own() {
    let results = matches(&[("a", "b", [3, 2, 4]), ("b", "c", [1, 1, 1]), ("x", "y", [6, 0, 3])]);
    let scale =
        RatingScale { anchors: vec![("x".into(), 100.0)], mean: 2_000.0, ..RatingScale::default() };
    let ratings = rate(&results, &scale).expect("ratings");
    assert_eq!(ratings.groups.len(), 2);
    assert_eq!(ratings.groups[0].players, 3);
    assert!(!ratings.groups[0].anchored && ratings.groups[1].anchored);
    assert_eq!(ratings.groups[1].separation, Separation::NeverMet);
    let mean = ["a", "b", "c"].map(|name| elo(&ratings, name).0).iter().sum::<f64>() / 3.0;
    assert!((mean - 2_000.0).abs() < 1e-6);
    let step = 400.0 * 2_f64.log10();
    assert!((elo(&ratings, "y").0 - (100.0 - step)).abs() < 1e-6);
    let [a, x] = ["a", "x"].map(|name| place(&ratings, name));
    assert_eq!(ratings.los(a, x), Err(Unrated::DifferentGroups));
    // As if each were alone.
    let alone = rated(&matches(&[("a", "b", [3, 2, 4]), ("b", "c", [1, 1, 1])]));
    let of = |ratings: &_| elo(ratings, "a").0 - elo(ratings, "c").0;
    assert!((of(&ratings) - of(&alone)).abs() < 1e-6);
}

#[test]
fn groups_of_which_one_won_everything_are_apart() {
    let ratings = rated(&matches(&[
        ("a", "b", [3, 2, 4]),
        ("x", "y", [6, 0, 3]),
        ("a", "x", [5, 0, 0]),
        ("b", "y", [5, 0, 0]),
    ]));
    assert_eq!(ratings.groups.len(), 2);
    assert_eq!(ratings.groups[1].separation, Separation::OneSided);
}

/// a beat b, b beat c, c beat d: b and c are bounded by nobody but each other.
#[test]
fn a_ladder_of_wins_is_measured_from_one_player() {
    let ratings =
        rated(&matches(&[("a", "b", [4, 0, 0]), ("b", "c", [4, 0, 0]), ("c", "d", [4, 0, 0])]));
    assert_eq!(ratings.groups.len(), 1);
    assert!(matches!(row(&ratings, "b").level, Level::Elo { error95: Err(Unrated::Alone), .. }));
    assert!(matches!(row(&ratings, "a").level, Level::AtLeast(_)));
    assert!(matches!(row(&ratings, "c").level, Level::AtMost(_)));
    assert_eq!(row(&ratings, "d").level, Level::None(Unrated::NoRatedOpponent));
    let [a, d] = ["a", "d"].map(|name| place(&ratings, name));
    assert_eq!(ratings.los(a, d), Err(Unrated::OnlyBounds));
}

#[test]
fn an_advantage_that_the_games_do_not_say_is_not_fitted() {
    let white = |games: &[(&str, &str, u8)]| {
        let mut results = Results::new();
        for (white, black, half_points) in games {
            let [white, black] = [white, black].map(|name| results.player(name));
            results.add_game(white, black, *half_points);
        }
        let scale = RatingScale { white_advantage: true, ..RatingScale::default() };
        rate(&results, &scale).expect("ratings").white
    };
    let silent: [&[(&str, &str, u8)]; 4] = [
        // White won everything.
        &[("a", "b", 2), ("b", "a", 2)],
        // The same player always had White.
        &[("a", "b", 2), ("a", "b", 0), ("a", "b", 1)],
        // A ring in which the colours follow the order.
        &[("a", "b", 2), ("b", "c", 2), ("a", "c", 1), ("b", "a", 2), ("c", "b", 2), ("c", "a", 2)],
        &[],
    ];
    for games in silent {
        assert_eq!(white(games), Err(Unrated::ColoursSayNothing), "{games:?}");
    }
    // Draws with both colours bound it, and so does a ring that no potential explains.
    for games in
        [&[("a", "b", 1), ("b", "a", 1)][..], &[("a", "b", 1), ("b", "c", 1), ("c", "a", 1)]]
    {
        let white = white(games).expect("fitted");
        assert!(white.elo.abs() < 1e-6 && white.error95 > 0.0, "{white:?}");
    }
}

/// A spread of zero is no certainty.
#[test]
fn few_games_without_surprise_are_not_certain() {
    for results in [
        matches(&[("a", "b", [0, 1, 0])]),
        matches(&[("a", "b", [0, 2, 0]), ("b", "c", [0, 1, 0])]),
        matches(&[("a", "b", [1, 0, 1]), ("b", "c", [1, 0, 1])]),
    ] {
        let ratings = rated(&results);
        let difference =
            ratings.difference(place(&ratings, "a"), place(&ratings, "b")).expect("defined");
        assert!(difference.error95 > 150.0, "{difference:?}");
    }
    let error = |draws| {
        let ratings = rated(&matches(&[("a", "b", [0, draws, 0])]));
        elo(&ratings, "a").1
    };
    assert!(error(10) < error(2) && error(1_000) < error(10) && error(1_000) > 0.0);
}

#[test]
fn scales_that_cannot_be_are_refused() {
    let results = matches(&[("alice", "bob", [3, 2, 4]), ("alice", "carol", [9, 0, 0])]);
    let refused = |anchors: &[(&str, f64)], mean| {
        let anchors = anchors.iter().map(|(name, elo)| ((*name).to_owned(), *elo)).collect();
        rate(&results, &RatingScale { anchors, mean, ..RatingScale::default() })
            .expect_err("refused")
    };
    for (anchors, mean, words) in [
        (&[("alicia", 1.0)][..], 0.0, "\"alicia\"; did you mean \"alice\""),
        (&[("bob", 1.0), ("bob", 2.0)], 0.0, "\"bob\" is anchored twice"),
        (&[("carol", 1.0)], 0.0, "\"carol\" cannot be an anchor"),
        (&[("bob", f64::NAN)], 0.0, "found NaN"),
        (&[], 1e9, "found 1000000000"),
    ] {
        let error = refused(anchors, mean);
        assert_eq!(error.kind(), ErrorKind::Usage);
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn too_many_players_are_refused_and_not_waited_for() {
    let mut results = Results::new();
    let players: Vec<_> = (0..=MAX_PLAYERS).map(|n| results.player(&n.to_string())).collect();
    for two in players.windows(2) {
        results.add_game(two[0], two[1], 1);
    }
    let error = rate(&results, &RatingScale::default()).expect_err("refused");
    assert_eq!(error.kind(), ErrorKind::Usage);
    assert!(error.to_string().starts_with(&format!("{} players", MAX_PLAYERS + 1)), "{error}");
}

#[test]
fn players_of_few_games_take_their_games_with_them() {
    let results = matches(&[
        ("a", "b", [5, 5, 5]),
        ("b", "c", [2, 2, 2]),
        ("c", "d", [2, 2, 2]),
        ("d", "e", [1, 0, 0]),
    ]);
    let names = |results: &Results| results.names().to_vec();
    assert_eq!(names(&results.with_at_least(0)), ["a", "b", "c", "d", "e"]);
    assert_eq!(names(&results.with_at_least(6)), ["a", "b", "c", "d"]);
    // c has 12 games, but only 6 among those who stay.
    assert_eq!(names(&results.with_at_least(8)), ["a", "b"]);
    assert_eq!(results.with_at_least(8).games(), [15, 0]);
}
