//! A lone king against men that can mate it, bishop and knight apart: material, and where the kings stand.

use super::set;
use crate::eval::context::Context;
use crate::eval::trace::{Sum, Trace};
use crate::types::{Bitboard, Color, Role, Square};

/// The lone king to the corners, the other king near it. Nothing else counts: what a piece is worth on
/// its square hides the way to mate, and that fifty moves draw near makes the end of a long line worth less
/// than that of a short one.
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) -> bool {
    let params = &cx.params.endgame;
    if !params.lone_king {
        return false;
    }
    let Some(strong) = Color::ALL.into_iter().find(|&color| mates(cx, color)) else {
        return false;
    };
    let weak = strong.other();
    let driven = cx.position.king(weak);
    let nearness = 7 - cx.position.king(strong).distance(driven) as i32;
    let material = strong.fold_wb(1, -1) * cx.position.material();
    let points = params.lone_king_edge * driven_away(driven) + params.lone_king_kings * nearness;
    set(sum, strong, material + points);
    true
}

/// Whether a colour has men that mate a lone king, no pawns among them, and the other such a king.
fn mates(cx: &Context<'_>, color: Color) -> bool {
    if cx.position.by_color(color.other()).more_than_one() {
        return false;
    }
    let men = |role| cx.men(color, role);
    let bishops = men(Role::Bishop);
    let both_bishops =
        (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any();
    men(Role::Pawn).is_empty() && (men(Role::Queen).any() || men(Role::Rook).any() || both_bishops)
}

/// 0 on the four centre squares, 9 in the middle of an edge, 18 in a corner.
fn driven_away(sq: Square) -> i32 {
    let off_centre = |line: u32| 3 - (line as i32).min(7 - line as i32);
    let (file, rank) = (off_centre(sq.file() as u32), off_centre(sq.rank() as u32));
    file * file + rank * rank
}
