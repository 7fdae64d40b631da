//! The position's fields and the plain questions about them.

use std::sync::Arc;

use shakmaty::{Bitboard, Color, Role, Square};

use super::castling::{CastlingPaths, CastlingSide, Rights};
use super::placement::Placement;
use super::square_table::{SquareTable, Sums};
use super::state::{State, States};
use crate::types::{Piece, Score};

/// A chess position with its history, made and unmade in place.
#[derive(Debug, Clone)]
pub struct Position {
    pub(super) men: Placement,
    /// Plies before the first of the states, from White's first move on, as the FEN counts them.
    pub(super) plies: usize,
    pub(super) states: States,
    pub(super) paths: CastlingPaths,
    pub(super) table: Arc<SquareTable>,
}

impl Position {
    /// An empty board, to be filled by the FEN reader.
    pub(super) fn empty(turn: Color) -> Position {
        let table = SquareTable::keys_only();
        Position {
            men: Placement::EMPTY,
            plies: 0,
            states: States::new(turn),
            paths: CastlingPaths::none(),
            table,
        }
    }

    /// The present state.
    #[inline]
    pub(super) fn state(&self) -> &State {
        self.states.present()
    }

    /// The present state, to be changed.
    #[inline]
    pub(super) fn state_mut(&mut self) -> &mut State {
        self.states.present_mut()
    }

    /// Puts a man on an empty square, keeping everything up to date.
    #[inline]
    pub(super) fn put(&mut self, piece: Piece, color: Color, sq: Square) {
        self.men.put(piece, color, sq);
        self.states.present_mut().sums.add(self.table.entry(piece, sq));
    }

    /// Takes a man off the board, keeping everything up to date.
    #[inline]
    pub(super) fn take(&mut self, piece: Piece, color: Color, sq: Square) {
        self.men.take(piece, color, sq);
        self.states.present_mut().sums.remove(self.table.entry(piece, sq));
    }

    /// Uses another table of values from here on: what is kept incrementally is summed up anew, the
    /// history's sums are not.
    pub fn set_table(&mut self, table: &Arc<SquareTable>) {
        self.table = Arc::clone(table);
        self.state_mut().sums = self.sums_from_scratch();
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
            sums.add(self.table.entry(self.men.at(sq), sq));
        }
        sums.key ^= self.turn().fold_wb(self.table.white_turn, 0);
        sums.key ^= self.table.rights[self.state().rights.index()];
        if let Some(sq) = self.state().en_passant {
            sums.key ^= self.table.en_passant[sq.file() as usize];
        }
        sums
    }

    /// Whose move it is.
    #[inline]
    #[must_use]
    pub fn turn(&self) -> Color {
        self.states.turn()
    }

    /// The Zobrist key, equal to shakmaty's `Zobrist64` under `EnPassantMode::Legal`.
    #[inline]
    #[must_use]
    pub fn key(&self) -> u64 {
        self.state().sums.key
    }

    /// Material and piece-square sum kept by make and unmake, White minus Black (GEN-07).
    #[inline]
    #[must_use]
    pub fn i_score(&self) -> Score {
        self.state().sums.i_score()
    }

    /// Material kept by make and unmake, White minus Black, 1/256 pawn.
    #[inline]
    #[must_use]
    pub fn material(&self) -> i32 {
        self.state().sums.material()
    }

    /// Pieces of both sides together, N 3, B 3, R 5, Q 9: 62 at the start.
    #[inline]
    #[must_use]
    pub fn phase_material(&self) -> i32 {
        self.state().sums.men()
    }

    /// Plies since the last capture or pawn move.
    #[inline]
    #[must_use]
    pub fn halfmoves(&self) -> u32 {
        u32::from(self.state().halfmoves)
    }

    /// The square behind a pawn that can be taken en passant by a legal move.
    #[inline]
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        self.state().en_passant
    }

    /// Whether any right to castle is still there.
    #[inline]
    pub(crate) fn may_castle(&self) -> bool {
        self.state().rights != Rights::default()
    }

    /// Whether castling starts from other squares than in the usual game.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        self.paths.chess960
    }

    /// The rook's square if the right to castle is still there.
    #[must_use]
    pub fn castling_rook(&self, color: Color, side: CastlingSide) -> Option<Square> {
        let index = Rights::bit(color, side);
        self.state().rights.has(index).then(|| self.paths.rooks[index])
    }

    /// What stands on a square.
    #[inline]
    #[must_use]
    pub fn piece_at(&self, sq: Square) -> Piece {
        self.men.at(sq)
    }

    /// All men.
    #[inline]
    #[must_use]
    pub fn occupied(&self) -> Bitboard {
        Bitboard(self.men.colors[0].0 | self.men.colors[1].0)
    }

    /// All men of a colour.
    #[inline]
    #[must_use]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.men.colors[color as usize]
    }

    /// All men of a role, both colours.
    #[inline]
    #[must_use]
    pub fn by_role(&self, role: Role) -> Bitboard {
        let white = self.men.codes[Piece::new(Color::White, role).index()];
        let black = self.men.codes[Piece::new(Color::Black, role).index()];
        Bitboard(white.0 | black.0)
    }

    /// The men of one colour and role.
    #[inline]
    #[must_use]
    pub fn men_of(&self, color: Color, role: Role) -> Bitboard {
        self.men.codes[Piece::new(color, role).index()]
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
