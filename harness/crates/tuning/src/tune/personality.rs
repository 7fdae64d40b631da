//! Tuned parameters as a personality file.

use engine::Params;
use serde_json::json;

use super::tuner::Optimizer;
use crate::tunable::Tunable;
use arena::record::output_files::TUNED_FILE;

/// A personality's file, one line a parameter: for `embedded:FILE.json` and, on top of `base`, from
/// which it was tuned, for the engine's option `Parameter File`.
pub(super) fn personality(params: &Params, base: &Params) -> String {
    let overrides = params.overrides_on(base);
    let entries = overrides.as_object().into_iter().flatten();
    let lines: Vec<String> =
        entries.map(|(name, value)| format!("  {}: {value}", json!(name))).collect();
    format!("{{\n{}\n}}\n", lines.join(",\n"))
}

/// A tuner's `tuned.json`: `base` with these values of what is tuned.
pub(super) fn tuned_file(
    search: &impl Optimizer,
    base: &Params,
    values: impl Iterator<Item = f64>,
) -> (&'static str, String) {
    let tuned = Tunable::turned(base, search.tunables().into_iter().zip(values));
    (TUNED_FILE, personality(&tuned, base))
}
