//! verdict: plays matches between chess engines and says by Elo and LOS what they prove.
//!
//! The way of the data:
//!
//! ```text
//! opening ─► schedule ─► runner (games in flight) ─► slots (who may think) ─► game (referee)
//!         ─► collector ─► record (journal) ─► stats ─► verdict and summary
//! ```
//!
//! - [`replay`]: a recorded fault brought about again; [`selfcheck`]: the engine embedded and as a
//!   program, move by move.
//! - [`export`]: games for other programs.
//! - [`make_book`]: random openings that the engine finds balanced.
//! - [`nightly`]: lists of matches, one after another until a deadline.
//! - [`tournament`]: matches of many players in one folder.
//! - [`crosstable`]: everyone in some runs and PGN files, rated together.
//! - [`tables`]: PGN in, counts of material, squares and openings out; knows no matches.
//! - [`sweep`]: many values of parameters against one base, raced.
//! - [`claims`]: what the papers claim as data, each measured and judged.
//! - [`knob`]: what sweeps and tuners turn; [`truth`]: a simulated engine to try them on.
//! - [`tune`]: games in, better numbers for the engine out.

#[macro_use]
extern crate process;

pub mod claims;
pub mod cli;
pub mod crosstable;
pub mod export;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod knob;
pub mod make_book;
pub mod nightly;
mod pattern;
pub mod replay;
pub mod screen;
pub mod selfcheck;
pub mod sweep;
pub mod tables;
pub mod tournament;
pub mod truth;
pub mod tune;
