//! UCI, and the line mode for people, which speaks it too.

mod go;
mod output;
mod session;

pub(super) use session::{Ending, run};
