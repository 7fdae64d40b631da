//! Sweeps (TST-07): many values of parameters, the same openings, one base.
//!
//! ```text
//! axes ─► design (points) ─► a match for each against the base ─► race ─► outcome, confirmation
//! ```
//!
//! Each candidate's match is a run folder of its own, with all that holds for matches: determinism,
//! faults, resuming to the exact pair. They are played in turn, one pair each; the [`race`] ends
//! those that are shown to be worse than the leader. `sweep.json` says what is swept; the common
//! table is rendered from all journals.

mod axis;
mod design;
mod effects;
mod file;
pub mod fit;
mod given;
mod no_ops;
mod outcome;
mod page;
pub mod race;
mod racing;
mod report;
pub mod simulated;
pub mod speed;
mod words;

pub use axis::Axis;
pub use design::Design;
pub use effects::{Effect, Effects};
pub use file::{Candidate, Measure, SweepFile};
pub use no_ops::{no_ops, of_embedded, of_program};
pub use outcome::{Champion, SweepOutcome, SweepRow};
pub use racing::{RaceWatch, Racing};
pub use report::report;
