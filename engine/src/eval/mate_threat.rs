//! Mates that threaten: patterns read off the attack maps, then checked to the last reply (EVA-13,
//! the evaluation's half of ORD-20). They add nothing to the sum; the search cuts on its own mate
//! and tries the other side's threat early.
//!
//! The supported queen and the back rank are looked for here, in line; the other patterns have a
//! [table](patterns).

pub(super) mod patterns;

use shakmaty::attacks;

use super::attack_map::AttackerClass;
use super::context::Context;
use super::spans::step;
use crate::types::{Bitboard, ByColor, Color, Move, MoveKind, Rank, Role, Square};

/// For each colour a move that mates: at once if it is on the move, else the threat that the other
/// side must meet. `None` says only that no known pattern is there (MISS-15).
#[inline]
pub(super) fn detect(cx: &Context<'_>) -> ByColor<Option<Move>> {
    if !cx.params.mate_threat.on {
        return ByColor::default();
    }
    ByColor::new_with(|color| mate(cx, color))
}

/// A mating move of `color`.
#[inline]
fn mate(cx: &Context<'_>, color: Color) -> Option<Move> {
    let params = &cx.params.mate_threat;
    let attack = &cx.attacks[color];
    let king = cx.position.king(color.other());
    let (rooks, queens) = (attack.by(AttackerClass::Rook), attack.by(AttackerClass::Queen));
    let targets = |squares| squares & !out_of_reach(cx, color);
    let contact = attacks::king_attacks(king) & queens & attack.twice();
    if params.queen && contact.any() && targets(contact).any() {
        let found = first_mate(cx, color, targets(contact), cx.men(color, Role::Queen));
        if found.is_some() {
            return found;
        }
    }
    let home = Bitboard::from_rank(color.fold_wb(Rank::Eighth, Rank::First));
    if params.back_rank && home.contains(king) {
        let entries = targets(home & (rooks | queens));
        if entries.any() && is_shut_in(cx, color, king, home) {
            let checks = entries & attacks::rook_attacks(king, cx.occupied);
            let found = first_mate(cx, color, checks, heavy(cx, color));
            if found.is_some() {
                return found;
            }
        }
    }
    if cx.evaluator.mate_patterns.is_empty() { None } else { patterns::find(cx, color) }
}

/// Where no man of `color` can mate: somebody besides the enemy king guards, or an own man stands.
#[inline]
fn out_of_reach(cx: &Context<'_>, color: Color) -> Bitboard {
    let defence = &cx.attacks[color.other()];
    defence.any() & !defence.king_only() | cx.position.by_color(color)
}

/// Rooks and queens.
#[inline]
fn heavy(cx: &Context<'_>, color: Color) -> Bitboard {
    cx.men(color, Role::Rook) | cx.men(color, Role::Queen)
}

/// Whether the enemy king of `color` cannot leave its back rank.
#[inline]
fn is_shut_in(cx: &Context<'_>, color: Color, king: Square, home: Bitboard) -> bool {
    let closed = cx.position.by_color(color.other()) | cx.attacks[color].any();
    (attacks::king_attacks(king) & !home & !closed).is_empty()
}

/// The first move of one of `men`, pieces of `color`, to one of `targets` that mates.
#[inline(never)]
fn first_mate(cx: &Context<'_>, color: Color, targets: Bitboard, men: Bitboard) -> Option<Move> {
    targets.into_iter().find_map(|to| {
        let men = cx.position.attackers_of(to, color, cx.occupied) & men;
        let from = men.into_iter().find(|&from| is_mate(cx, color, from, to))?;
        let capture = cx.occupied.contains(to);
        let kind = if capture { MoveKind::Capture } else { MoveKind::Quiet };
        Some(Move::new(from, to, kind))
    })
}

/// Whether the piece of `color` on `from` mates on `to`. A yes is certain; a pinned defender may make it
/// say no to a mate.
fn is_mate(cx: &Context<'_>, color: Color, from: Square, to: Square) -> bool {
    let position = cx.position;
    let enemy = color.other();
    let king = position.king(enemy);
    let (left, taken) = (Bitboard::from_square(from), Bitboard::from_square(to));
    let shadow = Bitboard::from_square(king);
    // The board after the move; what is on it is asked of the men as they still stand.
    let occupied = cx.occupied & !left | taken;
    let rays = |occupied| match position.piece_at(from).role() {
        Some(Role::Rook) => attacks::rook_attacks(to, occupied),
        Some(Role::Bishop) => attacks::bishop_attacks(to, occupied),
        Some(Role::Knight) => attacks::knight_attacks(to),
        _ => attacks::queen_attacks(to, occupied),
    };
    if !rays(occupied).contains(king) {
        return false;
    }
    // No flight: what the king leaves behind does not stop a line.
    let through = occupied & !shadow;
    let covered = rays(through);
    let flights = attacks::king_attacks(king) & !(position.by_color(enemy) & !taken) & !covered;
    let is_open = |sq| (position.attackers_of(sq, color, through) & !left).is_empty();
    if flights.into_iter().any(is_open) {
        return false;
    }
    // Nobody takes the man or comes between.
    let helpers = !shadow & !taken;
    let pieces = helpers & !cx.men(enemy, Role::Pawn);
    let between = attacks::between(to, king);
    let reach = |sq, men| (position.attackers_of(sq, enemy, occupied) & men).any();
    if reach(to, helpers)
        || between.into_iter().any(|sq| reach(sq, pieces))
        || (pawn_steps(cx, enemy, occupied) & between).any()
    {
        return false;
    }
    // The own king stays safe.
    let own_king = position.king(color);
    (position.attackers_of(own_king, enemy, occupied) & !taken).is_empty()
}

/// Where the pawns of a colour can step.
fn pawn_steps(cx: &Context<'_>, color: Color, occupied: Bitboard) -> Bitboard {
    let once = step(color, cx.men(color, Role::Pawn)) & !occupied;
    let third = Bitboard::from_rank(color.fold_wb(Rank::Third, Rank::Sixth));
    once | step(color, once & third) & !occupied
}

#[cfg(test)]
mod tests;
