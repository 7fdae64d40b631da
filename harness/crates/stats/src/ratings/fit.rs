//! The likeliest ratings: Newton's method, its linear systems solved by conjugate gradients.

use super::edge::{Edge, expected, log_expected};
use super::results::Meeting;

/// No step changes the difference of two players who met by more, on the logistic scale: 1,000 Elo.
const LONGEST_STEP: f64 = 5.76;
/// The last step moved nothing by more than 10⁻⁶ of its standard error; this is the square.
const SETTLED: f64 = 1e-12;
/// Newton's method needs some ten steps; this many mean that it never settles.
const MOST_STEPS: u32 = 200;

/// All games between two players with one of them White.
#[derive(Debug, Clone, Copy)]
struct ColourMeeting {
    white: usize,
    black: usize,
    games: f64,
    points: f64,
}

/// The games of the players who have finite ratings, in numbers 0 to `players`.
#[derive(Debug)]
pub(super) struct Problem {
    pub(super) players: usize,
    /// Each player's group; within one, only differences are determined.
    pub(super) groups: Vec<Vec<usize>>,
    /// Whether White's advantage is fitted; 0 otherwise.
    pub(super) fits_white: bool,
    terms: Vec<ColourMeeting>,
}

/// The likeliest parameters, on the logistic scale; the ratings of each group have the mean 0.
#[derive(Debug, Clone)]
pub(super) struct FittedRatings {
    pub(super) ratings: Vec<f64>,
    pub(super) white: f64,
}

impl FittedRatings {
    /// White's expected points and Black's.
    pub(super) fn expected(&self, white: usize, black: usize) -> [f64; 2] {
        expected(self.ratings[white] - self.ratings[black] + self.white)
    }
}

impl Problem {
    pub(super) fn new(
        players: usize,
        groups: Vec<Vec<usize>>,
        meetings: &[(usize, usize, &Meeting)],
        fits_white: bool,
    ) -> Problem {
        let mut terms = Vec::new();
        for &(first, second, meeting) in meetings {
            let [with_white, with_black] = meeting.by_colour();
            let [lost_to, drawn_with, beaten] = with_black;
            for (white, black, of_white) in
                [(first, second, with_white), (second, first, [beaten, drawn_with, lost_to])]
            {
                let [lost, drawn, won] = of_white.map(|games| games as f64);
                let (games, points) = (lost + drawn + won, won + drawn / 2.0);
                if games > 0.0 {
                    terms.push(ColourMeeting { white, black, games, points });
                }
            }
        }
        Problem { players, groups, fits_white, terms }
    }

    /// `None` when the steps do not settle.
    pub(super) fn fit(&self) -> Option<FittedRatings> {
        let mut at = FittedRatings { ratings: vec![0.0; self.players], white: 0.0 };
        let mut likelihood = self.likelihood(&at);
        for _ in 0..MOST_STEPS {
            let (gradient, information) = self.slopes(&at);
            let mut step = self.solve(&information, &gradient);
            // Newton's decrement: the step's length in standard errors.
            let moved = dot(&gradient, &step);
            if !moved.is_finite() {
                return None;
            }
            let shrinking = LONGEST_STEP / self.widest(&step);
            if shrinking < 1.0 {
                step.iter_mut().for_each(|part| *part *= shrinking);
            }
            let (next, reached) = self.climb(&at, likelihood, &mut step)?;
            (at, likelihood) = (next, reached);
            if moved < SETTLED {
                return Some(at);
            }
        }
        None
    }

    /// The largest change by a step of the difference of two players who met, White's advantage
    /// included.
    fn widest(&self, step: &[f64]) -> f64 {
        let change =
            |term: &ColourMeeting| step[term.white] - step[term.black] + step[self.players];
        self.terms.iter().fold(0.0, |widest, term| change(term).abs().max(widest))
    }

    /// Takes the step, halved until the likelihood is not lower.
    fn climb(
        &self,
        from: &FittedRatings,
        likelihood: f64,
        step: &mut [f64],
    ) -> Option<(FittedRatings, f64)> {
        // Next to the summit the likelihoods differ by less than they are rounded.
        let slack = 1e-12 * (1.0 + likelihood.abs());
        for _ in 0..60 {
            let next = self.moved(from, step);
            let reached = self.likelihood(&next);
            if reached >= likelihood - slack {
                return Some((next, reached));
            }
            step.iter_mut().for_each(|part| *part /= 2.0);
        }
        None
    }

    fn moved(&self, from: &FittedRatings, step: &[f64]) -> FittedRatings {
        let mut ratings: Vec<f64> =
            from.ratings.iter().zip(step).map(|(rating, part)| rating + part).collect();
        self.centre(&mut ratings);
        FittedRatings { ratings, white: from.white + step[self.players] }
    }

    /// Subtracts each group's mean.
    fn centre(&self, ratings: &mut [f64]) {
        for group in &self.groups {
            let sum: f64 = group.iter().map(|&player| ratings[player]).sum();
            group.iter().for_each(|&player| ratings[player] -= sum / group.len() as f64);
        }
    }

    fn likelihood(&self, at: &FittedRatings) -> f64 {
        let of = |term: &ColourMeeting| {
            let difference = at.ratings[term.white] - at.ratings[term.black] + at.white;
            let lost = term.games - term.points;
            term.points * log_expected(difference) + lost * log_expected(-difference)
        };
        self.terms.iter().map(of).sum()
    }

    /// Gradient and information of the logarithm of the likelihood, White's advantage last.
    fn slopes(&self, at: &FittedRatings) -> (Vec<f64>, Vec<Edge>) {
        let mut gradient = vec![0.0; self.players + 1];
        let information = self.terms.iter().map(|term| {
            let [won, lost] = at.expected(term.white, term.black);
            let surplus = term.points - term.games * won;
            gradient[term.white] += surplus;
            gradient[term.black] -= surplus;
            gradient[self.players] += surplus;
            let mut edge = Edge { first: term.white, second: term.black, ..Edge::default() };
            edge.add(term.games * won * lost, [1.0, 1.0]);
            edge
        });
        let information = information.collect();
        if !self.fits_white {
            gradient[self.players] = 0.0;
        }
        self.centre(&mut gradient);
        (gradient, information)
    }

    /// Solves `information · x = right` by conjugate gradients, scaled by the diagonal. The
    /// information of a group's mean is 0, and so must its gradient be, which rounding keeps it
    /// from.
    fn solve(&self, information: &[Edge], right: &[f64]) -> Vec<f64> {
        let size = self.players + 1;
        let mut diagonal = vec![0.0; size];
        for edge in information {
            diagonal[edge.first] += edge.dd;
            diagonal[edge.second] += edge.dd;
            diagonal[self.players] += edge.ww;
        }
        let scaled = |residual: &[f64]| -> Vec<f64> {
            let parts = residual.iter().zip(&diagonal);
            parts.map(|(part, of)| if *of > 0.0 { part / of } else { 0.0 }).collect()
        };
        let mut solution = vec![0.0; size];
        let mut residual = right.to_vec();
        let mut steepest = scaled(&residual);
        let mut direction = steepest.clone();
        let mut length = dot(&residual, &steepest);
        let enough = length * 1e-24;
        for _ in 0..4 * size + 50 {
            if length <= enough || length < f64::MIN_POSITIVE {
                break;
            }
            let image = self.product(information, &direction);
            let curvature = dot(&direction, &image);
            if curvature <= 0.0 {
                break;
            }
            let stretch = length / curvature;
            for part in 0..size {
                solution[part] += stretch * direction[part];
                residual[part] -= stretch * image[part];
            }
            steepest = scaled(&residual);
            let next = dot(&residual, &steepest);
            let keep = next / length;
            for (part, steep) in direction.iter_mut().zip(&steepest) {
                *part = steep + keep * *part;
            }
            length = next;
        }
        solution
    }

    fn product(&self, matrix: &[Edge], vector: &[f64]) -> Vec<f64> {
        let mut image = vec![0.0; self.players + 1];
        let white = vector[self.players];
        for edge in matrix {
            let difference = vector[edge.first] - vector[edge.second];
            let pull = edge.dd * difference + edge.dw * white;
            image[edge.first] += pull;
            image[edge.second] -= pull;
            image[self.players] += edge.dw * difference + edge.ww * white;
        }
        if !self.fits_white {
            image[self.players] = 0.0;
        }
        image
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
