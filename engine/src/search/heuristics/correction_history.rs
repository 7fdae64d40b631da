//! How far searches ended from the evaluation, by pawn structure: the field's correction history.

use super::scores::Scores;
use crate::position::Position;
use crate::types::{Color, Depth, Role, Value};

/// One error for each side to move and (hashed) pawn structure.
#[derive(Debug, Default)]
pub(super) struct Errors {
    scores: Scores,
}

/// Structures that are kept apart.
const STRUCTURES_LOG2: u32 = 14;

impl Errors {
    pub(super) fn begin_search(&mut self, on: bool) {
        self.scores.fit(on, 2 << STRUCTURES_LOG2);
    }

    /// A search of so much depth ended `error` above its judgement, 1/256 pawn.
    pub(super) fn learn(&mut self, position: &Position, error: i32, depth: Depth) {
        let bonus = (error * depth.to_plies() / 8).clamp(-Scores::MAX / 4, Scores::MAX / 4);
        self.scores.add(cell(position), bonus, true);
    }

    /// What is to be added to the evaluation, for the side to move: `weight` at the most.
    #[inline]
    pub(super) fn of(&self, position: &Position, weight: i32) -> Value {
        Value::new(self.scores.of(cell(position)) * weight / Scores::MAX)
    }
}

#[inline]
fn cell(position: &Position) -> usize {
    let pawns = |color| position.men_of(color, Role::Pawn).0;
    let white = pawns(Color::White).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let mixed = (white ^ pawns(Color::Black)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let structure = (mixed >> (u64::BITS - STRUCTURES_LOG2)) as usize;
    structure << 1 | position.turn() as usize
}
