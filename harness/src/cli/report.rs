//! `verdict report`: runs as a page for people.

use std::io::Write as _;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;

use super::DONE;
use crate::report::{self, REPORT_FILE};

/// Render runs as one HTML page with charts that needs no network: finished runs, interrupted ones,
/// and those under way.
///
/// Of one run it becomes report.html in the run's folder; of several, report.html where you stand,
/// with a table of all of them first.
#[derive(Debug, Args)]
#[command(before_help = "Example:\n  verdict report results/2026-01-31-a-match\n  \
    verdict report results/2026-01-* --out january.html")]
pub struct ReportArgs {
    /// Folders of runs.
    #[arg(value_name = "DIR", required = true)]
    dirs: Vec<PathBuf>,

    /// Where the page goes.
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Runs `verdict report`, which prints the path of the page; returns the exit code.
///
/// # Errors
/// When a folder holds no run, its files are damaged, or the page cannot be written.
pub fn run(args: &ReportArgs) -> anyhow::Result<u8> {
    let out = match (&args.out, args.dirs.as_slice()) {
        (Some(out), _) => out.clone(),
        (None, [dir]) => dir.join(REPORT_FILE),
        (None, _) => PathBuf::from(REPORT_FILE),
    };
    report::write(&args.dirs, &out)?;
    writeln!(std::io::stdout(), "{}", out.display()).context("cannot write to standard output")?;
    Ok(DONE)
}
