//! From the games of a text to counts: [`Miner`] reads tags, plays the moves and keeps what the
//! tables want of each game.

mod dedup;
mod game;
mod pending;
mod record;
#[cfg(test)]
mod tests;

use serde::{Deserialize, Serialize};

pub use dedup::FINGERPRINTS;
pub(super) use dedup::SeenGames;
pub(super) use game::Miner;

/// What is counted, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, Default)]
pub struct CountSettings {
    /// Games by balance of material.
    pub mit: bool,
    /// Men on squares.
    pub pst: bool,
    /// Positions after moves up to this ply; 0: none.
    pub opening_plies: u32,
    /// A balance of material counts if it stood for so many positions in a row.
    pub consecutive: u32,
    /// Only quiet positions count for that: no check, no capture or promotion right before or
    /// after.
    pub quiet: bool,
    /// It is the middle game while both sides' pieces together (N 3, B 3, R 5, Q 9) exceed this.
    pub phase_limit: i32,
    /// Positions drawn from all games, for fits; 0: none.
    pub sample: u32,
}

impl CountSettings {
    /// The papers' way of counting, with nothing selected yet.
    pub fn usual() -> CountSettings {
        CountSettings { consecutive: 1, phase_limit: 26, ..CountSettings::default() }
    }
}
