//! Threats: what each kind of man attacks, men that hang, pawns that could step up and attack,
//! squares denied.

use shakmaty::attacks;

use super::facts::Facts;
use super::{pair, ranks, times};
use crate::eval::attack_map::pawn_attacks;
use crate::eval::context::Context;
use crate::eval::spans::step;
use crate::eval::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, Color, Role, Score};

/// Adds both sides' threats.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, facts: &Facts) {
    for color in Color::ALL {
        let score = men(cx, color, facts) + squares(cx, color, facts) + on_queen(cx, color, facts);
        sum.add(Term::PieceThreats, color, score);
    }
}

/// Attacks of `color` on enemy men.
#[inline]
fn men(cx: &Context<'_>, color: Color, facts: &Facts) -> Score {
    let params = &cx.params.piece_threats;
    let enemy = color.other();
    let (own, foe) = (&facts[color], &facts[enemy]);
    let men = cx.position.by_color(enemy);
    let pieces = men & !cx.men(enemy, Role::Pawn);
    // Protected by a pawn, or by two men where only one attacks.
    let strong = foe.pawns | foe.twice & !own.twice;
    let defended = pieces & strong;
    let weak = men & !strong & own.all;
    let mut score = Score::ZERO;
    let mut each = |squares: Bitboard, middlegame: &[i32; 5], endgame: &[i32; 5]| {
        for sq in squares {
            if let Some(role) = cx.position.piece_at(sq).role() {
                score += pair(middlegame, endgame, (role as usize - 1).min(4));
            }
        }
    };
    each((defended | weak) & own.minors(), &params.minor_mg, &params.minor_eg);
    each(weak & own.rooks, &params.rook_mg, &params.rook_eg);
    let safe = !foe.all | own.all;
    let (west, east) = pawn_attacks(color, cx.men(color, Role::Pawn) & safe);
    each(pieces & (west | east), &params.pawn_mg, &params.pawn_eg);
    if (weak & own.king).any() {
        score += Score::new(params.king_mg, params.king_eg);
    }
    let hanging = weak & (!foe.all | pieces & own.twice);
    score += times(params.hanging_mg, params.hanging_eg, hanging.count());
    let by_queen = weak & foe.queens;
    score + times(params.queen_only_mg, params.queen_only_eg, by_queen.count())
}

/// Pawn steps of `color` that would attack, and squares that it disputes.
#[inline]
fn squares(cx: &Context<'_>, color: Color, facts: &Facts) -> Score {
    let params = &cx.params.piece_threats;
    let enemy = color.other();
    let (own, foe) = (&facts[color], &facts[enemy]);
    let pieces = cx.position.by_color(enemy) & !cx.men(enemy, Role::Pawn);
    let strong = foe.pawns | foe.twice & !own.twice;
    let restricted = foe.all & !strong & own.all;
    let empty = !cx.occupied;
    let once = step(color, cx.men(color, Role::Pawn)) & empty;
    let twice = step(color, once & ranks(color, 2, 2)) & empty;
    let steps = (once | twice) & !foe.pawns & (own.all | !foe.all);
    let (west, east) = pawn_attacks(color, steps);
    times(params.restricted_mg, params.restricted_eg, restricted.count())
        + times(params.push_mg, params.push_eg, ((west | east) & pieces).count())
}

/// Squares from which a knight or slider of `color` would attack the only enemy queen.
#[inline]
fn on_queen(cx: &Context<'_>, color: Color, facts: &Facts) -> Score {
    let params = &cx.params.piece_threats;
    let enemy = color.other();
    let (own, foe) = (&facts[color], &facts[enemy]);
    let Some(queen) = cx.men(enemy, Role::Queen).single_square() else { return Score::ZERO };
    let strong = foe.pawns | foe.twice & !own.twice;
    let safe = !cx.men(color, Role::Pawn) & !strong;
    let knights = own.knights & attacks::knight_attacks(queen) & safe;
    let sliders = own.bishops & attacks::bishop_attacks(queen, cx.occupied)
        | own.rooks & attacks::rook_attacks(queen, cx.occupied);
    times(params.knight_on_queen_mg, params.knight_on_queen_eg, knights.count())
        + times(
            params.slider_on_queen_mg,
            params.slider_on_queen_eg,
            (sliders & safe & own.twice).count(),
        )
}
