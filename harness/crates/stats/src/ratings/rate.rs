//! From results to ratings.

use std::collections::BTreeMap;

use process::Error;

use super::bound::{OneSided, Sweep};
use super::covariance::Covariance;
use super::edge::elo;
use super::fit::{FittedRatings, Problem};
use super::groups::{Groups, Ladder};
use super::rated::{Estimate, Group, Level, Rated, RatingPlace, Ratings, Unrated};
use super::results::{PlayerId, Results};
use super::{ELO, white};
use crate::{Wdl, Z95};

/// Players with finite ratings at most: their covariance then takes 400 MB.
pub const MAX_PLAYERS: usize = 5_000;

/// The scale, and what is fitted.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RatingScale {
    /// The mean rating of a group without anchors, Elo.
    pub mean: f64,
    /// Players and the Elo they are to have. Anchors move a group as a whole: with several, their
    /// mean is met.
    pub anchors: Vec<(String, f64)>,
    pub white_advantage: bool,
}

/// Rates all players together. The order of results makes no difference. Fails if the scale cannot
/// be met or there are too many players; games that say little are no error: see [`Level`].
pub fn rate(results: &Results, scale: &RatingScale) -> Result<Ratings, Error> {
    let results = results.sorted();
    let anchors = anchors(&results, scale)?;
    let totals = results.totals();
    let groups = Groups::of(&results, &totals, &anchors);
    let fitted_players: usize = groups.players.iter().map(Vec::len).sum();
    if fitted_players > MAX_PLAYERS {
        return Err(Error::usage(format!(
            "{fitted_players} players have finite ratings, expected at most {MAX_PLAYERS}; leave out those of few games"
        )));
    }

    let meetings = groups.meetings(&results);
    let bounded = || white::is_bounded(fitted_players, &meetings);
    let fits_white = scale.white_advantage && !meetings.is_empty() && bounded();
    let problem = Problem::new(fitted_players, groups.parameters(), &meetings, fits_white);
    let fitted = problem
        .fit()
        .ok_or_else(|| Error::usage("the ratings do not settle; please report the games"))?;
    let covariance =
        if meetings.is_empty() { None } else { Covariance::new(&problem, &meetings, &fitted) };
    let white = match (scale.white_advantage, fits_white, &covariance) {
        (false, ..) => Err(Unrated::NotAsked),
        (true, false, _) => Err(Unrated::ColoursSayNothing),
        (true, true, None) => Err(Unrated::Rounding),
        (true, true, Some(covariance)) => Ok(Estimate::new(fitted.white, covariance.of_white())),
    };

    let ladders = groups.ladders(&results, scale.mean, &anchors, &fitted)?;
    let rater = Rater { results: &results, groups: &groups, fitted, covariance, ladders };
    let mut players = rater.players(&totals);
    players.sort_by(|(a, _), (b, _)| {
        let ((a_group, a_level), (b_group, b_level)) = (order(a), order(b));
        a_group.cmp(&b_group).then(a_level.total_cmp(&b_level)).then_with(|| a.name.cmp(&b.name))
    });
    let (players, places) = players.into_iter().unzip();
    let (groups, covariance) = (rater.described(), rater.covariance);
    Ok(Ratings { players, groups, white, results, places, covariance })
}

/// Sort key: groups in order; in each the ratings from above, a player who won everything by its
/// lower bound, those who lost everything last.
fn order(rated: &Rated) -> ((usize, u8), f64) {
    let part = match rated.level {
        Level::Elo { .. } | Level::AtLeast(_) => 0,
        Level::AtMost(_) => 1,
        Level::None(_) => 2,
    };
    ((rated.group.unwrap_or(usize::MAX), part), -rated.level.number().unwrap_or(0.0))
}

/// Who is anchored, by number.
pub(super) fn anchors(
    results: &Results,
    scale: &RatingScale,
) -> Result<BTreeMap<usize, f64>, Error> {
    let mut ratings = scale.anchors.iter().map(|(_, elo)| *elo).chain([scale.mean]);
    if let Some(elo) = ratings.find(|elo| !(-1e5..=1e5).contains(elo)) {
        return Err(Error::usage(format!(
            "expected a rating from -100000 to 100000 Elo, found {elo}"
        )));
    }
    let mut anchors = BTreeMap::new();
    for (name, elo) in &scale.anchors {
        let names = results.names();
        let Some(player) = names.iter().position(|player| player == name) else {
            let similarity = |player: &&String| strsim::jaro_winkler(player, name);
            let near = names
                .iter()
                .max_by(|a, b| similarity(a).total_cmp(&similarity(b)))
                .filter(|player| similarity(player) > 0.7);
            let hint = near.map(|near| format!("; did you mean {near:?}?")).unwrap_or_default();
            return Err(Error::usage(format!("no player is called {name:?}{hint}")));
        };
        if anchors.insert(player, *elo).is_some() {
            return Err(Error::usage(format!("{name:?} is anchored twice")));
        }
    }
    Ok(anchors)
}

struct Rater<'a> {
    results: &'a Results,
    groups: &'a Groups,
    fitted: FittedRatings,
    covariance: Option<Covariance>,
    ladders: Vec<Ladder>,
}

impl Rater<'_> {
    fn players(&self, totals: &[Wdl]) -> Vec<(Rated, RatingPlace)> {
        let mut outside = self.outside();
        let names = self.results.names().iter().enumerate();
        let rated = names.map(|(player, name)| {
            let wdl = totals[player];
            let (group, level, place) = match self.groups.of[player] {
                Some((group, parameter)) => self.inside(group, parameter),
                None => match outside.remove(&player) {
                    Some((group, one_sided)) => {
                        let bound = elo(one_sided.bound()) + self.ladders[group].shift;
                        let level = if one_sided.won { Level::AtLeast } else { Level::AtMost };
                        (Some(group), level(bound), RatingPlace::Bounded(one_sided))
                    }
                    None => {
                        let has_games = wdl.games() > 0;
                        let why =
                            if has_games { Unrated::NoRatedOpponent } else { Unrated::NoGames };
                        (None, Level::None(why), RatingPlace::Nowhere)
                    }
                },
            };
            (Rated { name: name.clone(), group, level, wdl, player: PlayerId(player) }, place)
        });
        rated.collect()
    }

    fn inside(&self, group: usize, parameter: usize) -> (Option<usize>, Level, RatingPlace) {
        let Ladder { shift, anchors } = &self.ladders[group];
        let rating = self.fitted.ratings[parameter];
        let error = |variance: &dyn Fn(&Covariance) -> f64| {
            if self.groups.players[group].len() == 1 {
                return Err(Unrated::Alone);
            }
            let variance = variance(self.covariance.as_ref().ok_or(Unrated::Rounding)?);
            let error = Z95 * ELO * variance.max(0.0).sqrt();
            if error.is_finite() { Ok(error) } else { Err(Unrated::Rounding) }
        };
        let level = Level::Elo {
            elo: elo(rating) + shift,
            error95: error(&|covariance| covariance.of_rating(parameter, anchors)),
            error95_known_opponents: error(&|covariance| covariance.alone(parameter)),
        };
        (Some(group), level, RatingPlace::Fitted { parameter, rating })
    }

    /// The players of no group who met one: their results against the largest group they met.
    fn outside(&self) -> BTreeMap<usize, (usize, OneSided)> {
        let mut outside: BTreeMap<usize, (usize, OneSided)> = BTreeMap::new();
        for (first, second, meeting) in self.results.meetings() {
            let [with_white, with_black] = meeting.by_colour();
            let turned = |games: [u64; 3]| [games[2], games[1], games[0]];
            for (player, opponent, games) in [
                (first, second, [with_white, with_black]),
                (second, first, [turned(with_black), turned(with_white)]),
            ] {
                let (None, Some((group, parameter))) =
                    (self.groups.of[player], self.groups.of[opponent])
                else {
                    continue;
                };
                let [won, lost] = [2, 0].map(|points| games[0][points] + games[1][points]);
                let fresh = || (group, OneSided { won: won > lost, sweeps: Vec::new() });
                let known = outside.entry(player).or_insert_with(fresh);
                if group < known.0 {
                    *known = fresh();
                }
                if group == known.0 {
                    let advantages = [self.fitted.white, -self.fitted.white];
                    known.1.sweeps.extend(games.iter().zip(advantages).map(
                        |(games, advantage)| Sweep {
                            opponent: self.fitted.ratings[parameter] - advantage,
                            games: games.iter().map(|&n| n as f64).sum(),
                        },
                    ));
                }
            }
        }
        outside
    }

    fn described(&self) -> Vec<Group> {
        let groups = self.groups.players.iter().zip(&self.groups.separations).zip(&self.ladders);
        let described = groups.map(|((players, &separation), ladder)| Group {
            players: players.len(),
            separation,
            anchored: !ladder.anchors.is_empty(),
        });
        described.collect()
    }
}
