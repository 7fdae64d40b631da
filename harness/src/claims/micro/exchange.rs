//! Mediocre's exchange evaluation (004, "Faster SEE" and "[Guide] Static exchange evaluation"),
//! with its arrays kept or made anew at each call (GEN-21).

use std::hint::black_box;

use engine::Position;
use engine::movegen::Select;
use engine::types::{Bitboard, Color, Move, Role, Square};

use super::BenchFn;

/// What the method made at each call. On the stack that is what it is in Java: to raise a pointer
/// and to fill what is behind it.
struct Arrays {
    values: [i32; 14],
    attackers: [[i32; 16]; 2],
    scores: [i32; 32],
}

impl Arrays {
    fn new() -> Arrays {
        let values = [0, 1, 3, 3, 5, 9, 99, 0, 99, 9, 5, 3, 3, 1];
        Arrays { values, attackers: [[0; 16]; 2], scores: [0; 32] }
    }
}

/// The captures of some positions, each evaluated.
pub(super) fn incremental_arrays(positions: &[Position]) -> [BenchFn; 2] {
    let of = |position: &Position| {
        let mut moves: Vec<Move> = Vec::new();
        position.generate(Select::Captures, &mut moves);
        (position.clone(), moves)
    };
    let cases: Vec<_> = positions.iter().map(of).collect();
    let same = cases.clone();
    let mut arrays = Arrays::new();
    let incremental = move || {
        for (position, moves) in &cases {
            for &mv in moves {
                black_box(exchange(position, mv, &mut arrays));
            }
        }
    };
    let made = move || {
        for (position, moves) in &same {
            for &mv in moves {
                black_box(exchange(position, mv, black_box(&mut Arrays::new())));
            }
        }
    };
    [Box::new(incremental), Box::new(made)]
}

fn square_of(slot: i32) -> Square {
    Square::new(slot.unsigned_abs() & 63)
}

/// What a capture wins, in pawns: both sides take with the cheapest man as long as it pays, without
/// en passant and promotions, which make no difference to the arrays. What the arrays held before
/// is never read.
#[inline(never)]
fn exchange(position: &Position, mv: Move, arrays: &mut Arrays) -> i32 {
    let Arrays { values, attackers, scores } = arrays;
    let target = mv.to();
    let mut occupied = position.occupied() ^ Bitboard::from_square(mv.from());
    let mut known = Bitboard::from_square(mv.from());
    let mut counts = [0, 0];
    let mut find = |occupied: Bitboard, attackers: &mut [[i32; 16]; 2], counts: &mut [usize; 2]| {
        let fresh = position.attackers(target, occupied) & occupied & !known;
        known |= fresh;
        for from in fresh {
            let color = usize::from(position.by_color(Color::Black).contains(from));
            if let Some(slot) = attackers[color].get_mut(counts[color]) {
                *slot = i32::from(u8::from(from));
                counts[color] += 1;
            }
        }
    };
    find(occupied, attackers, &mut counts);
    let role = |square| position.piece_at(square).role().map_or(0, |role: Role| role as usize);
    scores[0] = values[role(target)];
    let mut balance = values[role(mv.from())];
    let mut side = position.turn().other();
    let mut length = 1;
    loop {
        let index = side.fold_wb(0, 1);
        let own = &mut attackers[index][..counts[index]];
        let worth = |square: i32| values[role(square_of(square))];
        let Some(cheapest) = (0..own.len()).min_by_key(|&slot| worth(own[slot])) else { break };
        let from = own[cheapest];
        own.swap(cheapest, counts[index] - 1);
        counts[index] -= 1;
        scores[length] = balance - scores[length - 1];
        balance = worth(from);
        length += 1;
        occupied ^= Bitboard::from_square(square_of(from));
        find(occupied, attackers, &mut counts);
        side = side.other();
    }
    for n in (1..length).rev() {
        scores[n - 1] = -scores[n].max(-scores[n - 1]);
    }
    scores[0]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A pawn that nobody guards, the guide's queen for a pawn, a rook behind a rook; what the arrays
    /// hold from before makes no difference.
    #[test]
    fn exchanges_by_hand() {
        let mut arrays = Arrays::new();
        for (fen, mv, expected) in [
            ("4k3/8/1p6/8/8/1Q6/8/4K3 w - - 0 1", "b3b6", 1),
            ("4k3/2p5/1p6/8/8/1Q6/8/4K3 w - - 0 1", "b3b6", -8),
            ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 1),
            ("3rk3/3r4/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", -4),
            ("4k3/4r3/8/3p4/2P1B3/8/8/4K3 w - - 0 1", "c4d5", 1),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let mv = position.parse_uci(mv).unwrap();
            assert_eq!(exchange(&position, mv, &mut Arrays::new()), expected, "{fen}");
            assert_eq!(exchange(&position, mv, &mut arrays), expected, "{fen}");
        }
    }
}
