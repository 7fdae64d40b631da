//! Programs as children: all that they start ends with us.
//!
//! `guard`: a process of our own that outlives us and ends them; `escaped`: what has left its group, known
//! by a mark in its environment; `adopted`: what has come to us as its parent ended.

pub mod adopted;
pub mod escaped;
pub mod guard;

pub use adopted::{Orphans, Own, start as start_child};
pub use escaped::Mark;
pub use guard::Guarded;
