//! What is told of ratings: no errors and no superiority by a handful of games, for which intervals
//! that hold for many are far too sure.

use stats::LEAST_PAIRS;
use stats::ratings::{Level, Rated, Ratings, Unrated};

/// How strong a player is, its error only where it has played enough.
pub(crate) fn level(rated: &Rated) -> Level {
    match rated.level {
        Level::Elo { elo, error95: Ok(_), .. } if has_few(rated) => {
            let too_few = Err(Unrated::TooFew);
            Level::Elo { elo, error95: too_few, error95_known_opponents: too_few }
        }
        level => level,
    }
}

/// As [`Ratings::los`], where both have played enough.
pub(crate) fn los(ratings: &Ratings, first: usize, second: usize) -> Result<f64, Unrated> {
    let both = [first, second].map(|place| ratings.players.get(place));
    if both.into_iter().flatten().any(has_few) {
        return Err(Unrated::TooFew);
    }
    ratings.los(first, second)
}

fn has_few(rated: &Rated) -> bool {
    rated.games() < 2 * LEAST_PAIRS
}

#[cfg(test)]
mod tests {
    use super::*;
    use stats::ratings::{RatingScale, Results, rate};

    /// Errors of both, and how likely the first one is the stronger.
    fn told(games: u64) -> ([Option<f64>; 2], Option<f64>) {
        let mut results = Results::new();
        let (first, second) = (results.player("first"), results.player("second"));
        for game in 0..games {
            results.add_game(first, second, if game % 4 == 0 { 0 } else { 2 });
        }
        let ratings = rate(&results, &RatingScale::default()).unwrap();
        let error = |place: usize| match level(&ratings.players[place]) {
            Level::Elo { error95, .. } => error95.ok(),
            _ => None,
        };
        ([0, 1].map(error), los(&ratings, 0, 1).ok())
    }

    #[test]
    fn a_handful_of_games_shows_nothing() {
        assert_eq!(told(19), ([None; 2], None));
        let (errors, los) = told(20);
        assert!(errors.iter().all(|error| error.is_some_and(|error| error > 50.0)), "{errors:?}");
        assert!(los.is_some_and(|los| los > 0.95), "{los:?}");
    }
}
