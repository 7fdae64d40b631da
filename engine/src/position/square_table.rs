//! What a man on a square adds to everything that make and unmake keep up to date: the Zobrist key
//! (HSH-03), `I_SCORE`, material.

use std::sync::{Arc, LazyLock};

use shakmaty::zobrist::{Zobrist64, ZobristValue};
use shakmaty::{CastlingSide, Color, File, Role, Square};

use super::castling::Rights;
use crate::types::{Piece, Score, relative_square};

/// What make and unmake keep up to date man by man: one man's share of it, or a position's whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Sums {
    /// Zobrist key.
    pub(super) key: u64,
    /// Four lanes: end game and middle game of `I_SCORE` (GEN-07), material (all White minus Black,
    /// 1/256 pawn), and the men of both colours. One addition moves them all; a negative lane
    /// borrows from the one above, which gives it back on reading, as in [`Score`].
    pub(super) lanes: i64,
}

/// Bits of a lane: ±512 pawns, more than a board of queens at the dearest values that the parameter
/// table allows.
const LANE: u32 = 18;
const MIDDLEGAME: u32 = LANE;
const MATERIAL: u32 = 2 * LANE;
const MEN: u32 = 3 * LANE;

impl Sums {
    pub(super) const ZERO: Sums = Sums { key: 0, lanes: 0 };

    fn new(key: u64, i_score: Score, material: i32, men: i32) -> Sums {
        let lanes = (i64::from(i_score.mg()) << MIDDLEGAME)
            + i64::from(i_score.eg())
            + (i64::from(material) << MATERIAL)
            + (i64::from(men) << MEN);
        Sums { key, lanes }
    }

    /// A man arrives.
    #[inline]
    pub(super) fn add(&mut self, man: Sums) {
        self.key ^= man.key;
        self.lanes += man.lanes;
    }

    /// A man leaves.
    #[inline]
    pub(super) fn remove(&mut self, man: Sums) {
        self.key ^= man.key;
        self.lanes -= man.lanes;
    }

    /// The lane at `shift`, once what the lanes below borrowed is given back.
    #[inline]
    const fn lane(self, shift: u32) -> i32 {
        let borrowed = if shift == 0 { 0 } else { 1 << (shift - 1) };
        let above = i64::BITS.saturating_sub(shift + LANE);
        ((self.lanes + borrowed) << above >> (above + shift)) as i32
    }

    #[inline]
    pub(super) const fn i_score(self) -> Score {
        Score::new(self.lane(MIDDLEGAME), self.lane(0))
    }

    #[inline]
    pub(super) const fn material(self) -> i32 {
        self.lane(MATERIAL)
    }

    #[inline]
    pub(super) const fn men(self) -> i32 {
        self.lane(MEN)
    }
}

/// Contribution of every man on every square: its Zobrist key (shakmaty's), its share of `I_SCORE`
/// and material (GEN-07).
#[derive(Debug, Clone)]
pub struct SquareTable {
    /// [`Sums::key`] by piece code, 16 of them for an index without bounds check, and square. Apart
    /// from the lanes: entries of 8 bytes take fewer instructions to address.
    keys: [u64; 16 * 64],
    lanes: [i64; 16 * 64],
    pub(super) white_turn: u64,
    /// By set of rights.
    pub(super) rights: [u64; 16],
    pub(super) en_passant: [u64; 8],
}

/// Phase weight of a role: N 3, B 3, R 5, Q 9.
const fn phase_weight(role: Role) -> i32 {
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
        let (mut keys, mut lanes) = ([0; 16 * 64], [0; 16 * 64]);
        for (piece, color, role) in Piece::all() {
            for sq in Square::ALL {
                let white_view = relative_square(color, sq);
                let value = material(role);
                let score = Score::new(value, value) + square(role, white_view);
                let sign = color.fold_wb(1, -1);
                let key = Zobrist64::zobrist_for_piece(sq, role.of(color)).0;
                let man = Sums::new(key, score * sign, value * sign, phase_weight(role));
                keys[SquareTable::index(piece, sq)] = man.key;
                lanes[SquareTable::index(piece, sq)] = man.lanes;
            }
        }
        let castling = [
            (Color::White, CastlingSide::KingSide),
            (Color::White, CastlingSide::QueenSide),
            (Color::Black, CastlingSide::KingSide),
            (Color::Black, CastlingSide::QueenSide),
        ]
        .map(|(color, side)| Zobrist64::zobrist_for_castling_right(color, side).0);
        SquareTable {
            keys,
            lanes,
            white_turn: Zobrist64::zobrist_for_white_turn().0,
            rights: std::array::from_fn(|set| {
                let held = |index: &usize| Rights(set as u8).has(*index);
                (0..4).filter(held).fold(0, |key, index| key ^ castling[index])
            }),
            en_passant: std::array::from_fn(|file| {
                Zobrist64::zobrist_for_en_passant_file(File::new(file as u32)).0
            }),
        }
    }

    /// Piece code and square as one index: two would be scaled one by one.
    #[inline]
    const fn index(piece: Piece, sq: Square) -> usize {
        piece.index() << 6 | sq as usize
    }

    /// What a man on a square adds.
    #[inline]
    pub(super) const fn entry(&self, piece: Piece, sq: Square) -> Sums {
        let index = SquareTable::index(piece, sq);
        Sums { key: self.keys[index], lanes: self.lanes[index] }
    }

    /// Material and piece-square part of one man, each from the man's own side.
    #[must_use]
    pub fn of_man(&self, color: Color, role: Role, sq: Square) -> (Score, Score) {
        let entry = self.entry(Piece::new(color, role), sq);
        let sign = color.fold_wb(1, -1);
        let value = entry.material() * sign;
        let material = Score::new(value, value);
        (material, entry.i_score() * sign - material)
    }

    /// The same table with something added to every man's squares, in 1/256 pawn and from the man's
    /// own side.
    #[must_use]
    pub fn with_added(&self, added: impl Fn(Piece, Square) -> i32) -> SquareTable {
        let mut table = self.clone();
        for (piece, color, _) in Piece::all() {
            for sq in Square::ALL {
                let value = added(piece, sq);
                let more = Score::new(value, value) * color.fold_wb(1, -1);
                table.lanes[SquareTable::index(piece, sq)] += Sums::new(0, more, 0, 0).lanes;
            }
        }
        table
    }

    /// The table of positions that nobody evaluates: keys only, every value zero.
    #[must_use]
    pub fn keys_only() -> Arc<SquareTable> {
        static KEYS: LazyLock<Arc<SquareTable>> =
            LazyLock::new(|| Arc::new(SquareTable::new(|_| 0, |_, _| Score::ZERO)));
        Arc::clone(&KEYS)
    }
}
