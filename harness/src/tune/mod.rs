//! Finding better numbers for the engine.
//!
//! - [`texel`]: fits evaluation weights to the results of games.
//! - [`spsa`]: walks uphill by games between settings on either side.
//! - [`clop`]: fits a quadratic to games of settings against one base, about the best.
//!
//! The last two are [`tuner`]s by games, behind one [`preflight`], which refuses what changes no search.

pub mod clop;
mod error;
mod games;
mod personality;
mod points;
pub mod preflight;
pub mod spsa;
pub mod texel;
pub mod tuner;

use std::path::Path;

use crate::record::{Kept as _, RunFile};
pub use error::TuneError;
pub use personality::{TUNED_FILE, personality, write_tuned};

/// Whether the games of a folder are those of a tuner: of settings on either side, not of two players.
#[must_use]
pub fn has_games_in(dir: &Path) -> bool {
    spsa::SpsaFile::is_in(dir)
        || clop::ClopFile::is_in(dir)
        || RunFile::read(dir).is_ok_and(|run| run.games_of.is_some())
}
