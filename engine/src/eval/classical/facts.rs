//! What the families share: who controls what by role, where pieces may go, who is pinned, who
//! attacks the king's ring.

use shakmaty::attacks;

use super::{pair, ranks};
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
    /// Three by three squares with its king, without those that two own pawns control.
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
        SideFacts {
            pawns,
            king,
            all: pawns | king,
            twice: west & east | pawns & king,
            blockers: blockers(cx, color, square),
            ring: ring(square) & !(west & east),
            ..SideFacts::default()
        }
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
        let blockers = self.blockers;
        let mut count = PieceCount { enemy, area, side: self };
        let through_pin = |sq: Square, squares: Bitboard| {
            if blockers.contains(sq) { squares & attacks::ray(own_king, sq) } else { squares }
        };
        for sq in cx.men(color, Role::Knight) {
            let squares = through_pin(sq, attacks::knight_attacks(sq));
            count.side.knights |= squares;
            count.piece(0, squares, &params.knight_mg, &params.knight_eg);
        }
        for sq in cx.men(color, Role::Bishop) {
            let squares = through_pin(sq, attacks::bishop_attacks(sq, diagonal));
            count.side.bishops |= squares;
            count.piece(1, squares, &params.bishop_mg, &params.bishop_eg);
        }
        for sq in cx.men(color, Role::Rook) {
            let squares = through_pin(sq, attacks::rook_attacks(sq, straight));
            count.side.rooks |= squares;
            if count.piece(2, squares, &params.rook_mg, &params.rook_eg) <= 3 {
                count.side.immobile_rooks |= Bitboard::from_square(sq);
            }
        }
        for sq in queens {
            let squares = through_pin(sq, attacks::queen_attacks(sq, cx.occupied));
            count.side.queens |= squares;
            count.piece(3, squares, &params.queen_mg, &params.queen_eg);
        }
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

/// The pieces of a side on their way into its facts.
struct PieceCount<'a> {
    enemy: &'a SideFacts,
    /// Where mobility counts.
    area: Bitboard,
    side: &'a mut SideFacts,
}

impl PieceCount<'_> {
    /// Adds a piece that controls `squares`; `which` is its place in [`SideFacts::attackers`]. Returns
    /// to how many squares it can go.
    #[inline]
    fn piece(
        &mut self,
        which: usize,
        squares: Bitboard,
        middlegame: &[i32],
        endgame: &[i32],
    ) -> usize {
        let PieceCount { enemy, area, side } = self;
        side.add(squares);
        if (squares & enemy.ring).any() {
            side.attackers[which] += 1;
            side.attacks += (squares & enemy.king).count() as i32;
        }
        let free = (squares & *area).count();
        side.mobility += pair(middlegame, endgame, free.min(middlegame.len() - 1));
        free
    }
}

/// A king's square and those next to it; where it stands on the edge, those of the next square inwards.
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
