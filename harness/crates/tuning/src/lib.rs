//! Finds better parameters for an engine, by games.
//!
//! - [`sweep`]: a race of many parameter values against one base.
//! - [`tune`]: SPSA, CLOP and Texel's method.
//! - [`base`]: the player that is varied, an embedded one or a program; [`preflight`] finds what changes nothing of its play;
//!   [`confirm`]: the match at the end.
//! - [`tunable`]: a parameter, or a group, that sweeps and tuners vary; [`simulated_engine`]: an
//!   engine with a known optimum, to test them.
//! - [`label`]: positions with a teacher's scores.
//! - [`form`]: parameter files of other tools.
//! - [`report`]: the files that sweeps and tuners write.

pub mod base;
pub mod confirm;
pub mod form;
pub mod label;
mod number;
mod pattern;
pub mod preflight;
pub mod report;
pub mod simulated_engine;
pub mod sweep;
pub mod tunable;
pub mod tune;

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}
