//! How often a position of a game has occurred.

use shakmaty::zobrist::Zobrist64;
use shakmaty::{Chess, EnPassantMode, Position as _};

/// So many occurrences draw a game.
pub const DRAWN: usize = 3;

#[derive(Debug, Clone)]
pub struct Repetitions {
    /// Keys of all positions since the last capture or pawn move, the present one last.
    keys: Vec<u64>,
}

impl Repetitions {
    pub fn new(start: &Chess) -> Repetitions {
        let mut keys = Vec::with_capacity(64);
        keys.push(key(start));
        Repetitions { keys }
    }

    /// A move has led here.
    pub fn push(&mut self, position: &Chess) {
        if position.halfmoves() == 0 {
            self.keys.clear();
        }
        self.keys.push(key(position));
    }

    /// How often the present position has occurred, with the same side to move, castling rights
    /// and en passant captures.
    pub fn occurrences(&self) -> usize {
        self.keys
            .last()
            .map_or(0, |now| self.keys.iter().rev().step_by(2).filter(|k| *k == now).count())
    }
}

fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::Legal).0
}
