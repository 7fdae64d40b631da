//! What spares a quiescence search (HOR-01..04).

use super::statistics::{Event, Statistics};
use super::worker::Worker;
use crate::types::{Bitboard, Color, Rank, Role, Value};

impl<S: Statistics> Worker<'_, S> {
    /// Whether the side that has just moved stands so well that no answer matters: `value` is the
    /// evaluation seen by the side to move, which needs `alpha`.
    ///
    /// Trick one asks for the dearest hanging man and some pawns to spare; trick two, which does not
    /// hold in check, for nine pawns.
    pub(super) fn is_hopeless(&mut self, value: Value, alpha: Value, ply: usize) -> bool {
        let params = &self.setup.params.horizon;
        if !params.trick_one && !params.trick_two || ply == 0 {
            return false;
        }
        let turn = self.position.turn();
        let (before, here) = self.around(ply);
        let (came_out_of_check, in_check) = (before.in_check, here.in_check);
        let hanging = here.evaluation.as_ref().map_or(0, |e| e.hanging[turn.other()].highest());
        let promotes = self.can_promote(turn);
        if params.trick_one {
            let mut margin = Value::new(params.safety) + Value::PAWN * hanging;
            if came_out_of_check {
                margin = margin + Value::new(params.check);
            }
            if promotes {
                margin = margin + Value::new(params.promotion);
            }
            if value + margin < alpha {
                self.stats.count(Event::TrickOne);
                return true;
            }
        }
        let far = Value::new(params.far);
        let trick_two =
            params.trick_two && !in_check && !came_out_of_check && !promotes && value + far < alpha;
        if trick_two {
            self.stats.count(Event::TrickTwo);
        }
        trick_two
    }

    /// Whether a pawn of a colour stands before its last rank.
    fn can_promote(&self, color: Color) -> bool {
        let seventh = Bitboard::from_rank(color.fold_wb(Rank::Seventh, Rank::Second));
        (self.position.men_of(color, Role::Pawn) & seventh).any()
    }
}
