//! Bishops: bad ones, pairs, trapped ones, and the bishop that outplays a knight.

use shakmaty::attacks;

use super::context::Context;
use super::spans::step;
use super::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, ByColor, Color, Piece, Role, Score, Square, relative_square};

/// All terms of bishops.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let bishops = ByColor::new_with(|color| cx.men(color, Role::Bishop));
    for color in Color::ALL {
        if bishops[color].any() {
            bad_bishop(cx, sum, color, bishops[color]);
            pair(cx, sum, color);
            trapped(cx, sum, color, bishops[color]);
        }
    }
    against_knight(cx, sum, bishops);
}

/// A bishop whose forward diagonal ends at an own pawn (PCE-01): the dearer the pawn's square
/// (AMB-39) and the harder the man before it is to remove (AMB-40), the worse. Each of the two
/// diagonals counts, and a square of importance 0 still costs the bare factor (AMB-41).
#[inline]
fn bad_bishop<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, color: Color, bishops: Bitboard) {
    let params = &cx.params.bad_bishop;
    if !params.on {
        return;
    }
    let pawns = cx.men(color, Role::Pawn);
    let mut penalty = 0;
    for bishop in bishops {
        let upward = u64::MAX << bishop as u32;
        let forward = Bitboard(color.fold_wb(upward, !upward));
        for pawn in attacks::bishop_attacks(bishop, cx.occupied) & forward & pawns {
            let importance = params.importance.of(relative_square(color, pawn));
            if importance == 0 && !params.everywhere {
                continue;
            }
            let ahead = step(color, Bitboard::from_square(pawn)).first();
            let before = ahead.map_or(Piece::EMPTY, |sq| cx.position.piece_at(sq));
            penalty += params.factor[relative_code(color, before)] << importance;
        }
    }
    sum.add(Term::BadBishop, color, Score::both(-penalty));
}

/// A piece code with own men as 1–6 and the enemy's as 7–12.
#[inline]
fn relative_code(color: Color, piece: Piece) -> usize {
    let code = piece.code();
    match (color, code) {
        (Color::White, _) | (_, 0) => code,
        (Color::Black, 1..=6) => code + 6,
        (Color::Black, _) => code - 6,
    }
}

/// Bishops on squares of both colours, worth more the less the opponent has left: by its pieces
/// (PCE-02) or by its pawns (PCE-03), one of the two (AMB-56); Mediocre's gain of 2007 had it, too
/// (EVA-15). More still when it has no knight and no bishop (PCE-04).
#[inline]
fn pair<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, color: Color) {
    let params = &cx.params.bishop_pair;
    if !params.on || !cx.has_bishop_pair(color) {
        return;
    }
    let enemy = color.other();
    let bonus = if params.by_pawns {
        let pawns = cx.count(enemy, Role::Pawn) as usize;
        params.pawns[pawns.min(params.pawns.len() - 1)]
    } else {
        let pieces = cx.stage.pieces[enemy] as usize;
        params.pieces[pieces.min(params.pieces.len() - 1)]
    };
    sum.add(Term::BishopPair, color, Score::both(bonus));
    if params.no_minors && cx.minors(enemy).is_empty() {
        sum.add(Term::PairAgainstNoMinors, color, Score::both(params.no_minors_bonus));
    }
}

/// A bishop on a7 behind a black pawn on b6, or on h7 behind g6, mirrored for Black (PCE-12).
#[inline]
fn trapped<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, color: Color, bishops: Bitboard) {
    let params = &cx.params.trapped_bishop;
    if !params.on {
        return;
    }
    let enemy_pawns = cx.men(color.other(), Role::Pawn);
    for (corner, pawn) in [(Square::A7, Square::B6), (Square::H7, Square::G6)] {
        if bishops.contains(relative_square(color, corner))
            && enemy_pawns.contains(relative_square(color, pawn))
        {
            sum.add(Term::TrappedBishop, color, Score::both(-params.penalty));
        }
    }
}

/// Bishop against knight, nothing else but pawns: both sides have pawns on both wings (a to c and
/// f to h) and the d- and e-file have none (PRO-14).
#[inline]
fn against_knight<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, bishops: ByColor<Bitboard>) {
    const LEFT: Bitboard = Bitboard(0x0707_0707_0707_0707);
    const CENTRE: Bitboard = Bitboard(0x1818_1818_1818_1818);
    const RIGHT: Bitboard = Bitboard(0xe0e0_e0e0_e0e0_e0e0);
    let params = &cx.params.bishop_v_knight;
    let ByColor { white, black } = cx.stage.pieces;
    if !params.on || white != 3 || black != 3 || bishops.white.any() == bishops.black.any() {
        return;
    }
    let pawns = ByColor::new_with(|color| cx.men(color, Role::Pawn));
    let wings =
        Color::ALL.iter().all(|&color| (pawns[color] & LEFT).any() && (pawns[color] & RIGHT).any());
    if wings && ((pawns.white | pawns.black) & CENTRE).is_empty() {
        let color = if bishops.white.any() { Color::White } else { Color::Black };
        sum.add(Term::BishopVersusKnight, color, Score::both(params.bonus));
    }
}

#[cfg(test)]
mod tests;
