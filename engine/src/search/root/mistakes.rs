//! A turn for a mistake: every root move gets a score of its own, and one of them is chosen.

use super::super::picker::is_tactical;
use super::super::statistics::Statistics;
use super::super::strength::{Candidate, Strength};
use super::super::worker::Worker;
use super::moves::RootMove;
use crate::types::Value;

/// The deepest look at each move, plies: more would cost nodes and tell weak players too much.
const DEEPEST: u32 = 4;

impl<S: Statistics> Worker<'_, S> {
    /// Plays at a limited strength: looks for the best move, or, when it is the turn for a mistake, at each. The
    /// number of completed iterations; the move to be played comes to the front.
    pub(super) fn play_weaker(&mut self, strength: Strength, moves: &mut [RootMove]) -> u32 {
        let mut chance = strength.chance(self.position.key());
        if moves.len() == 1 || !strength.errs(&mut chance) {
            return self.iterations(moves);
        }
        let depth = self.look_at_each(moves);
        // What a stopped first look did not reach is not known.
        let known = moves.iter().position(|root| root.line.is_none()).unwrap_or(moves.len());
        let candidates: Vec<Candidate> =
            moves[..known].iter().filter_map(|root| self.candidate(root)).collect();
        if let Some(chosen) = strength.choose(&candidates, &mut chance) {
            moves[..=chosen].rotate_right(1);
            self.tell(1, &moves[0]);
        }
        depth
    }

    /// Searches each move by itself, ply after ply, as far as the limits allow; what was not searched to the end
    /// of a ply keeps the score of the ply before. The number of plies.
    fn look_at_each(&mut self, moves: &mut [RootMove]) -> u32 {
        let most = self.limits.depth.map_or(DEEPEST, |depth| depth.min(DEEPEST));
        for depth in 1..=most {
            let before = moves.to_vec();
            self.begin_iteration(depth);
            for root in moves.chunks_mut(1) {
                self.search_line(depth, 0, root);
            }
            if self.stopped {
                if depth > 1 {
                    moves.clone_from_slice(&before);
                }
                return depth - 1;
            }
        }
        most
    }

    /// A move with its score, if that is known. At first glance one sees what the move takes, and whether the
    /// man that moved is taken; not what else the opponent threatens.
    fn candidate(&mut self, root: &RootMove) -> Option<Candidate> {
        let (score, mv) = (root.line_score()?, root.mv);
        let exchange = &self.setup.exchange;
        let wins = self.position.see(mv, exchange, self.setup.pins).binary();
        let takes = self.position.taken_by(mv).role().map_or(0, |role| exchange.of(role));
        let retaken = Value::new((wins - takes).min(0));
        self.make(mv, 0);
        let glance = retaken - self.evaluate(1);
        self.unmake(mv);
        Some(Candidate { score, glance, obvious: is_tactical(mv) && wins > 0 })
    }
}
