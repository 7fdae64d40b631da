//! The position's fields and the plain questions about them.

use std::sync::Arc;

use shakmaty::{Bitboard, Color, Role, Square};

use super::castling::{CastlingPaths, CastlingSide, Rights};
use super::square_table::{SquareTable, Sums};
use crate::types::{Piece, Score};

/// What a move cannot take back by itself: copied before each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Zobrist key (shakmaty's `Zobrist64`, legal en passant squares only), `I_SCORE`, material, men.
    pub(super) sums: Sums,
    /// Plies since the last capture or pawn move.
    pub(super) halfmoves: u16,
    /// Castling rights.
    pub(super) rights: Rights,
    /// Square behind a pawn that can be taken en passant, legally.
    pub(super) en_passant: Option<Square>,
    /// What the move that led here took.
    pub(super) captured: Piece,
}

/// A chess position with its history, made and unmade in place.
///
/// The board is held three times: by colour, by piece code (winglet's twelve bitboards, GEN-20) and
/// by square. Bitboards serve the generator and SEE, the codes by square (GEN-05) serve make,
/// captures and every table. Piece lists (GEN-10..13) were Mediocre's way to avoid scanning 64
/// squares; bitboards give the same walk with nothing to maintain.
#[derive(Debug, Clone)]
pub struct Position {
    pub(super) colors: [Bitboard; 2],
    /// By piece code; 16 for an index without bounds check.
    pub(super) codes: [Bitboard; 16],
    pub(super) squares: [Piece; 64],
    pub(super) turn: Color,
    /// Plies since White's first move of the game, by the FEN's count of moves.
    pub(super) plies: u32,
    pub(super) state: State,
    pub(super) history: Vec<State>,
    pub(super) paths: CastlingPaths,
    pub(super) table: Arc<SquareTable>,
}

impl Position {
    /// An empty board, White to move, to be filled by the FEN reader.
    pub(super) fn empty() -> Position {
        let table = SquareTable::keys_only();
        Position {
            colors: [Bitboard::EMPTY; 2],
            codes: [Bitboard::EMPTY; 16],
            squares: [Piece::EMPTY; 64],
            turn: Color::White,
            plies: 0,
            state: State {
                sums: Sums::default(),
                halfmoves: 0,
                rights: Rights::default(),
                en_passant: None,
                captured: Piece::EMPTY,
            },
            history: Vec::new(),
            paths: CastlingPaths::none(),
            table,
        }
    }

    /// Puts a man on an empty square, keeping everything up to date.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, color: Color, sq: Square) {
        self.flip(piece, color, sq);
        self.squares[sq as usize] = piece;
        self.state.sums.add(self.table.entry(piece, sq));
    }

    /// Takes a man off the board, keeping everything up to date.
    #[inline]
    pub(super) fn take(&mut self, piece: Piece, color: Color, sq: Square) {
        self.flip(piece, color, sq);
        self.squares[sq as usize] = Piece::EMPTY;
        self.state.sums.remove(self.table.entry(piece, sq));
    }

    /// Moves a man to an empty square, keeping everything up to date.
    #[inline]
    pub(super) fn shift(&mut self, piece: Piece, color: Color, from: Square, to: Square) {
        self.relocate(piece, color, from, to);
        self.state.sums.remove(self.table.entry(piece, from));
        self.state.sums.add(self.table.entry(piece, to));
    }

    /// Adds a man to its bitboards, or takes it out.
    #[inline]
    pub(super) fn flip(&mut self, piece: Piece, color: Color, sq: Square) {
        let bit = Bitboard::from_square(sq);
        self.colors[color as usize] ^= bit;
        self.codes[piece.index()] ^= bit;
    }

    /// Moves a man on the board alone: unmake restores the rest from the history.
    #[inline]
    pub(super) fn relocate(&mut self, piece: Piece, color: Color, from: Square, to: Square) {
        let bits = Bitboard(1 << from as u32 | 1 << to as u32);
        self.colors[color as usize] ^= bits;
        self.codes[piece.index()] ^= bits;
        self.squares[from as usize] = Piece::EMPTY;
        self.squares[to as usize] = piece;
    }

    /// Uses another table of values from here on: what is kept incrementally is summed up anew, the
    /// history's sums are not.
    pub fn set_table(&mut self, table: &Arc<SquareTable>) {
        self.table = Arc::clone(table);
        self.state.sums = self.sums_from_scratch();
    }

    /// The table of values that the position's sums are made of.
    #[must_use]
    pub fn table(&self) -> &SquareTable {
        &self.table
    }

    /// Key, `I_SCORE`, material and men counted from the board.
    pub(super) fn sums_from_scratch(&self) -> Sums {
        let mut sums = Sums::default();
        for sq in self.occupied() {
            sums.add(self.table.entry(self.squares[sq as usize], sq));
        }
        sums.key ^= self.turn.fold_wb(self.table.white_turn, 0);
        for index in 0..4 {
            if self.state.rights.has(index) {
                sums.key ^= self.table.castling[index];
            }
        }
        if let Some(sq) = self.state.en_passant {
            sums.key ^= self.table.en_passant[sq.file() as usize];
        }
        sums
    }

    /// Whose move it is.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Color {
        self.turn
    }

    /// The Zobrist key, equal to shakmaty's `Zobrist64` under `EnPassantMode::Legal`.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.state.sums.key
    }

    /// Material and piece-square sum kept by make and unmake, White minus Black (GEN-07).
    #[inline]
    #[must_use]
    pub fn i_score(&self) -> Score {
        self.state.sums.i_score()
    }

    /// Material kept by make and unmake, White minus Black, 1/256 pawn.
    #[inline]
    #[must_use]
    pub fn material(&self) -> i32 {
        self.state.sums.material()
    }

    /// Pieces of both sides together, N 3, B 3, R 5, Q 9: 62 at the start.
    #[inline]
    #[must_use]
    pub fn men(&self) -> i32 {
        self.state.sums.men()
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        u32::from(self.state.halfmoves)
    }

    /// The square behind a pawn that can be taken en passant by a legal move.
    #[inline]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.state.en_passant
    }

    /// Whether castling starts from other squares than in the usual game.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        self.paths.chess960
    }

    /// The rook's square if the right to castle is still there.
    #[must_use]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let index = Rights::index(color, side);
        self.state.rights.has(index).then(|| self.paths.rooks[index])
    }

    /// What stands on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, sq: Square) -> Piece {
        self.squares[sq as usize]
    }

    /// All men.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        Bitboard(self.colors[0].0 | self.colors[1].0)
    }

    /// All men of a colour.
    #[inline]
    #[must_use]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.colors[color as usize]
    }

    /// All men of a role, both colours.
    #[inline]
    #[must_use]
    pub fn by_role(&self, role: Role) -> Bitboard {
        let white = self.codes[Piece::new(Color::White, role).index()];
        let black = self.codes[Piece::new(Color::Black, role).index()];
        Bitboard(white.0 | black.0)
    }

    /// The men of one colour and role.
    #[inline]
    #[must_use]
    pub fn men_of(&self, color: Color, role: Role) -> Bitboard {
        self.codes[Piece::new(color, role).index()]
    }

    /// The king's square.
    #[inline]
    #[must_use]
    pub fn king(&self, color: Color) -> Square {
        let king = self.men_of(color, Role::King);
        debug_assert!(king.any());
        Square::new(king.0.trailing_zeros() & 63)
    }
}
