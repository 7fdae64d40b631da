//! Space: safe squares for pieces in the middle of the own half, worth more the more men there are
//! to place.

use super::facts::Facts;
use super::{CENTRE_FILES, ranks};
use crate::eval::context::Context;
use crate::eval::spans::ahead;
use crate::eval::trace::{Sum, Term, Trace};
use crate::types::{ByColor, Color, Role, Score};

/// Adds both sides' space.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, facts: &Facts) {
    sum.add_both(Term::Space, ByColor::new_with(|color| space(cx, color, facts)));
}

/// Squares of the files c to f and ranks 2 to 4 that neither an own pawn holds nor an enemy pawn
/// controls; again those behind an own pawn that no enemy controls.
#[inline]
fn space(cx: &Context<'_>, color: Color, facts: &Facts) -> Score {
    let enemy = color.other();
    let pawns = cx.men(color, Role::Pawn);
    let safe = ranks(color, 1, 3) & CENTRE_FILES & !pawns & !facts[enemy].pawns;
    let behind = safe & ahead(enemy, pawns) & !facts[enemy].all;
    let men = cx.position.by_color(color).count();
    let table = &cx.params.space.square;
    let squares = (safe.count() + behind.count()) as i32;
    Score::new(table[men.min(table.len() - 1)] * squares, 0)
}
