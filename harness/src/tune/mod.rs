//! Finding better numbers for the engine.
//!
//! - [`texel`]: fits evaluation weights to the results of games.

pub mod texel;
