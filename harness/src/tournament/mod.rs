//! Tournaments (TST-06): every player against every other, or a few against all, in one folder.
//!
//! Each pairing is a match with a run folder of its own, so everything that holds for matches
//! holds here: determinism, faults, resuming to the exact pair. They are played together, a pair of
//! each in turn, on the same processors by the same processes. `tournament.json` says who plays;
//! the table over all journals is rendered from them.

mod file;
mod pairings;

pub use file::{Entrant, Pairing, TournamentFile};
pub use pairings::TournamentKind;
