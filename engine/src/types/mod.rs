//! The engine's small words: pieces as codes, moves in 16 bits, values and depths.
//!
//! `Color`, `Role`, `Square` and `Bitboard` are shakmaty's, so that both programs share one word
//! for one thing. Nothing here knows a position.

mod depth;
mod mv;
mod piece;
mod score;
mod value;

pub use depth::Depth;
pub use mv::{Move, MoveKind};
pub use piece::Piece;
pub use score::Score;
pub use shakmaty::{Bitboard, ByColor, Color, File, Rank, Role, Square};
pub use value::{Value, cp};

/// A square from a colour's point of view: mirrored vertically for Black.
#[inline]
#[must_use]
pub(crate) fn relative_square(color: Color, sq: Square) -> Square {
    color.fold_wb(sq, sq.flip_vertical())
}

/// The deepest ply a line may reach, extensions and quiescence included.
pub const MAX_PLY: usize = 128;
