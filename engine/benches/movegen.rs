//! Generator and make/unmake against shakmaty in the same run: `cargo bench -p engine --bench movegen`.
//!
//! - `perft/bulk`: the last ply is counted, not made.
//! - `perft/walk`: every move is made and unmade with key, material and `I_SCORE` kept, against
//!   shakmaty's copy-make with its incremental Zobrist hash (and, as `from scratch`, its plain one).
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
use shakmaty::fen::Fen;
use shakmaty::zobrist::Zobrist64;
use shakmaty::{CastlingMode, Chess, EnPassantMode, Position as _};

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

fn theirs(fen: &str) -> Chess {
    let fen: Fen = fen.parse().expect("a FEN");
    fen.into_position(CastlingMode::Standard).expect("a position")
}

/// Copy-make down to the leaves, the hash updated with each move.
fn walk_incremental(position: &Chess, key: Zobrist64, depth: u32) -> u64 {
    if depth == 0 {
        black_box(key);
        return 1;
    }
    let mut nodes = 0;
    for m in position.legal_moves() {
        let key = position.update_zobrist_hash(key, m, EnPassantMode::Legal).unwrap_or_else(|| {
            let mut child = position.clone();
            child.play_unchecked(m);
            child.zobrist_hash(EnPassantMode::Legal)
        });
        let mut child = position.clone();
        child.play_unchecked(m);
        nodes += walk_incremental(&child, key, depth - 1);
    }
    nodes
}

/// Copy-make down to the leaves, the hash counted anew each time.
fn walk_from_scratch(position: &Chess, depth: u32) -> u64 {
    black_box(position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal));
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    for m in position.legal_moves() {
        let mut child = position.clone();
        child.play_unchecked(m);
        nodes += walk_from_scratch(&child, depth - 1);
    }
    nodes
}

fn perfts(criterion: &mut Criterion) {
    let table = Evaluator::new(&Params::default()).table;
    for (name, fen, depth, leaves) in CASES {
        let mut ours = Position::from_fen(fen).expect("a position");
        ours.set_table(&table);
        let chess = theirs(fen);
        assert_eq!(perft(&mut ours, depth), leaves);
        let mut group = criterion.benchmark_group(format!("perft/{name}"));
        group.sample_size(10).throughput(Throughput::Elements(leaves));
        group.bench_function("bulk/mutineer", |b| b.iter(|| perft(&mut ours, depth)));
        group.bench_function("bulk/shakmaty", |b| b.iter(|| shakmaty::perft(&chess, depth)));
        group.bench_function("walk/mutineer", |b| b.iter(|| perft_unbulked(&mut ours, depth)));
        let key = chess.zobrist_hash(EnPassantMode::Legal);
        group.bench_function("walk/shakmaty incremental", |b| {
            b.iter(|| walk_incremental(&chess, key, depth));
        });
        group.bench_function("walk/shakmaty from scratch", |b| {
            b.iter(|| walk_from_scratch(&chess, depth));
        });
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
