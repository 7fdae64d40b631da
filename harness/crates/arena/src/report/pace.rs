//! Time and nodes by move number.

use crate::record::{GameRecord, Side};

/// Moves beyond this number are ignored: a start position's number may be anything.
const MOST_MOVES: usize = 1_000;
/// A move number with fewer moves than this share of the most common one's is left out: the mean of
/// a few long games is noise.
const LEAST_SHARE: f64 = 0.04;

/// What moves have spent of one thing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct SpentSum {
    moves: u64,
    /// In microseconds or nodes.
    total: u64,
}

/// Sums over all recorded games, without book moves.
#[derive(Debug, Default)]
pub(super) struct PaceByMove {
    /// By move number, of base and of test, of time and of nodes.
    by_number: Vec<[[SpentSum; 2]; 2]>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spent {
    Millis,
    /// Moves without any are left out, since some programs do not tell.
    Nodes,
}

impl SpentSum {
    fn mean(self, spent: Spent) -> Option<f64> {
        let unit = match spent {
            Spent::Millis => 1e3,
            Spent::Nodes => 1.0,
        };
        (self.moves > 0).then(|| self.total as f64 / unit / self.moves as f64)
    }
}

impl PaceByMove {
    pub(super) fn add(&mut self, game: &GameRecord) {
        let mut fields = game.fen.split_ascii_whitespace().skip(1);
        let black_begins = usize::from(fields.next() == Some("b"));
        let first: usize = fields.nth(3).and_then(|number| number.parse().ok()).unwrap_or(1);
        let plies = game.plies as usize;
        let mut add = |ply: usize, spent: Spent, amount: u64| {
            let ply = ply + black_begins;
            let number = first.max(1).saturating_add(ply / 2);
            if number >= MOST_MOVES {
                return;
            }
            if self.by_number.len() <= number {
                self.by_number.resize_with(number + 1, Default::default);
            }
            let side = if ply.is_multiple_of(2) { game.white } else { game.black };
            let sum = &mut self.by_number[number][side as usize][spent as usize];
            sum.moves += 1;
            sum.total = sum.total.saturating_add(amount);
        };
        // Backwards from the last move, since the notes begin after the book.
        let after_book = |moves: usize| plies.saturating_sub(moves);
        for (ply, &us) in (after_book(game.time.moves_us.len())..).zip(&game.time.moves_us) {
            add(ply, Spent::Millis, us);
        }
        for (ply, note) in (after_book(game.notes.len())..).zip(&game.notes) {
            if note.nodes > 0 {
                add(ply, Spent::Nodes, note.nodes);
            }
        }
    }

    /// By move number, where there are moves enough.
    pub(super) fn means(&self, side: Side, spent: Spent) -> Vec<(f64, f64)> {
        let most = self.sums(side, spent).map(|sum| sum.moves).max().unwrap_or(0);
        self.sums(side, spent)
            .enumerate()
            .filter(|(_, sum)| sum.moves as f64 >= LEAST_SHARE * most as f64)
            .filter_map(|(number, sum)| Some((number as f64, sum.mean(spent)?)))
            .collect()
    }

    fn sums(&self, side: Side, spent: Spent) -> impl Iterator<Item = SpentSum> {
        self.by_number.iter().map(move |sums| sums[side as usize][spent as usize])
    }

    /// Over all its moves.
    pub(super) fn mean(&self, side: Side, spent: Spent) -> Option<f64> {
        let all = self.sums(side, spent).fold(SpentSum::default(), |all, sum| SpentSum {
            moves: all.moves + sum.moves,
            total: all.total.saturating_add(sum.total),
        });
        all.mean(spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::{MoveNote, Termination, TimeRecord};
    use pgn::Outcome;

    fn game(fen: &str, book_plies: u32, times: &[u64], nodes: &[u64]) -> GameRecord {
        let plies = book_plies + times.len() as u32;
        GameRecord {
            game: 0,
            pair: 0,
            opening: 0,
            passed_over: 0,
            white: Side::Test,
            black: Side::Base,
            result: Outcome::Draw,
            termination: Termination::DrawAdjudication,
            detail: None,
            plies,
            book_plies,
            fen: fen.to_owned(),
            moves: String::new(),
            notes: nodes.iter().map(|&nodes| MoveNote { score: None, depth: 1, nodes }).collect(),
            details: Vec::new(),
            nodes: [0, 0],
            hash: String::new(),
            audit: None,
            time: TimeRecord { moves_us: times.to_vec(), ..TimeRecord::default() },
        }
    }

    #[test]
    fn moves_have_the_numbers_of_the_pgn() {
        let mut pace = PaceByMove::default();
        pace.add(&game("8/8/8/8/8/8/8/8 w - - 0 1", 2, &[1_000, 2_000, 3_000], &[10, 20, 30]));
        pace.add(&game("8/8/8/8/8/8/8/8 b - - 0 2", 0, &[4_000, 5_000], &[40, 0]));
        assert_eq!(pace.means(Side::Test, Spent::Millis), [(2.0, 1.0), (3.0, 4.0)]);
        assert_eq!(pace.means(Side::Base, Spent::Millis), [(2.0, 3.0)]);
        assert_eq!(pace.means(Side::Test, Spent::Nodes), [(2.0, 10.0), (3.0, 30.0)]);
        assert_eq!(pace.mean(Side::Base, Spent::Nodes), Some(30.0));
    }

    #[test]
    fn a_wild_move_number_takes_no_memory() {
        let mut pace = PaceByMove::default();
        for fen in ["8/8/8/8/8/8/8/8 w - - 0 18446744073709551615", "", "x b - - 0 -4"] {
            pace.add(&game(fen, 0, &[1_000], &[1]));
        }
        assert!(pace.by_number.len() < 3);
    }
}
