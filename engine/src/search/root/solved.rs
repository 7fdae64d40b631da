//! At the root of an ending that is solved, the quickest mate is played.

use std::time::Duration;

use super::super::limits::Limits;
use super::super::statistics::Statistics;
use super::super::worker::Worker;
use super::moves::RootMove;
use crate::eval::SolvedEnding;

/// Time on the clock from which it does not matter that a table must first be worked out.
const ENOUGH: Duration = Duration::from_secs(5);

impl<S: Statistics> Worker<'_, S> {
    /// Keeps the moves that mate soonest, if any does. Who asks for some moves or several lines wants them
    /// searched, and who plays weaker has to search.
    pub(super) fn keep_quickest_mates(&mut self, moves: &mut Vec<RootMove>) {
        let Limits { multipv, searchmoves, strength, .. } = self.limits;
        let asked = *multipv > 1 || !searchmoves.is_empty();
        let Some(ending) = SolvedEnding::of(&self.position)
            .filter(|ending| {
                self.setup.params.endgame.solved
                    && !asked
                    && strength.is_none()
                    && self.may_solve(ending)
            })
            .filter(|ending| ending.strong() == self.position.turn())
        else {
            return;
        };
        let mates: Vec<Option<u8>> = moves
            .iter()
            .map(|root| {
                self.position.make(root.mv);
                let mate = ending.moves_to_mate(&self.position);
                self.position.unmake(root.mv);
                mate
            })
            .collect();
        if let Some(quickest) = mates.iter().flatten().min() {
            let mut mates = mates.iter();
            moves.retain(|_| mates.next() == Some(&Some(*quickest)));
        }
    }

    /// A clock that counts nodes loses no time.
    fn may_solve(&self, ending: &SolvedEnding) -> bool {
        let left = [self.limits.movetime, self.limits.clock.map(|clock| clock.remaining)];
        let enough = left.into_iter().flatten().all(|left| left >= ENOUGH);
        enough || self.limits.nodes_per_ms.is_some() || ending.is_ready()
    }
}

#[cfg(test)]
mod tests {
    use crate::Params;
    use crate::search::testing::after;

    fn kept(fen: &str, change: impl FnOnce(&mut Params)) -> usize {
        let mut params = Params::default();
        params.endgame.solved = true;
        change(&mut params);
        after(params, fen, &[], |worker, _| worker.root_moves().len())
    }

    /// The stronger side keeps the quickest mates; the other side, and who does not solve, all moves.
    #[test]
    fn only_the_quickest_mates() {
        let mate_is_near = "k7/8/1KN5/8/8/8/6B1/8 w - - 0 1";
        assert!(kept(mate_is_near, |params| params.endgame.solved = false) > 10);
        assert!(kept(mate_is_near, |_| {}) < 5);
        assert_eq!(kept("8/8/3k4/8/8/8/8/KBN5 b - - 0 1", |_| {}), 8);
        let rook_is_lost = "k7/8/1K6/8/8/8/8/rQ6 w - - 0 1";
        assert!(kept(rook_is_lost, |_| {}) < 5);
    }
}
