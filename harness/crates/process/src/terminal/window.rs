//! How wide a page on standard output may be.

use terminal_size::{Width, terminal_size_of};

/// Where nobody says how wide the window is.
const USUAL: usize = 80;

/// The columns of the terminal that standard output is; those of `COLUMNS`, or 80, elsewhere.
pub fn window_width() -> usize {
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let columns = terminal_size_of(std::io::stdout()).map(|(Width(columns), _)| columns.into());
    columns.or_else(told).filter(|&columns| columns > 0).unwrap_or(USUAL)
}
