//! The initiative: several advantages at once are worth more than each by itself.

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::params;
use crate::types::{ByColor, Color, Score};

/// A bonus by the number of advantages, for a side whose own king is safe (PRO-08).
#[inline]
pub(super) fn evaluate<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    king_danger: &ByColor<i32>,
    passed: &ByColor<i32>,
    mobility: &ByColor<i32>,
) {
    let params = &cx.params.initiative;
    if !params.on {
        return;
    }
    let pair = ByColor::new_with(|color| cx.has_bishop_pair(color));
    let bonus = ByColor::new_with(|color: Color| {
        // "Relatively safe": the danger to the own king is small (AMB-77).
        if king_danger[color] >= params.safe {
            return Score::ZERO;
        }
        // "King safety for black" is the danger to the black king, White's advantage (AMB-77).
        let attack = king_danger[color.other()];
        let scores = [attack, passed[color], mobility[color]];
        Score::both(bonus(params, scores, pair[color] && !pair[color.other()]))
    });
    sum.add_both(Term::Initiative, bonus);
}

/// The bonus for attack, passed pawns and mobility of so much, 1/256 pawn, and the bishop pair.
#[inline]
fn bonus(params: &params::Initiative, scores: [i32; 3], pair_alone: bool) -> i32 {
    let counts = |score| usize::from(score >= params.some) + usize::from(score >= params.much);
    let count = scores.into_iter().map(counts).sum::<usize>() + usize::from(pair_alone);
    params.bonus[count & 7] * params.scale / 100
}

#[cfg(test)]
mod tests;
