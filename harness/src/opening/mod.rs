//! Opening books of any length (TST-11): read, checked, made, put in order.
//!
//! - [`Book::read`] takes EPD, FEN, PGN and Polyglot (`.bin`) files, plain or packed (`.gz`, `.bz2`,
//!   `.zst`, `.xz`, `.zip`), and keeps every opening packed in a few bytes; [`Book::opening`] unpacks one. Plain files of 16 MiB
//!   and more ([`INDEXED_FROM`]) stay on the disk: it keeps where their entries are, and
//!   [`Book::opening`] reads and checks one. So a book of any size is soon open and takes hardly
//!   any memory; what that costs is said at [`Book`].
//! - [`OpeningOrder`] says which opening the *k*-th pair of a match plays.
//! - [`check()`] reports on a book, [`make()`] makes one.
//!
//! Inside, `scan` streams a file's entries to whoever asks: `source` opens and
//! decompresses, `position` reads a FEN, `pgn` reads games. `packed` and `indexed` are the two
//! ways to keep a book. Nobody here plays a match.

mod book;
mod check;
mod chess960;
mod error;
mod indexed;
#[cfg(test)]
mod indexed_tests;
mod make;
mod men;
mod order;
mod outcome;
mod packed;
mod pgn;
mod places;
mod polyglot;
mod position;
mod random;
mod report;
mod scan;
mod source;
mod terminal;
mod work;

pub use book::{Book, INDEXED_FROM, Opening, ReadOptions};
pub use check::{CheckOptions, CheckReport, Duplicate, Findings, TerminalEntry, check};
pub use chess960::chess960;
pub(crate) use error::quote;
pub use error::{BookError, Defect};
pub use make::{MadeBook, MakeError, MakeOptions, Tally, make};
pub(crate) use men::sides;
pub use men::{Men, MenError};
pub use order::{OpeningOrder, OrderKind, permutation};
pub use outcome::Outcome;
pub use pgn::Passing;
pub(crate) use pgn::{
    Extent, GameResult, GameText, ResultWords, TextParser, Variant, WrongMove, begins_game,
    find_move, parse,
};
pub(crate) use position::read_start;
pub(crate) use random::Words;
pub(crate) use scan::{LONGEST_LINE, Lines, positions_on};
pub use source::BookFormat;
pub(crate) use source::{Origin, with_text};
pub use terminal::Terminal;
