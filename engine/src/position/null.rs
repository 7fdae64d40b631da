//! Passing the move: the null move.

use super::Position;
use super::state::State;
use crate::types::Piece;

impl Position {
    /// Lets the side to move pass; it must not be in check. No position behind it repeats one
    /// before it.
    pub fn make_null(&mut self) {
        let Some((old, new)) = self.states.advance() else {
            self.states.grow();
            return self.make_null();
        };
        *new = State { halfmoves: 0, en_passant: None, captured: Piece::EMPTY, ..*old };
        new.sums.key ^= self.table.white_turn;
        if let Some(sq) = old.en_passant {
            new.sums.key ^= self.table.en_passant[sq.file() as usize];
        }
    }

    /// Takes the pass back.
    pub fn unmake_null(&mut self) {
        self.states.retreat();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passing_changes_the_turn_and_nothing_else() {
        for fen in crate::bench::POSITIONS {
            let mut position = Position::from_fen(fen).expect(fen);
            if position.in_check() {
                continue;
            }
            let (text, key) = (position.fen(), position.key());
            position.make_null();
            assert_eq!(position.key(), position.sums_from_scratch().key, "{fen}");
            assert_ne!(position.key(), key);
            assert!(position.en_passant().is_none() && position.repetitions() == 0);
            position.unmake_null();
            assert_eq!((position.fen(), position.key()), (text, key));
        }
    }
}
