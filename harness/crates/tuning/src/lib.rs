//! Better numbers for an engine.
//!
//! - [`sweep`]: many values of parameters against one base, raced.
//! - [`tune`]: SPSA, CLOP and Texel: games in, better numbers out.
//! - [`knob`]: what sweeps and tuners turn; [`truth`]: a simulated engine to try them on.

pub mod knob;
mod pattern;
pub mod sweep;
pub mod truth;
pub mod tune;
