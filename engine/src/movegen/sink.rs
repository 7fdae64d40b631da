//! Where generated moves go.

use shakmaty::{Bitboard, Role, Square};

use crate::types::{Move, MoveKind};

/// Receives moves from a generator. The bulk calls let a counter avoid looking at each move.
pub trait Sink {
    /// One move of a man of `role`.
    fn push(&mut self, role: Role, mv: Move);

    /// A piece's moves from one square to many, all of one kind.
    #[inline]
    fn push_from(&mut self, role: Role, from: Square, targets: Bitboard, kind: MoveKind) {
        for to in targets {
            self.push(role, Move::new(from, to, kind));
        }
    }

    /// Pawn moves to many squares, each from `delta` squares behind, all of one kind.
    #[inline]
    fn push_pawns(&mut self, targets: Bitboard, delta: i32, kind: MoveKind) {
        for to in targets {
            self.push(Role::Pawn, Move::new(behind(to, delta), to, kind));
        }
    }

    /// Promotions to knight, bishop, rook and queen on many squares, each from `delta` squares
    /// behind.
    #[inline]
    fn push_promotions(&mut self, targets: Bitboard, delta: i32, capture: bool, roles: &[Role]) {
        for to in targets {
            for &role in roles {
                let kind = MoveKind::promotion(role, capture);
                self.push(Role::Pawn, Move::new(behind(to, delta), to, kind));
            }
        }
    }
}

/// The square that a step of `delta` came from. The generator only asks where that is on the board.
#[inline]
fn behind(to: Square, delta: i32) -> Square {
    Square::new((to as i32 - delta) as u32 & 63)
}

/// The moves of one position, in place: no position has more than 218 legal ones.
#[derive(Debug, Clone)]
pub struct MoveList {
    moves: [Move; MoveList::CAPACITY],
    length: usize,
}

impl MoveList {
    const CAPACITY: usize = 256;

    /// An empty list.
    #[inline]
    #[must_use]
    pub const fn new() -> MoveList {
        MoveList { moves: [Move::NONE; MoveList::CAPACITY], length: 0 }
    }

    /// The moves.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[Move] {
        &self.moves[..self.length.min(MoveList::CAPACITY)]
    }
}

impl Default for MoveList {
    fn default() -> MoveList {
        MoveList::new()
    }
}

impl Sink for MoveList {
    #[inline]
    fn push(&mut self, _role: Role, mv: Move) {
        debug_assert!(self.length < MoveList::CAPACITY);
        self.moves[self.length % MoveList::CAPACITY] = mv;
        self.length += 1;
    }
}

impl Sink for Vec<Move> {
    #[inline]
    fn push(&mut self, _role: Role, mv: Move) {
        Vec::push(self, mv);
    }
}

/// Counts moves without looking at them.
#[derive(Debug, Clone, Copy, Default)]
pub struct MoveCounter(pub u64);

impl Sink for MoveCounter {
    #[inline]
    fn push(&mut self, _role: Role, _mv: Move) {
        self.0 += 1;
    }

    #[inline]
    fn push_from(&mut self, _role: Role, _from: Square, targets: Bitboard, _kind: MoveKind) {
        self.0 += targets.count() as u64;
    }

    #[inline]
    fn push_pawns(&mut self, targets: Bitboard, _delta: i32, _kind: MoveKind) {
        self.0 += targets.count() as u64;
    }

    #[inline]
    fn push_promotions(&mut self, targets: Bitboard, _delta: i32, _capture: bool, roles: &[Role]) {
        self.0 += (targets.count() * roles.len()) as u64;
    }
}
