//! SPSA: all parameters are moved at random to either side, both settings play, and every parameter
//! moves a little towards the side that won.
//!
//! ```text
//! lines ─► preflight ─► state: trial ─► games ─► state: step ─► … ─► bands, tuned.json, confirmation
//! ```
//!
//! [`state`] is the method, as a pure value; `optimizer` is its side towards the tuner. Only the
//! journal of games is recorded; a run resumes by learning it again.

pub mod band;
mod file;
mod given;
mod line;
mod optimizer;
mod outcome;
mod page;
mod report;
pub mod state;
#[cfg(test)]
mod tests;

pub use file::SpsaFile;
pub use given::of_file;
pub use line::{R_END, SpsaParam};
pub use state::{Gains, Spsa, Trial};
