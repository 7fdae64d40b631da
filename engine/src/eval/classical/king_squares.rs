//! Piece-square tables by king bucket: each man counts once in the bucket of its own king, and once in
//! that of the enemy king.
//!
//! A king has twelve buckets. Four are told apart by the file's distance from the middle of the board,
//! three by the rank as the king's colour counts it: first; second or third; beyond. The board is
//! mirrored so that the king stands on the files e to h. A cell is 64 times the bucket plus the man's
//! square, seen from the man's colour.

use crate::eval::context::Context;
use crate::eval::trace::{Sum, Term, Trace};
use crate::params::{self, KING_CELLS};
use crate::position::Position;
use crate::types::{ByColor, Color, Role, Score};

/// A king's part of the bucket by rank.
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

/// The cells of the rows `king_squares.*` that count in a position: two for each man.
#[must_use]
pub fn king_cells(position: &Position) -> Vec<KingCell> {
    let mut cells = Vec::new();
    let kings = kings(position);
    for color in Color::ALL {
        let sign = color.fold_wb(1, -1);
        for_each_man(position, &kings, color, |role, own, enemy| {
            cells.push(KingCell { enemy: false, role, cell: own, sign });
            cells.push(KingCell { enemy: true, role, cell: enemy, sign });
        });
    }
    cells
}

/// Hands over the men of a colour, each with its cell seen from its own king and from the enemy's.
#[inline]
fn for_each_man(
    position: &Position,
    kings: &ByColor<usize>,
    color: Color,
    mut visit: impl FnMut(Role, usize, usize),
) {
    let [own, enemy] = [color, color.other()].map(|king| View::new(kings[king], color));
    for role in Role::ALL {
        for square in position.men_of(color, role) {
            visit(role, own.cell(square as usize), enemy.cell(square as usize));
        }
    }
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
    /// The first cell of the king's bucket.
    first: usize,
    /// Turns a square to the man's colour, mirrored with the king.
    turn: usize,
}

impl View {
    /// Of the men of a colour, from a king's square as the king's own colour sees it.
    #[inline]
    fn new(king: usize, color: Color) -> View {
        let (file, rank) = (king & 7, king >> 3);
        let (distance, mirror) = if file < 4 { (3 - file, 7) } else { (file - 4, 0) };
        let first = (distance + 4 * RANKS[rank]) * 64;
        View { first, turn: mirror ^ color.fold_wb(0, 56) }
    }

    #[inline]
    fn cell(self, square: usize) -> usize {
        self.first + (square ^ self.turn)
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
        let table = |rows: [[&[i32; KING_CELLS]; 2]; 6]| {
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
        let mut worth = Score::ZERO;
        for_each_man(cx.position, &kings, color, |role, own, enemy| {
            let row = (role as usize - 1) * KING_CELLS;
            worth += tables.own[row + own];
            worth += tables.enemy[row + enemy];
        });
        worth
    };
    sum.add_both(Term::KingSquares, ByColor::new_with(worth));
}
