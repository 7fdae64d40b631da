//! verdict: plays matches between chess engines and says by Elo and LOS what they prove.
//!
//! The way of the data:
//!
//! ```text
//! opening ─► schedule ─► runner (games in flight) ─► slots (who may think) ─► game (referee)
//!         ─► collector ─► record (journal) ─► stats ─► verdict and summary
//! ```
//!
//! - [`build`]: commits and work trees in, engines out.
//! - [`schedule`]: the seeded order of game pairs; pure.
//! - [`player`]: what can play: the embedded engine, any UCI or xboard process.
//! - [`game`]: one game under the referee's eyes, and the adjudication rules.
//! - [`slots`]: the processors, handed to the game that is due.
//! - [`runner`] starts games, [`collector`] owns their results.
//! - [`record`]: what is kept of a game, the journal, and everything rendered from it.
//! - [`report`]: runs for people, as a page with charts.
//! - [`replay`]: a recorded fault brought about again; [`selfcheck`]: the engine embedded and as a
//!   program, move by move.
//! - [`stats`]: pure functions from counts to Elo, LOS and LLR.
//! - [`export`]: games for other programs.
//! - [`make_book`]: random openings that the engine finds balanced.
//! - [`nightly`]: lists of matches, one after another until a deadline.
//! - [`occupied`]: whether a folder is free for something new.
//! - [`compliance`]: whether a program can be relied on in matches.
//! - [`tournament`]: matches of many players in one folder.
//! - [`crosstable`]: everyone in some runs and PGN files, rated together.
//! - [`tables`]: PGN in, counts of material, squares and openings out; knows no matches.
//! - [`parallel`]: a list worked off by threads.
//! - [`sweep`]: many values of parameters against one base, raced.
//! - [`claims`]: what the papers claim as data, each measured and judged.
//! - [`knob`]: what sweeps and tuners turn; [`truth`]: a simulated engine to try them on.
//! - [`tune`]: games in, better numbers for the engine out.
//! - [`verify`]: whether what a run's folder says can be true.
//! - [`plan`] and [`cli`]: the command line, checked, as a value.

#[macro_use]
extern crate process;

pub mod build;
pub mod claims;
pub mod cli;
pub mod collector;
pub mod compliance;
pub mod crosstable;
use stats::dense;
pub mod export;
#[cfg(any(test, fuzzing))]
pub mod fuzzing;
pub mod game;
pub mod knob;
pub mod make_book;
pub mod nightly;
pub mod occupied;
pub mod pace;
pub use process::parallel;
mod pattern;
pub mod plan;
pub mod player;
pub mod record;
pub mod replay;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod screen;
pub mod selfcheck;
pub mod session;
pub mod slots;
pub use ::stats;
pub mod sweep;
pub mod tables;
pub mod tournament;
pub mod truth;
pub mod tune;
pub mod verify;

/// Whether a value is its type's default, which need not be written.
pub(crate) fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
