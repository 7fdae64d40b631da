//! Knights and bishops: outposts, shelter behind pawns, distance from the own king, bishops and the
//! pawns on their colour.

use shakmaty::attacks;

use super::facts::Facts;
use super::{CENTRE_FILES, ranks, times};
use crate::eval::context::Context;
use crate::eval::spans::step;
use crate::eval::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, Color, Role, Score};

const CENTRE: Bitboard = Bitboard(0x0000_0018_1800_0000);

/// Adds the terms of both sides' minor pieces.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, facts: &Facts) {
    for color in Color::ALL {
        let minors = cx.minors(color);
        if minors.any() {
            let score =
                outposts(cx, color, facts) + surroundings(cx, color, minors) + bishops(cx, color);
            sum.add(Term::MinorPieces, color, score);
        }
    }
}

/// Squares on the fourth to sixth rank that no enemy pawn can ever attack, with an own pawn's
/// protection or behind an enemy pawn.
#[inline]
fn outposts(cx: &Context<'_>, color: Color, facts: &Facts) -> Score {
    let params = &cx.params.minor_pieces;
    let enemy = color.other();
    let squares = ranks(color, 3, 5)
        & (facts[color].pawns | step(enemy, cx.men(enemy, Role::Pawn)))
        & !cx.pawn_reach(enemy);
    if squares.is_empty() {
        return Score::ZERO;
    }
    let (knights, bishops) = (cx.men(color, Role::Knight), cx.men(color, Role::Bishop));
    let mut reachable = 0;
    for knight in knights & !squares {
        let way = attacks::knight_attacks(knight) & squares & !cx.position.by_color(color);
        reachable += usize::from(way.any());
    }
    times(params.knight_outpost_mg, params.knight_outpost_eg, (knights & squares).count())
        + times(params.bishop_outpost_mg, params.bishop_outpost_eg, (bishops & squares).count())
        + times(params.reachable_mg, params.reachable_eg, reachable)
}

/// A pawn right before it, and steps to the own king.
#[inline]
fn surroundings(cx: &Context<'_>, color: Color, minors: Bitboard) -> Score {
    let params = &cx.params.minor_pieces;
    let pawns = cx.men(Color::White, Role::Pawn) | cx.men(Color::Black, Role::Pawn);
    let behind = minors & step(color.other(), pawns);
    let king = cx.position.king(color);
    let steps = |men: Bitboard| men.into_iter().map(|sq| king.distance(sq) as usize).sum::<usize>();
    times(params.behind_pawn_mg, params.behind_pawn_eg, behind.count())
        + times(params.knight_king_mg, params.knight_king_eg, steps(cx.men(color, Role::Knight)))
        + times(params.bishop_king_mg, params.bishop_king_eg, steps(cx.men(color, Role::Bishop)))
}

/// Own pawns on the bishop's colour, more so with a blocked centre; enemy pawns on its lines; both
/// squares of the centre on a line of its own.
#[inline]
fn bishops(cx: &Context<'_>, color: Color) -> Score {
    let params = &cx.params.minor_pieces;
    let bishops = cx.men(color, Role::Bishop);
    if bishops.is_empty() {
        return Score::ZERO;
    }
    let own = cx.men(color, Role::Pawn);
    let enemy = cx.men(color.other(), Role::Pawn);
    let blocked = (own & step(color.other(), cx.occupied) & CENTRE_FILES).count();
    let mut score = Score::ZERO;
    for sq in bishops {
        let same = Bitboard::LIGHT_SQUARES.contains(sq);
        let same = if same { Bitboard::LIGHT_SQUARES } else { Bitboard::DARK_SQUARES };
        let pawns = (own & same).count();
        score += times(params.bishop_pawns_mg, params.bishop_pawns_eg, pawns)
            + times(params.bishop_blocked_mg, params.bishop_blocked_eg, pawns * blocked);
        let line = attacks::bishop_attacks(sq, Bitboard::EMPTY) & enemy;
        score += times(params.bishop_xray_mg, params.bishop_xray_eg, line.count());
        let long = attacks::bishop_attacks(sq, own | enemy) & CENTRE;
        if long.more_than_one() {
            score += Score::new(params.long_diagonal_mg, params.long_diagonal_eg);
        }
    }
    score
}
