//! Haste in endings that are won: what a move comes to counts a little less the later it comes. Without it, two
//! moves that both keep the best position in sight are worth the same, and the deeper a search sees, the
//! longer it may put that off, until fifty moves are over.

use super::statistics::Statistics;
use super::worker::Worker;
use crate::types::Value;

/// What the side to move must be ahead by in an ending that the evaluation knows, for it to be won.
const WON: Value = Value::new(4 * Value::PAWN.binary());

/// How a node of a won ending judges its moves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Haste {
    /// The node's own value.
    here: i32,
    /// Of the way from a move's value back to it, in 1/256.
    share: i32,
}

impl Haste {
    /// A move's value as its node compares it; mates, draws, and all that wins no longer are what they are.
    pub(super) fn applied(self, value: Value) -> Value {
        if value.is_decided() || value < WON {
            return value;
        }
        let value = value.binary();
        Value::new(value + ((self.here - value) * self.share).div_euclid(256))
    }

    /// The node's window as a move's search must see it: exact, so that a null window stays one.
    pub(super) fn window(self, alpha: Value, beta: Value) -> (Value, Value) {
        let one = Value::new(1);
        let top = if beta.is_decided() { beta } else { self.most(beta - one) + one };
        (self.most(alpha), top)
    }

    /// The greatest value that counts as no more than `bound`.
    fn most(self, bound: Value) -> Value {
        if bound.is_decided() || bound < WON {
            return bound;
        }
        let one = Value::new(1);
        let stretched = (bound.binary() - self.here) * 256 / (256 - self.share);
        let mut value = Value::new(self.here + stretched).clamp_evaluation().max(WON - one);
        while !value.is_decided() && self.applied(value) > bound {
            value -= one;
        }
        while !(value + one).is_decided() && self.applied(value + one) <= bound {
            value += one;
        }
        value
    }
}

impl<S: Statistics> Worker<'_, S> {
    /// How the node at `ply`, whose move has just been made, judges it: `None` where nothing is known to be won.
    #[inline]
    pub(super) fn haste(&self, ply: usize) -> Option<Haste> {
        let share = self.setup.params.endgame.haste;
        let node = &self.buffers.stack[ply];
        if share == 0 || !node.evaluation.is_some_and(|evaluation| evaluation.known_ending) {
            return None;
        }
        let here = node.value(self.position.turn().other())?;
        (here >= WON).then_some(Haste { here: here.binary(), share })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::after;

    const HASTE: Haste = Haste { here: 1500, share: 40 };

    #[test]
    fn later_is_less() {
        let applied = |value| HASTE.applied(Value::new(value)).binary();
        assert_eq!(applied(1500), 1500);
        assert!((1501..1756).contains(&applied(1756)));
        let again = HASTE.applied(HASTE.applied(Value::new(1756)));
        assert!(again.binary() < applied(1756), "two moves later");
        assert_eq!(HASTE.applied(Value::mate_in(7)), Value::mate_in(7));
        assert_eq!(HASTE.applied(Value::mated_in(7)), Value::mated_in(7));
        assert_eq!((applied(0), applied(1023)), (0, 1023), "no win");
        assert!((1025..1500).contains(&applied(1024)));
    }

    /// A move's search fails low or high where its node's would.
    #[test]
    fn windows_are_exact() {
        for alpha in 900..1900 {
            for width in [1, 2, 50] {
                let (alpha, beta) = (Value::new(alpha), Value::new(alpha + width));
                let (low, high) = HASTE.window(alpha, beta);
                assert!(low < high && (width > 1 || high - low == Value::new(1)), "{alpha:?}");
                assert!(HASTE.applied(low) <= alpha && HASTE.applied(low + Value::new(1)) > alpha);
                assert!(HASTE.applied(high) >= beta && HASTE.applied(high - Value::new(1)) < beta);
            }
        }
        let all = (-Value::INFINITE, Value::INFINITE);
        assert_eq!(HASTE.window(all.0, all.1), all);
    }

    /// The stronger side hurries, in an ending that is known; the other does not.
    #[test]
    fn who_hurries() {
        let hurries = |fen: &str, mv: &str| {
            let mut params = Params::default();
            params.endgame.haste = 40;
            after(params, fen, &[], |worker, ply| {
                worker.value_here(ply);
                let mv = worker.position.parse_uci(mv).expect("legal");
                worker.make(mv, ply);
                worker.haste(ply).is_some()
            })
        };
        assert!(hurries("8/8/3k4/8/8/8/8/KBN5 w - - 0 1", "a1a2"));
        assert!(!hurries("8/8/3k4/8/8/8/8/KBN5 b - - 0 1", "d6d5"));
        assert!(!hurries("4k3/pp6/8/8/8/8/PP6/3QK3 w - - 0 1", "e1e2"), "not known");
    }
}
