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

pub use error::TuneError;
pub use personality::{personality, write_tuned};
