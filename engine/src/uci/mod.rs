//! Protocols: text in, text out. The only place that prints while the engine thinks.
//!
//! The first word decides (UCI-01): `uci` speaks UCI, any other word enters the line mode for
//! people, which knows the same commands and answers mistakes with help.

mod go;
mod line;
mod options;
mod output;
mod session;
mod thinker;

pub use line::{HELP, board, perft};
pub use session::run;
