//! Positions with the results of their games, drawn evenly from all games: what fits are made from.
//!
//! Which positions are drawn depends on the games alone, by a hash of a game's moves and of the
//! half-move: the positions with the least hashes are kept. So any number of threads, any order of
//! adding up, and any of several equal games that counts for all of them, comes to the same sample.

use shakmaty::Square;

use pgn::Outcome;
use pgn::san::{Board, squares};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct SampledPosition {
    pub(crate) priority: u64,
    pub(crate) occupied: u64,
    /// The men on the occupied squares from a1 on: four bits each, the first lowest.
    pub(crate) men: u128,
    /// Black is to move.
    pub(crate) black: bool,
    /// White's half points.
    pub(crate) points: u8,
}

impl SampledPosition {
    /// Each man (0 White's pawn to 11 Black's king) with its square.
    pub fn men(self) -> impl Iterator<Item = (usize, Square)> {
        let mut men = self.men;
        squares(self.occupied).map(move |square| {
            let man = (men & 15) as usize;
            men >>= 4;
            (man, square)
        })
    }

    /// White's score, 0 to 1.
    pub fn score(self) -> f64 {
        f64::from(self.points) / 2.0
    }

    pub fn is_blacks(self) -> bool {
        self.black
    }

    /// `None` for more than 32 men: `men` has four bits for each of 32.
    pub(crate) fn new(priority: u64, board: &Board, outcome: Outcome) -> Option<Self> {
        let occupied = board.occupied();
        if occupied.count_ones() > 32 {
            return None;
        }
        let men = squares(occupied)
            .enumerate()
            .fold(0, |men, (index, square)| men | u128::from(board.man(square)) << (4 * index));
        let points = outcome.half_points(true);
        Some(SampledPosition { priority, occupied, men, black: board.turn().is_black(), points })
    }
}

/// The hash that decides which positions are drawn.
#[inline]
pub(crate) fn priority(game: u64, ply: u32) -> u64 {
    pgn::mix(game.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(ply))
}

/// The positions with the least hashes, up to a fixed number.
#[derive(Debug, Clone)]
pub struct PositionSample {
    most: usize,
    positions: Vec<SampledPosition>,
    /// Positions with a greater hash are not kept.
    limit: u64,
}

/// Two samples are equal if they keep the same positions.
impl PartialEq for PositionSample {
    fn eq(&self, other: &PositionSample) -> bool {
        self.most == other.most && self.sorted() == other.sorted()
    }
}

impl Eq for PositionSample {}

impl PositionSample {
    pub(crate) fn new(most: usize) -> PositionSample {
        PositionSample { most, positions: Vec::new(), limit: u64::MAX }
    }

    /// In a fixed order.
    pub fn sorted(&self) -> Vec<SampledPosition> {
        let mut sorted = self.positions.clone();
        sorted.sort_unstable();
        sorted.truncate(self.most);
        sorted
    }

    #[inline]
    pub(crate) fn limit(&self) -> u64 {
        self.limit
    }

    pub(crate) fn add(&mut self, position: SampledPosition) {
        if position.priority > self.limit {
            return;
        }
        self.positions.push(position);
        if self.positions.len() >= self.most + self.most / 4 + 1024 {
            self.prune();
        }
    }

    fn prune(&mut self) {
        if self.positions.len() > self.most {
            self.positions.select_nth_unstable(self.most);
            self.positions.truncate(self.most);
            self.limit = self.positions.iter().map(|position| position.priority).max().unwrap_or(0);
        }
    }

    pub(crate) fn merge(&mut self, other: &PositionSample) {
        for &position in &other.positions {
            self.add(position);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(game: u64) -> SampledPosition {
        let priority = priority(game, 20);
        SampledPosition { priority, occupied: game, men: 0, black: false, points: 1 }
    }

    #[test]
    fn any_order_draws_the_same() {
        let mut forward = PositionSample::new(100);
        (0..10_000).for_each(|game| forward.add(position(game)));
        let (mut even, mut odd) = (PositionSample::new(100), PositionSample::new(100));
        (0..10_000).rev().for_each(|game| {
            if game % 2 == 0 { even.add(position(game)) } else { odd.add(position(game)) }
        });
        even.merge(&odd);
        assert_eq!(forward, even);
        let mut least: Vec<_> = (0..10_000).map(position).collect();
        least.sort_unstable();
        assert_eq!(forward.sorted(), least[..100]);
    }
}
