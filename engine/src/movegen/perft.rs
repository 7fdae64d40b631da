//! Perft: counts the leaf nodes of the legal move tree, the standard test of a move generator.

use super::sink::{MoveCounter, MoveList};
use crate::position::Position;
use crate::types::{MAX_PLY, Move};

/// Maximum depth of perft, which recurses once per ply: the longest line of a search.
pub const PERFT_MAX: u32 = MAX_PLY as u32 - 1;

/// Leaf nodes at `depth`, by bulk counting: the last ply is counted, not made.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => {
            let mut count = MoveCounter::default();
            position.legal_moves(&mut count);
            count.0
        }
        _ => walk(position, |position| perft(position, depth - 1)),
    }
}

/// Perft without bulk counting: every move is made and unmade, the last ply's too, so that key,
/// `I_SCORE` and material are updated each time.
pub fn perft_unbulked(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => walk(position, |_| 1),
        _ => walk(position, |position| perft_unbulked(position, depth - 1)),
    }
}

/// Sums `below` over the positions after each legal move.
#[inline]
fn walk(position: &mut Position, mut below: impl FnMut(&mut Position) -> u64) -> u64 {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let mut nodes = 0;
    for &mv in moves.as_slice() {
        position.make(mv);
        nodes += below(position);
        position.unmake(mv);
    }
    nodes
}

/// Perft of each legal move, in generation order.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    divide_until(position, depth, &|| false).unwrap_or_default()
}

/// As [`divide`]; `None` if `stop` returns true meanwhile.
pub fn divide_until(
    position: &mut Position,
    depth: u32,
    stop: &dyn Fn() -> bool,
) -> Option<Vec<(Move, u64)>> {
    let mut moves = MoveList::new();
    position.legal_moves(&mut moves);
    let count = |&mv: &Move| {
        position.make(mv);
        let nodes = perft_until(position, depth.saturating_sub(1), stop);
        position.unmake(mv);
        Some((mv, nodes?))
    };
    moves.as_slice().iter().map(count).collect()
}

fn perft_until(position: &mut Position, depth: u32, stop: &dyn Fn() -> bool) -> Option<u64> {
    // Subtrees of this depth take milliseconds; polling `stop` at each move of them is slow.
    const UNPOLLED_DEPTH: u32 = 3;
    if stop() {
        return None;
    }
    if depth <= UNPOLLED_DEPTH {
        return Some(perft(position, depth));
    }
    let parts = divide_until(position, depth, stop)?;
    Some(parts.into_iter().map(|(_, nodes)| nodes).sum())
}
