//! The position the search lives on: board, make and unmake, keys, draws, SEE.
//!
//! Knows no parameters: the values it keeps incrementally come from a [`SquareTable`] that it is
//! given, and exchange values are arguments.

mod attacks;
mod board;
mod castling;
mod draw;
mod fen;
mod legality;
mod make;
mod null;
mod placement;
mod preview;
mod see;
mod square_table;
mod state;
mod text;

pub use attacks::Pins;
pub(crate) use attacks::{FILE_A, FILE_H};
pub use board::Position;
pub use castling::CastlingSide;
pub use fen::FenError;
pub(crate) use legality::castling_path;
pub use preview::CheckSquares;
pub use see::{ExchangeValues, SeePins, SeeStep};
pub use square_table::SquareTable;
pub use text::MoveTextError;
