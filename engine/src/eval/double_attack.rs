//! Double attack: two men threatened at once, of which only one can be saved.

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::types::Score;

/// For the side that has just moved: a bonus by what the second threatened man would lose
/// (PCE-16). The side to move needs none, it may simply take.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = &cx.params.double_attack;
    if !params.on {
        return;
    }
    let (threatened, mover) = (cx.position.turn(), cx.position.turn().other());
    let second = cx.hanging[threatened].second() as usize;
    let bonus = params.bonus[second.min(params.bonus.len() - 1)];
    sum.add(Term::DoubleAttack, mover, Score::both(bonus));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::{points, white_with};

    /// PCE-16: a knight on f6 and a bishop on d6, both worth 2 net, threatened by the side that has
    /// just moved: 128. The side to move gets nothing for what it may take at once.
    #[test]
    fn the_papers_fork() {
        let fork = "r2q1rk1/ppp2ppp/3b1n2/4P3/8/8/PPP2PPP/R2Q1RK1 b - - 0 1";
        assert_eq!(points(fork, Term::DoubleAttack).white, (128, 128));
        let on_the_move = fork.replace(" b ", " w ");
        assert_eq!(points(&on_the_move, Term::DoubleAttack).white, (0, 0));
        let off = white_with(|p| p.double_attack.on = false, fork, Term::DoubleAttack);
        assert_eq!(off, (0, 0));
    }
}
