//! A night of matches: one after another until a deadline, resumable, with one report.
//!
//! Each entry of the plan is a `verdict match` or `verdict tournament` in its own process and its
//! own folder inside the night's. What went wrong with one is that one's; a night that is begun
//! again goes on with what is unfinished and skips what is done.
//!
//! - `plan`: what is to be played. `folder`: what is in a night's folder, and who may write there.
//! - `night` plays, with `deadline` and `signals`; `follow` shows the games as they end; `log`
//!   knows why a process ended.
//! - `culprit`: the search for the commit behind a regression.
//! - `outcome` with `regression` and `ratings`: what came of an entry. `summary`: of the
//!   night, as `nightly.json` and Markdown; `page`: as HTML.

mod culprit;
mod deadline;
mod folder;
mod follow;
mod log;
mod night;
mod outcome;
mod page;
mod plan;
mod ratings;
mod regression;
mod signals;
mod summary;

pub use culprit::{EntryBisection, check as check_bisection};
pub use deadline::{Deadline, next_time, night_of};
pub use folder::{NightFolder, is_begun, other_flags_error};
pub use night::{GRACE, Night, PlayedNight};
pub use outcome::{Cause, EntryOutcome, EntryState, FaultCounts, MatchNumbers, NightRun, Stop};
pub use page::page;
pub use plan::{EntryKind, NightEntry, NightlyPlan};
pub use ratings::Rating;
use ratings::crosstable;
pub use regression::regression;
pub use summary::NightSummary;
