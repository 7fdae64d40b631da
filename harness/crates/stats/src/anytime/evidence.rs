//! E-values for "better" and for "worse".

use std::fmt;

/// What the pairs so far prove: e-values, as natural logarithms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Evidence {
    /// That the test engine is stronger.
    pub better: f64,
    /// That it is weaker.
    pub worse: f64,
}

impl fmt::Display for Evidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "evidence {} for better, {} for worse",
            e_value_text(self.better),
            e_value_text(self.worse)
        )
    }
}

/// An e-value, given by its logarithm, as text: how many times the stake.
pub fn e_value_text(logarithm: f64) -> String {
    let value = logarithm.exp();
    if value < 1e6 {
        format!("{value:.2}×")
    } else {
        format!("10^{:.1}×", logarithm * std::f64::consts::LOG10_E)
    }
}
