//! The order of games: a pure, seeded iterator. Game *g* is the same for a given plan, whatever
//! runs it and whatever was played before.

use shakmaty::Color;

use crate::record::Side;

/// One game of the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Pairing {
    /// The game's number, from 0.
    pub game: u64,
    /// The opening's index in the book as read.
    pub opening: usize,
    /// Who has the white men.
    pub white: Side,
}

impl Pairing {
    /// The number of the game's pair.
    #[must_use]
    pub fn pair(self) -> u64 {
        self.game / 2
    }

    /// The player of a colour.
    #[must_use]
    pub fn side(self, color: Color) -> Side {
        color.fold_wb(self.white, self.white.other())
    }

    /// The colour of a player.
    #[must_use]
    pub fn color(self, side: Side) -> Color {
        Color::from_white(side == self.white)
    }
}

/// All games of a match.
///
/// Pair *k* plays one opening twice: the test player has White in game 2*k*, Black in 2*k* + 1.
/// The openings come in an order shuffled by the plan's seed; when the book is at its end, it
/// begins anew, in the same order.
#[derive(Debug, Clone)]
pub struct Schedule {
    openings: Vec<usize>,
    pairs: u64,
}

impl Schedule {
    /// A schedule of `pairs` pairs over the given order of openings (indices into the book).
    #[must_use]
    pub fn new(openings: Vec<usize>, pairs: u64) -> Schedule {
        Schedule { openings, pairs }
    }

    /// How many games it has.
    #[must_use]
    pub fn games(&self) -> u64 {
        if self.openings.is_empty() { 0 } else { self.pairs * 2 }
    }

    /// Game number `game`, if the schedule has it.
    #[must_use]
    pub fn game(&self, game: u64) -> Option<Pairing> {
        if game >= self.games() {
            return None;
        }
        let turn = (game / 2) % self.openings.len() as u64;
        Some(Pairing {
            game,
            opening: self.openings[usize::try_from(turn).ok()?],
            white: if game.is_multiple_of(2) { Side::Test } else { Side::Base },
        })
    }

    /// All games in order.
    pub fn iter(&self) -> impl Iterator<Item = Pairing> + '_ {
        (0..self.games()).map_while(|game| self.game(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_pair_is_one_opening_with_colours_swapped() {
        let schedule = Schedule::new(vec![2, 0, 1], 5);
        let games: Vec<Pairing> = schedule.iter().collect();
        assert_eq!(games.len(), 10);
        for (number, pair) in games.chunks(2).enumerate() {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!(pair[0].opening, [2, 0, 1, 2, 0][number]);
            assert_eq!((pair[0].white, pair[1].white), (Side::Test, Side::Base));
            assert_eq!((pair[0].pair(), pair[1].pair()), (number as u64, number as u64));
        }
    }

    #[test]
    fn a_game_does_not_depend_on_how_many_there_are() {
        let (short, long) = (Schedule::new(vec![1, 0], 3), Schedule::new(vec![1, 0], 1 << 62));
        for game in 0..6 {
            assert_eq!(short.game(game), long.game(game));
        }
        assert_eq!(short.game(6), None);
        assert!(long.game(1 << 62).is_some());
    }

    #[test]
    fn colours_and_sides() {
        let game = Schedule::new(vec![0], 1).game(1).unwrap();
        assert_eq!(game.side(Color::White), Side::Base);
        assert_eq!(game.color(Side::Test), Color::Black);
    }

    #[test]
    fn no_openings_no_games() {
        assert_eq!(Schedule::new(Vec::new(), 7).iter().count(), 0);
    }
}
