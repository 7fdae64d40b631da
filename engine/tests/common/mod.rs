//! What the tests share.

mod flipped;
pub(crate) mod orderings;
pub(crate) mod session;
pub(crate) mod verdicts;

pub(crate) use flipped::color_flipped;
