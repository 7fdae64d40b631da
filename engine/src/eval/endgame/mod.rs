//! Special endgames: the paper's 16×16 table and the routines it calls, whose values stand
//! as they are (END-03..END-12).
//!
//! The table is the paper's substitute for tablebases (END-12): a side's material gives one of
//! sixteen types ([`table`]), and where the two types meet stand an adjustment of the score and
//! what else to do. All of it is leaf evaluation. The cells marked `!` (bare kings, and one knight
//! or one bishop against a bare king) also end the search in the paper (AMB-61); these are exactly
//! positions of insufficient material, which the search and quiescence end as draws before they
//! evaluate, below the root only. So here `!` is a draw like `R`.

mod kpk;
mod lone_king;
mod minors;
mod queen;
mod rook;
mod solved;
mod table;

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::types::{Color, Role, Score, Square, relative_square};

pub(crate) use solved::SolvedEnding;
use table::{Action, EndgameCell, Special};

/// Adds the table's adjustment, then does what the jump table says. Whether special knowledge made
/// the value: a fixed score or a routine, not an adjustment alone (END-11).
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) -> bool {
    if !cx.params.endgame.on {
        return false;
    }
    if cx.stage.pieces.white.min(cx.stage.pieces.black) == 0 && lone_king::evaluate(cx, sum) {
        return true;
    }
    match EndgameCell::of(cx) {
        Some(cell) => apply(cx, sum, cell),
        None => false,
    }
}

#[inline(never)]
fn apply<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, cell: EndgameCell) -> bool {
    let params = &cx.params.endgame;
    if params.table {
        let points = params.adjust[cell.index()];
        let gains = if points >= 0 { Color::White } else { Color::Black };
        sum.add(Term::EndgameAdjust, gains, Score::both(points.abs()));
    }
    match cell.action(params.mirrored) {
        Action::Nothing => false,
        Action::Draw => {
            if params.draws {
                sum.replace(Term::EndgameKnowledge, Score::ZERO);
            }
            params.draws
        }
        Action::Small(strong) => score(cx, sum, strong, params.small),
        Action::Large(strong) => score(cx, sum, strong, params.large),
        Action::Special(special, strong) => match special {
            Special::Pawn => pawn(cx, sum, strong),
            Special::WrongBishop => minors::wrong_bishop(cx, sum, strong),
            Special::BishopKnight => minors::bishop_knight(cx, sum, strong),
            Special::QueenPawn => queen::against_pawn(cx, sum, strong),
            Special::QueenRook => queen::against_rook(cx, sum, strong),
            Special::RookPawn => rook::rook_pawn(cx, sum, strong),
        },
    }
}

/// X, Y, x, y: a fixed score whatever was counted before (AMB-63), and kings to the centre
/// (END-08).
fn score<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, strong: Color, points: i32) -> bool {
    let params = &cx.params.endgame;
    if !params.scores {
        return false;
    }
    set(sum, strong, points + kings_to_centre(cx, strong));
    true
}

/// KPK, exact (MISS-07): a draw is nought; a won pawn is worth more the further it has come, so
/// that the search makes progress, and then the nearer its king is to the promotion square.
fn pawn<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, strong: Color) -> bool {
    let params = &cx.params.endgame;
    let Some(pawn) = lone(cx, strong, strong, Role::Pawn).filter(|_| params.kpk) else {
        return false;
    };
    let king = relative_square(strong, cx.position.king(strong));
    let weak_king = relative_square(strong, cx.position.king(strong.other()));
    let points = if kpk::is_won(cx.position.turn() == strong, king, weak_king, pawn) {
        let nearness = 7 - king.distance(promotion(pawn)) as i32;
        params.kpk_win + params.kpk_rank * pawn.rank() as i32 + params.kpk_king * nearness
    } else {
        0
    };
    set(sum, strong, points);
    true
}

/// Makes the total so many points for a colour.
fn set<T: Trace>(sum: &mut Sum<'_, T>, color: Color, points: i32) {
    sum.replace(Term::EndgameKnowledge, Score::both(color.fold_wb(points, -points)));
}

/// The king-centre table (MISS-11, AMB-62), a colour's king minus the other's.
fn kings_to_centre(cx: &Context<'_>, color: Color) -> i32 {
    let centre =
        |color| cx.params.endgame.king_centre.of(relative_square(color, cx.position.king(color)));
    centre(color) - centre(color.other())
}

/// The square of a colour's only man of a role, as `viewer` sees it.
fn lone(cx: &Context<'_>, viewer: Color, color: Color, role: Role) -> Option<Square> {
    cx.men(color, role).first().map(|sq| relative_square(viewer, sq))
}

/// The promotion square of a White pawn.
fn promotion(pawn: Square) -> Square {
    Square::new(pawn as u32 | 56)
}
