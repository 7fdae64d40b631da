//! What the games of a run say of each parameter: where its best value is, and what moving it is
//! still worth.
//!
//! Every iteration measures, with much noise, how strength rises along each parameter at where it
//! stood: the side that was moved up won so many games more. A line through those slopes over the
//! places they were measured at crosses zero at the best value; Fieller's interval of that crossing
//! is the band. It takes strength for a parabola along each parameter, and the parameters for
//! independent of each other near the optimum. Where the line does not fall for certain there is no
//! band: the best value may be anywhere; so it is with one that has not moved as far as it is moved
//! to either side. That the iterates lie close together says less: they may all be on their way.
//!
//! For certain is more than usual here, since a parameter goes where its own results send it. Where
//! nothing matters, the regression of results on places is one of a random walk's steps on its
//! levels: after a step up by luck the next results are no better than before, and the line falls.
//! That is Dickey and Fuller's regression with a constant, whose t lies below −1.96 in some 30 of
//! 100 cases; a fall counts from the value that it exceeds in 2.5 of 100. Where a parameter is held
//! by its best value the bands are wider than they need to be: of 2,622 six miss it. With 1.96 for
//! their ends alone 15 of 53 missed it where few pairs had shown it (four parameters, 5,000 pairs,
//! 200 simulated runs).

use super::state::{Spsa, SpsaStep};
use stats::{Z95, fieller};

/// No bands before so many iterations.
const LEAST_STEPS: usize = 20;
/// Standard errors by which a line has to fall: the one-sided 2.5 % point of the t of a random
/// walk's steps on its levels, with a constant, of many steps (W. A. Fuller, Introduction to
/// Statistical Time Series, 1976, table 8.5.2; D. A. Dickey and W. A. Fuller, Distribution of the
/// estimators for autoregressive time series with a unit root, Journal of the American Statistical
/// Association 74, 1979).
const DICKEY_FULLER: f64 = 3.12;
/// Won less lost games of a pair by Elo between equals: 4 points · ln 10 / 1600.
const GAMES_BY_ELO: f64 = 4.0 * std::f64::consts::LN_10 / 1600.0;

#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Band {
    /// `None` while the games do not show a maximum.
    pub best: Option<Best>,
    /// Where strength seems to stop rising, by a line that falls by 1.96 standard errors: no proof,
    /// but a better value to tune to than where the run has settled.
    pub guess: Option<f64>,
    /// Elo gained by moving the parameter up by its reach, by the second half of the run.
    pub slope: f64,
    pub slope_error95: f64,
}

/// The best value of a parameter, within its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Best {
    pub value: f64,
    /// Lower end of its interval, of at least 95 %.
    pub low: f64,
    pub high: f64,
}

/// By parameter; `None` before there are enough iterations.
pub fn bands(spsa: &Spsa) -> Option<Vec<Band>> {
    bands_after(spsa, spsa.steps().len())
}

/// As [`bands`], after so many iterations.
pub fn bands_after(spsa: &Spsa, steps: usize) -> Option<Vec<Band>> {
    let steps = spsa.steps().get(..steps).filter(|steps| steps.len() >= LEAST_STEPS)?;
    let spread = spread(steps);
    let band = |number: usize| {
        let line = &spsa.lines()[number];
        let slopes = |from: usize| -> Vec<Slope> {
            let slope = |at| Slope::of(spsa, number, at, spread);
            (from..steps.len()).filter_map(slope).collect()
        };
        let (slope, slope_error95) = now(&slopes(steps.len() / 2));
        // Places nearer together than the perturbation itself are not told apart.
        let places = steps.iter().map(|step| step.theta[number]);
        let way = places.clone().fold(line.start, f64::max) - places.fold(line.start, f64::min);
        let all = slopes(0);
        let crossing = |z| (way >= line.c_end).then(|| crossing(&all, z)).flatten();
        let best = crossing(DICKEY_FULLER).map(|best| Best {
            value: best.value.clamp(line.min, line.max),
            low: best.low.clamp(line.min, line.max),
            high: best.high.clamp(line.min, line.max),
        });
        let guess = crossing(Z95).map(|best| best.value.clamp(line.min, line.max));
        Band { best, guess, slope, slope_error95 }
    };
    Some((0..spsa.lines().len()).map(band).collect())
}

/// The tuned values: the guess where there is one, within the values tried; elsewhere the settled
/// value.
pub fn tuned(spsa: &Spsa) -> Vec<f64> {
    let bands = bands(spsa);
    let tuned = |(number, settled): (usize, f64)| {
        let guess = bands.as_ref().and_then(|bands| bands[number].guess);
        guess.map_or(settled, |guess| {
            let line = &spsa.lines()[number];
            let places = spsa.steps().iter().map(|step| step.theta[number]);
            let least = places.clone().fold(line.start, f64::min) - line.c_end;
            let most = places.fold(line.start, f64::max) + line.c_end;
            guess.clamp(least.max(line.min), most.min(line.max))
        })
    };
    spsa.settled().into_iter().enumerate().map(tuned).collect()
}

/// The slope of strength along one parameter, measured by one iteration.
#[derive(Debug, Clone, Copy)]
struct Slope {
    place: f64,
    slope: f64,
    error: f64,
    reach: f64,
}

impl Slope {
    /// The slope of the iteration `at`, where pairs have the standard deviation `spread`; `None`
    /// where rounding made both sides equal.
    fn of(spsa: &Spsa, number: usize, at: usize, spread: f64) -> Option<Slope> {
        let step = &spsa.steps()[at];
        let from = at.checked_sub(1).map_or(0, |before| spsa.steps()[before].pairs);
        let pairs = (step.pairs - from) as f64;
        // As played: at a bound the sides lie nearer together than twice the reach, and their
        // middle is not where the parameter stands.
        let [plus, minus] = [step.trial.plus[number], step.trial.minus[number]];
        // Elo per unit of the parameter.
        let scale = (plus - minus) * pairs * GAMES_BY_ELO;
        let slope = Slope {
            place: f64::midpoint(plus, minus),
            slope: step.result as f64 / scale,
            error: spread * pairs.sqrt() / scale.abs(),
            reach: spsa.reach(number, from + 1),
        };
        (plus != minus).then_some(slope)
    }
}

/// The standard deviation of a pair's result, with a lower bound: draws alone would have none.
fn spread(steps: &[SpsaStep]) -> f64 {
    let pairs = steps.last().map_or(1, |step| step.pairs).max(1) as f64;
    let squares: f64 = steps.iter().map(|step| (step.result * step.result) as f64).sum();
    (squares / pairs).sqrt().max(0.1)
}

/// The mean slope with its error, in Elo per reach; infinite error without slopes.
fn now(slopes: &[Slope]) -> (f64, f64) {
    let (mut weights, mut sum) = (0.0, 0.0);
    for slope in slopes {
        let weight = (slope.error * slope.reach).powi(-2);
        weights += weight;
        sum += weight * slope.slope * slope.reach;
    }
    if weights > 0.0 { (sum / weights, Z95 / f64::sqrt(weights)) } else { (0.0, f64::INFINITY) }
}

/// Where a weighted least-squares line through the slopes falls through zero, if it falls by `z`
/// standard errors.
fn crossing(slopes: &[Slope], z: f64) -> Option<Best> {
    let weighted = slopes.iter().map(|slope| (slope.error.powi(-2), slope));
    let sums = weighted.clone().fold([0.0; 3], |[w, wx, wy], (weight, slope)| {
        [w + weight, wx + weight * slope.place, wy + weight * slope.slope]
    });
    let [weights, wx, wy] = sums;
    let (middle, height) = (wx / weights, wy / weights);
    let (mut across, mut along) = (0.0, 0.0);
    for (weight, slope) in weighted {
        let u = slope.place - middle;
        across += weight * u * u;
        along += weight * u * slope.slope;
    }
    if across <= 0.0 {
        return None;
    }
    let fall = along / across;
    // Height and slope are independent at the middle.
    let covariance = [1.0 / weights, 0.0, 1.0 / across];
    let [low, high] = fieller([height, fall], covariance, z).filter(|_| fall < 0.0)?;
    Some(Best { value: middle - height / fall, low: middle + low, high: middle + high })
}

/// How often a run checks whether it is flat.
const LOOKS: i32 = 7;
/// Factor from one check to the next, and from the last to the end.
const GROWTH: f64 = 1.5;
/// Two-sided quantile for an error of 5 % / `LOOKS`, so that all checks together err in 5 % of runs
/// at most (Bonferroni).
const Z_LOOK: f64 = 2.690_11;

/// Whether no parameter is worth moving: each is shown, at 95 % over all checks, to gain less than
/// `elo` by another move to either side.
fn is_flat(bands: &[Band], elo: f64) -> bool {
    bands.iter().all(|band| band.slope.abs() + band.slope_error95 / Z95 * Z_LOOK < elo)
}

/// Whether a run of so many iterations checks for flatness after `steps`.
fn is_look(steps: u64, iterations: u64) -> bool {
    let look = |number| (iterations as f64 / GROWTH.powi(number)).round() as u64;
    (1..=LOOKS).any(|number| look(number) == steps)
}

/// Whether a run that is to end when flat is so now.
pub(super) fn is_done(spsa: &Spsa, flat: Option<f64>) -> bool {
    let Some(elo) = flat else { return false };
    is_look(spsa.steps().len() as u64, spsa.iterations())
        && bands(spsa).is_some_and(|bands| is_flat(&bands, elo))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slopes(of: impl Fn(f64) -> f64) -> Vec<Slope> {
        let place = |i: u32| f64::from(i % 50);
        let slope = |i| Slope { place: place(i), slope: of(place(i)), error: 1.0, reach: 2.0 };
        (0..500).map(slope).collect()
    }

    #[test]
    fn the_line_crosses_where_it_should() {
        let best = crossing(&slopes(|x| 0.5 * (30.0 - x)), Z95).expect("a crossing");
        assert!((best.value - 30.0).abs() < 1e-9, "{best:?}");
        assert!(best.low < 30.0 && best.high > 30.0 && best.high - best.low < 2.0, "{best:?}");
        // Too flat to tell, rising, or never moved.
        assert_eq!(crossing(&slopes(|x| 0.0001 * (30.0 - x)), Z95), None);
        assert_eq!(crossing(&slopes(|x| x - 30.0), Z95), None);
        let still = Slope { place: 7.0, slope: 1.0, error: 1.0, reach: 1.0 };
        assert_eq!(crossing(&[still; 30], Z95), None);
    }

    /// As the help has them.
    #[test]
    fn looks_grow_with_the_run() {
        let looks: Vec<u64> = (0..=1000).filter(|&steps| is_look(steps, 1000)).collect();
        assert_eq!(looks, [59, 88, 132, 198, 296, 444, 667]);
    }

    #[test]
    fn slopes_are_by_the_reach() {
        let (slope, error) = now(&slopes(|_| 3.0));
        assert!((slope - 6.0).abs() < 1e-9 && (error - Z95 * 2.0 / 500_f64.sqrt()).abs() < 1e-9);
    }
}
