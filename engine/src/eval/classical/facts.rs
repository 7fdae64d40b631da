//! What the families share: who controls what by role, where pieces may go, who is pinned, who
//! attacks the king's ring.

use shakmaty::attacks;

use super::ranks;
use crate::eval::attack_map::pawn_attacks;
use crate::eval::context::Context;
use crate::eval::spans::step;
use crate::types::{Bitboard, ByColor, Color, Role, Score, Square};

/// One side's facts.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SideFacts {
    /// The squares that its pawns control.
    pub(super) pawns: Bitboard,
    /// Those that its knights control; pinned men control their line only.
    pub(super) knights: Bitboard,
    /// Bishops; they look through queens.
    pub(super) bishops: Bitboard,
    /// Rooks; they look through queens and own rooks.
    pub(super) rooks: Bitboard,
    /// Queens.
    pub(super) queens: Bitboard,
    /// The king.
    pub(super) king: Bitboard,
    /// All of these.
    pub(super) all: Bitboard,
    /// Squares that at least two of its men control.
    pub(super) twice: Bitboard,
    /// Own men, and enemy ones, that alone stand between the own king and an enemy slider.
    pub(super) blockers: Bitboard,
    /// Around its king, at least three by three squares, without those that two own pawns control.
    pub(super) ring: Bitboard,
    /// Its men but pawns and king that control a square of the enemy's ring, by role: N, B, R, Q.
    pub(super) attackers: [i32; 4],
    /// Attacks of these men on squares next to the enemy king.
    pub(super) attacks: i32,
    /// Points for mobility, summed up piece by piece.
    pub(super) mobility: Score,
    /// Rooks with at most three squares to go to.
    pub(super) immobile_rooks: Bitboard,
}

/// Both sides' facts.
pub(super) type Facts = ByColor<SideFacts>;

impl SideFacts {
    /// One man more controls `squares`.
    #[inline]
    fn add(&mut self, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
    }

    /// Before the pieces: pawns, king, ring, pins.
    #[inline]
    fn begin(cx: &Context<'_>, color: Color) -> SideFacts {
        let (west, east) = pawn_attacks(color, cx.men(color, Role::Pawn));
        let square = cx.position.king(color);
        let king = attacks::king_attacks(square);
        let pawns = west | east;
        let mut facts = SideFacts {
            pawns,
            king,
            all: pawns | king,
            twice: west & east | pawns & king,
            blockers: blockers(cx, color, square),
            ring: ring(square) & !(west & east),
            ..SideFacts::default()
        };
        facts.ring |= Bitboard::from_square(square) & !(west & east);
        facts
    }

    /// Counts the pieces of `color` out.
    #[inline]
    fn pieces(&mut self, cx: &Context<'_>, color: Color, enemy: &SideFacts) {
        let params = &cx.params.piece_mobility;
        let own_king = cx.position.king(color);
        let own_pawns = cx.men(color, Role::Pawn);
        let queens = cx.men(color, Role::Queen);
        let stuck = own_pawns & (ranks(color, 1, 2) | step(color.other(), cx.occupied));
        let area = !(stuck
            | enemy.pawns
            | queens
            | Bitboard::from_square(own_king)
            | self.blockers & cx.position.by_color(color));
        let both_queens = cx.men(color.other(), Role::Queen) | queens;
        let diagonal = cx.occupied & !both_queens;
        let straight = cx.occupied & !(both_queens | cx.men(color, Role::Rook));
        let pinned = |sq: Square, squares: Bitboard| {
            if self.blockers.contains(sq) { squares & attacks::ray(own_king, sq) } else { squares }
        };
        let (ring, beside) = (enemy.ring, enemy.king);
        let mut attackers = [0; 4];
        let mut hits = 0;
        let mut attack = |which: usize, squares: Bitboard| {
            if (squares & ring).any() {
                attackers[which] += 1;
                hits += (squares & beside).count() as i32;
            }
        };
        let mut mobility = Score::ZERO;
        let mut found = SideFacts::default();
        (found.all, found.twice) = (self.all, self.twice);
        for sq in cx.men(color, Role::Knight) {
            let squares = pinned(sq, attacks::knight_attacks(sq));
            found.knights |= squares;
            found.add(squares);
            attack(0, squares);
            mobility += at(&params.knight_mg, &params.knight_eg, squares & area);
        }
        for sq in cx.men(color, Role::Bishop) {
            let squares = pinned(sq, attacks::bishop_attacks(sq, diagonal));
            found.bishops |= squares;
            found.add(squares);
            attack(1, squares);
            mobility += at(&params.bishop_mg, &params.bishop_eg, squares & area);
        }
        for sq in cx.men(color, Role::Rook) {
            let squares = pinned(sq, attacks::rook_attacks(sq, straight));
            found.rooks |= squares;
            found.add(squares);
            attack(2, squares);
            if (squares & area).count() <= 3 {
                found.immobile_rooks |= Bitboard::from_square(sq);
            }
            mobility += at(&params.rook_mg, &params.rook_eg, squares & area);
        }
        for sq in queens {
            let squares = pinned(sq, attacks::queen_attacks(sq, cx.occupied));
            found.queens |= squares;
            found.add(squares);
            attack(3, squares);
            mobility += at(&params.queen_mg, &params.queen_eg, squares & area);
        }
        (self.knights, self.bishops) = (found.knights, found.bishops);
        (self.rooks, self.queens) = (found.rooks, found.queens);
        (self.all, self.twice) = (found.all, found.twice);
        (self.immobile_rooks, self.mobility) = (found.immobile_rooks, mobility);
        (self.attackers, self.attacks) = (attackers, hits);
    }

    /// Knights and bishops.
    #[inline]
    pub(super) fn minors(&self) -> Bitboard {
        self.knights | self.bishops
    }
}

/// The facts of a position.
#[inline]
pub(super) fn facts(cx: &Context<'_>) -> Facts {
    let begun = ByColor::new_with(|color| SideFacts::begin(cx, color));
    ByColor::new_with(|color| {
        let mut side = begun[color];
        side.pieces(cx, color, &begun[color.other()]);
        side
    })
}

/// The points for a number of squares.
#[inline]
fn at(middlegame: &[i32], endgame: &[i32], squares: Bitboard) -> Score {
    let count = squares.count().min(middlegame.len() - 1);
    Score::new(middlegame[count], endgame[count])
}

/// The squares next to a king, or to the square beside it where it stands on the edge: always nine.
#[inline]
fn ring(king: Square) -> Bitboard {
    let (file, rank) = (king as u32 & 7, king as u32 >> 3);
    let centre = Square::new(rank.clamp(1, 6) * 8 + file.clamp(1, 6));
    attacks::king_attacks(centre) | Bitboard::from_square(centre)
}

/// Men of either colour that alone stand between a king and an enemy slider.
#[inline]
fn blockers(cx: &Context<'_>, color: Color, king: Square) -> Bitboard {
    let enemy = color.other();
    let queens = cx.men(enemy, Role::Queen);
    let straight = cx.men(enemy, Role::Rook) | queens;
    let diagonal = cx.men(enemy, Role::Bishop) | queens;
    let snipers = attacks::rook_attacks(king, Bitboard::EMPTY) & straight
        | attacks::bishop_attacks(king, Bitboard::EMPTY) & diagonal;
    let mut found = Bitboard::EMPTY;
    for sniper in snipers {
        let between = attacks::between(king, sniper) & cx.occupied;
        if !between.more_than_one() {
            found |= between;
        }
    }
    found
}
