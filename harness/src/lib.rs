//! verdict: plays matches between chess engines and says by Elo and LOS what they prove.
//!
//! A match itself is the crate `arena`; `tables` counts games in PGN, `tuning` has sweeps, SPSA, CLOP and
//! Texel. Here stands what is built on them:
//!
//! - [`cli`]: the command line; [`screen`]: what is shown while games are played.
//! - [`replay`]: a recorded fault brought about again; [`selfcheck`]: the engine embedded and as a
//!   program, move by move.
//! - [`export`]: games for other programs.
//! - [`make_book`]: random openings that the engine finds balanced.
//! - [`nightly`]: lists of matches, one after another until a deadline.
//! - [`tournament`]: matches of many players in one folder.
//! - [`crosstable`]: everyone in some runs and PGN files, rated together.
//! - [`claims`]: what the papers claim as data, each measured and judged.

#[macro_use]
extern crate process;

pub mod claims;
pub mod cli;
pub mod crosstable;
pub mod export;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod make_book;
pub mod nightly;
pub mod replay;
pub mod screen;
pub mod selfcheck;
pub mod tournament;
