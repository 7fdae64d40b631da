//! What a man on a square adds to everything that make and unmake keep up to date.

use std::sync::{Arc, LazyLock};

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, File, Role, Square};

use crate::types::{Piece, Score};

/// Contribution of one man on one square.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Entry {
    /// Zobrist key.
    pub(super) key: u64,
    /// Material and piece-square value, White minus Black: a summand of `I_SCORE` (GEN-07).
    pub(super) i_score: Score,
    /// Material alone, White minus Black, 1/256 pawn.
    pub(super) material: i16,
    /// Weight in the game's phase: N 3, B 3, R 5, Q 9, both colours positive.
    pub(super) men: i16,
}

/// Contribution of every man on every square: its Zobrist key (shakmaty's), its share of `I_SCORE`
/// and material (GEN-07). One line of memory serves all that a moving man changes.
#[derive(Debug)]
pub struct SquareTable {
    /// By piece code; 16 for an index without bounds check.
    men: [[Entry; 64]; 16],
    pub(super) white_turn: u64,
    pub(super) castling: [u64; 4],
    pub(super) en_passant: [u64; 8],
}

/// Phase weight of a role: N 3, B 3, R 5, Q 9.
const fn phase_weight(role: Role) -> i16 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
    }
}

impl SquareTable {
    /// A table from White's values: `material(role)` in 1/256 pawn and `square(role, square)`, the
    /// piece-square pair seen by White. Black's are the mirror (ranks turned over, sign changed).
    pub fn new(
        material: impl Fn(Role) -> i32,
        square: impl Fn(Role, Square) -> Score,
    ) -> SquareTable {
        let mut men = [[Entry::default(); 64]; 16];
        for (piece, color, role) in Piece::all() {
            for sq in Square::ALL {
                let white_view = color.fold_wb(sq, sq.flip_vertical());
                let value = material(role);
                let score = Score::new(value, value) + square(role, white_view);
                let sign = color.fold_wb(1, -1);
                men[piece.index()][sq as usize] = Entry {
                    key: Zobrist64::zobrist_for_piece(sq, role.of(color)).0,
                    i_score: score * sign,
                    material: (value * sign) as i16,
                    men: phase_weight(role),
                };
            }
        }
        let castling = [
            (Color::White, CastlingSide::KingSide),
            (Color::White, CastlingSide::QueenSide),
            (Color::Black, CastlingSide::KingSide),
            (Color::Black, CastlingSide::QueenSide),
        ];
        SquareTable {
            men,
            white_turn: Zobrist64::zobrist_for_white_turn().0,
            castling: castling
                .map(|(color, side)| Zobrist64::zobrist_for_castling_right(color, side).0),
            en_passant: std::array::from_fn(|file| {
                Zobrist64::zobrist_for_en_passant_file(File::new(file as u32)).0
            }),
        }
    }

    /// What a man on a square adds.
    #[inline]
    pub(super) fn entry(&self, piece: Piece, sq: Square) -> &Entry {
        &self.men[piece.index()][sq as usize]
    }

    /// Material and piece-square part of one man, each from the man's own side.
    #[must_use]
    pub fn of_man(&self, color: Color, role: Role, sq: Square) -> (Score, Score) {
        let entry = self.entry(Piece::new(color, role), sq);
        let sign = color.fold_wb(1, -1);
        let value = i32::from(entry.material) * sign;
        let material = Score::new(value, value);
        (material, entry.i_score * sign - material)
    }

    /// The table of positions that nobody evaluates: keys only, every value zero.
    #[must_use]
    pub fn keys_only() -> Arc<SquareTable> {
        static KEYS: LazyLock<Arc<SquareTable>> =
            LazyLock::new(|| Arc::new(SquareTable::new(|_| 0, |_, _| Score::ZERO)));
        Arc::clone(&KEYS)
    }
}
