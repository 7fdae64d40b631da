//! Better numbers for an engine.
//!
//! - [`sweep`]: many values of parameters against one base, raced.
//! - [`tune`]: SPSA, CLOP and Texel: games in, better numbers out.
//! - [`tunable`]: what sweeps and tuners turn; [`simulated_engine`]: a simulated engine to try them on.

mod pattern;
pub mod simulated_engine;
pub mod sweep;
pub mod tunable;
pub mod tune;
