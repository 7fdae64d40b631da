//! What the tests share.

pub(crate) mod canonical;
pub(crate) mod players;
pub(crate) mod samples;
pub(crate) mod script;
pub(crate) mod verdict;
