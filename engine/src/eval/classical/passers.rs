//! Passed pawns by rank: what they are worth, both kings' distance from the square before them, and
//! whether their way is free and safe.

use super::facts::Facts;
use super::{from_edge, pair, rank_of};
use crate::eval::context::Context;
use crate::eval::spans::{ahead, step};
use crate::eval::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, ByColor, Color, Role, Score, Square};

/// Adds both sides' passed pawns. Returns what each colour's are worth in the position's phase,
/// 1/256 pawn.
#[inline]
pub(super) fn evaluate<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    facts: &Facts,
) -> ByColor<i32> {
    ByColor::new_with(|color| {
        let passers = cx.pawns.passed[color];
        if passers.is_empty() {
            return 0;
        }
        let worth =
            passers.into_iter().fold(Score::ZERO, |worth, sq| worth + passer(cx, color, sq, facts));
        sum.add(Term::PasserRanks, color, worth);
        cx.evaluator.phase.blend(worth, cx.position.phase_material())
    })
}

#[inline]
fn passer(cx: &Context<'_>, color: Color, sq: Square, facts: &Facts) -> Score {
    let params = &cx.params.passers;
    let enemy = color.other();
    let (own, foe) = (&facts[color], &facts[enemy]);
    let rank = rank_of(color, sq);
    let square = Bitboard::from_square(sq);
    let way = ahead(color, square);
    let stop = step(color, square);
    let edge = from_edge(sq.file());
    let mut score =
        pair(&params.rank_mg, &params.rank_eg, rank) + pair(&params.file_mg, &params.file_eg, edge);
    let Some(stop_square) = stop.first() else { return score };
    let steps = |of: Color| cx.position.king(of).distance(stop_square) as usize;
    score += Score::new(0, params.own_king[8 * rank + steps(color)]);
    score += Score::new(0, params.enemy_king[8 * rank + steps(enemy)]);
    if (stop & cx.occupied).any() {
        return score;
    }
    score += pair(&params.free_mg, &params.free_eg, rank);
    // Rooks and queens behind the pawn look along its whole way.
    let behind = ahead(enemy, square);
    let heavy = |of: Color| cx.men(of, Role::Rook) | cx.men(of, Role::Queen);
    let looks = |of: Color, by: Bitboard| (behind & heavy(of)).any() && (square & by).any();
    let is_chased = looks(enemy, foe.rooks | foe.queens);
    let attacked = if is_chased { way } else { way & (foe.all | cx.position.by_color(enemy)) };
    if attacked.is_empty() {
        score += pair(&params.safe_way_mg, &params.safe_way_eg, rank);
    } else if (attacked & stop).is_empty() {
        score += pair(&params.safe_stop_mg, &params.safe_stop_eg, rank);
    }
    let is_backed = looks(color, own.rooks | own.queens);
    if is_backed || (own.all & stop).any() {
        score += pair(&params.defended_mg, &params.defended_eg, rank);
    }
    score
}
