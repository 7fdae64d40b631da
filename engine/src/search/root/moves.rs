//! The moves at the root and what is known of each.

use std::cmp::Reverse;

use super::super::opening_bonus::MoveBonus;
use super::super::picker::{Picker, Wanted};
use super::super::statistics::Statistics;
use super::super::tt::Bound;
use super::super::worker::Worker;
use super::tables::Known;
use crate::params;
use crate::types::{Move, Value};

/// A root move with what was last found of it.
#[derive(Debug, Clone)]
pub(super) struct RootMove {
    pub(super) mv: Move,
    /// Added to its scores (PRO-19).
    pub(super) bonus: MoveBonus,
    /// Nodes of this iteration.
    pub(super) nodes: u64,
    /// The last score, exact or not, bonus included.
    pub(super) score: Value,
    /// What is known of it as a best move; `None` if it never was one.
    pub(super) line: Option<Line>,
    /// What the endgame tablebases say of it.
    pub(super) table: Option<Known>,
}

/// A root move that was the best of those searched with it.
#[derive(Debug, Clone)]
pub(super) struct Line {
    /// Bonus included.
    pub(super) score: Value,
    pub(super) bound: Bound,
    /// The iteration it is of, plies.
    pub(super) depth: u32,
    /// Begins with the move itself.
    pub(super) pv: Vec<Move>,
}

impl RootMove {
    /// A move not yet searched.
    pub(super) fn new(mv: Move) -> RootMove {
        let (bonus, score) = (MoveBonus::default(), -Value::INFINITE);
        RootMove { mv, bonus, nodes: 0, score, line: None, table: None }
    }

    /// The rank that the tables give it.
    pub(super) fn rank(&self) -> i32 {
        self.table.map_or(0, |known| known.rank)
    }

    /// What is told of a score, bonus included: the tables know better, unless it is a mate.
    pub(super) fn told(&self, score: Value) -> Value {
        let score = self.bonus.removed(score);
        self.table.filter(|_| !score.is_mate()).map_or(score, |known| known.value)
    }

    /// The score of its line, bonus included.
    pub(super) fn line_score(&self) -> Option<Value> {
        self.line.as_ref().map(|line| line.score)
    }
}

/// Orders the lines by what tables say, then by their scores. Where an iteration was stopped, those of the last one come behind:
/// what is newer knows better.
pub(super) fn sort_lines(lines: &mut [RootMove]) {
    lines.sort_by_key(|root| {
        Reverse((root.rank(), root.line.as_ref().map(|line| (line.depth, line.score))))
    });
}

/// Orders the moves after an iteration (ROT-02): the lines first; behind them those that took the
/// most effort to refute, or came nearest, else as they last came to the front.
pub(super) fn sort(moves: &mut [RootMove], lines: usize, params: &params::Root) {
    let (best, rest) = moves.split_at_mut(lines);
    sort_lines(best);
    rest.sort_by_key(|root| {
        let score = params.by_score.then_some(root.score);
        let nodes = params.by_nodes.then_some(root.nodes);
        (Reverse(score), Reverse(nodes))
    });
}

impl<S: Statistics> Worker<'_, S> {
    /// The legal root moves, or those of them that are wanted, in the generator's order of values.
    pub(super) fn root_moves(&mut self) -> Vec<RootMove> {
        let hash_move = self.hash.probe(self.position.key(), 0).map_or(Move::NONE, |f| f.mv);
        let mut picker = Picker::new(Wanted::All, hash_move, 0, &self.position, 0);
        let mut moves = Vec::new();
        while let Some(picked) = picker.next(&mut self.sources()) {
            moves.push(RootMove::new(picked.mv));
        }
        picker.finish(&mut self.buffers.moves);
        let wanted = &self.limits.searchmoves;
        if moves.iter().any(|root| wanted.contains(&root.mv)) {
            moves.retain(|root| wanted.contains(&root.mv));
        }
        if !self.keep_best_of_tables(&mut moves) {
            self.keep_quickest_mates(&mut moves);
        }
        self.give_bonuses(&mut moves);
        moves
    }

    /// The bonus of moves into positions of the opening table (PRO-19).
    fn give_bonuses(&mut self, moves: &mut [RootMove]) {
        for root in moves {
            self.position.make(root.mv);
            root.bonus = self.bonus();
            self.position.unmake(root.mv);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::Root;

    fn moves(found: &[(u16, u64, i32, Option<i32>)]) -> Vec<RootMove> {
        let line = |score| Line {
            score: Value::new(score),
            bound: Bound::Exact,
            depth: 1,
            pv: Vec::new(),
        };
        let of = |&(mv, nodes, score, best): &(u16, u64, i32, Option<i32>)| RootMove {
            nodes,
            score: Value::new(score),
            line: best.map(line),
            ..RootMove::new(Move::from_bits(mv))
        };
        found.iter().map(of).collect()
    }

    /// ROT-02: each order by its switch; what is equal keeps its place.
    #[test]
    fn orders() {
        let found = [
            (1, 10, 5, Some(5)),
            (2, 10, 9, Some(9)),
            (3, 30, -7, Some(70)),
            (4, 50, -9, None),
            (5, 30, -8, None),
            (6, 60, -8, None),
        ];
        let order = |lines, by_nodes, by_score| {
            let mut moves = moves(&found);
            sort(&mut moves, lines, &Root { by_nodes, by_score, take_fail_high: false });
            moves.iter().map(|root| root.mv.to_bits()).collect::<Vec<_>>()
        };
        assert_eq!(order(1, true, false), [1, 6, 4, 3, 5, 2]);
        assert_eq!(order(1, false, false), [1, 2, 3, 4, 5, 6]);
        assert_eq!(order(1, false, true), [1, 2, 3, 5, 6, 4]);
        assert_eq!(order(1, true, true), [1, 2, 3, 6, 5, 4]);
        assert_eq!(order(2, false, false), [2, 1, 3, 4, 5, 6], "lines by score");
    }
}
