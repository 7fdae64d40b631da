//! verdict: plays matches between chess engines and judges them by Elo, LOS and SPRT.
//!
//! A match itself is the crate `arena`; `tables` counts games in PGN, `tuning` has sweeps, SPSA,
//! CLOP and Texel. This crate has what is built on them:
//!
//! - [`cli`]: the command line; [`screen`]: what is shown while games are played.
//! - [`replay`]: reproduces a recorded fault; [`selfcheck`]: compares the moves of embedded
//!   mutineer with those of mutineer as a program.
//! - [`export`]: games for other programs.
//! - [`imported`]: results of fastchess, OpenBench and fishtest.
//! - [`make_book`]: makes opening books (EPD, FEN, PGN) of random positions and of real games;
//!   [`book_rates`] compares books by matches.
//! - [`bisect`]: which commit lost the Elo.
//! - [`history`]: Elo of revisions over time.
//! - [`nightly`]: lists of matches, one after another until a deadline.
//! - [`tournament`]: matches of many players in one folder.
//! - [`crosstable`]: joint ratings of all players in runs and PGN files.
//! - [`ledger`]: many runs together: what was tried, accepted and gained.
//! - [`claims`]: measures the papers' claims and judges them.

#[macro_use]
extern crate process;

pub mod bisect;
pub mod book_rates;
pub mod claims;
pub mod cli;
pub mod crosstable;
pub mod export;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod history;
pub mod imported;
pub mod ledger;
pub mod make_book;
pub mod nightly;
pub mod replay;
pub mod screen;
pub mod selfcheck;
pub mod tournament;
