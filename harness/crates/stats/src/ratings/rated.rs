//! What [`rate`](super::rate) finds.

use statrs::distribution::{ContinuousCDF, Normal};
use thiserror::Error;

use super::bound::OneSided;
use super::covariance::Covariance;
use super::edge::elo;
use super::results::{PlayerId, Results};
use crate::{LEAST_PAIRS, Wdl, Z95};

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Estimate {
    pub elo: f64,
    /// Half the width of its 95% interval.
    pub error95: f64,
}

impl Estimate {
    pub(super) fn new(logistic: f64, variance: f64) -> Estimate {
        Estimate { elo: elo(logistic), error95: Z95 * elo(variance.max(0.0).sqrt()) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Error)]
pub enum Unrated {
    #[error("no games")]
    NoGames,
    #[error("it is alone in its group")]
    Alone,
    #[error(
        "every game was won, or lost, against each opponent, and no opponent has a rating to bound \
         this one by"
    )]
    NoRatedOpponent,
    #[error("fewer than {} games: no error and no LOS", 2 * LEAST_PAIRS)]
    TooFew,
    #[error("the ratings lie too far apart for their errors to be computed")]
    Rounding,
    #[error("no games connect the groups of the two players")]
    DifferentGroups,
    #[error("one of the two has no rating, and the other has none to compare with")]
    OnlyBounds,
    #[error("White's advantage was not asked for")]
    NotAsked,
    #[error(
        "the games do not say what White's advantage is: any greater (or smaller) one explains \
         them as well, as where White won everything or the same players always had White"
    )]
    ColoursSayNothing,
}

/// How strong a player is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Level {
    /// A likeliest rating.
    Elo {
        elo: f64,
        /// Half the width of its 95% interval: of the difference to the mean of the group or of the
        /// anchors.
        error95: Result<f64, Unrated>,
        /// The same if all opponents' ratings were known: what EloStat's margins say.
        error95_known_opponents: Result<f64, Unrated>,
    },
    /// Every game against the group was won: the lower end of a one-sided 95% interval.
    AtLeast(f64),
    /// Every game against the group was lost: the upper end of a one-sided 95% interval.
    AtMost(f64),
    None(Unrated),
}

impl Level {
    pub fn number(&self) -> Option<f64> {
        match *self {
            Level::Elo { elo, .. } => Some(elo),
            Level::AtLeast(bound) | Level::AtMost(bound) => Some(bound),
            Level::None(_) => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct Rated {
    pub name: String,
    /// The group whose scale the rating is on, an index of [`Ratings::groups`].
    pub group: Option<usize>,
    pub level: Level,
    /// All its games, also those against other groups.
    pub wdl: Wdl,
    /// In the rated results.
    pub(super) player: PlayerId,
}

impl Rated {
    pub fn games(&self) -> u64 {
        self.wdl.games()
    }

    /// A draw counts half a point.
    pub fn points(&self) -> f64 {
        self.wdl.win as f64 + self.wdl.draw as f64 / 2.0
    }

    /// Points per game, 0 to 1; 0 without games.
    pub fn score(&self) -> f64 {
        self.points() / self.games().max(1) as f64
    }
}

/// Why a group's ratings cannot be compared with those of an earlier one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Separation {
    /// It is the first.
    First,
    /// No chain of games joins it to an earlier one.
    NeverMet,
    /// Of all games that join them one side won every one.
    OneSided,
}

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// Players with a finite rating.
    pub players: usize,
    /// What separates it from the groups before it.
    pub separation: Separation,
    /// Whether anchors set its scale; otherwise its mean does.
    pub anchored: bool,
}

/// Ratings of all players, sorted by group and within it by rating, those with an upper bound last.
/// Players of no group stand at the end.
#[derive(Debug)]
pub struct Ratings {
    pub players: Vec<Rated>,
    /// The largest group first.
    pub groups: Vec<Group>,
    pub white: Result<Estimate, Unrated>,
    pub(super) results: Results,
    pub(super) places: Vec<RatingPlace>,
    pub(super) covariance: Option<Covariance>,
}

/// Where in the fit a player of [`Ratings::players`] is.
#[derive(Debug, Clone)]
pub(super) enum RatingPlace {
    /// Fitted: its parameter, and its rating on the logistic scale.
    Fitted {
        parameter: usize,
        rating: f64,
    },
    Bounded(OneSided),
    Nowhere,
}

impl Ratings {
    /// The likelihood that the first player is stronger, 0 to 1; players by their index in
    /// [`Ratings::players`].
    pub fn los(&self, first: usize, second: usize) -> Result<f64, Unrated> {
        let (Some(a), Some(b)) = (self.places.get(first), self.places.get(second)) else {
            return Err(Unrated::NoGames);
        };
        match (a, b) {
            (RatingPlace::Fitted { .. }, RatingPlace::Fitted { .. }) => {
                let Estimate { elo, error95 } = self.difference(first, second)?;
                if error95 > 0.0 {
                    Ok(Normal::standard().cdf(Z95 * elo / error95))
                } else {
                    Err(Unrated::Rounding)
                }
            }
            (RatingPlace::Bounded(bounded), RatingPlace::Fitted { rating, .. }) => {
                self.same_group(first, second)?;
                Ok(bounded.superior_to(*rating))
            }
            (RatingPlace::Fitted { rating, .. }, RatingPlace::Bounded(bounded)) => {
                self.same_group(first, second)?;
                Ok(1.0 - bounded.superior_to(*rating))
            }
            _ => Err(Unrated::OnlyBounds),
        }
    }

    /// The first player's rating minus the second's, with the error of the difference. Fails unless
    /// both have a finite rating in one group.
    pub fn difference(&self, first: usize, second: usize) -> Result<Estimate, Unrated> {
        let place = |player: usize| match self.places.get(player) {
            Some(&RatingPlace::Fitted { parameter, rating }) => Ok((parameter, rating)),
            _ => Err(Unrated::OnlyBounds),
        };
        let ((first_parameter, a), (second_parameter, b)) = (place(first)?, place(second)?);
        self.same_group(first, second)?;
        let covariance = self.covariance.as_ref().ok_or(Unrated::Rounding)?;
        let variance = covariance.of_difference(first_parameter, second_parameter);
        Ok(Estimate::new(a - b, variance))
    }

    fn same_group(&self, first: usize, second: usize) -> Result<(), Unrated> {
        let same = self.players[first].group == self.players[second].group;
        if same { Ok(()) } else { Err(Unrated::DifferentGroups) }
    }

    /// Results of the first player against the second; players by their index in
    /// [`Ratings::players`].
    pub fn between(&self, first: usize, second: usize) -> Wdl {
        match (self.players.get(first), self.players.get(second)) {
            (Some(first), Some(second)) => self.results.between(first.player, second.player),
            _ => Wdl::default(),
        }
    }

    /// All players who met, by their index in [`Ratings::players`], with the results of the first;
    /// each two once.
    pub fn meetings(&self) -> impl Iterator<Item = (usize, usize, Wdl)> {
        let mut places = vec![0; self.players.len()];
        for (place, rated) in self.players.iter().enumerate() {
            places[rated.player.0] = place;
        }
        let meetings = self.results.meetings();
        meetings.map(move |(first, second, meeting)| (places[first], places[second], meeting.wdl()))
    }

    /// All games, and those in pairs.
    pub fn games(&self) -> [u64; 2] {
        self.results.games()
    }
}
