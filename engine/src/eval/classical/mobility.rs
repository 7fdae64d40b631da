//! Mobility by piece and number of squares: not those that enemy pawns control, own king and queen,
//! or own pawns that cannot move on.

use super::facts::Facts;
use crate::eval::context::Context;
use crate::eval::trace::{Sum, Term, Trace};

/// The points were counted with the facts.
#[inline]
pub(super) fn evaluate<T: Trace>(_: &Context<'_>, sum: &mut Sum<'_, T>, facts: &Facts) {
    sum.add_both(Term::PieceMobility, facts.map(|side| side.mobility));
}
