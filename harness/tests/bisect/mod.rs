//! Commits of a toy repository: `verdict bisect` finds a planted loss, whatever happens on the way;
//! `verdict history` rates tags.

mod found;
mod history;
mod killed;
mod night;
mod place;
mod usage;
