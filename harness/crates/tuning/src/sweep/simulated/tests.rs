use super::*;
use crate::sweep::fit::{Parabola, Point};
use stats::{IntervalKind, Z95, elo};

fn points(values: impl Iterator<Item = i32>) -> Vec<Vec<f64>> {
    values.map(|value| vec![f64::from(value)]).collect()
}

/// Best at 3 of 0 to 8, 20 Elo worse at each step; the base at 0.
fn engine(values: &[f64]) -> f64 {
    -10.0 * (values[0] - 3.0).powi(2)
}

/// With α = 20 % the strongest may be dropped in 20 of 100 races; being far off in strength, the
/// others go, and most games go to the best.
#[test]
fn the_strongest_stays_and_the_hopeless_go() {
    let points = points(1..=8);
    let best = 2;
    let (mut kept, mut chosen, mut pairs) = (0, 0, Vec::new());
    for seed in 0..60 {
        let of = points.iter().map(Vec::as_slice);
        let race = race_of(of, &[0.0], engine, (400, 0.2), seed);
        kept += usize::from(race.dropped(best).is_none());
        chosen += usize::from(race.best().is_some_and(|best| (points[best][0] - 3.0).abs() <= 1.0));
        pairs.push([race.pairs(7), race.pairs(best)]);
    }
    // 12 of 60 would be the limit; the bound is far from sharp.
    assert!(kept >= 57, "kept {kept} of 60");
    assert!(chosen >= 57, "chose a value beside the best in {chosen} of 60");
    let sum = |which: usize| pairs.iter().map(|pairs| pairs[which]).sum::<u64>();
    assert!(sum(0) * 4 < sum(1), "{} pairs of the worst, {} of the best", sum(0), sum(1));
}

/// Where all are equal, a drop of any given one is an error.
#[test]
fn equals_are_seldom_dropped() {
    let points = points(1..=6);
    let gone = (0..100).filter(|&seed| {
        let of = points.iter().map(Vec::as_slice);
        race_of(of, &[0.0], |_: &[f64]| 0.0, (300, 0.1), seed).dropped(4).is_some()
    });
    // 10 of 100 would be the limit.
    let gone = gone.count();
    assert!(gone <= 10, "{gone} of 100");
}

/// The parabola's interval holds the optimum about as often as it says.
#[test]
fn the_optimum_is_within_its_interval() {
    let points = points((1..=8).map(|step| 16 * step));
    let engine = |values: &[f64]| -15.0 * ((values[0] - 70.0) / 40.0).powi(2);
    let (mut inside, mut widest) = (0, 0.0_f64);
    for seed in 0..40 {
        // Alpha so small that nobody is dropped.
        let of = points.iter().map(Vec::as_slice);
        let race = race_of(of, &[8.0], engine, (1500, 1e-12), seed);
        let found: Vec<Point> = (0..points.len())
            .map(|number| {
                let elo = elo(&race.counts(number), IntervalKind::Normal);
                let error = elo.error95.expect("many pairs") / Z95;
                Point { x: points[number][0], y: elo.elo.expect("many pairs"), error }
            })
            .collect();
        let top = Parabola::through(&found).and_then(|parabola| parabola.top());
        let top = top.expect("a top");
        inside += usize::from((top.low..=top.high).contains(&70.0));
        widest = widest.max(top.high - top.low);
    }
    assert!(inside >= 34, "{inside} of 40");
    assert!(widest < 60.0, "{widest} wide");
}
