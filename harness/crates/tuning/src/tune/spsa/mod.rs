//! SPSA: all parameters are moved at once by lot to either side, the two settings play, and every
//! parameter goes a little towards the side that won.
//!
//! ```text
//! lines ─► preflight ─► state: trial ─► games ─► state: learn ─► … ─► bands, tuned.json, confirmation
//! ```
//!
//! [`state`] is the method, as a pure value; the journal of games is all that is recorded, and a run
//! goes on from it by learning it again.

pub mod band;
mod file;
mod line;
mod page;
pub mod report;
mod run;
pub mod simulated;
pub mod state;

pub use file::SpsaFile;
pub use line::{Line, LineError, R_END, read_lines};
pub use state::{Gains, Spsa, Trial};
