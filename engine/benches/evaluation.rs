//! The evaluation's speed: `cargo bench -p engine --features bench --bench evaluation`.
//!
//! - `evaluate/full`: positions one after another, pawn facts from the cache.
//! - `evaluate/without cache`: pawn facts worked out anew each time.
//!
//! For instruction counts run the whole set once under callgrind:
//! `valgrind --tool=callgrind --toggle-collect='*count_me*' BENCH --callgrind`, where `BENCH` is
//! the executable that `cargo bench --no-run` names; divide by 1,000.

#![allow(missing_docs)] // of the function that criterion_group! makes

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput};
use engine::eval::{Evaluator, LineFacts, NoTrace, PawnCache};
use engine::{Params, Position};

fn positions(evaluator: &Evaluator) -> Vec<Position> {
    let read = |fen: &str| {
        let mut position = Position::from_fen(fen).expect("a position");
        position.set_table(&evaluator.table);
        position
    };
    include_str!("data/middlegames.epd").lines().map(read).collect()
}

#[inline(never)]
fn count_me(evaluator: &Evaluator, positions: &[Position], mut cache: Option<&mut PawnCache>) {
    for position in positions {
        let cache = cache.as_deref_mut();
        black_box(evaluator.evaluate(position, LineFacts::default(), cache, &mut NoTrace));
    }
}

fn main() {
    let evaluator = Evaluator::new(&Arc::new(Params::default()));
    let positions = positions(&evaluator);
    let mut cache = PawnCache::new();
    if std::env::args().any(|arg| arg == "--callgrind") {
        count_me(&evaluator, &positions, None);
        return;
    }
    let mut criterion = Criterion::default().configure_from_args();
    let mut group = criterion.benchmark_group("evaluate");
    group.throughput(Throughput::Elements(positions.len() as u64));
    group.bench_function("full", |b| {
        b.iter(|| count_me(&evaluator, &positions, Some(&mut cache)));
    });
    group.bench_function("without cache", |b| {
        b.iter(|| count_me(&evaluator, &positions, None));
    });
    group.finish();
}
