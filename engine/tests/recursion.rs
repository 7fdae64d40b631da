//! Recursion is bounded: no line grows beyond the deepest ply, and such a line fits a small stack.
//! By itself, since an overflow takes the whole program with it.

#[path = "common/orderings.rs"]
mod orderings;

use std::sync::Arc;
use std::thread;

use engine::params::PERSONALITIES;
use engine::types::MAX_PLY;
use engine::{Engine, HashSize, Limits, Params, Position};
use orderings::orderings;

/// Threads usually have 2 MiB. The search took between 128 and 160 KiB of this in a release build
/// when the test was written, between 256 and 384 KiB in one without optimisation.
const STACK: usize = 512 << 10;

/// Bare boards, where iterations are many and checks without end.
const POSITIONS: [&str; 7] = [
    "8/8/4k3/8/8/3QK3/8/8 w - - 0 1",
    "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
    "8/8/4k3/p1p1p1p1/P1P1P1P1/4K3/8/8 w - - 0 1",
    "8/8/p7/P7/8/8/k7/2K5 w - - 0 1",
    "8/8/3k4/p7/P7/3K4/8/8 w - - 0 1",
    "k7/p7/P7/8/8/7p/7P/7K w - - 0 1",
    "k6q/8/8/8/8/8/8/KQ6 w - - 0 1",
];

/// Searches every position as deep as iterations go, and returns the deepest ply of all.
fn deepest(params: Params) -> usize {
    let mut engine = Engine::new(&Arc::new(params), HashSize::from_mib(1));
    let depth = Some(MAX_PLY as u32 - 1);
    let limits = Limits { depth, nodes: Some(150_000), ..Limits::default() };
    let search = |fen: &&str| {
        engine.new_game();
        engine.search(&Position::from_fen(fen).expect(fen), &limits, &()).seldepth
    };
    POSITIONS.iter().map(search).max().expect("positions") as usize
}

/// The deepest ply of all, reached on a small stack.
fn assert_fits(name: &str, params: Params) -> usize {
    let thread = thread::Builder::new().stack_size(STACK).spawn(move || deepest(params));
    let deepest = thread.expect("a thread").join().expect("a search");
    assert!(deepest < MAX_PLY, "{name}: ply {deepest}");
    deepest
}

/// With checks extended by a ply, as usual, and by two, so that a check costs no depth: unless a
/// personality bounds its extensions, lines then grow to the very end.
#[test]
fn deep_lines_fit_a_small_stack() {
    let mut deepest_of_all = 0;
    for (personality, _) in PERSONALITIES {
        for amount in ["4", "8"] {
            let mut params = Params::personality(personality).expect("known");
            let amounts = params.get("check_ext.amount").expect("known");
            let all: Vec<&str> = amounts.split(',').map(|_| amount).collect();
            params.set("check_ext.amount", &all.join(",")).expect("as many as there were");
            let deepest = assert_fits(&format!("{personality}, {amount}"), params);
            deepest_of_all = deepest_of_all.max(deepest);
        }
    }
    assert!(deepest_of_all > MAX_PLY - 10, "no line was deeper than {deepest_of_all}");
}

/// Some orderings search every node less deep first.
#[test]
fn orderings_fit_a_small_stack() {
    for (name, params) in orderings() {
        assert_fits(&name, params);
    }
}
