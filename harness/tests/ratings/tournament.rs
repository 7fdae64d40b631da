//! Tournaments to rate.

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use stats::ratings::{Level, Rated, RatingScale, Ratings, Results, rate};

/// A random number generator that is the same in every run.
pub(crate) fn rng(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A number from 0 to 1.
pub(crate) fn share(rng: &mut ChaCha8Rng) -> f64 {
    rng.next_u64() as f64 / u64::MAX as f64
}

/// Results from matches `(first, second, [won, drawn, lost])`, colours in turn.
pub(crate) fn matches(matches: &[(&str, &str, [u64; 3])]) -> Results {
    let mut results = Results::new();
    for (first, second, [won, drawn, lost]) in matches {
        let [first, second] = [first, second].map(|name| results.player(name));
        let mut has_white = true;
        for (half_points, games) in [(2, *won), (1, *drawn), (0, *lost)] {
            for _ in 0..games {
                if has_white {
                    results.add_game(first, second, half_points);
                } else {
                    results.add_game(second, first, 2 - half_points);
                }
                has_white = !has_white;
            }
        }
    }
    results
}

/// Ratings of mean 0.
pub(crate) fn rated(results: &Results) -> Ratings {
    rate(results, &RatingScale::default()).expect("ratings")
}

/// The place of a player.
pub(crate) fn place(ratings: &Ratings, name: &str) -> usize {
    let place = ratings.players.iter().position(|rated| rated.name == name);
    place.unwrap_or_else(|| panic!("{name} is not rated"))
}

/// A player's row.
pub(crate) fn row<'a>(ratings: &'a Ratings, name: &str) -> &'a Rated {
    &ratings.players[place(ratings, name)]
}

/// A finite rating and its error.
pub(crate) fn elo(ratings: &Ratings, name: &str) -> (f64, f64) {
    match row(ratings, name).level {
        Level::Elo { elo, error95: Ok(error95), .. } => (elo, error95),
        ref other => panic!("{name}: {other:?}"),
    }
}

/// Half points of White whose rating is higher by `difference` Elo; about a third of even games is
/// drawn.
pub(crate) fn play(rng: &mut ChaCha8Rng, difference: f64) -> u8 {
    let expected = 1.0 / (1.0 + 10f64.powf(-difference / 400.0));
    let drawn = 0.7 * expected.min(1.0 - expected);
    let at = share(rng);
    if at < expected - drawn / 2.0 {
        2
    } else if at < expected + drawn / 2.0 {
        1
    } else {
        0
    }
}
