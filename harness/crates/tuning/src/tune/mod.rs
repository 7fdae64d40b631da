//! Tuners of an engine's parameters.
//!
//! - [`texel`]: fits evaluation weights to the results of games.
//! - [`spsa`]: walks uphill by games between settings on either side.
//! - [`clop`]: fits a quadratic to games of settings against one base, about the best.
//!
//! The last two play games: they are [`tuner`]s behind one [`preflight`](crate::preflight), which refuses what
//! changes no search.

pub mod clop;
mod games;
mod outputs;
mod personality;
mod points;
pub mod spsa;
pub mod texel;
pub mod tuner;

use personality::personality;
