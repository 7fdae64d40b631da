//! How fast Texel's method walks: position-gradients a second.
//!
//! ```text
//! cargo bench -p harness --bench texel_speed                  # 400,000 positions, 150 tapered weights
//! cargo bench -p harness --bench texel_speed -- 100000 20 32  # so many, walks, weights in a position
//! cargo bench -p harness --bench texel_speed -- 100000 20 32 4096   # steps by batches of so many
//! ```
//!
//! Positions are made up: in each, as many tapered weights count as men stand on a board by default, each
//! by its middle-game and its end-game cell. A walk is the gradient of all positions and Adam's steps; a
//! tenth of the positions is held out and looked at after each walk, as in a fit.
#![allow(clippy::unwrap_used, reason = "a benchmark fails by panicking")]

use std::num::NonZeroUsize;
use std::time::Instant;

use engine::Params;
use process::parallel;
use process::progress::Unseen;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use tuning::tune::texel::cells::Cells;
use tuning::tune::texel::fit::{Fitting, fit};
use tuning::tune::texel::pairs::PhasePairs;
use tuning::tune::texel::slopes::{Examples, SlopeBlock};
use tuning::tune::texel::targets::Target;

/// Tapered weights; each has two cells.
const WEIGHTS: u32 = 150;

fn main() {
    let numbers: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let positions = numbers.first().copied().unwrap_or(400_000);
    let walks = numbers.get(1).copied().unwrap_or(50);
    let met = numbers.get(2).copied().unwrap_or(32);
    let batch = numbers.get(3).and_then(|&batch| NonZeroUsize::new(batch));

    let params = Params::default();
    let cells = Cells::matching(&params, &["pst.*".to_owned()]).unwrap();
    assert!(cells.0.len() >= 2 * WEIGHTS as usize, "{} cells", cells.0.len());
    let examples = [made(&cells, positions, met, 1), made(&cells, positions / 10, met, 2)];
    let fitting = Fitting { epochs: walks, patience: walks + 1, batch, ..Fitting::default() };
    println!("{positions} positions, {met} of {WEIGHTS} tapered weights in each, {walks} walks");
    for threads in [NonZeroUsize::MIN, parallel::threads(None)] {
        let begun = Instant::now();
        let fitted = fit(&examples, &cells, &params, &fitting, threads, &Unseen);
        let seconds = begun.elapsed().as_secs_f64();
        let gradients = (walks * positions) as f64;
        println!(
            "{threads} threads: {:.1} M position-gradients a second, error {:.6} to {:.6}",
            gradients / seconds / 1e6,
            fitted.errors[0],
            fitted.errors[1],
        );
    }
}

/// Positions in which so many weights count, each by a phase of its own.
fn made(cells: &Cells, positions: usize, met: usize, seed: u64) -> Examples {
    const BLOCK: usize = 2048;
    let pairs = PhasePairs::of(cells);
    let place = |name: String| cells.0.iter().position(|cell| cell.name() == name);
    let both = |weight: usize| {
        let name = cells.0[weight].name();
        [weight as u16, place(name.replacen("_mg", "_eg", 1)).unwrap() as u16]
    };
    let tapered: Vec<[u16; 2]> = (0..WEIGHTS as usize).map(both).collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut next = |below: u32| rng.next_u32() % below;
    let block = |_| {
        let mut block = SlopeBlock::default();
        for _ in 0..BLOCK {
            let phase = next(25) as f32 / 24.0;
            let mut weights: Vec<u32> = Vec::new();
            while weights.len() < met {
                let weight = next(WEIGHTS);
                if !weights.contains(&weight) {
                    weights.push(weight);
                }
            }
            let mut slopes = Vec::new();
            for weight in weights {
                let sign = if next(2) == 0 { 1.0 } else { -1.0 };
                let [middle_game, end_game] = tapered[weight as usize];
                slopes.extend([(middle_game, sign * phase), (end_game, sign * (1.0 - phase))]);
            }
            let target = Target { expected: next(3) as f32 / 2.0, scale: 0.003 };
            block.push(next(1200) as f32 - 600.0, target, &slopes, &pairs);
        }
        block
    };
    Examples((0..positions.div_ceil(BLOCK)).map(block).collect())
}
