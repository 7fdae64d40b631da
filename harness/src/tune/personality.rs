//! Tuned parameters as a file to play with.

use engine::Params;
use serde_json::json;

/// A personality's file, one line a parameter: for `embedded:FILE.json` and the engine's option
/// `Parameter File`.
#[must_use]
pub fn personality(params: &Params) -> String {
    let overrides = params.overrides();
    let entries = overrides.as_object().into_iter().flatten();
    let lines: Vec<String> =
        entries.map(|(name, value)| format!("  {}: {value}", json!(name))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
