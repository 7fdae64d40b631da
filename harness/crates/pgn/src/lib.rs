//! PGN, EPD and Polyglot files: reads games, and reads, checks and orders opening books of any
//! length (TST-11).
//!
//! - [`parse`] hands the games of a PGN file to a [`GameText`], one after another; [`san`] plays their
//!   moves.
//! - [`Book::read`] takes EPD, FEN, PGN and Polyglot (`.bin`) files, plain or compressed (`.gz`,
//!   `.bz2`, `.zst`, `.xz`, `.zip`), and keeps every opening packed in a few bytes;
//!   [`Book::opening`] unpacks one. Plain files of 16 MiB and more ([`INDEXED_FROM`]) stay on the
//!   disk; [`Book`] says what that costs.
//! - [`OpeningOrder`] says which opening the *k*-th pair of a match plays.
//! - [`check()`] reports on a book.
//! - [`Replay`] plays a game's moves again, writes them in SAN, and says when the rules end it.
//!
//! # Games of a file
//!
//! [`with_text`] opens a file, unpacks it and tells what it holds. [`parse`] finds the games in its text and
//! calls the methods of a [`GameText`] for each: tags, moves, comments, the result, and last
//! [`GameText::finish`]. Moves come as words. A [`san::Board`] finds the legal moves that they mean; a
//! [`san::SanPosition`] does the same and gives shakmaty's position after each move. A reader that needs only
//! tags and results leaves out [`GameText::san`] and returns `false` from [`GameText::wants_moves`].
//!
//! An example counts captured queens:
//!
//! ```
//! use pgn::san::Board;
//! use pgn::{BookError, Extent, GameText, Lines, Origin, parse, quote, read_start, with_text};
//! use std::path::Path;
//!
//! #[derive(Default)]
//! struct Queens {
//!     games: u32,
//!     captured: u32,
//!     board: Board,
//!     /// The first mistake of the game.
//!     mistake: Option<String>,
//!     mistakes: Vec<String>,
//! }
//!
//! impl GameText for Queens {
//!     fn tag(&mut self, line: u64, name: &[u8], value: &[u8]) {
//!         if name == b"FEN" {
//!             match read_start(value, false) {
//!                 Ok(start) => self.board = Board::new(&start),
//!                 Err(why) => self.fail(line, &why, b""),
//!             }
//!         }
//!     }
//!
//!     fn san(&mut self, line: u64, word: &[u8]) {
//!         match self.board.find_move(word) {
//!             _ if self.mistake.is_some() => (),
//!             Ok(change) => {
//!                 // Men are numbered from 0, White's pawn, to 11, Black's king.
//!                 self.captured += u32::from(matches!(change.captured, 4 | 10));
//!                 self.board.play(&change);
//!             }
//!             Err(wrong) => self.fail(line, wrong.expected(), word),
//!         }
//!     }
//!
//!     fn fail(&mut self, line: u64, expected: &str, found: &[u8]) {
//!         let found = quote(found);
//!         self.mistake.get_or_insert_with(|| format!("line {line}: {expected}, found {found}"));
//!     }
//!
//!     fn finish(&mut self, _: &Extent) {
//!         self.games += 1;
//!         self.mistakes.extend(self.mistake.take());
//!         self.board = Board::default();
//!     }
//!
//!     fn wants_moves(&self) -> bool {
//!         self.mistake.is_none()
//!     }
//! }
//!
//! let text = b"[Event \"a\"]\n\n1. e4 e5 2. Qh5 Nf6 3. Qxf7+ Kxf7 { a queen for a pawn } 0-1\n\n\
//!              [Event \"b\"]\n\n1. d4 d5 2. Bc4 *\n";
//! // Of a file: Origin::File(path).
//! let games = Origin::Memory(Path::new("games.pgn"), text);
//! let mut queens = Queens::default();
//! with_text(games, &mut |_, text| parse(&mut Lines::new(text), &mut queens))?;
//! assert_eq!((queens.games, queens.captured), (2, 1));
//! assert_eq!(queens.mistakes, ["line 7: a legal move, found 'Bc4'"]);
//! # Ok::<(), BookError>(())
//! ```
//!
//! The text may be UTF-8 or Latin-1, with or without byte-order marks. Moves may be SAN, long algebraic
//! (`Ng1-f3`), UCI (`g1f3`), with figurines, or with zeros for castling. Variations, NAGs (`$14`) and signs like
//! `±` are skipped. A game of more than 16 MiB is reported as a mistake; the next one is read.
//!
//! A text in memory can be cut where [`begins_game`] says so, and its parts read by several threads, each with a
//! [`TextParser`].
//!
//! # Inside
//!
//! `source` opens and decompresses a file, `lines` are its lines, `position` reads a FEN, `games` reads
//! PGN, `san` plays moves, and `scan` streams the entries of any book. `packed` and `indexed` are the two
//! ways to keep a book. `men` places pieces at random for `harness::make_book`. This crate knows no
//! matches.

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
pub mod san;
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
    WrongMove, begins_game, parse,
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
