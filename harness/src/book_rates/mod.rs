//! Opening books compared: how many pairs a match needs with each for the same verdict.
//!
//! [`BookRatesFile`] is the manifest of a folder with a match for each book; [`BookResults`] is what a match
//! says of its book, and [`BookRates`] are several, compared with the first one.

mod file;
mod page;
mod results;

pub use file::{BookRatesFile, RatedBook};
pub use results::{BookRates, BookResults};
