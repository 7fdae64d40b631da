//! Standard output, whole lines at a time.

use std::io::Write as _;

/// Prints one line, or several at once, and flushes. A reader that has gone away is no reason to
/// fail: the next read from it ends the program.
pub(super) fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    let _ = writeln!(out, "{text}").and_then(|()| out.flush());
}
