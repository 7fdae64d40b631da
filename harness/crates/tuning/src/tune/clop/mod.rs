//! CLOP: few parameters, each pair of games with values of its own against one base, a quadratic
//! fitted to their results about the best.
//!
//! ```text
//! ranges ─► preflight ─► state: propose ─► games ─► state: learn ─► … ─► best, tuned.json, confirmation
//! ```
//!
//! [`state`] is the method, as a pure value, of [`quadratic`] (the fit), [`region`] (where results
//! count) and [`optimum`] (the best and its interval). `points.csv` says what each pair tried, the
//! journal how it ended; a run goes on from both.

mod file;
mod landscape;
pub mod optimum;
mod page;
pub mod quadratic;
mod range;
pub mod region;
mod report;
pub mod state;
#[cfg(test)]
mod tests;

pub use file::ClopFile;
pub use range::ClopParam;
pub use state::{Clop, Maximum};
