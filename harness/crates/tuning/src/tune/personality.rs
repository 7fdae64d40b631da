//! Tuned parameters as a personality file.

use engine::Params;
use serde_json::json;

/// A personality's file, one line a parameter: for `embedded:FILE.json` and, on top of `base`, from
/// which it was tuned, for the engine's option `Parameter File`.
pub(super) fn personality(params: &Params, base: &Params) -> String {
    let overrides = params.overrides_on(base);
    let entries = overrides.as_object().into_iter().flatten();
    let lines: Vec<String> =
        entries.map(|(name, value)| format!("  {}: {value}", json!(name))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}
