//! King and pawn against king, exact (END-07, MISS-07): 24 KiB, worked out by retrograde analysis
//! when first asked for, in about a millisecond.
//!
//! Everything is seen by the side with the pawn, as White, with the pawn on files a to d. A table
//! row is a pawn and a strong king; its 64 bits are the weak king's squares from which the strong
//! side wins. So one set operation settles all the weak king's squares at once.

use std::sync::LazyLock;

use shakmaty::attacks;

use crate::types::{Bitboard, Color, File, Square};

static TABLE: LazyLock<Box<Table>> = LazyLock::new(Table::generate);

/// Whether the side with the pawn wins. Squares as White's own when it has the pawn.
pub(super) fn is_won(strong_to_move: bool, strong: Square, weak: Square, pawn: Square) -> bool {
    let left = |sq: Square| if pawn.file() > File::D { sq.flip_horizontal() } else { sq };
    let row = row(left(pawn), left(strong));
    let rows = if strong_to_move { &TABLE.strong_moves } else { &TABLE.weak_moves };
    rows[row].contains(left(weak))
}

/// Pawns on files a to d and ranks 2 to 7, by 64 squares of the strong king.
const ROWS: usize = 24 * 64;

/// The row of a pawn on files a to d and a strong king.
const fn row(pawn: Square, strong: Square) -> usize {
    let (file, rank) = (pawn as usize & 3, pawn as usize >> 3);
    // Pawns stand on ranks 2 to 7: the remainder only tells the compiler so.
    ((rank + 5) % 6 * 4 + file) * 64 + strong as usize
}

/// The weak king's squares from which the strong side wins, by pawn, strong king and mover.
struct Table {
    strong_moves: [Bitboard; ROWS],
    weak_moves: [Bitboard; ROWS],
}

impl Table {
    /// Starts from nothing won and adds what is won because of what is won already, until nothing
    /// more is: the most advanced pawns first, as a pawn's fate depends on its next square.
    fn generate() -> Box<Table> {
        let mut table = Box::new(Table {
            strong_moves: [Bitboard::EMPTY; ROWS],
            weak_moves: [Bitboard::EMPTY; ROWS],
        });
        for pawn in (8..56).rev().map(Square::new).filter(|pawn| pawn.file() < File::E) {
            while table.improve(pawn) {}
        }
        table
    }

    /// One pass over all rows of a pawn; whether anything was added.
    fn improve(&mut self, pawn: Square) -> bool {
        let mut changed = false;
        for strong in Square::ALL.into_iter().filter(|&strong| strong != pawn) {
            let row = row(pawn, strong);
            let strong_moves = self.won_with_move(pawn, strong);
            changed |= strong_moves != self.strong_moves[row];
            self.strong_moves[row] = strong_moves;
            let weak_moves = self.won_against_move(pawn, strong);
            changed |= weak_moves != self.weak_moves[row];
            self.weak_moves[row] = weak_moves;
        }
        changed
    }

    /// Where the weak king may stand with the strong side to move: not in check.
    fn won_with_move(&self, pawn: Square, strong: Square) -> Bitboard {
        let taken = Bitboard::from_square(pawn) | Bitboard::from_square(strong);
        let legal = !(taken | attacks::king_attacks(strong) | pawn_attacks(pawn));
        let mut won = Bitboard::EMPTY;
        for to in attacks::king_attacks(strong) {
            if to != pawn {
                won |= self.weak_moves[row(pawn, to)];
            }
        }
        let next = Square::new((pawn as u32 + 8).min(63));
        if next != strong {
            if next as u32 >= 56 {
                won |= won_by_promotion(next, strong);
            } else {
                won |= self.weak_moves[row(next, strong)];
                let after_next = Square::new(next as u32 + 8);
                if pawn as u32 <= 15 && after_next != strong {
                    let jumped = Bitboard::from_square(next);
                    won |= self.weak_moves[row(after_next, strong)] & !jumped;
                }
            }
        }
        won & legal
    }

    /// Where the weak king, to move, has no move to a square that draws, and is not stalemated.
    fn won_against_move(&self, pawn: Square, strong: Square) -> Bitboard {
        let taken = Bitboard::from_square(pawn) | Bitboard::from_square(strong);
        let legal = !(taken | attacks::king_attacks(strong));
        // The strong king's neighbourhood holds the pawn when it is protected; taking it draws.
        let targets =
            !(attacks::king_attacks(strong) | Bitboard::from_square(strong) | pawn_attacks(pawn));
        let draws = targets & !self.strong_moves[row(pawn, strong)];
        let stalemate = !(neighbours(targets) | pawn_attacks(pawn));
        legal & !neighbours(draws) & !stalemate
    }
}

/// Where the weak king cannot take the new queen or rook. Were it stalemated by a queen, a rook
/// wins.
fn won_by_promotion(promotion: Square, strong: Square) -> Bitboard {
    let safe = attacks::king_attacks(strong).contains(promotion);
    let takes = if safe { Bitboard::EMPTY } else { attacks::king_attacks(promotion) };
    !(takes | Bitboard::from_square(promotion))
}

fn pawn_attacks(pawn: Square) -> Bitboard {
    attacks::pawn_attacks(Color::White, pawn)
}

/// All squares next to one of the set.
pub(super) fn neighbours(set: Bitboard) -> Bitboard {
    const NOT_A: u64 = 0xfefe_fefe_fefe_fefe;
    const NOT_H: u64 = 0x7f7f_7f7f_7f7f_7f7f;
    let across = |set: u64| (set & NOT_A) >> 1 | (set & NOT_H) << 1;
    let line = set.0 | across(set.0);
    Bitboard(line << 8 | line >> 8 | across(set.0))
}

#[cfg(test)]
mod tests;
