//! Tuned parameters as a personality file.

use engine::Params;
use engine::params::json_text;

/// A personality's file, one line a parameter: for `embedded:FILE.json` and, on top of `base`, from
/// which it was tuned, for the engine's option `Parameter File`.
pub(super) fn personality(params: &Params, base: &Params) -> String {
    json_text(&params.overrides_on(base))
}
