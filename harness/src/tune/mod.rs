//! Finding better numbers for the engine.
//!
//! - [`texel`]: fits evaluation weights to the results of games.
//! - [`spsa`]: walks uphill by games between settings on either side.

mod personality;
pub mod spsa;
pub mod texel;

pub use personality::personality;
