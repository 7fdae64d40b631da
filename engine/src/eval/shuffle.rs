//! Anti-shuffle: quiet piece moves that change nothing cost a little more each time.

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::params::Shuffle;
use crate::types::Score;

impl Shuffle {
    /// What so many shuffling moves cost, 1/256 pawn.
    #[inline]
    pub(crate) fn charge(&self, shuffles: u8) -> i32 {
        self.penalty[usize::from(shuffles).min(self.penalty.len() - 1)]
    }
}

/// A penalty for the side that has just moved, by the number of shuffling moves it has made on the
/// line, when the last move was one; middle game only (PRO-07, AMB-76).
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = &cx.params.shuffle;
    if !params.on {
        return;
    }
    let mover = cx.position.turn().other();
    sum.add(Term::AntiShuffle, mover, Score::new(-params.charge(cx.line.shuffles), 0));
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use crate::eval::{Evaluator, LineFacts, NoTrace};
    use crate::{Params, Position};

    /// PRO-07: the table as printed; the side that has just moved pays.
    #[test]
    fn the_mover_pays_by_the_table() {
        let mut params = Params::default();
        params.shuffle.on = true;
        let evaluator = Evaluator::new(&Arc::new(params));
        let value = |fen: &str, shuffles| {
            let mut position = Position::from_fen(fen).expect(fen);
            position.set_table(&evaluator.table);
            let line = LineFacts { shuffles };
            evaluator.evaluate(&position, line, None, &mut NoTrace).value.binary()
        };
        let white_moved = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1";
        let black_moved = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        for (shuffles, penalty) in [(0, 0), (2, 0), (3, 8), (4, 16), (7, 40), (200, 40)] {
            assert_eq!(value(white_moved, shuffles) - value(white_moved, 0), -penalty);
            assert_eq!(value(black_moved, shuffles) - value(black_moved, 0), penalty);
        }
    }
}
