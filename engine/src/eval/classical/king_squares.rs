//! Piece-square tables by where the kings stand: each man counts by its square as seen from its own
//! king, and by its square as seen from the enemy's.
//!
//! A king's place is one of twelve: four distances from the middle of the board by file, and first,
//! second or third, or a further rank as its colour counts them. The board is mirrored so that the king
//! stands on the files e to h. A cell is 64 times the place, plus the man's square as its colour sees it.

use crate::eval::context::Context;
use crate::eval::trace::{Sum, Term, Trace};
use crate::params;
use crate::position::Position;
use crate::types::{ByColor, Color, Role, Score};

const SQUARES: usize = 64;
/// Cells of a role: twelve places of the king.
const CELLS: usize = 12 * SQUARES;
/// First, second or third, or a further rank.
const RANKS: [usize; 8] = [0, 1, 1, 2, 2, 2, 2, 2];

/// A man's worth by role and cell.
#[derive(Debug, Clone)]
pub(in crate::eval) struct KingSquares {
    own: Box<[Score]>,
    enemy: Box<[Score]>,
}

/// A cell of the rows `king_squares.*` that counts in a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct KingCell {
    /// Whether it is the enemy king that the man is seen from.
    pub enemy: bool,
    /// The man.
    pub role: Role,
    /// The index in the row.
    pub cell: usize,
    /// 1 where it counts for White, -1 where it counts for Black.
    pub sign: i32,
}

impl KingCell {
    /// The name of the row.
    #[must_use]
    pub fn row(self, endgame: bool) -> String {
        let king = if self.enemy { "enemy" } else { "own" };
        let phase = if endgame { "eg" } else { "mg" };
        format!("king_squares.{king}_{}_{phase}", format!("{:?}", self.role).to_lowercase())
    }
}

/// The cells of the rows `king_squares.*` that count in a position, each man once for each king.
pub fn king_cells(position: &Position) -> impl Iterator<Item = KingCell> {
    let kings = kings(position);
    Color::ALL.into_iter().flat_map(move |color| {
        let sign = color.fold_wb(1, -1);
        [(false, color), (true, color.other())].into_iter().flat_map(move |(enemy, seen_from)| {
            let view = View::new(kings[seen_from], color);
            Role::ALL.into_iter().flat_map(move |role| {
                let men = position.men_of(color, role).into_iter();
                men.map(move |square| KingCell {
                    enemy,
                    role,
                    cell: view.cell(square as usize),
                    sign,
                })
            })
        })
    })
}

/// Where each king stands as its own colour sees it, a1 = 0.
#[inline]
fn kings(position: &Position) -> ByColor<usize> {
    ByColor::new_with(|color| {
        let king = position.men_of(color, Role::King).first();
        king.map_or(0, |square| square as usize) ^ color.fold_wb(0, 56)
    })
}

/// How a colour's men are seen from a king.
#[derive(Debug, Clone, Copy)]
struct View {
    /// The first cell of the king's place.
    place: usize,
    /// Turns a square to the man's colour, mirrored with the king.
    turn: usize,
}

impl View {
    /// Of the men of a colour, from a king's square as the king's own colour sees it.
    #[inline]
    fn new(king: usize, color: Color) -> View {
        let (file, rank) = (king & 7, king >> 3);
        let (distance, mirror) = if file < 4 { (3 - file, 7) } else { (file - 4, 0) };
        let place = (distance + 4 * RANKS[rank]) * SQUARES;
        View { place, turn: mirror ^ color.fold_wb(0, 56) }
    }

    #[inline]
    fn cell(self, square: usize) -> usize {
        self.place + (square ^ self.turn)
    }
}

impl KingSquares {
    pub(in crate::eval) fn new(rules: &params::KingSquares) -> KingSquares {
        let own = [
            [&rules.own_pawn_mg, &rules.own_pawn_eg],
            [&rules.own_knight_mg, &rules.own_knight_eg],
            [&rules.own_bishop_mg, &rules.own_bishop_eg],
            [&rules.own_rook_mg, &rules.own_rook_eg],
            [&rules.own_queen_mg, &rules.own_queen_eg],
            [&rules.own_king_mg, &rules.own_king_eg],
        ];
        let enemy = [
            [&rules.enemy_pawn_mg, &rules.enemy_pawn_eg],
            [&rules.enemy_knight_mg, &rules.enemy_knight_eg],
            [&rules.enemy_bishop_mg, &rules.enemy_bishop_eg],
            [&rules.enemy_rook_mg, &rules.enemy_rook_eg],
            [&rules.enemy_queen_mg, &rules.enemy_queen_eg],
            [&rules.enemy_king_mg, &rules.enemy_king_eg],
        ];
        let table = |rows: [[&[i32; CELLS]; 2]; 6]| {
            let scores = rows
                .into_iter()
                .flat_map(|[mg, eg]| mg.iter().zip(eg).map(|(&mg, &eg)| Score::new(mg, eg)));
            scores.collect()
        };
        KingSquares { own: table(own), enemy: table(enemy) }
    }
}

/// Adds both sides' men.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, tables: &KingSquares) {
    let kings = kings(cx.position);
    let worth = |color: Color| {
        let own = View::new(kings[color], color);
        let enemy = View::new(kings[color.other()], color);
        let mut worth = Score::ZERO;
        for (part, role) in Role::ALL.into_iter().enumerate() {
            let part = part * CELLS;
            for square in cx.men(color, role) {
                let square = square as usize;
                worth += tables.own[part + own.cell(square)];
                worth += tables.enemy[part + enemy.cell(square)];
            }
        }
        worth
    };
    sum.add_both(Term::KingSquares, ByColor::new_with(worth));
}
