//! King safety: steps are counted on the squares around a king and looked up, all together, in a
//! table that climbs ever more steeply. One attacker is worth little that way, two that work
//! together more than the sum of both: the papers' progressive evaluation (EVA-11). Both kings are
//! judged by the same rules (EVA-12). KSF-12, the Alekhine line, is what it is for.

use super::attack_map::AttackerClass;
use super::context::Context;
use super::king_ring::Ring;
use super::shelter;
use super::trace::{Sum, Term, Trace};
use crate::params::KingSafety;
use crate::types::{Bitboard, ByColor, Color, Role, Score, relative_square};

/// Adds what each side's attack on the enemy king is worth (KSF-07).
///
/// Returns the danger to each colour's own king, 1/256 pawn, which the search and the initiative
/// ask for (KSF-11).
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) -> ByColor<i32> {
    let params = &cx.params.king_safety;
    if !params.on {
        return ByColor::default();
    }
    let danger = ByColor::new_with(|color| danger(cx, color));
    let points = |value: i32| Score::new(value, value * params.endgame / 100);
    sum.add(Term::KingSafety, Color::White, points(danger.black));
    sum.add(Term::KingSafety, Color::Black, points(danger.white));
    danger
}

/// Danger to the king of `color`, 1/256 pawn: what the other side scores for its attack. None from
/// a side without a queen (KSF-08), nor from a queen on her own (KSF-09).
#[inline]
fn danger(cx: &Context<'_>, color: Color) -> i32 {
    let params = &cx.params.king_safety;
    let enemy = color.other();
    let queens = cx.men(enemy, Role::Queen);
    // Here, unlike with the bishop pair, rooks are light pieces (AMB-12).
    let light = cx.minors(enemy) | cx.men(enemy, Role::Rook);
    if params.needs_queen && queens.is_empty() {
        return 0;
    }
    if params.not_lone_queen && light.is_empty() && !queens.more_than_one() {
        return 0;
    }
    value(params, steps(cx, color, light))
}

/// The papers' COUNTER for the king of `color`, against the enemy's `light` pieces: the king's
/// square (KSF-01), unless the attackers are too few (KSF-02), the ring and the attack pattern
/// (KSF-06).
fn steps(cx: &Context<'_>, color: Color, light: Bitboard) -> i32 {
    let params = &cx.params.king_safety;
    let king = cx.position.king(color);
    let ring = Ring::of(color, king);
    let (attack, defence) = (&cx.attacks[color.other()], &cx.attacks[color]);
    let count = |squares: Bitboard| squares.count() as i32;
    let mut steps = 0;
    // Against too few attackers the king may walk where it likes (KSF-02), with or without shield.
    if count(light) >= params.prefill_pieces {
        if params.king_square {
            steps += params.prefill.of(relative_square(color, king));
        }
        steps += shelter::steps(cx, color, &ring);
    }
    let attacked = attack.any();
    let (near, front) = (ring.near & attacked, ring.front & attacked);
    if (near | front).any() {
        // The byte 0x81: nobody but the king protects the square (AMB-07).
        let king_only = defence.king_only();
        steps += params.near_attacked * count(near);
        steps += params.near_king_only * count(near & king_only);
        steps += params.front_attacked * count(front);
        steps += params.front_bare * count(front & !cx.position.by_color(color));
        steps += params.front_king_only * count(front & king_only);
    }
    let zone = ring.near | ring.front;
    let zone = if params.outer { zone | ring.outer } else { zone };
    if params.attack_pattern && (zone & attacked).any() {
        // KSF-06; `flag >> 3`: the five class bits, cheapest first (AMB-08).
        let flag = AttackerClass::ALL
            .iter()
            .rev()
            .fold(0, |flag, &class| flag << 1 | usize::from((attack.by(class) & zone).any()));
        steps += params.pattern[flag & 31];
    }
    steps
}

/// The table's centipawns in 1/256 pawn, rounded to nearest (AMB-09).
#[inline]
fn value(params: &KingSafety, steps: i32) -> i32 {
    let last = params.table.len() as i32 - 1;
    let centipawns = params.table[steps.clamp(0, last) as usize];
    (centipawns * params.scale * 256 + 5000).div_euclid(100 * 100)
}

#[cfg(test)]
mod tests;
