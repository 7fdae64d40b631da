//! FEN in and out.

use std::fmt::Write as _;

use shakmaty::fen::Fen;
use shakmaty::{
    Bitboard, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, PositionError,
    PositionErrorKinds, Rank, Role, Setup, Square,
};

use super::Position;
use super::castling::{CastlingSide, Rights};
use crate::types::Piece;

/// The start position.
const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Why a FEN is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// Not a FEN at all.
    #[error("not a FEN: {0}")]
    Syntax(String),
    /// A FEN of a position that no game can have.
    #[error("not a position: {0}")]
    Illegal(String),
}

/// What is wrong with a position, in words.
fn explain(kinds: PositionErrorKinds) -> String {
    let reasons = [
        (PositionErrorKinds::EMPTY_BOARD, "the board is empty"),
        (PositionErrorKinds::MISSING_KING, "a king is missing"),
        (PositionErrorKinds::TOO_MANY_KINGS, "a side has more than one king"),
        (PositionErrorKinds::PAWNS_ON_BACKRANK, "a pawn stands on the first or last rank"),
        (
            PositionErrorKinds::INVALID_CASTLING_RIGHTS,
            "castling rights without king and rook on their squares",
        ),
        (
            PositionErrorKinds::INVALID_EP_SQUARE,
            "an en passant square that no double step can have left",
        ),
        (PositionErrorKinds::OPPOSITE_CHECK, "the side that has just moved is in check"),
        (PositionErrorKinds::IMPOSSIBLE_CHECK, "a check that no move can have given"),
        (PositionErrorKinds::TOO_MUCH_MATERIAL, "more pieces than promotions allow"),
    ];
    let found: Vec<&str> =
        reasons.iter().filter(|(kind, _)| kinds.intersects(*kind)).map(|(_, text)| *text).collect();
    if found.is_empty() { format!("{kinds:?}") } else { found.join("; ") }
}

/// Reads a FEN of the usual game or of Chess960: what other games add to it has no place on the board,
/// and to drop it would be to play another position.
fn read(text: &str) -> Result<Setup, String> {
    let parted = |letter: char| letter == '_' || letter.is_whitespace();
    let fields: Vec<&str> = text.split(parted).filter(|field| !field.is_empty()).collect();
    let ranks = fields.first().map_or(0, |men| men.split('/').count());
    if ranks != 8 {
        return Err(format!("expected eight ranks separated by '/', found {ranks}"));
    }
    let setup = fields.join(" ").parse::<Fen>().map_err(|error| error.to_string())?.into_setup();
    if setup.pockets.is_some() {
        return Err("expected no pieces in hand, found '[…]' after the board".to_owned());
    }
    if setup.remaining_checks.is_some() {
        return Err("expected no count of checks like '3+3'".to_owned());
    }
    if setup.promoted.any() {
        return Err("expected no promoted pieces marked by '~'".to_owned());
    }
    if !(4..=6).contains(&fields.len()) {
        return Err(format!(
            "expected four to six fields (pieces, side to move, castling, en passant, two counts), \
             found {}",
            fields.len()
        ));
    }
    Ok(setup)
}

impl Position {
    /// The start position of the usual game.
    #[must_use]
    pub fn startpos() -> Position {
        // The constant is valid; the empty board is never seen.
        Position::from_fen(START).unwrap_or_else(|_| Position::empty(Color::White))
    }

    /// Reads a FEN of four to six fields, parted by white space; castling in the usual, X-FEN or
    /// Shredder letters.
    ///
    /// # Errors
    /// A text that is no FEN, or one of another game, or a position that no game can have, with the
    /// reason in words. Rights and en passant squares that cannot be are refused, checks that no move
    /// can have given are not: composed positions and suites contain them.
    pub fn from_fen(text: &str) -> Result<Position, FenError> {
        let text = text.trim();
        let setup =
            read(text).map_err(|reason| FenError::Syntax(format!("{reason} in '{text}'")))?;
        let chess = CastlingMode::detect(&setup);
        let checked = Chess::from_setup(setup.clone(), chess)
            .or_else(PositionError::ignore_impossible_check)
            .map_err(|error| FenError::Illegal(explain(error.kinds())))?;
        let legal = shakmaty::Position::to_setup(&checked, EnPassantMode::Legal);
        Ok(Position::from_legal_setup(&legal))
    }

    fn from_legal_setup(setup: &Setup) -> Position {
        let mut position = Position::empty(setup.turn);
        for (sq, piece) in &setup.board {
            position.put(Piece::new(piece.color, piece.role), piece.color, sq);
        }
        for color in Color::ALL {
            let king = position.king(color);
            for rook in setup.castling_rights & position.by_color(color) {
                let side = CastlingSide::from_king_side(rook > king);
                position.paths.add(color, side, king, rook);
                position.state_mut().rights.0 |= 1 << Rights::bit(color, side);
            }
        }
        let en_passant = setup.ep_square.filter(|&target| {
            let takers = shakmaty::attacks::pawn_attacks(setup.turn.other(), target)
                & position.men_of(setup.turn, Role::Pawn);
            position.can_take_en_passant(setup.turn, takers, target)
        });
        let state = position.state_mut();
        state.en_passant = en_passant;
        // Both counts go on from here: absurd ones are cut so that they have room to grow.
        state.halfmoves = setup.halfmoves.min(u32::from(u16::MAX / 2)) as u16;
        let moves = setup.fullmoves.get().min(u32::MAX / 4) - 1;
        position.plies = 2 * moves as usize + setup.turn.fold_wb(0, 1);
        position.state_mut().sums = position.sums_from_scratch();
        position
    }

    /// The FEN, with X-FEN castling letters and the en passant square only where it can be used.
    #[must_use]
    pub fn fen(&self) -> String {
        let mut text = String::with_capacity(80);
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0;
            for file in File::ALL {
                let piece = self.piece_at(Square::from_coords(file, rank));
                if piece.is_empty() {
                    gap += 1;
                    continue;
                }
                if gap > 0 {
                    let _ = write!(text, "{gap}");
                    gap = 0;
                }
                text.push(piece.letter());
            }
            if gap > 0 {
                let _ = write!(text, "{gap}");
            }
            if rank != Rank::First {
                text.push('/');
            }
        }
        text.push(' ');
        text.push(self.turn().char());
        text.push(' ');
        self.push_castling(&mut text);
        match self.state().en_passant {
            Some(sq) => {
                let _ = write!(text, " {sq}");
            }
            None => text.push_str(" -"),
        }
        let plies = self.plies + self.states.depth();
        let _ = write!(text, " {} {}", self.state().halfmoves, plies / 2 + 1);
        text
    }

    /// The castling field: `KQkq`, or the rook's file where another rook stands further out.
    fn push_castling(&self, text: &mut String) {
        let start = text.len();
        for color in [Color::White, Color::Black] {
            for side in [CastlingSide::KingSide, CastlingSide::QueenSide] {
                let Some(rook) = self.castling_rook(color, side) else { continue };
                let home = Bitboard::from_rank(color.fold_wb(Rank::First, Rank::Eighth));
                let rooks = self.men_of(color, Role::Rook) & home;
                let outermost = match side {
                    CastlingSide::KingSide => rooks.last(),
                    CastlingSide::QueenSide => rooks.first(),
                };
                let letter = match side {
                    _ if outermost != Some(rook) => rook.file().char(),
                    CastlingSide::KingSide => 'k',
                    CastlingSide::QueenSide => 'q',
                };
                text.push(color.fold_wb(letter.to_ascii_uppercase(), letter));
            }
        }
        if text.len() == start {
            text.push('-');
        }
    }
}
