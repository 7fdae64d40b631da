//! The evaluation: a list of terms, each in a file of its own, blended by the game's phase.
//!
//! First layer: material and piece-square tables, which make and unmake keep as `I_SCORE` (GEN-07).

mod phase;
mod terms;
mod trace;

use std::sync::Arc;

use crate::params::Params;
use crate::position::{Position, SquareTable};
use crate::types::{Color, Value};

pub use phase::Phase;
pub use terms::square_table;
pub use trace::{Breakdown, NoTrace, Term, Trace};

/// Everything the evaluation derives from the parameters, once.
#[derive(Debug, Clone)]
pub struct Evaluator {
    /// The table that positions under this evaluation must carry.
    pub table: Arc<SquareTable>,
    phase: Phase,
}

impl Evaluator {
    /// Derives tables from parameters.
    #[must_use]
    pub fn new(params: &Params) -> Evaluator {
        Evaluator { table: Arc::new(square_table(params)), phase: Phase::new(&params.phase) }
    }

    /// The position's value, White minus Black, 1/256 pawn. The position must carry
    /// [`Evaluator::table`].
    #[inline]
    pub fn evaluate<T: Trace>(&self, position: &Position, trace: &mut T) -> Value {
        let score = position.i_score();
        if T::DETAILED {
            terms::explain(position, &self.table, trace);
        }
        let value = self.phase.blend(score, position.men());
        Value::new(value).clamp_evaluation()
    }

    /// The position's value for the side to move.
    #[inline]
    #[must_use]
    pub fn for_side_to_move(&self, position: &Position) -> Value {
        let value = self.evaluate(position, &mut NoTrace);
        if position.turn() == Color::White { value } else { -value }
    }

    /// Every term of a position with the table it needs.
    #[must_use]
    pub fn breakdown(&self, position: &Position) -> Breakdown {
        let mut position = position.clone();
        position.set_table(&self.table);
        let mut breakdown = Breakdown::new(self.phase.clone(), position.men());
        breakdown.total = self.evaluate(&position, &mut breakdown);
        breakdown
    }
}
