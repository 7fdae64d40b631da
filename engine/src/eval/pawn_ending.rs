//! Pawn endings: the side with a pawn up will win the game.

use super::context::Context;
use super::pawn_structure::isolated;
use super::spans::ahead;
use super::trace::{Sum, Term, Trace};
use crate::types::{ByColor, Role, Score};

/// A bonus by the number of pawns (END-01; a lone pawn gets none, AMB-57), in which isolated
/// doubled pawns count as one (END-02).
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = &cx.params.pawn_ending;
    if !params.on || !cx.stage.pawn_ending {
        return;
    }
    let bonus = ByColor::new_with(|color| {
        let mut pawns = cx.men(color, Role::Pawn);
        if params.isolated_doubled {
            pawns &= !(isolated(pawns) & ahead(color, pawns));
        }
        Score::both(params.bonus[pawns.count().min(params.bonus.len() - 1)])
    });
    sum.add_both(Term::PawnEnding, bonus);
}
