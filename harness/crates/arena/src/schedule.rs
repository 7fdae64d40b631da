//! The order of games: a pure, seeded iterator. Game *g* is the same for a given plan, whatever
//! runs it and whatever was played before.

use shakmaty::Color;

use crate::record::Side;
use pgn::{Book, OpeningOrder, OrderKind};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduledGame {
    /// From 0.
    pub game: u64,
    /// Index in the book as read.
    pub opening: usize,
    pub white: Side,
}

impl ScheduledGame {
    pub fn pair(self) -> u64 {
        self.game / 2
    }

    pub fn side(self, color: Color) -> Side {
        color.fold_wb(self.white, self.white.other())
    }

    pub fn color(self, side: Side) -> Color {
        Color::from_white(side == self.white)
    }
}

/// All games of a match.
///
/// Pair *k* plays one opening twice: the test player has White in game 2*k*, Black in 2*k* + 1. A
/// shuffled book is shuffled anew when it is at its end.
#[derive(Debug, Clone)]
pub struct Schedule {
    order: OpeningOrder,
    /// Number of openings skipped at the start of that order.
    offset: u64,
    /// Openings to choose from; `None`: all of the book.
    playable: Option<Vec<usize>>,
    next: u64,
    games: u64,
}

impl Schedule {
    /// Leaves out openings whose game is already over. An indexed book does not know them yet; they
    /// are skipped when they are read.
    pub fn new(book: &Book, order: OrderKind, offset: u64, pairs: u64) -> Schedule {
        let playable = book.terminal().is_some_and(|count| count > 0).then(|| {
            // A book that counts them has parsed all its openings: none is an error.
            let playable = book.openings().flatten().filter(|opening| opening.terminal().is_none());
            playable.map(|opening| opening.index).collect::<Vec<_>>()
        });
        let len = playable.as_ref().map_or(book.len(), Vec::len);
        let order = OpeningOrder::new(order, len);
        Schedule { order, offset, playable, next: 0, games: pairs.saturating_mul(2) }
    }

    pub fn games(&self) -> u64 {
        self.games
    }

    /// The game of this number, wherever the iterator is.
    pub fn game(&mut self, game: u64) -> Option<ScheduledGame> {
        if game >= self.games {
            return None;
        }
        let place = self.order.at(self.offset.saturating_add(game / 2));
        let opening = match &self.playable {
            Some(playable) => *playable.get(place)?,
            None => place,
        };
        let white = if game.is_multiple_of(2) { Side::Test } else { Side::Base };
        Some(ScheduledGame { game, opening, white })
    }
}

impl Iterator for Schedule {
    type Item = ScheduledGame;

    fn next(&mut self) -> Option<ScheduledGame> {
        let scheduled = self.game(self.next)?;
        self.next += 1;
        Some(scheduled)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;
    use std::fs;

    use super::*;

    fn book(lines: &str) -> Book {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("book.epd");
        fs::write(&path, lines).unwrap();
        Book::read(path).unwrap()
    }

    fn schedule(book: &Book, seed: u64, pairs: u64) -> Schedule {
        Schedule::new(book, OrderKind::Random { seed }, 0, pairs)
    }

    const OPENINGS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n\
        rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n\
        rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -\n";

    #[test]
    fn a_pair_is_one_opening_with_colours_swapped() {
        let games: Vec<ScheduledGame> = schedule(&book(OPENINGS), 7, 6).collect();
        assert_eq!(games.len(), 12);
        for (number, pair) in games.chunks(2).enumerate() {
            assert_eq!(pair[0].opening, pair[1].opening);
            assert_eq!((pair[0].white, pair[1].white), (Side::Test, Side::Base));
            assert_eq!((pair[0].pair(), pair[1].pair()), (number as u64, number as u64));
        }
        for time_through in games.chunks(6) {
            let openings: HashSet<usize> = time_through.iter().map(|game| game.opening).collect();
            assert_eq!(openings.len(), 3);
        }
    }

    #[test]
    fn a_game_depends_on_its_number_and_the_seed_only() {
        let book = book(OPENINGS);
        let short: Vec<ScheduledGame> = schedule(&book, 7, 5).collect();
        let long: Vec<ScheduledGame> = schedule(&book, 7, 1 << 40).take(10).collect();
        assert_eq!(short, long);
        let orders: HashSet<Vec<usize>> = (0..20)
            .map(|seed| schedule(&book, seed, 3).map(|game| game.opening).collect())
            .collect();
        assert!(orders.len() > 2);
    }

    #[test]
    fn openings_that_are_over_are_left_out() {
        let mate = "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq -";
        let fifty = "4k3/4r3/8/8/8/8/4R3/4K3 w - - 100 90";
        let book = book(&format!("{mate}\n{OPENINGS}{fifty}\n"));
        let played: HashSet<usize> = schedule(&book, 1, 9).map(|game| game.opening).collect();
        assert_eq!(played, HashSet::from([1, 2, 3]));
    }

    #[test]
    fn colours_and_sides() {
        let game = schedule(&book(OPENINGS), 0, 1).nth(1).unwrap();
        assert_eq!(game.side(Color::White), Side::Base);
        assert_eq!(game.color(Side::Test), Color::Black);
    }

    #[test]
    fn openings_can_come_in_order_and_from_later_on() {
        let book = book(OPENINGS);
        let openings = |order, offset| -> Vec<usize> {
            let games = Schedule::new(&book, order, offset, 4);
            games.step_by(2).map(|game| game.opening).collect()
        };
        assert_eq!(openings(OrderKind::Sequential, 0), [0, 1, 2, 0]);
        assert_eq!(openings(OrderKind::Sequential, 2), [2, 0, 1, 2]);
        let random = OrderKind::Random { seed: 3 };
        assert_eq!(openings(random, 2)[..2], openings(random, 0)[2..]);
    }
}
