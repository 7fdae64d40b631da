//! Control of the centre: whose are the 24 squares from b3 to g6.

use super::attack_map::AttackerClass;
use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, ByColor, Color, Role, Score};

/// b3 to g6.
const RANGE: Bitboard = Bitboard(0x0000_7e7e_7e7e_0000);

/// Points for every centre square a colour owns (PCE-06), while both sides have pawns enough
/// (PCE-07, AMB-44).
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = &cx.params.centre;
    let few = |color| cx.count(color, Role::Pawn) < params.least_pawns;
    if !params.on || few(Color::White) || few(Color::Black) {
        return;
    }
    let ByColor { white, black } = owned(cx);
    let table = &cx.evaluator.centre;
    sum.add_both(
        Term::CentreControl,
        ByColor {
            white: Score::both(table.of(white)),
            black: Score::both(table.of(black.flip_vertical())),
        },
    );
}

/// The centre squares each colour owns: the side that alone controls a square or controls it with
/// the cheaper man; else, where nobody does or both do with equal men, the side whose man stands
/// there, and of an empty square nobody (AMB-45).
#[inline]
fn owned(cx: &Context<'_>) -> ByColor<Bitboard> {
    let mut won = ByColor { white: Bitboard::EMPTY, black: Bitboard::EMPTY };
    // Squares that no cheaper class of either side controls.
    let mut open = RANGE;
    for class in AttackerClass::ALL {
        let (white, black) = (cx.attacks.white.by(class), cx.attacks.black.by(class));
        won.white |= open & white & !black;
        won.black |= open & black & !white;
        open &= !(white | black);
    }
    let tied = RANGE & !(won.white | won.black);
    ByColor::new_with(|color| won[color] | tied & cx.position.by_color(color))
}

#[cfg(test)]
mod tests;
