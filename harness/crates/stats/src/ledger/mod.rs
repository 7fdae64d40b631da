//! A year of tests together: what was gained, what was accepted falsely, and how much may still be
//! asked.
//!
//! [`Shrunk`] estimates the true effects of all tests at once, [`OnlineFdr`] says how sure each next
//! acceptance must be, and [`simulate_years`] measures both where the truth is known.

mod online;
mod prior;
mod shrunk;
mod years;

pub use online::OnlineFdr;
pub use shrunk::{Estimate, Measured, Shrunk};
pub use years::{World, YearRule, Years, YearsFound, simulate_years};
