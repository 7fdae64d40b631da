//! PGN, EPD and Polyglot files: reads games, and reads, checks and orders opening books of any
//! length (TST-11).
//!
//! - [`parse`] hands the games of a PGN file to a [`GameText`], one after another.
//! - [`Book::read`] takes EPD, FEN, PGN and Polyglot (`.bin`) files, plain or compressed (`.gz`,
//!   `.bz2`, `.zst`, `.xz`, `.zip`), and keeps every opening packed in a few bytes;
//!   [`Book::opening`] unpacks one. Plain files of 16 MiB and more ([`INDEXED_FROM`]) stay on the
//!   disk; [`Book`] says what that costs.
//! - [`OpeningOrder`] says which opening the *k*-th pair of a match plays.
//! - [`check()`] reports on a book.
//! - [`Replay`] plays a game's moves again, writes them in SAN, and says when the rules end it.
//!
//! Inside, `source` opens and decompresses a file, `lines` are its lines, `position` reads a FEN,
//! `games` reads PGN, and `scan` streams the entries of any book. `packed` and `indexed` are the two ways to keep a book. `men` places
//! pieces at random for `harness::make_book`. This crate knows no matches.

mod book;
mod check;
mod chess960;
pub mod compression;
mod error;
mod games;
mod indexed;
#[cfg(test)]
mod indexed_tests;
mod lines;
mod men;
mod moves;
mod opening;
mod order;
mod outcome;
mod packed;
mod places;
mod polyglot;
mod position;
mod random;
mod repetition;
mod replay;
mod report;
mod scan;
mod source;
mod terminal;
mod work;

pub use book::{Book, INDEXED_FROM, ReadOptions};
pub use check::{CheckOptions, CheckReport, Duplicate, Findings, TerminalEntry, check};
pub use chess960::chess960;
pub use error::{BookError, Defect, quote};
pub use games::{
    Extent, GameResult, GameText, Passing, ResultWords, ShortWord, TextParser, Undecided, Variant,
    WrongMove, begins_game, find_move, parse,
};
pub use lines::{LONGEST_LINE, Lines, positions_on};
pub use men::{Material, sides};
pub use opening::Opening;
pub use order::{OpeningOrder, OrderKind, permutation};
pub use outcome::Outcome;
pub use position::read_start;
pub use random::{RandomWords, mix};
pub use replay::Replay;
pub use source::{BookFormat, Origin, with_text};
pub use terminal::Terminal;
