//! Ratings as EloStat computes them (TST-05), to compare with lists made by it.
//!
//! A player's opponents are taken for one of their average rating, weighted by games: `R = average +
//! 400 · log10(p / (1 − p))`, `p` being the player's score of all its games. Such equations of all
//! players contradict one another unless a constant is taken from each difference: their average,
//! weighted by games. Ratings are moved to the mean or the anchors of the [`RatingScale`] at the
//! end. A player of score 0 or 1 stands 600 Elo below or above its opponents, without margins.
//!
//! EloStat's source is not public. The margins here are the ends of a 95% interval by the
//! likelihood of the score, whose spread is that of the player's own wins, draws and losses: at `q`
//! where `2 (n − 1) p (1 − p) / v · KL(p ‖ q) = 1.96²`, with `n v` the sum of squares of results
//! about `p`. EloStat's margins of 2007 lie within 2 Elo of them.

use std::collections::BTreeMap;

use process::Error;

use super::connect::Connections;
use super::edge::{elo, log_expected};
use super::rate::anchors;
use super::results::Results;
use super::{ELO, RatingScale};
use crate::bisect::bisect;
use crate::{Wdl, Z95, elo_of_score};

/// Where EloStat puts a player of score 1 above its opponents, Elo.
const ALL_WON: f64 = 600.0;

/// A row of EloStat's table.
#[derive(Debug, Clone, PartialEq)]
pub struct EloStatRow {
    pub name: String,
    /// Players of different numbers are joined by no chain of games: their ratings cannot be
    /// compared. 0 is the set with most players.
    pub set: usize,
    pub elo: f64,
    /// How far the 95% interval reaches up and down, Elo; none for a score of 0 or 1. Opponents'
    /// ratings are taken as known.
    pub margins: Option<[f64; 2]>,
    pub wdl: Wdl,
    /// The opponents' mean rating, weighted by games.
    pub average_opponent: f64,
}

/// Rates everyone who has games, in the order of EloStat's table: sets of players who met, and in
/// each the best first. Fails if the scale cannot be met; White's advantage is not fitted.
pub fn elostat(results: &Results, scale: &RatingScale) -> Result<Vec<EloStatRow>, Error> {
    let results = results.sorted();
    let anchors = anchors(&results, scale)?;
    let totals = results.totals();
    let mut games = vec![Vec::new(); totals.len()];
    for (first, second, meeting) in results.meetings() {
        let count = meeting.wdl().games() as f64;
        games[first].push((second, count));
        games[second].push((first, count));
    }
    let mut rows = Vec::new();
    for (set, players) in sets(&results, &totals).iter().enumerate() {
        let equations = Equations::new(players, &games, &totals);
        let ratings = equations.solve();
        let shift = shift(players, &ratings, &anchors, scale.mean);
        for (at, &player) in players.iter().enumerate() {
            let wdl = totals[player];
            rows.push(EloStatRow {
                name: results.names()[player].clone(),
                set,
                elo: ratings[at] + shift,
                margins: margins(&wdl),
                wdl,
                average_opponent: equations.average_opponent(at, &ratings) + shift,
            });
        }
    }
    rows.sort_by(|a, b| {
        a.set.cmp(&b.set).then(b.elo.total_cmp(&a.elo)).then_with(|| a.name.cmp(&b.name))
    });
    Ok(rows)
}

/// Players with games, by who is joined to whom; the set of most players first.
fn sets(results: &Results, totals: &[Wdl]) -> Vec<Vec<usize>> {
    let mut sets: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (player, met) in Connections::of(results).met.into_iter().enumerate() {
        if totals[player].games() > 0 {
            sets.entry(met).or_default().push(player);
        }
    }
    let mut sets: Vec<Vec<usize>> = sets.into_values().collect();
    sets.sort_by_key(|set| (usize::MAX - set.len(), set[0]));
    sets
}

/// What moves the mean of the set, or of its anchors, to its place.
fn shift(players: &[usize], ratings: &[f64], anchors: &BTreeMap<usize, f64>, mean: f64) -> f64 {
    let placed = players.iter().zip(ratings);
    let anchored: Vec<f64> = placed
        .filter_map(|(player, rating)| anchors.get(player).map(|anchor| anchor - rating))
        .collect();
    if anchored.is_empty() {
        mean - ratings.iter().sum::<f64>() / ratings.len() as f64
    } else {
        anchored.iter().sum::<f64>() / anchored.len() as f64
    }
}

/// The equations of one set's players, each multiplied by the player's games: a symmetric system.
struct Equations {
    /// Opponents of each player, by place in the set, and the games against each.
    games: Vec<Vec<(usize, f64)>>,
    totals: Vec<f64>,
    /// How far each player stands above its opponents, less the average of all.
    distances: Vec<f64>,
}

impl Equations {
    fn new(players: &[usize], games: &[Vec<(usize, f64)>], totals: &[Wdl]) -> Equations {
        let places: BTreeMap<usize, usize> =
            players.iter().enumerate().map(|(at, &player)| (player, at)).collect();
        let inside = |&(player, count): &(usize, f64)| (places[&player], count);
        let games: Vec<Vec<(usize, f64)>> =
            players.iter().map(|&player| games[player].iter().map(inside).collect()).collect();
        let totals: Vec<Wdl> = players.iter().map(|&player| totals[player]).collect();
        let mut distances: Vec<f64> = totals.iter().map(distance).collect();
        let totals: Vec<f64> = totals.iter().map(|wdl| wdl.games() as f64).collect();
        let average = dot(&totals, &distances) / totals.iter().sum::<f64>();
        distances.iter_mut().for_each(|distance| *distance -= average);
        Equations { games, totals, distances }
    }

    /// Each player's rating less its opponents', times its games.
    fn apply(&self, ratings: &[f64]) -> Vec<f64> {
        let of = |at: usize| -> f64 {
            self.games[at]
                .iter()
                .map(|&(other, games)| games * (ratings[at] - ratings[other]))
                .sum()
        };
        (0..ratings.len()).map(of).collect()
    }

    fn average_opponent(&self, at: usize, ratings: &[f64]) -> f64 {
        let points: f64 = self.games[at].iter().map(|&(other, games)| games * ratings[other]).sum();
        points / self.totals[at]
    }

    /// Ratings whose distances are met, by conjugate gradients: repeated averaging, as EloStat does
    /// it, swings forever between two players.
    fn solve(&self) -> Vec<f64> {
        let mut ratings = vec![0.0; self.totals.len()];
        let mut residual: Vec<f64> =
            self.totals.iter().zip(&self.distances).map(|(games, wanted)| games * wanted).collect();
        let mut direction = residual.clone();
        let mut square = dot(&residual, &residual);
        // A billionth of an Elo point a game; less is rounding, which has no direction to go.
        let enough = 1e-18 * dot(&self.totals, &self.totals);
        for _ in 0..10 * ratings.len() {
            if square <= enough {
                break;
            }
            let applied = self.apply(&direction);
            let step = square / dot(&direction, &applied);
            add(&mut ratings, step, &direction);
            add(&mut residual, -step, &applied);
            let next = dot(&residual, &residual);
            let kept = next / square;
            direction.iter_mut().zip(&residual).for_each(|(d, r)| *d = r + kept * *d);
            square = next;
        }
        ratings
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn add(to: &mut [f64], times: f64, of: &[f64]) {
    to.iter_mut().zip(of).for_each(|(to, of)| *to += times * of);
}

/// The share of points, 0 to 1.
fn score(wdl: &Wdl) -> f64 {
    (wdl.win as f64 + wdl.draw as f64 / 2.0) / wdl.games() as f64
}

/// How far a player stands above its opponents, Elo.
fn distance(wdl: &Wdl) -> f64 {
    let score = score(wdl);
    elo_of_score(score).unwrap_or(if score > 0.5 { ALL_WON } else { -ALL_WON })
}

fn margins(wdl: &Wdl) -> Option<[f64; 2]> {
    let (score, games) = (score(wdl), wdl.games() as f64);
    let rating = elo_of_score(score).ok()? / ELO;
    let square = |points: f64| (points - score) * (points - score);
    let spread = wdl.win as f64 * square(1.0)
        + wdl.draw as f64 * square(0.5)
        + wdl.loss as f64 * square(0.0);
    if spread <= 0.0 {
        return Some([0.0, 0.0]);
    }
    let binomial = games * score * (1.0 - score);
    let likelihood =
        |rating: f64| score * log_expected(rating) + (1.0 - score) * log_expected(-rating);
    let scale = 2.0 * (games - 1.0) * binomial / spread;
    let inside = |at: f64| scale * (likelihood(rating) - likelihood(at)) < Z95 * Z95;
    // No score but 0 and 1 needs more than 60 units: 10,000 Elo.
    let end = |sign: f64| elo(bisect(0.0, 60.0, 60, |distance| inside(rating + sign * distance)));
    Some([end(1.0), end(-1.0)])
}
