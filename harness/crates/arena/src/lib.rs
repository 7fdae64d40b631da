//! A match between two players: builds the engines, plays and referees the games, records and
//! judges them.
//!
//! ```text
//! plan ─► build ─► session ─► schedule ─► runner (running games) ─► slots (who may think)
//!      ─► game (referee) ─► collector ─► record (journal) ─► verdict and summary ─► report
//! ```
//!
//! - [`plan`]: a match, checked, as a value.
//! - [`build`]: builds engines from commits and the working tree.
//! - [`session`]: plays a match, new or resumed, to its verdict.
//! - [`schedule`]: the seeded order of game pairs; pure.
//! - [`player`]: any UCI or xboard process that can play.
//! - [`game`]: one game under the referee's eyes, and the adjudication rules.
//! - [`pool`]: the players of a game, programs and the embedded engine, made and used again.
//! - [`slots`]: search threads, given to one open game after another; [`pace`]: their speed here.
//! - [`hands`]: who plays a match, this process or others; [`runner`] starts games, [`collector`] owns
//!   their results.
//! - [`varied`]: players whose values differ from pair to pair.
//! - [`record`]: a run's files: `run.json`, the journal, its digest, what is rendered from them.
//! - [`report`]: matches for people, as a page with charts.
//! - [`output_folder`]: refuses to write into a folder that holds other work.
//! - [`commas`]: escaped commas in the text of a player.
//! - [`compliance`]: whether a program can be relied on in matches.
//! - [`verify`]: checks a run's folder against its schedule, its moves and its digest.

#[macro_use]
extern crate process;

pub mod build;
pub mod collector;
pub mod commas;
pub mod compliance;
pub mod game;
pub mod hands;
pub mod output_folder;
pub mod pace;
pub mod plan;
pub mod player;
pub mod pool;
pub mod record;
pub mod report;
pub mod runner;
pub mod schedule;
pub mod session;
pub mod slots;
pub mod varied;
pub mod verify;

/// For `skip_serializing_if`.
pub fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}
