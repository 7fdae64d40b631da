//! Perft: the number of move paths of a length, the generator's proof.

use super::sink::{MoveCounter, MoveList};
use crate::position::Position;
use crate::types::{MAX_PLY, Move};

/// The greatest depth that perft can be asked for: as deep as any line goes. It recurs as deep, and
/// nobody waits for so many paths.
pub const PERFT_MAX: u32 = MAX_PLY as u32 - 1;

/// The number of legal move paths of `depth` plies. The last ply is counted, not made.
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

/// Perft with every move made and unmade, the last ply too: keys, `I_SCORE` and material follow
/// each move.
pub fn perft_unbulked(position: &mut Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => walk(position, |_| 1),
        _ => walk(position, |position| perft_unbulked(position, depth - 1)),
    }
}

/// Makes and unmakes every legal move, adding up what `below` says of the positions reached.
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

/// The same, unless `stop` says so on the way: `None` then.
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
    // So few plies take some milliseconds at most, and their moves are too many to ask at each.
    const UNASKED: u32 = 3;
    if stop() {
        return None;
    }
    if depth <= UNASKED {
        return Some(perft(position, depth));
    }
    let parts = divide_until(position, depth, stop)?;
    Some(parts.into_iter().map(|(_, nodes)| nodes).sum())
}
