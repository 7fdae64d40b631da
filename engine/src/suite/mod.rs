//! Test suites: positions with a known best move, a move to avoid or a mate to find, as figures of
//! regression. EPD in, solved positions and nodes to the solution out.

mod case;
mod file;
mod report;
mod run;
mod san;

pub use case::{Case, CaseError};
pub use file::{SuiteError, SuiteFile};
pub use report::{Report, SolvedTally};
pub use run::{Conditions, NoMemory, Outcome, run};
pub use san::SanError;
