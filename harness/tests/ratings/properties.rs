//! What must hold of the ratings of any games.

use std::collections::BTreeMap;

use proptest::prelude::*;
use stats::ratings::{Level, RatingScale, Ratings, Results, rate};

use super::tournament::{elo, matches, play, rated, rng, share};

/// A game, or a pair, of two players, by half points of the first.
#[derive(Debug, Clone, Copy)]
enum Unit {
    Game { white: usize, black: usize, points: u8 },
    Pair { first: usize, second: usize, with_white: u8, with_black: u8 },
}

fn unit(players: usize) -> impl Strategy<Value = Unit> {
    let game = (0..players, 0..players, 0..3u8).prop_map(|(white, black, points)| Unit::Game {
        white,
        black,
        points,
    });
    let pair = (0..players, 0..players, 0..3u8, 0..3u8).prop_map(
        |(first, second, with_white, with_black)| Unit::Pair {
            first,
            second,
            with_white,
            with_black,
        },
    );
    prop_oneof![game, pair]
}

/// From a single game to some that say a lot.
fn units() -> impl Strategy<Value = Vec<Unit>> {
    (1..9usize, 0..80usize).prop_flat_map(|(players, n)| prop::collection::vec(unit(players), n))
}

fn results(units: &[Unit]) -> Results {
    let mut results = Results::new();
    for unit in units {
        let mut player = |number: usize| results.player(&format!("player {number}"));
        match *unit {
            Unit::Game { white, black, points } => {
                let (white, black) = (player(white), player(black));
                results.add_game(white, black, points);
            }
            Unit::Pair { first, second, with_white, with_black } => {
                let (first, second) = (player(first), player(second));
                results.add_pair(first, second, with_white, with_black);
            }
        }
    }
    results
}

fn by_name(ratings: &Ratings) -> BTreeMap<String, Level> {
    ratings.players.iter().map(|rated| (rated.name.clone(), rated.level)).collect()
}

fn white() -> RatingScale {
    RatingScale { white_advantage: true, ..RatingScale::default() }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn every_number_is_finite_or_explained(units in units()) {
        for scale in [RatingScale::default(), white()] {
            let ratings = rate(&results(&units), &scale).expect("ratings");
            for rated in &ratings.players {
                match rated.level {
                    Level::Elo { elo, error95, error95_known_opponents } => {
                        prop_assert!(elo.is_finite());
                        for error in [error95, error95_known_opponents] {
                            prop_assert!(error.is_err() || error.is_ok_and(|e| e.is_finite() && e > 0.0),
                                "{rated:?}");
                        }
                    }
                    Level::AtLeast(bound) | Level::AtMost(bound) => prop_assert!(bound.is_finite()),
                    Level::None(_) => (),
                }
            }
            if let Ok(white) = ratings.white {
                prop_assert!(white.elo.is_finite() && white.error95 > 0.0 && white.error95.is_finite());
            }
            let places = 0..ratings.players.len();
            for (a, b) in places.clone().flat_map(|a| places.clone().map(move |b| (a, b))) {
                if a != b && let Ok(los) = ratings.los(a, b) {
                    prop_assert!((0.0..=1.0).contains(&los));
                    let back = ratings.los(b, a).expect("defined both ways");
                    prop_assert!((los + back - 1.0).abs() < 1e-9);
                }
            }
        }
    }

    /// Games in another order, given by the other player, or in parts are the same games.
    #[test]
    fn order_does_not_matter(units in units(), at in any::<prop::sample::Index>()) {
        let forward = results(&units);
        let mut backward: Vec<Unit> = units.iter().rev().copied().collect();
        for unit in &mut backward {
            if let Unit::Pair { first, second, with_white, with_black } = *unit {
                *unit = Unit::Pair {
                    first: second,
                    second: first,
                    with_white: 2 - with_black,
                    with_black: 2 - with_white,
                };
            }
        }
        let middle = if units.is_empty() { 0 } else { at.index(units.len()) };
        let mut merged = results(&units[middle..]);
        merged.merge(&results(&units[..middle]));
        for other in [results(&backward), merged] {
            let (one, other) = (rate(&forward, &white()).expect("ratings"),
                                rate(&other, &white()).expect("ratings"));
            prop_assert_eq!(by_name(&one), by_name(&other));
        }
    }

    /// Colours and results mirrored mirror the ratings.
    #[test]
    fn mirrored_results_mirror_ratings(units in units()) {
        let mirrored: Vec<Unit> = units.iter().map(|unit| match *unit {
            Unit::Game { white, black, points } => Unit::Game { white, black, points: 2 - points },
            Unit::Pair { first, second, with_white, with_black } =>
                Unit::Pair { first, second, with_white: 2 - with_white, with_black: 2 - with_black },
        }).collect();
        let (one, other) = (rated(&results(&units)), rated(&results(&mirrored)));
        let other = by_name(&other);
        for (name, level) in by_name(&one) {
            if let (Level::Elo { elo, .. }, Level::Elo { elo: mirrored, .. }) = (level, other[&name]) {
                prop_assert!((elo + mirrored).abs() < 1e-5, "{name}: {elo} {mirrored}");
            }
        }
    }

    /// The same games once more make every error smaller.
    #[test]
    fn more_of_the_same_is_surer(units in units()) {
        let once = results(&units);
        let mut twice = once.clone();
        twice.merge(&once);
        let (once, twice) = (rated(&once), by_name(&rated(&twice)));
        for rated in &once.players {
            if let (
                Level::Elo { elo, error95: Ok(error), .. },
                Level::Elo { elo: again, error95: Ok(less), .. },
            ) = (rated.level, twice[&rated.name]) {
                prop_assert!((elo - again).abs() < 1e-5);
                prop_assert!(less < error, "{}: {error} {less}", rated.name);
            }
        }
    }

    /// A match and its mirror image are surer than the match: certainty is not lost to results that
    /// leave the players equal.
    #[test]
    fn a_mirrored_match_is_no_less_sure(won in 1..60u64, drawn in 0..60u64, lost in 1..60u64) {
        let one = rated(&matches(&[("a", "b", [won, drawn, lost])]));
        let both = rated(&matches(&[("a", "b", [won + lost, 2 * drawn, won + lost])]));
        prop_assert!(elo(&both, "a").1 <= elo(&one, "a").1);
    }
}

/// A thousand players, each with some twenty games against their likes.
#[test]
fn a_thousand_players_are_rated() {
    let mut rng = rng(7);
    let mut results = Results::new();
    let truth: Vec<f64> = (0..1_000).map(|n| f64::from(n) * 0.8 - 400.0).collect();
    let players: Vec<_> = (0..truth.len()).map(|n| results.player(&format!("{n:04}"))).collect();
    for player in 0..truth.len() {
        for _ in 0..20 {
            let other = (player + 1 + (share(&mut rng) * 200.0) as usize) % truth.len();
            let points = play(&mut rng, truth[player] - truth[other]);
            results.add_game(players[player], players[other], points);
        }
    }
    let ratings = rated(&results);
    let mut inside = 0;
    for (n, truth) in truth.iter().enumerate() {
        let (elo, error) = elo(&ratings, &format!("{n:04}"));
        assert!(error > 20.0 && error < 300.0, "{n}: {error}");
        inside += u32::from((elo - truth).abs() < error);
    }
    assert!((900..=990).contains(&inside), "{inside} of 1000 inside their interval");
}

/// One after the other, each only with its neighbours: as badly joined as players can be.
#[test]
fn a_long_chain_is_rated() {
    let mut results = Results::new();
    let players: Vec<_> = (0..400).map(|n| results.player(&format!("{n:04}"))).collect();
    for two in players.windows(2) {
        for points in [2, 2, 0, 1] {
            results.add_game(two[0], two[1], points);
        }
    }
    let ratings = rated(&results);
    let step = 400.0 * (2.5_f64 / 1.5).log10();
    let top = elo(&ratings, "0000");
    assert!((top.0 - elo(&ratings, "0399").0 - 399.0 * step).abs() < 1e-3, "{top:?}");
    assert!(top.1 > elo(&ratings, "0200").1);
}
