//! Elo of revisions over time: recorded runs between commits of a repository, rated together.
//!
//! - `runs`: which runs are between commits of the repository; `conditions`: what they must have in common,
//!   to be rated together. `file`: `history.json`, the matches that
//!   are played for a history.
//! - `outcome`: the rating of each revision, the first one at 0; `report`: for people and programs.

mod conditions;
mod file;
mod outcome;
mod report;
mod runs;

pub use conditions::Conditions;
pub use file::{HistoryFile, HistoryMatch, Revision};
pub use outcome::{Outcome, Row};
pub use report::{json, page, write};
pub use runs::{LeftOut, Runs, met};
