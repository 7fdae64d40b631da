//! What came of a sweep or a tuner's run, on standard output.

use std::path::Path;

use serde_json::Value;

use super::match_::OutputFlags;
use super::{print, print_json};
use charts::page::Page;
use process::Error;
use process::terminal::window_width;

/// Says it for people, or with --json for programs, and where it is recorded.
pub(super) fn say(
    (page, json): &(Page, Value),
    dir: &Path,
    output: OutputFlags,
) -> Result<(), Error> {
    match output.json {
        true => print_json(json),
        false => {
            let (text, dir) = (page.plain(window_width()), dir.display());
            print(format_args!("{text}\nRecorded in {dir}\n"))
        }
    }
}
