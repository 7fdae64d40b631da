//! Width of the terminal on standard output.

use terminal_size::{Width, terminal_size_of};

/// Width if none is known.
const USUAL: usize = 80;

/// The columns of the terminal on standard output; without a terminal `COLUMNS`, or 80.
pub fn window_width() -> usize {
    let from_environment = || std::env::var("COLUMNS").ok()?.parse().ok();
    let columns = terminal_size_of(std::io::stdout()).map(|(Width(columns), _)| columns.into());
    columns.or_else(from_environment).filter(|&columns| columns > 0).unwrap_or(USUAL)
}
