//! Queen against pawn and against rook: the paper names the routines, these are standard ones
//! (MISS-12).

use super::{lone, promotion, set};
use crate::eval::context::Context;
use crate::eval::trace::{Sum, Term, Trace};
use crate::types::{Color, File, Rank, Role, Score, Square, relative_square};

/// KQKP: the queen's king walks towards the pawn. A draw when the pawn stands on the seventh rank
/// on a rook's or bishop's file, its king guards the promotion square and the queen's king is too
/// far away to help.
pub(super) fn against_pawn<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    strong: Color,
) -> bool {
    let (params, weak) = (&cx.params.endgame, strong.other());
    let Some(pawn) = lone(cx, weak, weak, Role::Pawn).filter(|_| params.kqkp) else {
        return false;
    };
    let target = promotion(pawn);
    let distance = relative_square(weak, cx.position.king(strong)).distance(target) as i32;
    let guarded = relative_square(weak, cx.position.king(weak)).distance(target) <= 1;
    let reach = match pawn.file() {
        File::A | File::H => params.kqkp_rook_pawn,
        File::C | File::F => params.kqkp_bishop_pawn,
        _ => i32::MAX,
    };
    let points = params.kqkp_king * (7 - distance);
    if pawn.rank() == Rank::Seventh && guarded && distance > reach {
        set(sum, strong, points);
    } else {
        sum.add(Term::EndgameKnowledge, strong, Score::both(points));
    }
    true
}

/// KQKR: the lone rook's king to the edge, the kings together, rook and king apart so that a check
/// can win the rook.
pub(super) fn against_rook<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    strong: Color,
) -> bool {
    let (params, weak) = (&cx.params.endgame, strong.other());
    let Some(rook) = lone(cx, strong, weak, Role::Rook).filter(|_| params.kqkr) else {
        return false;
    };
    let king = relative_square(strong, cx.position.king(strong));
    let driven = relative_square(strong, cx.position.king(weak));
    let points = params.kqkr_edge * (3 - steps_to_edge(driven))
        + params.kqkr_kings * (7 - king.distance(driven) as i32)
        + params.kqkr_rook * (driven.distance(rook) as i32 - 1);
    sum.add(Term::EndgameKnowledge, strong, Score::both(points));
    true
}

/// 0 on the edge, 3 on the four centre squares.
fn steps_to_edge(sq: Square) -> i32 {
    let (file, rank) = (sq.file() as i32, sq.rank() as i32);
    file.min(7 - file).min(rank).min(7 - rank)
}
