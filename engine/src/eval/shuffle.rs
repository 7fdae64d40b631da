//! Anti-shuffle: quiet piece moves that change nothing cost a little more each time.

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::types::{ByColor, Score};

/// A penalty by the number of shuffling moves that a colour made on the line, middle game only
/// (PRO-07, AMB-76).
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = &cx.params.shuffle;
    if !params.on {
        return;
    }
    let penalty = ByColor::new_with(|color| {
        let count = usize::from(cx.line.shuffles[color]).min(params.penalty.len() - 1);
        Score::new(-params.penalty[count], 0)
    });
    sum.add_both(Term::AntiShuffle, penalty);
}
