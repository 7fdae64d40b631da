//! The free weights: cells of the parameter table.

use engine::Params;
use engine::params::{Kind, ParamSpec, SPECS};

use crate::pattern::matches;
use process::Error;

#[derive(Debug, Clone, Copy)]
pub struct Weight {
    /// Its row of the parameter table.
    pub spec: &'static ParamSpec,
    /// Its index in the row.
    pub index: usize,
    /// Its value before the fit.
    pub start: i32,
}

/// In the table's order.
#[derive(Debug, Clone)]
pub struct Cells(pub Vec<Weight>);

/// The least move of a probe, in 1/256 pawn: hides rounding in the evaluation. Where the value is
/// linear the distance does not matter.
const FAR: i32 = 64;

impl Weight {
    /// The full name, such as `pst.knight_mg[e4]`.
    pub fn name(&self) -> String {
        self.spec.cell_name(self.index)
    }

    /// The table's default: the paper's value where a paper has one.
    pub fn table(&self) -> i32 {
        self.spec.get(&Params::default(), self.index)
    }

    /// Where a probe moves the weight from `value`, within its range.
    pub fn probe(&self, value: i32) -> i32 {
        let far = match self.spec.kind {
            Kind::Linear => FAR.max(self.spec.step),
            _ => self.spec.step,
        };
        let (up, down) = ((value + far).min(self.spec.max), (value - far).max(self.spec.min));
        if up - value >= value - down { up } else { down }
    }

    /// Another value in the weight's range, near `value`; chosen by `number` and `trial`.
    pub fn scattered(&self, value: i32, number: usize, trial: u64) -> i32 {
        let far = FAR.max(16 * self.spec.step);
        let (low, high) = ((value - far).max(self.spec.min), (value + far).min(self.spec.max));
        // A number's digits well mixed (Knuth's multiplier).
        let mixed = (number as u64 * 2 + trial + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40;
        let place = low + (mixed % (high - low) as u64) as i32;
        // Never the value itself.
        if place < value { place } else { place + 1 }
    }

    /// The nearest value that the table allows.
    pub fn allowed(&self, value: f64) -> i32 {
        (value.round() as i32).clamp(self.spec.min, self.spec.max)
    }
}

impl Cells {
    /// The cells of rows whose name matches a pattern; without patterns, of every weight in which
    /// the evaluation is linear. Fails when a pattern matches no number of the table.
    pub fn matching(params: &Params, patterns: &[String]) -> Result<Cells, Error> {
        for pattern in patterns {
            if !SPECS.iter().any(|spec| is_weight(spec) && matches(pattern, spec.name)) {
                return Err(Error::usage(format!(
                    "no evaluation weight is called {pattern:?}: expected names as `mutineer params` \
                     lists them; * matches any text"
                )));
            }
        }
        let wanted = |spec: &ParamSpec| match patterns {
            [] => spec.kind == Kind::Linear,
            _ => is_weight(spec) && patterns.iter().any(|pattern| matches(pattern, spec.name)),
        };
        let rows = SPECS.iter().copied().filter(|spec| wanted(spec));
        let cells = rows.flat_map(|spec| {
            (0..spec.cells()).map(move |index| Weight {
                spec,
                index,
                start: spec.get(params, index),
            })
        });
        Ok(Cells(cells.collect()))
    }

    pub fn values(&self, params: &Params) -> Vec<i32> {
        self.0.iter().map(|cell| cell.spec.get(params, cell.index)).collect()
    }

    /// Writes values, one a cell, into `params`, clamped to the range.
    pub fn put(&self, values: &[i32], params: &mut Params) {
        for (cell, &value) in self.0.iter().zip(values) {
            let value = cell.allowed(f64::from(value));
            // Within the range, so it cannot be refused.
            let _ = cell.spec.set(params, cell.index, value);
        }
    }
}

/// Whether the evaluation uses it. Switches, search margins and move ordering cannot be fitted to
/// results.
fn is_weight(spec: &ParamSpec) -> bool {
    matches!(spec.kind, Kind::Linear | Kind::NonLinear)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn patterns() {
        let count = |patterns: &[&str]| {
            let patterns: Vec<String> = patterns.iter().map(|&p| p.to_owned()).collect();
            Cells::matching(&Params::default(), &patterns).map(|cells| cells.0.len())
        };
        assert_eq!(count(&["pst.knight_*", "material.pawn"]).ok(), Some(129));
        assert_eq!(count(&["king_safety.table"]).ok(), Some(35));
        assert!(count(&[]).is_ok_and(|all| all > 1000));
        let error = count(&["material.pawn", "lmr.on"]).unwrap_err().to_string();
        assert!(error.contains("\"lmr.on\""), "{error}");
    }

    #[test]
    fn probes_stay_in_range() {
        for cell in Cells::matching(&Params::default(), &["*".to_owned()]).unwrap().0 {
            for value in [cell.spec.min, cell.start, cell.spec.max] {
                let scattered = (0..50).map(|number| cell.scattered(value, number, 0));
                for place in scattered.chain([cell.probe(value)]) {
                    assert!((cell.spec.min..=cell.spec.max).contains(&place) && place != value);
                }
            }
        }
    }

    #[test]
    fn values_go_in_and_out() {
        let mut params = Params::default();
        let cells = Cells::matching(&params, &["pst.*".to_owned()]).unwrap();
        let mut values = cells.values(&params);
        values[7] += 3;
        values[8] = i32::MAX;
        cells.put(&values, &mut params);
        let found = cells.values(&params);
        assert_eq!(found[7], values[7]);
        assert_eq!(found[8], cells.0[8].spec.max);
    }
}
