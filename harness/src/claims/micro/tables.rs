//! Setting attack tables up (GEN-22, EVA-14).

use std::hint::black_box;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicU8, AtomicU32};

use engine::eval::{Evaluator, LineFacts, NoTrace, PawnCache};
use engine::{Params, Position};

use super::BenchFn;

/// So often in one call, beside which the call is nothing.
const AT_ONCE: usize = 100;

/// Slots of Mediocre's tables: it had a board of 16 files.
const SLOTS: usize = 128;

/// Clearing WB and BB. Stores are atomic to keep the compiler from merging them: of both plain
/// loops it would make the same few stores.
pub(super) fn words_for_bytes() -> [BenchFn; 2] {
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
    white.iter().for_each(|word| word.store(0, Relaxed));
    black.iter().for_each(|word| word.store(0, Relaxed));
}

/// Square by square, both colours.
#[inline(never)]
fn clear_by_bytes([white, black]: &[[AtomicU8; 64]; 2]) {
    for (white, black) in white.iter().zip(black) {
        white.store(0, Relaxed);
        black.store(0, Relaxed);
    }
}

/// New tables. On the stack, making an array is what it is in Java: to raise a pointer and to clear
/// what is behind it.
pub(super) fn bytes_for_integers() -> [BenchFn; 2] {
    let bytes = || (0..AT_ONCE).for_each(|_| make_tables::<u8>());
    let integers = || (0..AT_ONCE).for_each(|_| make_tables::<i32>());
    [Box::new(bytes), Box::new(integers)]
}

#[inline(never)]
fn make_tables<T: Copy + Default>() {
    black_box(&mut [[T::default(); SLOTS]; 2]);
}

/// Evaluations that need no attack tables, and such that also set two of bytes to nought, slot by
/// slot. By the page a method that fills them and new ones took as long as that.
pub(super) fn no_attack_tables(params: &Arc<Params>, positions: &[Position]) -> [BenchFn; 2] {
    let mut alone = Evaluations::new(params, positions);
    let mut beside = Evaluations::new(params, positions);
    let tables = [const { [const { AtomicU8::new(0) }; SLOTS] }; 2];
    [
        Box::new(move || alone.evaluate_all(|| ())),
        Box::new(move || beside.evaluate_all(|| reset(black_box(&tables)))),
    ]
}

#[inline(never)]
fn reset(tables: &[[AtomicU8; SLOTS]; 2]) {
    tables.as_flattened().iter().for_each(|slot| slot.store(0, Relaxed));
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
