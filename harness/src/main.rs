//! verdict's command line.

use std::process::ExitCode;

fn main() -> ExitCode {
    harness::cli::run()
}
