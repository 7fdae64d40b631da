//! The pawns' terms: their structure, mostly from the cache, and pressure on them, which needs the
//! attack maps.

use super::context::Context;
use super::pawn_structure::{pawns_by_color, structure};
use super::trace::{Sum, Term, Trace};
use crate::types::{ByColor, Color, Role, Score, relative_square};

/// The pawn structure's terms, from the cache unless the trace wants each of them, and pressure.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    if T::DETAILED {
        structure(&pawns_by_color(cx.position), cx.params, |term, color, score| {
            sum.add(term, color, score)
        });
    } else {
        sum.add(Term::PawnFormation, Color::White, cx.pawns.structure);
    }
    if cx.params.pressure.on {
        sum.add_both(Term::PawnPressure, ByColor::new_with(|color| pressure(cx, color)));
    }
}

/// Pressure on pawns that no pawn protects and that can take no pawn (PAW-11): importance of the
/// square, shifted by the number of attackers, more in the end game. Pawns that nobody attacks are
/// left out, and those with a defender cheaper than every attacker; a pawn without any defender
/// does not count as such (AMB-42).
#[inline]
fn pressure(cx: &Context<'_>, color: Color) -> Score {
    let (own, enemy) = (&cx.attacks[color], &cx.attacks[color.other()]);
    let pawn_control = cx.pawn_control(color) | cx.pawn_control(color.other());
    let mut penalty = 0;
    for sq in cx.men(color, Role::Pawn) & enemy.any() & !pawn_control {
        let (defenders, attackers) = (own.byte(sq), enemy.byte(sq));
        let defended = defenders.count() > 0 && defenders.smallest() < attackers.smallest();
        if !defended {
            penalty +=
                cx.params.pressure.factor.of(relative_square(color, sq)) << attackers.count();
        }
    }
    Score::new(-penalty, -penalty * cx.params.pressure.endgame)
}
