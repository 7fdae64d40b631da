//! Which of a list of changes lost the Elo, found by games: probabilistic bisection.
//!
//! Versions `0..=n` stand in a row; change `c` makes version `c` of version `c − 1`. Each version may
//! play pairs against version 0. The model: one change has lost Elo. Versions before it score as
//! version 0 does, versions from it on score less, by an amount that is the same for all and not
//! known. Every change is as likely as any other at first, and so is that none lost anything. Besides,
//! each change may do a little of its own: a random walk of small steps.
//!
//! - [`CulpritSearch`] has the results, and says what to play next: the version whose result is
//!   expected to say most, which is near the median of the posterior. This is Horstein's scheme for
//!   a noisy channel with feedback (1963), in the form of Burnashev and Zigangirov (1974) for a list.
//! - [`Posterior`]: how likely each change is after the results.
//! - [`simulate`]: how often the search errs, and how many pairs it takes; [`halve`]: the same of
//!   plain halving, a match at each step.
//!
//! Versions that cannot play are passed over: the changes up to the next version that plays are told
//! apart by nothing, and are named together.

mod halving;
mod model;
mod posterior;
mod search;
mod simulate;

pub use halving::{HalvingTerms, halve};
pub use posterior::Posterior;
pub use search::{CulpritSearch, CulpritTerms, NextStep};
pub use simulate::{CulpritOutcomes, CulpritTruth, simulate};

#[cfg(test)]
mod tests;
