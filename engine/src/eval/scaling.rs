//! What makes every advantage smaller: opposite-coloured bishops, and the fifty-move rule drawing
//! near (MISS-33). The papers have neither.

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::types::Score;

/// Scales the total, White minus Black; rounding is the same for both colours.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = &cx.params.scaling;
    if params.opposite_bishops && has_only_opposite_bishops(cx) {
        scale(sum, Term::OppositeBishops, params.opposite_bishops_share);
    }
    let halfmoves = cx.position.halfmoves() as i32;
    if params.fifty_moves && halfmoves >= params.fifty_from {
        let (left, all) =
            (params.fifty_end - halfmoves, (params.fifty_end - params.fifty_from).max(1));
        scale(sum, Term::FiftyMoves, (100 * left / all).clamp(0, 100));
    }
}

/// Whether each side has a bishop and no other piece, and the bishops never meet.
#[inline]
fn has_only_opposite_bishops(cx: &Context<'_>) -> bool {
    const BISHOP: i32 = 3;
    let pieces = &cx.stage.pieces;
    pieces.white == BISHOP && pieces.black == BISHOP && cx.has_opposite_bishops()
}

fn scale<T: Trace>(sum: &mut Sum<'_, T>, term: Term, percent: i32) {
    let part = |points: i32| points * percent / 100;
    let scaled = Score::new(part(sum.total.mg()), part(sum.total.eg()));
    sum.replace(term, scaled);
}

#[cfg(test)]
mod tests;
