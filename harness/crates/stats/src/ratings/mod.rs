//! Joint ratings of many players from all their games (TST-05).
//!
//! [`Results`] in, [`Ratings`] out, by [`rate`]; no clock, no file. Elo here is of a player on a
//! scale that [`RatingScale`] puts in place; only differences mean something.
//!
//! # The model
//!
//! White expects `E = 1 / (1 + 10^(−d / 400))` points, `d` being White's rating minus Black's, plus
//! White's advantage where that is fitted. A draw is half a win and half a loss. The ratings are
//! the likeliest (Bradley and Terry's model), found by Newton's method; a step that lowers the
//! likelihood is halved, none changes the distance of two players who met by more than 1,000 Elo,
//! and the last one moved nothing by more than a millionth of its standard error. Since only points
//! enter, two tournaments with equal points and pairings have equal ratings, however many games
//! were drawn.
//!
//! # Errors
//!
//! The unit is the pair of games where pairs are known (one opening, colours swapped), the game
//! elsewhere. With `H` the information, `g` a unit's residual and `M = Σ g gᵀ`, the covariance is
//! the sandwich `H⁻¹ M H⁻¹`: draws narrow it, and so do the two games of a pair whose opening
//! favours one colour, which a binomial model does not see. A few residuals of a meeting are a bad
//! estimate of their spread (a single game always fits its player), so `M` takes from a meeting of
//! `n` units `n / (n + 10)` of their own spread and for the rest the spread that all meetings have
//! on average, as a share of the binomial one; that share begins with one binomial unit, so that it
//! is never zero, and allows for the ratings being fitted.
//!
//! An error is that of the difference to the mean of the player's group, or to the anchors where
//! there are some: an only anchor has none. LOS comes from the variance of the difference of two
//! ratings, not from their separate errors.
//!
//! # What has no likeliest rating
//!
//! Ratings are finite among players of whom everyone scored against everyone else, if only through
//! others. Such sets are the groups that are rated, each on its own: no result says how far they
//! are apart if they never met, or if one side won every game between them. A player who is in none
//! because all games against a group were won, or lost, gets a bound: the rating at which winning
//! all of them has the likelihood ratio of a one-sided 95% test, the group's ratings taken as they
//! are.

mod bound;
mod connect;
mod covariance;
mod edge;
mod elostat;
mod fit;
mod groups;
mod rate;
mod rated;
mod results;
mod white;

pub use elostat::{EloStatRow, elostat};
pub use rate::{MAX_PLAYERS, RatingScale, rate};
pub use rated::{Estimate, Group, Level, Rated, Ratings, Separation, Unrated};
pub use results::{PlayerId, Results};

/// Elo of one unit of the logistic scale: 400 / ln 10.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
