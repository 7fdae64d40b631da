//! Rook and pawn against rook.

use super::{kings_to_centre, lone, set};
use crate::eval::context::Context;
use crate::eval::trace::{Sum, Trace};
use crate::types::{Color, Role, relative_square};

/// KRPKR (END-10): with the defending king in front of the pawn, on its file or the next one, all
/// but a draw; kings to the centre avoid silly moves. Otherwise the score stays.
pub(super) fn rook_pawn<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, strong: Color) -> bool {
    let params = &cx.params.endgame;
    let pawn = lone(cx, strong, strong, Role::Pawn).filter(|_| params.krpkr);
    let Some(pawn) = pawn else { return false };
    let defender = relative_square(strong, cx.position.king(strong.other()));
    if pawn.rank() >= defender.rank() {
        return false;
    }
    let points = match (defender.file() as i32).abs_diff(pawn.file() as i32) {
        0 => params.krpkr_same_file,
        1 => params.krpkr_adjacent_file,
        _ => return false,
    };
    set(sum, strong, points + kings_to_centre(cx, strong));
    true
}
