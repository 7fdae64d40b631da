//! A night of matches: one after another until a deadline, resumable, with one report.
//!
//! Each entry of the plan is a `verdict match` or `verdict tournament` in a process of its own, in a
//! folder of its own inside the night's. What went wrong with one is that one's; a night that is
//! begun again goes on with what is unfinished and skips what is done.

mod deadline;
mod night;
mod plan;
mod signals;
mod summary;

pub use deadline::{Deadline, next_time, night_of};
pub use night::{Night, NightError};
pub use plan::{Entry, NightlyPlan, PlanError, Word};
pub use summary::{Outcome, State, Summary};
