//! Simulated tournaments of known strength: how often the truth lies inside the 95% interval.

use rand_chacha::ChaCha8Rng;
use stats::ratings::{RatingScale, Results, rate};

use super::tournament::{elo, place, play, rng, share};

/// Names of players.
const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

/// How the games of a tournament hang together.
#[derive(Clone, Copy)]
struct World {
    /// True ratings, mean 0.
    truth: &'static [f64],
    /// Units a meeting.
    units: usize,
    /// Whether the units are pairs, and told to be.
    paired: bool,
    /// The opening favours White by so many Elo or Black: the games of a pair balance each other.
    opening: f64,
    /// The opening suits one of the players by so many Elo: the games of a pair go the same way.
    taste: f64,
    /// White's true advantage, Elo.
    white: f64,
}

fn tournament(world: World, rng: &mut ChaCha8Rng, tell_pairs: bool) -> Results {
    let mut results = Results::new();
    let players: Vec<_> = NAMES[..world.truth.len()].iter().map(|n| results.player(n)).collect();
    for first in 0..players.len() {
        for second in first + 1..players.len() {
            for unit in 0..world.units {
                let sign = |rng: &mut ChaCha8Rng| if share(rng) < 0.5 { 1.0 } else { -1.0 };
                let difference = world.truth[first] - world.truth[second] + world.taste * sign(rng);
                let tilt = world.white + world.opening * sign(rng);
                let (a, b) = (players[first], players[second]);
                if !world.paired {
                    if unit % 2 == 0 {
                        results.add_game(a, b, play(rng, difference + tilt));
                    } else {
                        results.add_game(b, a, play(rng, -difference + tilt));
                    }
                    continue;
                }
                let with_white = play(rng, difference + tilt);
                let with_black = 2 - play(rng, -difference + tilt);
                if tell_pairs {
                    results.add_pair(a, b, with_white, with_black);
                } else {
                    results.add_game(a, b, with_white);
                    results.add_game(b, a, 2 - with_black);
                }
            }
        }
    }
    results
}

/// Share of intervals with the truth inside, of ratings and of differences; their mean error.
fn coverage(world: World, scale: &RatingScale, tell_pairs: bool) -> (f64, f64, f64) {
    const TOURNAMENTS: u64 = 400;
    let [mut inside, mut apart, mut errors] = [0.0; 3];
    let (mut ratings_seen, mut differences_seen) = (0.0, 0.0);
    for seed in 0..TOURNAMENTS {
        let results = tournament(world, &mut rng(seed), tell_pairs);
        let ratings = rate(&results, scale).expect("ratings");
        for (name, truth) in NAMES.iter().zip(world.truth) {
            let (elo, error) = elo(&ratings, name);
            inside += f64::from(u8::from((elo - truth).abs() < error));
            errors += error;
            ratings_seen += 1.0;
        }
        for (one, other) in [(0, 1), (0, 2), (1, 2)] {
            let [a, b] = [one, other].map(|n: usize| place(&ratings, NAMES[n]));
            let difference = ratings.difference(a, b).expect("defined");
            let truth = world.truth[one] - world.truth[other];
            apart += f64::from(u8::from((difference.elo - truth).abs() < difference.error95));
            differences_seen += 1.0;
        }
    }
    (inside / ratings_seen, apart / differences_seen, errors / ratings_seen)
}

const EQUALS: &[f64] = &[0.0; 6];
const PLAIN: World = World {
    truth: &[150.0, 100.0, 50.0, 10.0, -10.0, -50.0, -100.0, -150.0],
    units: 20,
    paired: false,
    opening: 0.0,
    taste: 0.0,
    white: 0.0,
};

/// About 95% are to be inside. With 2,400 correlated intervals the share itself errs by about 1%.
fn assert_honest((ratings, differences, _): (f64, f64, f64)) {
    for share in [ratings, differences] {
        assert!(
            (0.92..0.98).contains(&share),
            "{ratings} of ratings, {differences} of differences"
        );
    }
}

#[test]
fn intervals_of_single_games_are_honest() {
    assert_honest(coverage(PLAIN, &RatingScale::default(), false));
}

#[test]
fn intervals_of_few_games_are_honest() {
    assert_honest(coverage(World { units: 4, ..PLAIN }, &RatingScale::default(), false));
}

/// Distances to an anchor: wider intervals than those to the mean.
#[test]
fn intervals_with_an_anchor_are_honest() {
    let scale = RatingScale { anchors: vec![("a".to_owned(), 150.0)], ..RatingScale::default() };
    let (mut inside, mut seen) = (0.0, 0.0);
    for seed in 0..400 {
        let ratings = rate(&tournament(PLAIN, &mut rng(seed), false), &scale).expect("ratings");
        for (name, truth) in NAMES.iter().zip(PLAIN.truth).skip(1) {
            let (elo, error) = elo(&ratings, name);
            inside += f64::from(u8::from((elo - truth).abs() < error));
            seen += 1.0;
        }
    }
    assert!((0.91..0.98).contains(&(inside / seen)), "{}", inside / seen);
}

#[test]
fn intervals_beside_a_fitted_white_advantage_are_honest() {
    let world = World { white: 60.0, ..PLAIN };
    let scale = RatingScale { white_advantage: true, ..RatingScale::default() };
    assert_honest(coverage(world, &scale, false));
    let mut inside = 0;
    for seed in 0..400 {
        let results = tournament(world, &mut rng(seed), false);
        let white = rate(&results, &scale).expect("ratings").white.expect("fitted");
        inside += u32::from((white.elo - world.white).abs() < white.error95);
    }
    assert!((365..=393).contains(&inside), "{inside} of 400");
}

/// Openings that favour one colour: the pair balances them, and its error is smaller than the games'.
#[test]
fn pairs_of_one_sided_openings_are_surer_than_their_games() {
    let world = World { truth: EQUALS, paired: true, opening: 300.0, ..PLAIN };
    let pairs = coverage(world, &RatingScale::default(), true);
    let games = coverage(world, &RatingScale::default(), false);
    assert_honest(pairs);
    assert!(pairs.2 < 0.9 * games.2, "{} {}", pairs.2, games.2);
    assert!(games.0 > 0.97, "games taken for independent exaggerate: {}", games.0);
}

/// Openings that suit one player: the pair counts twice what happened once, and its error is larger.
#[test]
fn pairs_that_go_the_same_way_are_less_sure_than_their_games() {
    let world = World { truth: EQUALS, paired: true, taste: 300.0, ..PLAIN };
    let pairs = coverage(world, &RatingScale::default(), true);
    let games = coverage(world, &RatingScale::default(), false);
    assert_honest(pairs);
    assert!(pairs.2 > 1.1 * games.2, "{} {}", pairs.2, games.2);
    assert!(games.0 < 0.93, "games taken for independent promise too much: {}", games.0);
}
