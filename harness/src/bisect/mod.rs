//! Which commit lost the Elo: builds and matches between a good commit and a bad one.
//!
//! - `file`: `bisect.json`, what is searched and how. `steps`: `steps.json`, what was done, in order.
//! - `search`: what is needed next (a build, pairs of a version, the verdict of a match), by the
//!   posterior ([`stats::culprit`]) or by plain halving (`halving`). It is a function of the steps and
//!   of the journals of the matches, so that a bisection that is resumed ends as it would have.
//! - `watch`: feeds games into a search while they are played.
//! - `outcome`: what came of it; `report`: for people and for programs.

mod file;
mod halving;
mod outcome;
mod report;
mod search;
mod steps;
mod watch;

pub use file::BisectFile;
pub use outcome::{Outcome, Row, RowState, State};
pub use report::{render, write};
pub use search::{Ending, Need, Search};
pub use watch::{SharedSearch, Watch};
