//! Child processes. Everything that they start ends with verdict.
//!
//! - `guard`: a helper process that outlives verdict for a moment and kills what is left.
//! - `escaped`: processes that left their process group, found by a variable in their environment.
//! - `adopted`: processes whose parent ended, which Linux gave to verdict (their subreaper).

pub mod adopted;
pub mod escaped;
pub mod guard;

pub use adopted::{Orphans, Own, start as start_child};
pub use escaped::Mark;
pub use guard::Guarded;
