//! Double attack: two men threatened at once, of which only one can be saved.

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::types::Score;

/// For the side that has just moved: a bonus by what the second threatened man would lose
/// (PCE-16). The side to move needs none, it may simply take.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = &cx.params.double_attack;
    if !params.on {
        return;
    }
    let (threatened, mover) = (cx.position.turn(), cx.position.turn().other());
    let second = cx.hanging[threatened].second() as usize;
    let bonus = params.bonus[second.min(params.bonus.len() - 1)];
    sum.add(Term::DoubleAttack, mover, Score::both(bonus));
}
