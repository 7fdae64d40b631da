//! What came of a sweep or a tuner's run, written into its folder.

use std::path::Path;

use charts::page::Page;
use serde_json::Value;

use super::{REPORT_FILE, RecordError, SUMMARY_FILE, SUMMARY_MD_FILE, atomic, write_json};

/// Writes `summary.md`, `summary.json` and `report.html`.
pub fn write_outcome(
    dir: &Path,
    summary: &Page,
    json: &Value,
    html: &str,
) -> Result<(), RecordError> {
    atomic::replace_by(&dir.join(SUMMARY_MD_FILE), summary.markdown())?;
    write_json(&dir.join(SUMMARY_FILE), json)?;
    atomic::replace_by(&dir.join(REPORT_FILE), html)
}
