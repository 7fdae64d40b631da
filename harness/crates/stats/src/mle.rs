//! Likeliest distributions of scores under a constraint: the heart of the GSPRT.
//!
//! After Michel Van den Bergh: a given mean as in
//! <https://www.cantate.be/Fishtest/support_MLE_multinomial.pdf>, a given t-value as in "Comments
//! on Normalized Elo", <https://www.cantate.be/Fishtest/normalized_elo_practical.pdf>.
//!
//! Observed frequencies `f_i > 0` at points `a_i` are to be replaced by the likeliest `p_i` with
//! `Σ p_i φ_i = 0`. By Lagrange `p_i = f_i / (1 + x φ_i)`, where `x` solves the *secular equation*
//! `Σ f_i φ_i / (1 + x φ_i) = 0`. For the mean `φ_i = a_i − mean`, and that is all. For the
//! t-value `φ` depends on the unknown deviation itself; see [`with_t_value`].

use std::iter;

use super::sample::OUTCOMES;

/// More steps than any search here takes.
const MAX_STEPS: usize = 200;
/// A relative step after which a search that converges faster than linearly has arrived.
const SETTLED: f64 = 1e-13;
/// Points at which the equation for the deviation is looked at, in each window of deviations.
const SCAN_POINTS: u32 = 32;
/// Steps towards the point where that equation comes nearest to being solved.
const TURN_STEPS: usize = 20;
/// Deviations below are never looked at; 10^20 pairs could not produce one.
const MIN_DEVIATION: f64 = 1e-14;
/// The middle of the scale of scores, against which t-values are taken.
const MIDDLE: f64 = 0.5;

/// A value for each outcome; those beyond the number of outcomes are 0.
pub(super) type Values = [f64; OUTCOMES];

/// The likeliest distribution whose mean score is `mean`, by the observed `frequencies`. `rest` is
/// 1 − `mean`, given apart because next to 1 the difference would lose its digits.
///
/// `None` unless `mean` and `rest` are above 0 and all frequencies are.
pub(super) fn with_mean(frequencies: &[f64], mean: f64, rest: f64) -> Option<Values> {
    let constraint = over_points(frequencies.len(), |point| point * rest - (1.0 - point) * mean);
    solve_secular(frequencies, &constraint)
}

/// The likeliest distribution with `(mean − ½) / deviation = t`, by the observed `frequencies`.
///
/// `None` unless `t` is finite and all frequencies are above 0.
///
/// DIFFERS: the usual iteration from the uniform distribution (fishtest, fastchess, OpenBench)
/// breaks down where the observed t-value is far from `t`: ten pairs lost against `elo1=500` give
/// an exception or NaN. Here, with `u = a − ½` and a deviation `σ`, the mean is `½ + tσ`, and the
/// derivatives of the constraint make `φ(u) = u − tσ/2 − t/(2σ) (u − tσ)²`. The solution of the
/// secular equation has `E[φ] = 0`, hence fulfils the constraint if and only if its `E[(u − tσ)²]`
/// is `σ²`: one equation in σ. A scan finds its solutions, of which there may be several, and the
/// likeliest is taken.
pub(super) fn with_t_value(frequencies: &[f64], t: f64) -> Option<Values> {
    if !t.is_finite() {
        return None;
    }
    if t < 0.0 {
        let mut mirrored: Values = over_points(frequencies.len(), |_| 0.0);
        let mirrored = &mut mirrored[..frequencies.len()];
        mirrored.copy_from_slice(frequencies);
        mirrored.reverse();
        let mut solution = with_t_value(mirrored, -t)?;
        solution[..frequencies.len()].reverse();
        return Some(solution);
    }
    if t == 0.0 {
        return with_mean(frequencies, MIDDLE, MIDDLE);
    }
    let mut best: Option<(f64, Values)> = None;
    for (low, high) in deviation_windows(frequencies.len(), t) {
        for deviation in crossings(low, high, |deviation| spread(frequencies, t, deviation)) {
            let Some(solution) = at_deviation(frequencies, t, deviation) else { continue };
            let likelihood = frequencies.iter().zip(&solution).map(|(f, p)| f * p.ln()).sum();
            if best.is_none_or(|(record, _)| likelihood > record) {
                best = Some((likelihood, solution));
            }
        }
    }
    best.map(|(_, solution)| solution)
}

/// `of` at each of `outcomes` points, evenly from 0 to 1.
fn over_points(outcomes: usize, of: impl Fn(f64) -> f64) -> Values {
    let mut values = [0.0; OUTCOMES];
    for (index, value) in values.iter_mut().take(outcomes).enumerate() {
        *value = of(index as f64 / (outcomes - 1) as f64);
    }
    values
}

/// The secular equation's solution for a positive t-value and an assumed deviation.
fn at_deviation(frequencies: &[f64], t: f64, deviation: f64) -> Option<Values> {
    let constraint = over_points(frequencies.len(), |point| {
        let u = point - MIDDLE;
        let off = u - t * deviation;
        u - t * deviation / 2.0 - t / (2.0 * deviation) * off * off
    });
    solve_secular(frequencies, &constraint)
}

/// How much the solution at an assumed deviation spreads more than assumed, as a share of the
/// assumed variance; 0 is consistent.
fn spread(frequencies: &[f64], t: f64, deviation: f64) -> Option<f64> {
    let solution = at_deviation(frequencies, t, deviation)?;
    let mean = MIDDLE + t * deviation;
    let squares = over_points(frequencies.len(), |point| (point - mean) * (point - mean));
    let spread: f64 = solution.iter().zip(&squares).map(|(p, square)| p * square).sum();
    Some(spread / (deviation * deviation) - 1.0)
}

/// The ranges of deviations for which some `φ` is positive, for `t > 0`; lower ones first.
///
/// `φ(u) > 0` in `σ c⁻ < u < σ c⁺`, where `c^± = (1 + t² ± √(1 + t²)) / t`: a window of σ for each
/// positive `u`. At a window's lower end the solution spreads more than assumed, at its upper end
/// less, so there is a solution in each. No deviation can exceed `½ / √(1 + t²)`.
fn deviation_windows(outcomes: usize, t: f64) -> Vec<(f64, f64)> {
    let square = 1.0 + t * t;
    let fast = (square + square.sqrt()) / t;
    let slow = square / fast;
    let greatest = MIDDLE / square.sqrt();
    let points = over_points(outcomes, |point| point - MIDDLE);
    let mut windows: Vec<(f64, f64)> = Vec::with_capacity(2);
    for u in points.into_iter().take(outcomes).filter(|&u| u > 0.0) {
        let (low, high) = ((u / fast).max(MIN_DEVIATION), (u / slow).min(greatest));
        match windows.last_mut() {
            Some(last) if low < last.1 => last.1 = high,
            _ => windows.push((low, high)),
        }
    }
    windows
}

/// The arguments between `low` and `high`, both positive, where `function` goes from positive to
/// negative. It is positive at `low`, negative at `high`, and may be undefined next to them.
///
/// A grid alone would step over two crossings that are close together. Hence, where the function
/// comes nearer to zero and goes away again, the nearest point is looked at as well.
fn crossings(low: f64, high: f64, function: impl Fn(f64) -> Option<f64>) -> Vec<f64> {
    let middle = (low * high).sqrt();
    let value = |x: f64| function(x).unwrap_or(if x < middle { 1.0 } else { -1.0 });
    let inner = (1..SCAN_POINTS).map(|step| {
        let x = low * (high / low).powf(f64::from(step) / f64::from(SCAN_POINTS));
        (x, value(x))
    });
    let grid: Vec<(f64, f64)> =
        iter::once((low, 1.0)).chain(inner).chain(iter::once((high, -1.0))).collect();
    let turns = grid.windows(3).filter_map(|three| {
        let sign = three[0].1.signum();
        let [before, here, after] = [0, 1, 2].map(|i| sign * three[i].1);
        let turns = here > 0.0 && here <= before && here <= after;
        turns.then(|| least(three[0].0, three[2].0, |x| sign * value(x)))
    });
    let mut points = grid.clone();
    points.extend(turns.map(|x| (x, value(x))));
    points.sort_by(|a, b| a.0.total_cmp(&b.0));
    let falls = points.windows(2).filter(|two| two[0].1 > 0.0 && two[1].1 <= 0.0);
    falls.map(|two| root(two[0], two[1], value)).collect()
}

/// An argument between `left` and `right`, both positive, where `function` is negative, or else
/// where it is least.
fn least(mut left: f64, mut right: f64, function: impl Fn(f64) -> f64) -> f64 {
    for _ in 0..TURN_STEPS {
        let third = (right / left).cbrt();
        let (near, far) = (left * third, right / third);
        let (near_value, far_value) = (function(near), function(far));
        if near_value < 0.0 {
            return near;
        }
        if near_value <= far_value {
            right = far;
        } else {
            left = near;
        }
    }
    (left * right).sqrt()
}

/// The argument between two points, both positive, where `function` turns from positive to not
/// positive: regula falsi (Illinois), with a halving now and then in case it creeps.
fn root(left: (f64, f64), right: (f64, f64), function: impl Fn(f64) -> f64) -> f64 {
    let ((mut left, mut above), (mut right, mut below)) = (left, right);
    let (mut last, mut last_was_left) = (left, None);
    for step in 1..=MAX_STEPS {
        let share = if step % 4 == 0 { 0.5 } else { above / (above - below) };
        let middle = left * (right / left).powf(share);
        if (middle - last).abs() <= SETTLED * middle {
            return middle;
        }
        last = middle;
        let value = function(middle);
        let is_left = value > 0.0;
        if is_left {
            (left, above) = (middle, value);
        } else {
            (right, below) = (middle, value);
        }
        // The end that stays a second time pulls the next step towards itself.
        if last_was_left == Some(is_left) {
            if is_left { below /= 2.0 } else { above /= 2.0 }
        }
        last_was_left = Some(is_left);
    }
    last
}

/// `p_i = f_i / (1 + x φ_i)` with `x` from the secular equation `Σ f_i φ_i / (1 + x φ_i) = 0`.
///
/// `None` unless there are positive and negative `φ_i`.
fn solve_secular(frequencies: &[f64], constraint: &Values) -> Option<Values> {
    let constraint = &constraint[..frequencies.len()];
    let observed: f64 = frequencies.iter().zip(constraint).map(|(f, phi)| f * phi).sum();
    // With Σ f φ > 0 the solution is x > 0, and 1 + xφ nears zero at the least φ; the other case is
    // this one with all signs turned.
    let sign = if observed < 0.0 { -1.0 } else { 1.0 };
    let least = constraint.iter().map(|phi| sign * phi).fold(f64::INFINITY, f64::min);
    let greatest = constraint.iter().map(|phi| sign * phi).fold(f64::NEG_INFINITY, f64::max);
    if !(least < 0.0 && greatest > 0.0) {
        return None;
    }
    // In y = 1 + x·least, the divisor at the pole, every divisor is a sum without cancellation:
    // frequencies down to 10^-20 would otherwise drown in the rounding of 1 + xφ.
    let divisor = |phi: f64, y: f64| ((sign * phi - least) - y * sign * phi) / -least;
    let terms = || frequencies.iter().zip(constraint);
    // The pole's own p is f / y and at most 1.
    let pole = terms().filter(|(_, phi)| sign * **phi == least).map(|(f, _)| *f);
    let (mut low, mut high) = (pole.fold(0.0, f64::max).min(1.0), 1.0);
    let mut y = high;
    for _ in 0..MAX_STEPS {
        // h rises from below 0 at `low` to Σ f φ at 1. Newton's step is taken on y h(y), which is
        // nearly a straight line.
        let (mut h, mut slope) = (0.0, 0.0);
        for (f, phi) in terms() {
            let part = phi * sign / divisor(*phi, y);
            h += f * part;
            slope += f * part * part / -least;
        }
        if h < 0.0 {
            low = y;
        } else {
            high = y;
        }
        let newton = y - y * h / (h + y * slope);
        if (newton - y).abs() <= SETTLED * y {
            break;
        }
        y = if newton > low && newton < high { newton } else { (low * high).sqrt() };
    }
    let mut solution = [0.0; OUTCOMES];
    for ((p, f), phi) in solution.iter_mut().zip(frequencies).zip(constraint) {
        *p = f / divisor(*phi, y);
    }
    Some(solution)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Frequencies of five or three outcomes, some of them as rare as replaced zero counts.
    fn frequencies() -> impl Strategy<Value = Vec<f64>> {
        let count = prop_oneof![Just(1e-3), 1.0..100.0f64, 1e3..1e12f64];
        let counts =
            prop_oneof![prop::collection::vec(count.clone(), 5), prop::collection::vec(count, 3)];
        counts.prop_map(|counts| {
            let sum: f64 = counts.iter().sum();
            counts.iter().map(|count| count / sum).collect()
        })
    }

    fn t_values() -> impl Strategy<Value = f64> {
        prop_oneof![-0.1..0.1f64, -9.0..9.0f64]
    }

    fn mean(p: &[f64]) -> f64 {
        let last = (p.len() - 1) as f64;
        p.iter().enumerate().map(|(i, p)| p * i as f64 / last).sum()
    }

    fn t_value(p: &[f64]) -> f64 {
        let (last, mean) = ((p.len() - 1) as f64, mean(p));
        let square = |i: usize| (i as f64 / last - mean) * (i as f64 / last - mean);
        let variance: f64 = p.iter().enumerate().map(|(i, p)| p * square(i)).sum();
        (mean - MIDDLE) / variance.sqrt()
    }

    fn log_likelihood(frequencies: &[f64], p: &[f64]) -> f64 {
        frequencies.iter().zip(p).map(|(f, p)| f * p.ln()).sum()
    }

    /// `p` with weights `e^(θ i)`, where θ gives it the wanted value of `measure`.
    fn tilted(p: &[f64], wanted: f64, measure: fn(&[f64]) -> f64) -> Option<Vec<f64>> {
        let tilt = |theta: f64| -> Vec<f64> {
            let weights = p.iter().enumerate().map(|(i, p)| p * (theta * i as f64).exp());
            let sum: f64 = weights.clone().sum();
            weights.map(|weight| weight / sum).collect()
        };
        let (mut low, mut high) = (-60.0, 60.0);
        if !(measure(&tilt(low)) < wanted && wanted < measure(&tilt(high))) {
            return None;
        }
        for _ in 0..80 {
            let middle = (low + high) / 2.0;
            if measure(&tilt(middle)) < wanted { low = middle } else { high = middle }
        }
        Some(tilt(low))
    }

    proptest! {
        #[test]
        fn mean_is_met_by_a_distribution(f in frequencies(), wanted in 0.00001..0.99999f64) {
            let p = with_mean(&f, wanted, 1.0 - wanted).expect("within 0 and 1");
            let p = &p[..f.len()];
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{p:?}");
            prop_assert!((mean(p) - wanted).abs() < 1e-9, "{p:?}");
        }

        #[test]
        fn t_value_is_met_by_a_distribution(f in frequencies(), wanted in t_values()) {
            let p = with_t_value(&f, wanted).expect("always feasible");
            let p = &p[..f.len()];
            prop_assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9, "{p:?}");
            prop_assert!((t_value(p) - wanted).abs() < 1e-6 * (1.0 + wanted.abs()), "{p:?}");
        }

        /// Any other distribution with the same t-value, near or far, is less likely.
        #[test]
        fn nothing_is_likelier(
            f in frequencies(),
            wanted in t_values(),
            noise in prop::collection::vec(-1.0..1.0f64, 5),
            strength in prop_oneof![0.0..0.1f64, 0.0..20.0f64],
        ) {
            let p = with_t_value(&f, wanted).expect("always feasible");
            let p = &p[..f.len()];
            for start in [p, &f] {
                let other = start.iter().zip(&noise).map(|(p, n)| p * (strength * n).exp());
                let Some(other) = tilted(&other.collect::<Vec<f64>>(), wanted, t_value) else {
                    continue;
                };
                let (ours, theirs) = (log_likelihood(&f, p), log_likelihood(&f, &other));
                let slack = 1e-9 * ours.abs() + 1e-13;
                prop_assert!(theirs <= ours + slack, "{ours} {p:?}, {theirs} {other:?}");
            }
        }
    }

    #[test]
    fn infeasible_constraints_have_no_solution() {
        let f = [0.2; 5];
        assert!(with_mean(&f, 0.0, 1.0).is_none());
        assert!(with_mean(&f, 1.0, 0.0).is_none());
        assert!(with_mean(&f, f64::NAN, f64::NAN).is_none());
        assert!(with_t_value(&f, f64::INFINITY).is_none());
        assert!(with_t_value(&f, f64::NAN).is_none());
    }
}
