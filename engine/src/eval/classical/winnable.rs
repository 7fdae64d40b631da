//! How hard an advantage is to convert: the end game's half of the sum grows or shrinks by the
//! kings, the pawns and the wings they stand on, and is scaled down where few pawns are left.

use super::rank_of;
use crate::eval::context::Context;
use crate::eval::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, Color, Role, Score};

const QUEEN_SIDE: Bitboard = Bitboard(0x0f0f_0f0f_0f0f_0f0f);
/// Parts of a scale factor.
const FULL: i32 = 64;

/// Adjusts the end game's half; without an advantage there is nothing to adjust.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let (mg, mut eg) = (sum.total.mg(), sum.total.eg());
    if eg == 0 {
        return;
    }
    if cx.params.winnable.on {
        eg += eg.signum() * points(cx).max(-eg.abs());
    }
    if cx.params.scale.on {
        let strong = if eg > 0 { Color::White } else { Color::Black };
        eg = eg * factor(cx, strong) / FULL;
    }
    sum.replace(Term::Winnable, Score::new(mg, eg));
}

/// Points for the side that is ahead, below nought where the position is drawish.
#[inline]
fn points(cx: &Context<'_>) -> i32 {
    let params = &cx.params.winnable;
    let pawns = cx.men(Color::White, Role::Pawn) | cx.men(Color::Black, Role::Pawn);
    let passed = cx.pawns.passed.white | cx.pawns.passed.black;
    let kings = [Color::White, Color::Black].map(|color| cx.position.king(color));
    let [white, black] = kings.map(|king| (king as i32 & 7, king as i32 >> 3));
    let outflanking = (white.0 - black.0).abs() + (white.1 - black.1);
    let both_wings = (pawns & QUEEN_SIDE).any() && (pawns & !QUEEN_SIDE).any();
    let infiltrates =
        Color::ALL.into_iter().any(|color| rank_of(color, cx.position.king(color)) >= 4);
    params.passer * passed.count() as i32
        + params.pawn * pawns.count() as i32
        + params.outflanking * outflanking
        + params.both_wings * i32::from(both_wings)
        + params.infiltration * i32::from(infiltrates)
        + params.pawn_ending * i32::from(cx.stage.pawn_ending)
        - params.one_wing * i32::from(outflanking < 0 && !both_wings)
        + params.base
}

/// The share of an end-game advantage of `strong` that is left, in 64ths.
#[inline]
fn factor(cx: &Context<'_>, strong: Color) -> i32 {
    let params = &cx.params.scale;
    let pawns = cx.count(strong, Role::Pawn);
    let [own, other] = [strong, strong.other()].map(|color| cx.stage.pieces[color]);
    let opposite = cx.has_opposite_bishops();
    let factor = if opposite && own == 3 && other == 3 {
        params.bishops_alone + params.bishops_passer * cx.pawns.passed[strong].count() as i32
    } else if opposite {
        params.bishops + params.bishops_man * cx.position.by_color(strong).count() as i32
    } else if own == 5 && other == 5 && cx.count(strong, Role::Rook) == 1 {
        params.rooks + params.rooks_pawn * pawns
    } else {
        params.base + params.pawn * pawns
    };
    factor.clamp(0, FULL)
}
