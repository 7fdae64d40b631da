//! Endings solved by retrograde analysis: bishop and knight against king, queen against rook. What a mate
//! costs there goes beyond what a few plies see: a king in the wrong corner is twenty-one moves from mate, and a
//! rook can hold out for thirty.
//!
//! As in `kpk.rs`, a row is the placement of all men but the weak king, and its 64 bits are that king's
//! squares. The strong king stands in the triangle a1, d1, d4; all other placements are mirrored into it.
//! A table has 3.3 MB and takes 0.2 or 0.3 seconds, when first asked for.

use std::sync::OnceLock;

use shakmaty::attacks;

use super::kpk::neighbours;
use crate::position::Position;
use crate::types::{Bitboard, Color, Role, Square};

/// The men besides the kings: one of the strong side, and one of the strong or the weak side.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Men {
    first: Role,
    second: Role,
    second_is_weak: bool,
}

const BISHOP_KNIGHT: Men = Men { first: Role::Bishop, second: Role::Knight, second_is_weak: false };
const QUEEN_ROOK: Men = Men { first: Role::Queen, second: Role::Rook, second_is_weak: true };

/// Where an ending is solved, and for whom.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct SolvedEnding {
    men: Men,
    strong: Color,
}

impl SolvedEnding {
    /// The ending of a position; `None` when it is none that is solved.
    pub(crate) fn of(position: &Position) -> Option<SolvedEnding> {
        if position.occupied().count() != 4 {
            return None;
        }
        let count = |color, role| position.men_of(color, role).count();
        Color::ALL.into_iter().find_map(|strong| {
            let has = |men: &Men| {
                let other = if men.second_is_weak { strong.other() } else { strong };
                count(strong, men.first) == 1 && count(other, men.second) == 1
            };
            let men = [BISHOP_KNIGHT, QUEEN_ROOK].into_iter().find(has)?;
            Some(SolvedEnding { men, strong })
        })
    }

    /// The side that has more.
    pub(crate) fn strong(self) -> Color {
        self.strong
    }

    /// Whether the table is there already.
    pub(crate) fn is_ready(self) -> bool {
        self.cell().get().is_some()
    }

    /// Moves until the weak side, to move, is mated; `None` when it is not, or a strong man is gone.
    pub(crate) fn moves_to_mate(self, position: &Position) -> Option<u8> {
        let Men { first, second, second_is_weak } = self.men;
        let weak = self.strong.other();
        let first = position.men_of(self.strong, first).first()?;
        let second =
            position.men_of(if second_is_weak { weak } else { self.strong }, second).first();
        if second.is_none() && !second_is_weak {
            return None;
        }
        let row = Row { king: position.king(self.strong), first, second };
        self.cell().get_or_init(|| Table::solve(self.men)).moves(row, position.king(weak))
    }

    fn cell(self) -> &'static OnceLock<Table> {
        static TABLES: [OnceLock<Table>; 2] = [OnceLock::new(), OnceLock::new()];
        &TABLES[usize::from(self.men.second_is_weak)]
    }
}

/// Squares of all men but the weak king; `second` is `None` once it has been taken.
#[derive(Debug, Clone, Copy)]
struct Row {
    king: Square,
    first: Square,
    second: Option<Square>,
}

/// Strong kings in the triangle, squares of the first man, squares of the second and none.
const ROWS: usize = 10 * 64 * 65;

/// No mate, or no position.
const NEVER: u8 = u8::MAX;

#[derive(Debug)]
struct Table {
    men: Men,
    /// What the strong side controls when the weak king is gone, by row.
    controlled: Vec<Bitboard>,
    /// The weak king's squares from which the strong side, to move, mates.
    strong_moves: Vec<Bitboard>,
    /// And those from which it mates with the weak side to move.
    weak_moves: Vec<Bitboard>,
    /// In how many moves it does then, by row and square.
    moves: Vec<u8>,
}

impl Table {
    /// Mates first, then a move more at a time.
    fn solve(men: Men) -> Table {
        let none = || vec![Bitboard::EMPTY; ROWS];
        let (controlled, strong_moves, weak_moves) = (none(), none(), none());
        let moves = vec![NEVER; ROWS * 64];
        let mut table = Table { men, controlled, strong_moves, weak_moves, moves };
        let rows = table.rows();
        for &row in &rows {
            table.controlled[row.index()] = table.control(row);
        }
        for moves in 0..NEVER {
            let mut changed = false;
            for &row in &rows {
                let (index, lost) = (row.index(), table.newly_lost(row));
                for sq in lost {
                    table.moves[index * 64 + sq as usize] = moves;
                }
                table.weak_moves[index] |= lost;
                changed |= lost.any();
            }
            if !changed {
                break;
            }
            for &row in &rows {
                let won = table.newly_won(row);
                table.strong_moves[row.index()] |= won;
            }
        }
        table
    }

    /// All placements with the strong king in its triangle.
    fn rows(&self) -> Vec<Row> {
        let kings = Square::ALL.into_iter().filter(|&king| triangle(king).is_some());
        let firsts = kings.flat_map(|king| Square::ALL.into_iter().map(move |first| (king, first)));
        let taken = self.men.second_is_weak.then_some(None);
        let all = firsts.flat_map(|(king, first)| {
            let seconds = Square::ALL.into_iter().map(Some).chain(taken);
            seconds.map(move |second| Row { king, first, second })
        });
        let apart = |row: &Row| {
            row.king != row.first && row.second.is_none_or(|sq| sq != row.king && sq != row.first)
        };
        all.filter(apart).collect()
    }

    /// Moves to mate with the weak side to move.
    fn moves(&self, row: Row, weak: Square) -> Option<u8> {
        let turn = Symmetry::of(row.king);
        let moves = self.moves[turn.row(row).index() * 64 + turn.square(weak) as usize];
        (moves != NEVER).then_some(moves)
    }

    fn control(&self, row: Row) -> Bitboard {
        let occupied = row.occupied();
        let mut squares =
            attacks::king_attacks(row.king) | steps(self.men.first, row.first, occupied);
        if let Some(second) = row.second.filter(|_| !self.men.second_is_weak) {
            squares |= steps(self.men.second, second, occupied);
        }
        squares
    }

    /// Where the weak king may stand, the strong side to move, for a move to lead to mate, as far as that is
    /// not known yet. The weak king is in no man's way: it would be in check.
    fn newly_won(&self, row: Row) -> Bitboard {
        let Men { first, second, second_is_weak } = self.men;
        let (index, occupied) = (row.index(), row.occupied());
        let mut open = !(occupied | self.controlled[index] | self.strong_moves[index]);
        let before = open;
        let rook = row.second.filter(|_| second_is_weak);
        let own = occupied & !rook.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let left = |to| row.second.filter(|_| rook != Some(to));
        for king in attacks::king_attacks(row.king) & !own {
            let turn = Symmetry::of(king);
            let after = turn.row(Row { king, second: left(king), ..row });
            open &= !turn.back(self.weak_moves[after.index()]);
        }
        for to in steps(first, row.first, occupied) & !own {
            if open.is_empty() {
                break;
            }
            open &= !self.weak_moves[Row { first: to, second: left(to), ..row }.index()];
        }
        if let Some(from) = row.second.filter(|_| !second_is_weak) {
            for to in steps(second, from, occupied) & !own {
                open &= !self.weak_moves[Row { second: Some(to), ..row }.index()];
            }
        }
        before & !open
    }

    /// Where the weak king may stand, the weak side to move, for all of its moves to lead to mate, as far as
    /// that is not known yet.
    fn newly_lost(&self, row: Row) -> Bitboard {
        let (index, occupied) = (row.index(), row.occupied());
        let rook = row.second.filter(|_| self.men.second_is_weak);
        let own = rook.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let free = !(self.controlled[index] | own);
        // No table holds the squares of strong men: to take one saves the game.
        let saved = neighbours(free & !self.strong_moves[index]);
        let legal = !(occupied | attacks::king_attacks(row.king) | self.weak_moves[index]);
        let (mut lost, mut moves) = (legal & !saved, neighbours(free));
        if let Some(from) = rook.filter(|_| lost.any()) {
            let lines = attacks::rook_attacks(from, occupied);
            if lines.contains(row.king) {
                lost &= attacks::between(from, row.king);
            }
            for to in lines.without(row.king) {
                let unhindered = !attacks::between(from, to).with(to);
                let after = Row { second: Some(to), ..row }.index();
                let (in_check, won) = if to == row.first {
                    (attacks::king_attacks(row.king), Bitboard::EMPTY)
                } else {
                    (self.controlled[after], self.strong_moves[after])
                };
                moves |= unhindered & !in_check;
                lost &= !unhindered | in_check | won;
            }
        }
        lost & (moves | self.controlled[index])
    }
}

impl Row {
    /// Its number, the strong king in the triangle.
    fn index(self) -> usize {
        let second = self.second.map_or(64, |sq| sq as usize);
        (triangle(self.king).unwrap_or_default() * 64 + self.first as usize) * 65 + second
    }

    fn occupied(self) -> Bitboard {
        let men = Bitboard::from_square(self.king).with(self.first);
        self.second.map_or(men, |second| men.with(second))
    }
}

fn steps(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Knight => attacks::knight_attacks(from),
        Role::Bishop => attacks::bishop_attacks(from, occupied),
        Role::Rook => attacks::rook_attacks(from, occupied),
        Role::Queen => attacks::queen_attacks(from, occupied),
        Role::Pawn | Role::King => Bitboard::EMPTY,
    }
}

/// The number of a square in the triangle a1, d1, d4.
fn triangle(sq: Square) -> Option<usize> {
    const FIRST: [usize; 4] = [0, 3, 5, 6];
    let (file, rank) = (sq.file() as usize, sq.rank() as usize);
    (file < 4 && rank <= file).then(|| FIRST[rank] + file)
}

/// How a board is mirrored for a square to come into the triangle.
#[derive(Debug, Clone, Copy)]
struct Symmetry {
    horizontal: bool,
    vertical: bool,
    diagonal: bool,
}

impl Symmetry {
    fn of(sq: Square) -> Symmetry {
        let (file, rank) = (sq.file() as u32, sq.rank() as u32);
        let (horizontal, vertical) = (file > 3, rank > 3);
        let inwards = |line: u32| line.min(7 - line);
        Symmetry { horizontal, vertical, diagonal: inwards(rank) > inwards(file) }
    }

    fn square(self, sq: Square) -> Square {
        let sq = if self.horizontal { sq.flip_horizontal() } else { sq };
        let sq = if self.vertical { sq.flip_vertical() } else { sq };
        if self.diagonal { sq.flip_diagonal() } else { sq }
    }

    fn row(self, row: Row) -> Row {
        let square = |sq| self.square(sq);
        Row { king: square(row.king), first: square(row.first), second: row.second.map(square) }
    }

    /// A set of squares as it was before.
    fn back(self, set: Bitboard) -> Bitboard {
        let set = if self.diagonal { set.flip_diagonal() } else { set };
        let set = if self.vertical { set.flip_vertical() } else { set };
        if self.horizontal { set.flip_horizontal() } else { set }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn moves_to_mate(fen: &str) -> Option<u8> {
        let position = Position::from_fen(fen).expect(fen);
        let ending = SolvedEnding::of(&position).expect("solved");
        ending.moves_to_mate(&position)
    }

    /// As long as they are known to be: 33 moves and 35.
    #[test]
    fn longest_mates() {
        for (men, longest) in [(BISHOP_KNIGHT, 33), (QUEEN_ROOK, 35)] {
            let table = Table::solve(men);
            let mates = table.moves.iter().copied().filter(|&moves| moves != NEVER);
            assert_eq!(mates.max(), Some(longest), "{men:?}");
        }
    }

    /// Mate, a move before it, stalemate, a man that is lost; mirrored, and with colours changed.
    #[test]
    fn single_positions() {
        for mate in [
            "k7/3N4/1K6/3B4/8/8/8/8 b - - 0 1",
            "8/8/8/8/4B3/6K1/4N3/7k b - - 0 1",
            "8/8/8/8/4b3/6k1/4n3/7K w - - 0 1",
            "k7/1Q6/1K6/8/8/8/8/r7 b - - 0 1",
        ] {
            assert_eq!(moves_to_mate(mate), Some(0), "{mate}");
        }
        assert_eq!(moves_to_mate("1k6/3N4/BK6/8/8/8/8/8 b - - 0 1"), Some(1));
        assert_eq!(moves_to_mate("k7/3N4/1K2B3/8/8/8/8/8 b - - 0 1"), None, "stalemate");
        assert_eq!(moves_to_mate("8/8/8/8/8/1k6/B7/3K2N1 b - - 0 1"), None, "takes the bishop");
    }

    /// A man more, a man less, or other men: not solved. Without the rook it still is.
    #[test]
    fn what_is_solved() {
        let of = |fen: &str| SolvedEnding::of(&Position::from_fen(fen).expect(fen));
        assert_eq!(
            of("8/8/3k4/8/8/8/8/KBN5 w - - 0 1").map(SolvedEnding::strong),
            Some(Color::White)
        );
        assert_eq!(
            of("8/8/3k4/8/8/q7/8/4K2R w - - 0 1").map(SolvedEnding::strong),
            Some(Color::Black)
        );
        for fen in [
            "8/8/3k4/8/8/8/P7/KBN5 w - - 0 1",
            "8/8/3k4/8/8/8/8/KB6 w - - 0 1",
            "8/8/3k4/8/8/8/8/KBB5 w - - 0 1",
            "8/8/3k3r/8/8/8/8/K6R w - - 0 1",
            "8/8/3k3b/8/8/8/8/K6N w - - 0 1",
        ] {
            assert_eq!(of(fen), None, "{fen}");
        }
        let ending = of("8/8/3k4/8/8/q7/8/4K2R b - - 0 1").expect("solved");
        let taken = Position::from_fen("8/8/3k4/8/8/8/8/4K2q w - - 0 1").expect("legal");
        assert!(ending.moves_to_mate(&taken).is_some_and(|moves| (1..=10).contains(&moves)));
    }
}
