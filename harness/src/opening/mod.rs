//! Opening books: read, checked, made, put in order.
//!
//! - [`Book::read`] takes EPD, FEN and PGN files, plain or as `.gz`, `.zst`, `.zip`, and keeps
//!   every opening packed in a few bytes; [`Book::opening`] unpacks one.
//! - [`OpeningOrder`] says which opening the *k*-th pair of a match plays.
//! - [`check()`] reports on a book, [`make()`] makes one.
//!
//! Inside, `scan` streams a file's entries to whoever asks: `source` opens and
//! decompresses, `position` reads a FEN, `pgn` reads games. Nobody here plays a match.

mod book;
mod check;
mod chess960;
mod error;
mod make;
mod order;
mod pgn;
mod position;
mod random;
mod report;
mod scan;
mod source;

pub use book::{Book, Opening, ReadOptions};
pub use check::{CheckOptions, CheckReport, Duplicate, Findings, Terminal, TerminalEntry, check};
pub use chess960::chess960;
pub use error::{BookError, Defect};
pub use make::{MadeBook, MakeError, MakeOptions, Tally, make};
pub use order::{OpeningOrder, OrderKind, permutation};
pub(crate) use pgn::{Extent, GameText, parse};
pub(crate) use random::Words;
pub(crate) use scan::Lines;
pub use source::BookFormat;
pub(crate) use source::{Origin, with_text};
