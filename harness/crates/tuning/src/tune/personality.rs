//! Tuned parameters as a personality file.

use std::path::Path;

use engine::Params;
use serde_json::json;

use arena::record::{RecordError, atomic, output_files::TUNED_FILE};

/// A personality's file, one line a parameter: for `embedded:FILE.json` and, on top of `base`, from
/// which it was tuned, for the engine's option `Parameter File`.
pub fn personality(params: &Params, base: &Params) -> String {
    let overrides = params.overrides_on(base);
    let entries = overrides.as_object().into_iter().flatten();
    let lines: Vec<String> =
        entries.map(|(name, value)| format!("  {}: {value}", json!(name))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// Writes the personality of tuned parameters into a tuner's folder.
pub fn write_tuned(dir: &Path, params: &Params, base: &Params) -> Result<(), RecordError> {
    atomic::replace_by(&dir.join(TUNED_FILE), personality(params, base))
}
