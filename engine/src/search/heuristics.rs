//! What the search learns about quiet moves: killers and history.

use crate::memory::touch;
use crate::types::{Color, MAX_PLY, Move};

/// Two quiet moves per ply that raised alpha, the latest first, never equal (ORD-08..11).
#[derive(Debug)]
pub(super) struct Killers {
    slots: Box<[[Move; 2]; MAX_PLY + 2]>,
}

impl Killers {
    fn new() -> Killers {
        Killers { slots: Box::new([[Move::NONE; 2]; MAX_PLY + 2]) }
    }

    /// The two killers of a ply.
    #[inline]
    pub(super) fn of(&self, ply: usize) -> [Move; 2] {
        self.slots[ply]
    }

    /// Remembers a quiet move.
    #[inline]
    pub(super) fn store(&mut self, ply: usize, mv: Move) {
        let slot = &mut self.slots[ply];
        if slot[0] != mv {
            *slot = [mv, slot[0]];
        }
    }
}

/// Success of quiet moves by colour, from and to square (ORD-23, MISS-29).
#[derive(Debug)]
pub(super) struct History {
    scores: Box<[[[i16; 64]; 64]; 2]>,
}

impl History {
    /// The greatest score either way (MISS-29).
    pub(super) const MAX: i32 = 2000;

    fn new() -> History {
        History { scores: Box::new([[[0; 64]; 64]; 2]) }
    }

    /// A move's score, −2000..2000.
    #[inline]
    pub(super) fn of(&self, color: Color, mv: Move) -> i32 {
        i32::from(self.scores[color as usize][mv.from() as usize][mv.to() as usize])
    }

    /// Rewards or punishes a move; the nearer its score to the limit, the less it moves.
    pub(super) fn update(&mut self, color: Color, mv: Move, bonus: i32) {
        let score = &mut self.scores[color as usize][mv.from() as usize][mv.to() as usize];
        let old = i32::from(*score);
        let bonus = bonus.clamp(-History::MAX, History::MAX);
        *score = (old + bonus - old * bonus.abs() / History::MAX) as i16;
    }
}

/// All that is learned, for one engine.
#[derive(Debug)]
pub(crate) struct Heuristics {
    pub(super) killers: Killers,
    pub(super) history: History,
}

impl Heuristics {
    /// See [`crate::Engine::warm`].
    pub(crate) fn warm(&self) {
        touch(self.history.scores.as_flattened().as_flattened());
    }

    pub(crate) fn new() -> Heuristics {
        Heuristics { killers: Killers::new(), history: History::new() }
    }

    /// Forgets everything: a new game.
    pub(crate) fn clear(&mut self) {
        self.killers.slots.fill([Move::NONE; 2]);
        *self.history.scores = [[[0; 64]; 64]; 2];
    }

    /// A new search in the same game: killers belong to plies that have moved on, history counts
    /// half.
    pub(crate) fn grow_old(&mut self) {
        self.killers.slots.fill([Move::NONE; 2]);
        for score in self.history.scores.as_flattened_mut().as_flattened_mut() {
            *score /= 2;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn killers_are_never_equal() {
        let mut heuristics = Heuristics::new();
        let [a, b, c] = [1, 2, 3].map(Move::from_bits);
        for mv in [a, a, b, b, a, c] {
            heuristics.killers.store(3, mv);
            let [first, second] = heuristics.killers.of(3);
            assert!(first == mv && first != second);
        }
        assert_eq!(heuristics.killers.of(3), [c, a]);
    }

    #[test]
    fn history_stays_in_bounds() {
        let mut heuristics = Heuristics::new();
        let mv = Move::from_bits(0x0fed);
        for bonus in [5000, 5000, 400, -9000, -9000, -300, 77] {
            heuristics.history.update(Color::White, mv, bonus);
            assert!(heuristics.history.of(Color::White, mv).abs() <= History::MAX);
            assert_eq!(heuristics.history.of(Color::Black, mv), 0);
        }
    }
}
