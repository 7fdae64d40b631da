//! Perft: the number of move paths of a length, the generator's proof.

use super::sink::Count;
use crate::position::Position;
use crate::types::Move;

/// The number of legal move paths of `depth` plies. The last ply is counted, not made.
pub fn perft(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::with_capacity(256 * depth as usize);
    bulk(position, depth, &mut moves)
}

fn bulk(position: &mut Position, depth: u32, moves: &mut Vec<Move>) -> u64 {
    if depth == 1 {
        let mut count = Count::default();
        position.legal_moves(&mut count);
        return count.0;
    }
    let start = moves.len();
    position.legal_moves(moves);
    let mut nodes = 0;
    for index in start..moves.len() {
        let mv = moves[index];
        position.make(mv);
        nodes += bulk(position, depth - 1, moves);
        position.unmake(mv);
    }
    moves.truncate(start);
    nodes
}

/// Perft with every move made and unmade, the last ply too: keys, `I_SCORE` and material follow
/// each move.
pub fn perft_unbulked(position: &mut Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut moves = Vec::with_capacity(256 * depth as usize);
    unbulked(position, depth, &mut moves)
}

fn unbulked(position: &mut Position, depth: u32, moves: &mut Vec<Move>) -> u64 {
    let start = moves.len();
    position.legal_moves(moves);
    let mut nodes = 0;
    for index in start..moves.len() {
        let mv = moves[index];
        position.make(mv);
        nodes += if depth == 1 { 1 } else { unbulked(position, depth - 1, moves) };
        position.unmake(mv);
    }
    moves.truncate(start);
    nodes
}

/// Perft of each legal move, in generation order.
pub fn divide(position: &mut Position, depth: u32) -> Vec<(Move, u64)> {
    let mut moves: Vec<Move> = Vec::with_capacity(256);
    position.legal_moves(&mut moves);
    moves
        .into_iter()
        .map(|mv| {
            position.make(mv);
            let nodes = perft(position, depth.saturating_sub(1));
            position.unmake(mv);
            (mv, nodes)
        })
        .collect()
}
