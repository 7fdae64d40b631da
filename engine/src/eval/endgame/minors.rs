//! Bishop and wrong rook pawn; bishop and knight.

use super::{lone, promotion, set};
use crate::eval::context::Context;
use crate::eval::trace::{Sum, Term, Trace};
use crate::types::{Color, Rank, Role, Score, Square, relative_square};

/// KBPK with a rook pawn and the bishop that does not cover its promotion square, against king and
/// at most two pawns: once the defending king holds the corner there is nothing to win, whatever
/// was counted (MISS-12). What the defender's pawns are worth to him stays.
pub(super) fn wrong_bishop<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    strong: Color,
) -> bool {
    let params = &cx.params.endgame;
    let pawn = lone(cx, strong, strong, Role::Pawn).filter(|_| params.kbpk);
    let Some(pawn) = pawn else { return false };
    let king = relative_square(strong, cx.position.king(strong));
    let defender = relative_square(strong, cx.position.king(strong.other()));
    let holds = defender.distance(promotion(pawn)) <= 1
        || params.kbpk_race && comes_first(pawn, king, defender, cx.position.turn() != strong);
    if !holds {
        return false;
    }
    let cap = |points: i32| strong.fold_wb(points.min(0), points.max(0));
    let capped = Score::new(cap(sum.total.mg()), cap(sum.total.eg()));
    sum.replace(Term::EndgameKnowledge, capped);
    true
}

/// Whether the defending king is in the corner before the pawn, and two steps before the other
/// king; seen by the side with the pawn. Counted against a full solution for the bare king: about 1 %
/// of what it calls drawn is won, and it finds three quarters of the draws.
fn comes_first(pawn: Square, king: Square, defender: Square, defender_to_move: bool) -> bool {
    let corner = promotion(pawn);
    let double_step = u32::from(pawn.rank() == Rank::Second);
    let pawn_steps = pawn.distance(corner) - double_step;
    let move_ahead = u32::from(defender_to_move);
    let steps = defender.distance(corner);
    steps <= pawn_steps + move_ahead && steps + 1 < king.distance(corner) + move_ahead
}

/// KBNK (END-09, AMB-60): 0x780 less eight points for each step between the kings, less the table
/// that draws the lone king to the corners of the bishop's colour.
pub(super) fn bishop_knight<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    strong: Color,
) -> bool {
    let params = &cx.params.endgame;
    let bishop = lone(cx, strong, strong, Role::Bishop).filter(|_| params.kbnk);
    let Some(bishop) = bishop else { return false };
    let king = relative_square(strong, cx.position.king(strong));
    let lone_king = relative_square(strong, cx.position.king(strong.other()));
    let table = if bishop.is_dark() { &params.kbnk_dark } else { &params.kbnk_light };
    let distance = king.distance(lone_king) as i32;
    set(sum, strong, params.kbnk_base - params.kbnk_distance * distance - table.of(lone_king));
    true
}
