use super::*;

/// Of so many pairs of equal engines, all sums of scores and of their squares: the rule accepts at
/// most one match in twenty, where the plain LOS would accept more.
#[test]
fn judged_by_it_equals_are_not_accepted_too_often() {
    for shape in [[10.0, 15.0, 50.0, 15.0, 10.0], [0.0, 10.0, 80.0, 10.0, 0.0]] {
        for pairs in [10_u64, 30] {
            let (mut plain, mut strict) = (0.0, 0.0);
            for_all_counts(pairs, &mut |counts: [u64; 5]| {
                let chance = chance_of(counts, shape);
                let counts = Pentanomial::from(counts);
                plain += chance * f64::from(los(&counts).unwrap() >= 0.95);
                strict += chance * f64::from(strict_los(&counts).unwrap() >= 0.95);
            });
            assert!(strict <= 0.05 && strict > 0.005, "{shape:?} {pairs}: {strict}");
            assert!(plain > strict, "{shape:?} {pairs}: {plain}");
        }
    }
}

fn for_all_counts(pairs: u64, each: &mut impl FnMut([u64; 5])) {
    for ll in 0..=pairs {
        for ld in 0..=pairs - ll {
            for dd in 0..=pairs - ll - ld {
                for wd in 0..=pairs - ll - ld - dd {
                    each([ll, ld, dd, wd, pairs - ll - ld - dd - wd]);
                }
            }
        }
    }
}

/// The multinomial probability.
fn chance_of(counts: [u64; 5], shape: [f64; 5]) -> f64 {
    let logarithm = |n: u64| (1..=n).map(|k| (k as f64).ln()).sum::<f64>();
    let sum: f64 = shape.iter().sum();
    let each = counts.iter().zip(shape).map(|(&count, share)| match count {
        0 => 0.0,
        _ => count as f64 * (share / sum).ln() - logarithm(count),
    });
    (logarithm(counts.iter().sum()) + each.sum::<f64>()).exp()
}

/// Of many pairs both say the same; of either side's view, the same from the other side.
#[test]
fn of_many_pairs_it_is_the_plain_one() {
    let many = Pentanomial::from([10_000, 15_000, 50_000, 15_400, 10_000]);
    let (plain, strict) = (los(&many).unwrap(), strict_los(&many).unwrap());
    assert!(strict < plain && plain - strict < 0.001, "{plain} {strict}");
    let mirrored = strict_los(&many.mirrored()).unwrap();
    assert!((mirrored + strict - 1.0).abs() < 1e-9);
    let beyond = Pentanomial::from([10_000_000, 0, 0, 0, 10_000_000]);
    assert_eq!(strict_los(&beyond), Ok(0.5));
}

#[test]
fn nothing_is_certain() {
    let shown = [1.0, 0.999_999, 0.5, 1e-9, 0.0].map(percent_clamped);
    assert_eq!(shown, ["99.99%", "99.99%", "50.00%", "0.01%", "0.01%"]);
    let all_won = Pentanomial { ww: 2, ..Pentanomial::default() };
    assert_eq!(los(&all_won).map(percent_clamped), Ok("99.99%".to_owned()));
}
