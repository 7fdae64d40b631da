//! The papers' claims, measured today: the register's claims table, from the data file
//! `harness/claims/claims.json`. Every old change is tried again (PRO-23), also those said to lose
//! (TST-12).
//!
//! A claim is about a mechanism: `with` and `without` it are parameters of the engine. It is
//! measured by a match between the two (`match`), time to a depth (`speed`), shares that the search
//! counts (`share`) or won positions played out (`mates`), in all personalities that the file
//! names and in the claim's own. Where a match leaves its claim unclear, more pairs are played
//! (`more`). Two ways to build a program are timed by a micro-benchmark (`micro`). `elsewhere` has
//! what was found in another way, `not` why a claim cannot be measured. Each measurement has its
//! own folder; the table and a page with pictures are rendered from what is there: a night may end anywhere, and the next
//! one goes on.

mod amount;
mod expected;
mod file;
mod finding;
mod known_finding;
mod matches;
mod mates;
mod measurement;
mod measurement_file;
mod micro;
mod page;
mod share;
mod speed;
mod table;
mod terms;
mod work;

pub use file::{
    Claim, ClaimsFile, Compared, Conditions, EloClaim, Elsewhere, MeasureKind, PlayedOut,
    ShareClaim, Speed,
};
pub use finding::{ClaimOutcome, ClaimRange, Finding, judge};
pub use mates::Mates;
pub use measurement::{Measurement, MeasurementState, Selection};
pub use micro::{Benchmark, Micro};
pub use share::{Counter, Share};
pub use speed::Speedup;
pub use work::Work;

/// The hash table of searches that are no games, in bytes.
const HASH: usize = 16 << 20;
