//! Mobility: where knights, bishops and rooks can go, counted in steps and looked up in a table
//! that climbs faster the more there are; and a penalty for minor pieces with hardly a square.

use shakmaty::attacks;

use super::attack_map::AttackerClass;
use super::context::Context;
use super::spans::file_of;
use super::trace::{Sum, Term, Trace};
use crate::params;
use crate::types::{Bitboard, ByColor, Color, Role, Score, Square, relative_square};

/// Adds mobility, joint (MOB-07) or split (MOB-08, PRO-12), minimum mobility (MOB-09, MOB-10) and the
/// queen's (MISS-20).
///
/// Returns what each colour's mobility is worth, 1/256 pawn: split, its own table value; joint, the
/// advantage of the side that has it and 0 for the other.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) -> ByColor<i32> {
    let minimum = &cx.params.minimum_mobility;
    if cx.params.queen_mobility.on {
        sum.add_both(
            Term::QueenMobility,
            ByColor::new_with(|color| Score::both(queens(cx, color))),
        );
    }
    if !cx.params.mobility.on && !minimum.knights && !minimum.bishops {
        return ByColor::default();
    }
    let found = ByColor::new_with(|color| Found::of(cx, color));
    let penalty = |of: fn(&Found) -> i32| found.as_ref().map(|found| Score::both(-of(found)));
    if minimum.knights {
        sum.add_both(Term::KnightMinimum, penalty(|found| found.knight_penalty));
    }
    if minimum.bishops {
        sum.add_both(Term::BishopMinimum, penalty(|found| found.bishop_penalty));
    }
    if !cx.params.mobility.on {
        return ByColor::default();
    }
    let value = points(&cx.params.mobility, found.map(|found| found.steps));
    sum.add_both(Term::Mobility, value.map(Score::both));
    value
}

/// Each side's points for the steps of both, 1/256 pawn.
#[inline]
fn points(params: &params::Mobility, steps: ByColor<i32>) -> ByColor<i32> {
    let table = |steps: i32| params.table[steps.clamp(0, params.table.len() as i32 - 1) as usize];
    if params.split {
        return steps.map(|steps| table(steps) * params.split_scale / 100);
    }
    let lead = steps.white - steps.black;
    match lead {
        0 => ByColor::default(),
        1.. => ByColor { white: table(lead), black: 0 },
        _ => ByColor { white: 0, black: table(-lead) },
    }
}

/// What a side's pieces amount to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Found {
    /// Steps of knights, bishops and rooks (MOB-01).
    steps: i32,
    /// Penalty for knights with too few squares, 1/256 pawn.
    knight_penalty: i32,
    /// Penalty for bishops with too few squares, 1/256 pawn.
    bishop_penalty: i32,
}

impl Found {
    /// Goes through the pieces of a colour: knights by the square they reach (MOB-02), bishops and
    /// rooks through own pieces (MOB-03, MOB-04).
    #[inline]
    fn of(cx: &Context<'_>, color: Color) -> Found {
        let params = &cx.params.mobility;
        let minimum = &cx.params.minimum_mobility;
        let free = free(cx, color);
        let mut found = Found { steps: 0, knight_penalty: 0, bishop_penalty: 0 };
        for sq in cx.men(color, Role::Knight) {
            let targets = attacks::knight_attacks(sq) & free;
            let mut count = 0;
            for target in targets {
                found.steps += params.knight.of(relative_square(color, target));
                count += 1;
            }
            found.knight_penalty += at(&minimum.knight, count);
        }
        let pawns = cx.men(color, Role::Pawn);
        // Looking through own pieces, only own pawns and enemy men end a line (MOB-03).
        let stops =
            if params.xray { cx.position.by_color(color.other()) | pawns } else { cx.occupied };
        for sq in cx.men(color, Role::Bishop) {
            let reach = attacks::bishop_attacks(sq, stops) & !pawns;
            found.steps += params.bishop * reach.count() as i32;
            let targets = attacks::bishop_attacks(sq, cx.occupied) & free;
            found.bishop_penalty += at(&minimum.bishop, targets.count());
        }
        for sq in cx.men(color, Role::Rook) {
            let reach = attacks::rook_attacks(sq, stops) & !pawns;
            found.steps += rook(cx, params, sq, reach) + open_file(cx, params, color, sq);
        }
        found
    }
}

/// The entry of a list, the last one for all beyond.
#[inline]
fn at(list: &[i32], index: usize) -> i32 {
    list[index.min(list.len() - 1)]
}

/// Where minor pieces of `color` can go relatively safely: not to own men; to empty squares unless
/// an enemy pawn controls them; to enemy men always, guarded or not (AMB-54).
#[inline]
fn free(cx: &Context<'_>, color: Color) -> Bitboard {
    let enemy = color.other();
    cx.position.by_color(enemy) | !cx.occupied & !cx.pawn_control(enemy)
}

/// Steps of a rook for the squares in `reach` (MOB-04): most on its file, and less for what lies
/// behind own pieces.
#[inline]
fn rook(cx: &Context<'_>, params: &params::Mobility, sq: Square, reach: Bitboard) -> i32 {
    let direct = attacks::rook_attacks(sq, cx.occupied) & reach;
    let all = reach.count() as i32;
    let in_sight = direct.count() as i32;
    let on_file = (direct & file_of(sq)).count() as i32;
    params.rook_file * on_file
        + params.rook_rank * (in_sight - on_file)
        + params.rook_xray * (all - in_sight)
}

/// Steps of a rook on a file without own pawns (MOB-05), or without any (MOB-06). The more pawns
/// its side has, the more such a file is worth (AMB-53).
#[inline]
fn open_file(cx: &Context<'_>, params: &params::Mobility, color: Color, sq: Square) -> i32 {
    let file = file_of(sq);
    if (cx.men(color, Role::Pawn) & file).any() {
        return 0;
    }
    let pawns = cx.count(color, Role::Pawn);
    if (cx.men(color.other(), Role::Pawn) & file).any() {
        if params.half_open_file { pawns / 2 + 1 } else { 0 }
    } else if params.open_file {
        pawns + 1
    } else {
        0
    }
}

/// Points for the safe squares that queens of `color` control, 1/256 pawn (MISS-20).
#[inline]
fn queens(cx: &Context<'_>, color: Color) -> i32 {
    let targets = cx.attacks[color].by(AttackerClass::Queen) & free(cx, color);
    cx.params.queen_mobility.square * targets.count() as i32
}

#[cfg(test)]
mod tests;
