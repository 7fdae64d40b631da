use process::progress::Unseen;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};

use super::super::slopes::SlopeBlock;
use super::super::targets::{Target, expected};
use super::super::walk::errors_of;
use super::*;

const SCALE: f32 = 0.003;

/// Positions in which few of the weights count, their targets what the true weights say.
fn made(truth: &[f32], cells: &Cells, positions: usize, seed: u64) -> Examples {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut next = |below: u32| (rng.next_u32() % below) as f32;
    let pairs = PhasePairs::of(cells);
    let blocks = (0..positions.div_ceil(64)).map(|_| {
        let mut block = SlopeBlock::default();
        for _ in 0..64 {
            let value = next(1200) - 600.0;
            let mut slopes: Vec<(u16, f32)> = Vec::new();
            while slopes.len() < 4 {
                let (cell, slope) = (next(truth.len() as u32) as u16, next(9) / 4.0 - 1.0);
                if slopes.iter().all(|(met, _)| *met != cell) {
                    slopes.push((cell, slope));
                }
            }
            let added = slopes.iter().map(|(cell, slope)| slope * truth[usize::from(*cell)]);
            let true_value = value + added.sum::<f32>();
            let expected = expected(f64::from(SCALE * true_value)) as f32;
            block.push(value, Target { expected, scale: SCALE }, &slopes, &pairs);
        }
        block
    });
    Examples(blocks.collect())
}

fn found(threads: usize, l2: f64) -> (Vec<i32>, Vec<f32>, Fitted) {
    found_from(&Params::default(), threads, Fitting { l2, ..Fitting::default() })
}

fn found_from(params: &Params, threads: usize, fitting: Fitting) -> (Vec<i32>, Vec<f32>, Fitted) {
    let cells = Cells::matching(params, &["centre.table".to_owned()]).unwrap();
    let start = cells.values(params);
    let truth: Vec<f32> =
        (0..cells.0.len()).map(|cell| (cell as f32 * 5.0) % 41.0 - 20.0).collect();
    let examples = [made(&truth, &cells, 4000, 1), made(&truth, &cells, 500, 2)];
    let fitting = Fitting { epochs: 600, rate: 0.1, ..fitting };
    let threads = NonZeroUsize::new(threads).unwrap();
    let fitted = fit(&examples, &cells, params, &fitting, threads, &Unseen);
    (start, truth, fitted)
}

/// The true weights are found again, and the error goes to nothing.
#[test]
fn truth_is_recovered() {
    let (start, truth, fitted) = found(1, 0.0);
    for ((start, truth), value) in start.iter().zip(&truth).zip(&fitted.values) {
        let moved = (value - start) as f32;
        assert!((moved - truth).abs() <= 2.0, "{moved} found, {truth} true");
    }
    assert!(fitted.held_out_errors[1] < fitted.held_out_errors[0] / 100.0, "{fitted:?}");
}

/// The penalty holds the weights where they started.
#[test]
fn penalty() {
    let free: i32 = {
        let (start, _, fitted) = found(1, 0.0);
        start.iter().zip(&fitted.values).map(|(a, b)| (a - b).abs()).sum()
    };
    let (start, _, fitted) = found(1, 1e-3);
    let held: i32 = start.iter().zip(&fitted.values).map(|(a, b)| (a - b).abs()).sum();
    assert!(held < free / 2, "{held} and {free}");
}

/// The penalty draws weights to the papers' values, or holds them where they start.
#[test]
fn what_weights_are_drawn_to() {
    let mut params = Params::default();
    let cells = Cells::matching(&params, &["centre.table".to_owned()]).unwrap();
    let table = cells.values(&params);
    let start: Vec<i32> = table.iter().map(|value| value + 24).collect();
    cells.put(&start, &mut params);
    let from_table = |l2_to| -> i32 {
        let found = found_from(&params, 1, Fitting { l2_to, ..Fitting::default() }).2.values;
        found.iter().zip(&table).map(|(a, b)| (a - b).abs()).sum()
    };
    let (to_table, to_start) = (from_table(Anchor::Table), from_table(Anchor::Start));
    assert!(to_table < to_start, "{to_table} and {to_start}");
}

/// A weight whose truth is out of its range ends at the bound, and the errors told are those of the
/// values found.
#[test]
fn bounds_hold_in_the_walk() {
    const BOUND: usize = 8;
    let mut params = Params::default();
    let cells = Cells::matching(&params, &["centre.table".to_owned()]).unwrap();
    let mut start = cells.values(&params);
    start[BOUND] = cells.0[BOUND].spec.max;
    cells.put(&start, &mut params);
    let (_, truth, fitted) = found_from(&params, 1, Fitting { l2: 0.0, ..Fitting::default() });
    assert!(truth[BOUND] > 0.0);
    assert_eq!(fitted.values[BOUND], start[BOUND]);
    let moved: Vec<f32> =
        fitted.values.iter().zip(&start).map(|(value, start)| (value - start) as f32).collect();
    let held_out = made(&truth, &cells, 500, 2);
    let moved = PhasePairs::of(&cells).paired(&moved);
    let error = errors_of(&held_out, &moved, NonZeroUsize::MIN);
    let told = fitted.held_out_errors[1];
    assert!((error - told).abs() < told / 20.0, "{error} of the values, {told} told");
}

#[test]
fn threads_change_nothing() {
    for batch in [None, NonZeroUsize::new(300), NonZeroUsize::new(2500)] {
        let [one, three] = [1, 3].map(|threads| {
            found_from(&Params::default(), threads, Fitting { batch, ..Fitting::default() }).2
        });
        assert_eq!(one.values, three.values);
        assert_eq!(one.errors[1].to_bits(), three.errors[1].to_bits());
    }
}

/// Steps by small batches find the true weights in fewer epochs than steps by all positions.
#[test]
fn batches_need_fewer_epochs() {
    let error = |batch, epochs| {
        let params = Params::default();
        let cells = Cells::matching(&params, &["centre.table".to_owned()]).unwrap();
        let truth: Vec<f32> =
            (0..cells.0.len()).map(|cell| (cell as f32 * 5.0) % 41.0 - 20.0).collect();
        let examples = [made(&truth, &cells, 20_000, 1), made(&truth, &cells, 500, 2)];
        let batch = NonZeroUsize::new(batch);
        let fitting = Fitting { epochs, batch, l2: 0.0, ..Fitting::default() };
        fit(&examples, &cells, &params, &fitting, NonZeroUsize::MIN, &Unseen).held_out_errors[1]
    };
    let (all, batches) = (error(30_000, 20), error(500, 20));
    assert!(batches < all / 10.0, "{batches} by batches, {all} by all");
    assert_eq!(all.to_bits(), error(0, 20).to_bits());
}
