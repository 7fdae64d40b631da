//! How wide a page on standard output may be.

use std::io::IsTerminal as _;

/// Where nobody says how wide the window is.
const USUAL: usize = 80;

/// The columns of the terminal that standard output is; those of `COLUMNS`, or 80, elsewhere.
pub fn window_width() -> usize {
    let told = || std::env::var("COLUMNS").ok()?.parse().ok();
    let columns = if std::io::stdout().is_terminal() { of_terminal() } else { None };
    columns.or_else(told).filter(|&columns| columns > 0).unwrap_or(USUAL)
}

#[cfg(unix)]
fn of_terminal() -> Option<usize> {
    // SAFETY: plain bits, for which zero is a value; the call gets a pointer that lives.
    let (done, size) = unsafe {
        let mut size: libc::winsize = std::mem::zeroed();
        (libc::ioctl(libc::STDOUT_FILENO, libc::TIOCGWINSZ, &raw mut size), size)
    };
    (done == 0 && size.ws_col > 0).then(|| size.ws_col.into())
}

#[cfg(not(unix))]
fn of_terminal() -> Option<usize> {
    None
}
