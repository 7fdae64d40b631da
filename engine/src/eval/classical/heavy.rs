//! Rooks and queens: files, the enemy's ring, rooks shut in by their king, queens behind the
//! enemy's lines.

use shakmaty::CastlingSide;

use super::facts::Facts;
use super::{ranks, times};
use crate::eval::context::Context;
use crate::eval::spans::{files, step};
use crate::eval::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, ByColor, Color, Role, Score};

/// Adds the terms of both sides' rooks and queens.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, facts: &Facts) {
    let pawn_files = ByColor::new_with(|color| files(cx.men(color, Role::Pawn)));
    for color in Color::ALL {
        let (rooks, queens) = (cx.men(color, Role::Rook), cx.men(color, Role::Queen));
        let mut score = Score::ZERO;
        if rooks.any() {
            score += rooks_on_files(cx, color, facts, rooks, &pawn_files);
        }
        if queens.any() {
            score += queens_far(cx, color, queens);
        }
        sum.add(Term::HeavyPieces, color, score);
    }
}

/// Rooks by the pawns on their file; those with hardly a square beside their own king, worse when it
/// cannot castle; those whose file meets a queen or the enemy's ring.
#[inline]
fn rooks_on_files(
    cx: &Context<'_>,
    color: Color,
    facts: &Facts,
    rooks: Bitboard,
    pawn_files: &ByColor<Bitboard>,
) -> Score {
    let params = &cx.params.heavy_pieces;
    let enemy = color.other();
    let own_files = pawn_files[color];
    let open = rooks & !own_files & !pawn_files[enemy];
    let half_open = rooks & !own_files & !open;
    let blocked = rooks & files(cx.men(color, Role::Pawn) & step(enemy, cx.occupied));
    let queens =
        rooks & files(cx.men(Color::White, Role::Queen) | cx.men(Color::Black, Role::Queen));
    let ring = rooks & files(facts[enemy].ring);
    let king = cx.position.king(color);
    let mut shut = 0;
    for sq in facts[color].immobile_rooks & own_files {
        let (file, king_file) = (sq as u32 & 7, king as u32 & 7);
        // On the same side of the king as the king is of the board's middle.
        shut += usize::from((king_file < 4) == (file < king_file));
    }
    let can_castle =
        CastlingSide::ALL.into_iter().any(|side| cx.position.castling_rook(color, side).is_some());
    times(params.open_mg, params.open_eg, open.count())
        + times(params.half_open_mg, params.half_open_eg, half_open.count())
        + times(params.blocked_mg, params.blocked_eg, blocked.count())
        + times(params.queen_file_mg, params.queen_file_eg, queens.count())
        + times(params.ring_file_mg, params.ring_file_eg, ring.count())
        + if can_castle {
            times(params.shut_mg, params.shut_eg, shut)
        } else {
            times(params.shut_for_good_mg, params.shut_for_good_eg, shut)
        }
}

/// Queens on the enemy's half where no pawn of his can ever attack them.
#[inline]
fn queens_far(cx: &Context<'_>, color: Color, queens: Bitboard) -> Score {
    let params = &cx.params.heavy_pieces;
    let far = queens & ranks(color, 4, 7) & !cx.pawn_reach(color.other());
    times(params.infiltration_mg, params.infiltration_eg, far.count())
}
