//! From values to places, and the round values at which an axis is marked.

/// A range of values along an axis; never empty.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    from: f64,
    to: f64,
}

/// Round values within a scale.
#[derive(Debug, Clone, PartialEq)]
pub struct Ticks {
    /// Ascending.
    pub values: Vec<f64>,
    /// Decimals that tell them apart.
    pub decimals: usize,
}

impl Scale {
    /// From the least of values to the greatest; those that are no numbers are left out.
    pub fn of(values: impl IntoIterator<Item = f64>) -> Scale {
        let finite = values.into_iter().filter(|value| value.is_finite());
        let (from, to) = finite.fold((f64::INFINITY, f64::NEG_INFINITY), |(from, to), value| {
            (from.min(value), to.max(value))
        });
        match (from, to) {
            _ if from > to => Scale { from: 0.0, to: 1.0 },
            _ if to - from > 1e-9 * to.abs().max(from.abs()) => Scale { from, to },
            _ => Scale { from: from - 1.0, to: to + 1.0 },
        }
    }

    /// The same with room for a share of it at either end.
    pub fn with_room(self, below: f64, above: f64) -> Scale {
        let size = self.to - self.from;
        Scale { from: self.from - below * size, to: self.to + above * size }
    }

    /// Where a value is: 0 at the least, 1 at the greatest.
    pub fn share(&self, value: f64) -> f64 {
        (value - self.from) / (self.to - self.from)
    }

    /// At most `most` round values, multiples of `least` or of more.
    pub fn ticks(&self, most: usize, least: f64) -> Ticks {
        let raw = ((self.to - self.from) / most.max(1) as f64).max(least);
        let power = 10f64.powf(raw.log10().floor());
        // A last bit above a round step is that step.
        let fits = |factor: &f64| factor * power >= raw * (1.0 - 1e-9);
        let step = [1.0, 2.0, 5.0].into_iter().find(fits).unwrap_or(10.0) * power;
        let decimals = (-step.log10() - 1e-9).ceil().clamp(0.0, 9.0) as usize;
        let first = (self.from / step - 1e-9).ceil();
        let last = (self.to / step + 1e-9).floor();
        let steps = (last - first).clamp(-1.0, most as f64) as i32;
        // Adding zero makes a minus zero plain.
        let values = (0..=steps).map(|i| (first + f64::from(i)) * step + 0.0).collect();
        Ticks { values, decimals }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_ticks() {
        for (from, to, most, least, values, decimals) in [
            (0.0, 400.0, 5, 1.0, vec![0.0, 100.0, 200.0, 300.0, 400.0], 0),
            (0.0, 3.0, 6, 1.0, vec![0.0, 1.0, 2.0, 3.0], 0),
            (-3.1, 3.1, 5, 0.0, vec![-2.0, 0.0, 2.0], 0),
            (0.0, 0.3, 3, 0.0, vec![0.0, 0.1, 0.2, 0.3], 1),
            (0.0, 1.0, 5, 0.0, vec![0.0, 0.2, 0.4, 0.6, 0.8, 1.0], 1),
            (17.0, 61.0, 4, 0.0, vec![20.0, 40.0, 60.0], 0),
        ] {
            let ticks = Scale::of([from, to]).ticks(most, least);
            assert_eq!(ticks.decimals, decimals, "{from} to {to}");
            assert_eq!(ticks.values.len(), values.len(), "{from} to {to}: {ticks:?}");
            let near = ticks.values.iter().zip(&values).all(|(a, b)| (a - b).abs() < 1e-9);
            assert!(near, "{from} to {to}: {ticks:?}");
        }
    }

    #[test]
    fn any_values_make_a_scale() {
        for values in [vec![], vec![f64::NAN], vec![5.0], vec![0.0, 0.0], vec![1e300, -1e300]] {
            let scale = Scale::of(values.clone());
            assert!(scale.from < scale.to, "{values:?}");
            let ticks = scale.ticks(5, 0.0);
            assert!(ticks.values.len() <= 6, "{values:?}: {ticks:?}");
            assert!(ticks.values.iter().all(|value| value.is_finite()), "{values:?}: {ticks:?}");
        }
        let scale = Scale::of([0.0, 10.0]).with_room(0.1, 0.2);
        assert_eq!((scale.from, scale.to, scale.share(5.5)), (-1.0, 12.0, 0.5));
    }
}
