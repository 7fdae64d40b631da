//! Setting attack tables up (GEN-22, EVA-14).

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU32, Ordering::Relaxed};

use engine::eval::{Evaluator, LineFacts, NoTrace, PawnCache};
use engine::{Params, Position};

use super::Way;

/// So often in one call, beside which the call is nothing.
const AT_ONCE: usize = 100;

/// Slots of Mediocre's tables: it had a board of 16 files.
const SLOTS: usize = 128;

/// Clearing WB and BB. The stores are atomic for the compiler to leave them as they stand: of the plain
/// loops today's makes the same few stores.
pub(super) fn words_for_bytes() -> [Way; 2] {
    let words = [const { [const { AtomicU32::new(1) }; 16] }; 2];
    let bytes = [const { [const { AtomicU8::new(1) }; 64] }; 2];
    let by_words = move || {
        for _ in 0..AT_ONCE {
            clear_by_words(black_box(&words));
        }
    };
    let by_bytes = move || {
        for _ in 0..AT_ONCE {
            clear_by_bytes(black_box(&bytes));
        }
    };
    [Box::new(by_words), Box::new(by_bytes)]
}

/// One colour after the other, 16 stores each.
#[inline(never)]
fn clear_by_words([white, black]: &[[AtomicU32; 16]; 2]) {
    for word in white.iter().chain(black) {
        word.store(0, Relaxed);
    }
}

/// Square by square, both colours.
#[inline(never)]
fn clear_by_bytes([white, black]: &[[AtomicU8; 64]; 2]) {
    for (white, black) in white.iter().zip(black) {
        white.store(0, Relaxed);
        black.store(0, Relaxed);
    }
}

/// New tables, as Mediocre made them for each evaluation.
pub(super) fn bytes_for_integers() -> [Way; 2] {
    let bytes = || (0..AT_ONCE).for_each(|_| make_tables::<u8>());
    let integers = || (0..AT_ONCE).for_each(|_| make_tables::<i32>());
    [Box::new(bytes), Box::new(integers)]
}

fn make_tables<T: Clone + Default>() {
    black_box([vec![T::default(); SLOTS], vec![T::default(); SLOTS]]);
}

/// Evaluations that need no attack tables, and such that make them besides.
pub(super) fn no_attack_tables(params: &Arc<Params>, positions: &[Position]) -> [Way; 2] {
    let mut alone = Evaluations::new(params, positions);
    let mut beside = Evaluations::new(params, positions);
    [
        Box::new(move || alone.evaluate_all(|| ())),
        Box::new(move || beside.evaluate_all(make_tables::<u8>)),
    ]
}

struct Evaluations {
    evaluator: Evaluator,
    positions: Vec<Position>,
    /// Full after the first time, as it nearly is in a search.
    cache: PawnCache,
}

impl Evaluations {
    fn new(params: &Arc<Params>, positions: &[Position]) -> Evaluations {
        let evaluator = Evaluator::new(params);
        let mut positions = positions.to_vec();
        positions.iter_mut().for_each(|position| position.set_table(&evaluator.table));
        Evaluations { evaluator, positions, cache: PawnCache::new() }
    }

    fn evaluate_all(&mut self, before: impl Fn()) {
        for position in &self.positions {
            before();
            let cache = Some(&mut self.cache);
            black_box(self.evaluator.evaluate(position, LineFacts::default(), cache, &mut NoTrace));
        }
    }
}
