//! What the command line says.

use std::io::{self, Write as _};

/// Prints a line to standard output. A reader that has gone away (`| head`) is no failure, a full disk is.
///
/// # Errors
/// In words.
pub(crate) fn say(text: &str) -> Result<(), String> {
    match writeln!(io::stdout(), "{text}") {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(format!("standard output: {error}"))
        }
        _ => Ok(()),
    }
}

/// Says on standard error what is wrong; the exit code says it, too, where nobody can hear.
pub(crate) fn complain(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}
