//! What came of a sweep or a tuner's run, on standard output.

use std::io::Write as _;
use std::path::Path;

use anyhow::Context as _;
use serde_json::Value;

use super::match_::OutputFlags;
use charts::page::Page;
use process::terminal::window_width;

/// Says it for people, or with --json for programs, and where it is recorded.
pub(super) fn say(
    (page, json): &(Page, Value),
    dir: &Path,
    output: OutputFlags,
) -> anyhow::Result<()> {
    let text = if output.json {
        serde_json::to_string_pretty(json).context("cannot write the outcome")?
    } else {
        format!("{}\nRecorded in {}", page.plain(window_width()), dir.display())
    };
    writeln!(std::io::stdout(), "{text}").context("cannot write to standard output")
}
