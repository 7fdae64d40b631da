//! Generator, make/unmake and SEE: `cargo bench -p engine --features bench --bench movegen`.
//! `perft_ratio` compares with shakmaty.
//!
//! - `perft/bulk`: the last ply is counted, not made.
//! - `perft/walk`: every move is made and unmade with key, material and `I_SCORE` kept.
//! - `see`: every capture of some middle games.

#![allow(missing_docs)] // of the function that criterion_group! makes

use std::hint::black_box;
use std::sync::Arc;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use engine::eval::Evaluator;
use engine::movegen::{Select, perft, perft_unbulked};
use engine::position::{ExchangeValues, Position, SeePins};
use engine::types::{Move, Role};
use engine::{Params, bench};

/// Name, FEN, depth, leaves.
const CASES: [(&str, &str, u32, u64); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 5, 4_865_609),
    (
        "kiwipete",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        4,
        4_085_603,
    ),
    ("endgame", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
];

fn perfts(criterion: &mut Criterion) {
    let table = Evaluator::new(&Arc::new(Params::default())).table;
    for (name, fen, depth, leaves) in CASES {
        let mut ours = Position::from_fen(fen).expect("a position");
        ours.set_table(&table);
        assert_eq!(perft(&mut ours, depth), leaves);
        let mut group = criterion.benchmark_group(format!("perft/{name}"));
        group.sample_size(10).throughput(Throughput::Elements(leaves));
        group.bench_function("bulk", |b| b.iter(|| perft(&mut ours, depth)));
        group.bench_function("walk", |b| b.iter(|| perft_unbulked(&mut ours, depth)));
        group.finish();
    }
}

fn see(criterion: &mut Criterion) {
    let params = Arc::new(Params::default());
    let values = ExchangeValues::new(|role| match role {
        Role::Pawn => params.see.pawn,
        Role::Knight | Role::Bishop => params.see.knight,
        Role::Rook => params.see.rook,
        Role::Queen => params.see.queen,
        Role::King => 0,
    });
    let cases: Vec<(Position, Vec<Move>)> = bench::POSITIONS
        .iter()
        .map(|fen| {
            let position = Position::from_fen(fen).expect("a position");
            let mut moves = Vec::new();
            position.generate(Select::Captures, &mut moves);
            (position, moves)
        })
        .collect();
    let captures: usize = cases.iter().map(|(_, moves)| moves.len()).sum();
    let mut group = criterion.benchmark_group("see");
    group.throughput(Throughput::Elements(captures as u64));
    for (name, pins) in [("pins ignored", SeePins::Ignored), ("pins respected", SeePins::Respected)]
    {
        group.bench_function(name, |b| {
            b.iter(|| {
                for (position, moves) in &cases {
                    for &mv in moves {
                        black_box(position.see(mv, &values, pins));
                    }
                }
            });
        });
    }
    group.finish();
}

criterion_group!(benches, perfts, see);
criterion_main!(benches);
