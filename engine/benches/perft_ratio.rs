//! How much faster than shakmaty the generator and make/unmake are: medians of ratios, the two
//! sides in turn, so that a machine whose speed drifts does not decide.
//! `cargo bench -p engine --bench perft_ratio`.
//!
//! - `counted`: perft with the last ply counted, not made.
//! - `walked`: every move made and unmade with key, material and `I_SCORE` kept, against
//!   copy-make with the hash updated by each move.

use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

use engine::Params;
use engine::eval::Evaluator;
use engine::movegen::{perft, perft_unbulked};
use engine::position::Position;
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
    ("end game", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 6, 11_030_083),
];

const ROUNDS: usize = 11;

/// Copy-make down to the leaves, the hash updated with each move.
fn copy_make(position: &Chess, key: Zobrist64, depth: u32) -> u64 {
    if depth == 0 {
        black_box(key);
        return 1;
    }
    let mut nodes = 0;
    for m in position.legal_moves() {
        let updated = position.update_zobrist_hash(key, m, EnPassantMode::Legal);
        let mut child = position.clone();
        child.play_unchecked(m);
        let key = updated.unwrap_or_else(|| child.zobrist_hash(EnPassantMode::Legal));
        nodes += copy_make(&child, key, depth - 1);
    }
    nodes
}

/// Seconds that a walk over `leaves` takes.
fn timed(leaves: u64, walk: impl FnOnce() -> u64) -> f64 {
    let started = Instant::now();
    assert_eq!(black_box(walk()), leaves);
    started.elapsed().as_secs_f64()
}

/// The least, the median and the greatest of some ratios.
fn spread(mut ratios: Vec<f64>) -> String {
    ratios.sort_by(f64::total_cmp);
    let (least, median) = (ratios[0], ratios[ratios.len() / 2]);
    format!("{median:.2} ({least:.2} to {:.2})", ratios[ratios.len() - 1])
}

fn main() {
    let table = Evaluator::new(&Arc::new(Params::default())).table;
    println!("times faster than shakmaty: median (least to greatest) of {ROUNDS}");
    for (name, fen, depth, leaves) in CASES {
        let mut ours = Position::from_fen(fen).expect("a position");
        ours.set_table(&table);
        let parsed: Fen = fen.parse().expect("a FEN");
        let theirs: Chess = parsed.into_position(CastlingMode::Standard).expect("a position");
        let key = theirs.zobrist_hash(EnPassantMode::Legal);
        let (mut counted, mut walked) = (Vec::new(), Vec::new());
        for _ in 0..ROUNDS {
            let a = timed(leaves, || perft(&mut ours, depth));
            let b = timed(leaves, || shakmaty::perft(&theirs, depth));
            counted.push(b / a);
            let a = timed(leaves, || perft_unbulked(&mut ours, depth));
            let b = timed(leaves, || copy_make(&theirs, key, depth));
            walked.push(b / a);
        }
        println!("{name:<9} counted {}  walked {}", spread(counted), spread(walked));
    }
}
