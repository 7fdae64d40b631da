//! What one man claimed in 2007, measured today: the register's claims table, from the data file
//! `harness/claims/claims.json`; every old change is tried again (PRO-23), those said to lose among them (TST-12).
//!
//! A claim is about a mechanism: `with` and `without` it are parameters of the engine. What it is worth
//! is a match between the two (`match`), or the time to a depth (`speed`); others are about shares that
//! the search counts of itself (`share`), or about won positions played out (`mates`); each in all personalities
//! that the file names. What concerns the building of a program is timed by itself (`micro`). What was found out
//! in another way, by a tournament or a test of positions, is written down in the file with its outcome
//! (`elsewhere`), and what cannot be, with the reason (`not`). Everything measured
//! lies in a folder of its own; the table over all of them is rendered from what is there, so a night may
//! end anywhere and the next one goes on.

mod expected;
mod file;
mod finding;
mod kept;
mod mates;
mod micro;
mod share;
mod speed;
mod table;
mod terms;
mod work;

pub use file::{
    Claim, ClaimsError, ClaimsFile, Compared, Conditions, Elo, Elsewhere, PlayedOut, Range, Shared,
    Speed,
};
pub use finding::{Finding, Outcome, judge};
pub use mates::Mates;
pub use micro::{Benchmark, Micro};
pub use share::{Counter, Share};
pub use speed::Speedup;
pub use table::render;
pub use work::{Job, Measure, Selection, State, Work};

/// The hash table of searches that are no games, in bytes.
const HASH: usize = 16 << 20;
