//! A match between two players: built, played under a referee's eyes, recorded, judged.
//!
//! ```text
//! plan ─► build ─► session ─► schedule ─► runner (games in flight) ─► slots (who may think) ─► game (referee)
//!      ─► collector ─► record (journal) ─► verdict and summary ─► report
//! ```
//!
//! - [`plan`]: a match, checked, as a value.
//! - [`build`]: commits and work trees in, engines out.
//! - [`session`]: a match from its plan or its folder to its verdict.
//! - [`schedule`]: the seeded order of game pairs; pure.
//! - [`player`]: what can play: the embedded engine, any UCI or xboard process.
//! - [`game`]: one game under the referee's eyes, and the adjudication rules.
//! - [`slots`]: the processors, handed to the game that is due.
//! - [`runner`] starts games, [`collector`] owns their results.
//! - [`record`]: what is kept of a game, the journal, and everything rendered from it.
//! - [`report`]: matches for people, as a page with charts.
//! - [`output_folder`]: whether a folder is free for something new.
//! - [`compliance`]: whether a program can be relied on in matches.
//! - [`verify`]: whether what a run's folder says can be true.

#[macro_use]
extern crate process;

pub mod build;
pub mod collector;
pub mod compliance;
pub mod game;
pub mod output_folder;
pub mod pace;
pub mod plan;
pub mod player;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod session;
pub mod slots;
pub mod verify;

/// Whether a value is its type's default, which need not be written.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
