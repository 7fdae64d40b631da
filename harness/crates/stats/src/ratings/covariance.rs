//! How sure the likeliest ratings are: the sandwich covariance.

use super::edge::Edge;
use super::fit::{FittedRatings, Problem};
use super::results::Meeting;
use crate::dense::Square;

/// From so many units on a meeting's own spread weighs more than the average one.
const PRIOR_UNITS: f64 = 10.0;

/// Variances of ratings and of their differences, on the logistic scale.
#[derive(Debug)]
pub(super) struct Covariance {
    players: usize,
    /// The information's inverse, free of the groups' means where it is multiplied with `spread`.
    inverse: Square,
    /// The variance of the gradient.
    spread: Vec<Edge>,
    /// Each player's own part of information and of `spread`.
    own: Vec<[f64; 2]>,
}

/// A unit of a meeting: a pair of games or a game, in one of its possible results.
struct UnitResult {
    /// How often.
    units: f64,
    /// Residual in the difference of the ratings and in White's advantage.
    residual: [f64; 2],
}

/// The units of one kind that two players have, pairs or games.
struct MeetingUnits {
    units: Vec<UnitResult>,
    /// The binomial spread of one unit, on average.
    binomial: Edge,
}

impl MeetingUnits {
    fn count(&self) -> f64 {
        self.units.iter().map(|unit| unit.units).sum()
    }

    /// The sum of all squared residuals.
    fn seen(&self) -> Edge {
        let mut seen = Edge { dd: 0.0, dw: 0.0, ww: 0.0, ..self.binomial };
        self.units.iter().for_each(|unit| seen.add(unit.units, unit.residual));
        seen
    }
}

impl Covariance {
    /// The covariance at the likeliest ratings; `None` when the information is singular, which
    /// rounding causes where ratings lie thousands of Elo apart.
    pub(super) fn new(
        problem: &Problem,
        meetings: &[(usize, usize, &Meeting)],
        fitted: &FittedRatings,
    ) -> Option<Covariance> {
        let information: Vec<Edge> =
            meetings.iter().map(|meeting| information(meeting, fitted)).collect();
        let spread = spread(problem, meetings, fitted);
        let mut own = vec![[0.0; 2]; problem.players];
        for (which, edges) in [&information, &spread].into_iter().enumerate() {
            for edge in edges {
                own[edge.first][which] += edge.dd;
                own[edge.second][which] += edge.dd;
            }
        }
        let inverse = invert(problem, &information)?;
        Some(Covariance { players: problem.players, inverse, spread, own })
    }

    /// The variance of a player's rating minus the mean of `others`, or of the group where there
    /// are none.
    pub(super) fn of_rating(&self, player: usize, others: &[usize]) -> f64 {
        let mut row = self.inverse.row(player).to_vec();
        for &other in others {
            let away = self.inverse.row(other).iter();
            row.iter_mut().zip(away).for_each(|(cell, away)| *cell -= away / others.len() as f64);
        }
        self.variance(&row)
    }

    /// The variance of the difference of two ratings.
    pub(super) fn of_difference(&self, first: usize, second: usize) -> f64 {
        self.of_rating(first, &[second])
    }

    pub(super) fn of_white(&self) -> f64 {
        self.variance(self.inverse.row(self.players))
    }

    /// The variance of a player's rating if all others' were known.
    pub(super) fn alone(&self, player: usize) -> f64 {
        let [information, spread] = self.own[player];
        spread / (information * information)
    }

    fn variance(&self, row: &[f64]) -> f64 {
        let white = row[self.players];
        self.spread.iter().map(|edge| edge.quadratic(row, white)).sum()
    }
}

/// The information of a meeting's games.
fn information(
    &(first, second, meeting): &(usize, usize, &Meeting),
    fitted: &FittedRatings,
) -> Edge {
    let mut edge = Edge { first, second, ..Edge::default() };
    let [with_white, with_black] = meeting.by_colour();
    let [white, black] = variances(first, second, fitted);
    edge.add(with_white.iter().map(|&n| n as f64).sum::<f64>() * white, [1.0, 1.0]);
    edge.add(with_black.iter().map(|&n| n as f64).sum::<f64>() * black, [-1.0, 1.0]);
    edge
}

/// The binomial variances of a game with the first player White and with the second.
fn variances(first: usize, second: usize, fitted: &FittedRatings) -> [f64; 2] {
    [(first, second), (second, first)].map(|(white, black)| {
        let [won, lost] = fitted.expected(white, black);
        won * lost
    })
}

fn invert(problem: &Problem, information: &[Edge]) -> Option<Square> {
    let white = problem.players;
    let mut matrix = Square::new(white + 1);
    let mut trace = 0.0;
    for edge in information {
        let &Edge { first, second, dd, dw, ww } = edge;
        for (row, column, value) in
            [(first, first, dd), (second, second, dd), (first, second, -dd), (second, first, -dd)]
        {
            matrix.add(row, column, value);
        }
        trace += 2.0 * dd;
        if problem.fits_white {
            for (player, value) in [(first, dw), (second, -dw)] {
                matrix.add(player, white, value);
                matrix.add(white, player, value);
            }
            matrix.add(white, white, ww);
        }
    }
    // The information of a group's mean is 0. Any other does, since the spread has none of it
    // either.
    let filling = trace / problem.players as f64;
    for group in &problem.groups {
        for &row in group {
            for &column in group {
                matrix.add(row, column, filling / group.len() as f64);
            }
        }
    }
    if !problem.fits_white {
        matrix.add(white, white, filling);
    }
    matrix.inverse()
}

/// The variance of the gradient, by meeting.
fn spread(
    problem: &Problem,
    meetings: &[(usize, usize, &Meeting)],
    fitted: &FittedRatings,
) -> Vec<Edge> {
    let kinds: Vec<[MeetingUnits; 2]> =
        meetings.iter().map(|meeting| kinds(meeting, fitted)).collect();
    let all: f64 = kinds.iter().flatten().map(MeetingUnits::count).sum();
    let fitted_parameters =
        (problem.players - problem.groups.len()) as f64 + f64::from(u8::from(problem.fits_white));
    let dispersions = [0, 1].map(|which| {
        let of_kind = || kinds.iter().map(|kinds| &kinds[which]);
        let units: f64 = of_kind().map(MeetingUnits::count).sum();
        Dispersion::of(of_kind(), units, fitted_parameters * units / all)
    });
    let mut edges = Vec::with_capacity(meetings.len());
    for kinds in &kinds {
        let mut edge = Edge { dd: 0.0, dw: 0.0, ww: 0.0, ..kinds[0].binomial };
        for (kind, dispersion) in kinds.iter().zip(&dispersions) {
            let units = kind.count();
            if units > 0.0 {
                let own = units / (units + PRIOR_UNITS);
                let (seen, usual) = (kind.seen(), dispersion.of_unit(&kind.binomial));
                let mix = |seen: f64, usual: f64| {
                    own * dispersion.correction * seen + (1.0 - own) * units * usual
                };
                edge.dd += mix(seen.dd, usual.dd);
                edge.dw += mix(seen.dw, usual.dw);
                edge.ww += mix(seen.ww, usual.ww);
            }
        }
        edges.push(edge);
    }
    edges
}

/// How the residuals of all units of a kind compare to the binomial model.
struct Dispersion {
    difference: f64,
    white: f64,
    /// What squared residuals lack because the ratings were fitted to the same games.
    correction: f64,
}

impl Dispersion {
    fn of<'a>(
        kinds: impl Iterator<Item = &'a MeetingUnits>,
        units: f64,
        fitted_parameters: f64,
    ) -> Dispersion {
        let (mut seen, mut binomial) = ([0.0; 2], 0.0);
        for kind in kinds {
            let edge = kind.seen();
            seen[0] += edge.dd;
            seen[1] += edge.ww;
            binomial += kind.count() * kind.binomial.dd;
        }
        let unit = if units > 0.0 { binomial / units } else { 1.0 };
        let free = (units - fitted_parameters).max(0.0);
        let [difference, white] = seen.map(|seen| (seen + unit) / (unit * (free + 1.0)));
        Dispersion { difference, white, correction: (units + 1.0) / (free + 1.0) }
    }

    fn of_unit(&self, binomial: &Edge) -> Edge {
        Edge {
            dd: self.difference * binomial.dd,
            dw: (self.difference * self.white).sqrt() * binomial.dw,
            ww: self.white * binomial.ww,
            ..*binomial
        }
    }
}

/// The pairs and the single games of a meeting.
fn kinds(
    &(first, second, meeting): &(usize, usize, &Meeting),
    fitted: &FittedRatings,
) -> [MeetingUnits; 2] {
    let [with_white, _] = fitted.expected(first, second);
    let [_, with_black] = fitted.expected(second, first);
    let [white_variance, black_variance] = variances(first, second, fitted);
    let points = |half: usize| half as f64 / 2.0;

    // White's advantage has the opposite sign in the game with Black.
    let none = Edge { first, second, ..Edge::default() };
    let mut pairs = MeetingUnits { units: Vec::new(), binomial: none };
    pairs.binomial.add(white_variance, [1.0, 1.0]);
    pairs.binomial.add(black_variance, [1.0, -1.0]);
    for (white, counts) in meeting.paired.iter().enumerate() {
        for (black, &units) in counts.iter().enumerate().filter(|(_, units)| **units > 0) {
            let (white, black) = (points(white) - with_white, points(black) - with_black);
            let (units, residual) = (units as f64, [white + black, white - black]);
            pairs.units.push(UnitResult { units, residual });
        }
    }

    let mut games = MeetingUnits { units: Vec::new(), binomial: none };
    let colours = [(with_white, white_variance, 1.0), (with_black, black_variance, -1.0)];
    for (counts, (mean, variance, sign)) in meeting.single.iter().zip(colours) {
        let played = counts.iter().map(|&n| n as f64).sum::<f64>();
        games.binomial.add(played * variance, [1.0, sign]);
        for (half, &units) in counts.iter().enumerate().filter(|(_, units)| **units > 0) {
            let (units, residual) = (units as f64, points(half) - mean);
            games.units.push(UnitResult { units, residual: [residual, sign * residual] });
        }
    }
    let played = games.count().max(1.0);
    for part in [&mut games.binomial.dd, &mut games.binomial.dw, &mut games.binomial.ww] {
        *part /= played;
    }
    [pairs, games]
}
