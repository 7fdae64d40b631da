//! The region of the search: results count the less, the weaker the fit shows their place to be.

use super::quadratic::{Fit, Observation, Quadratic, chance};

/// How many standard errors below the mean a place must lie to count for `1/e` (CLOP's H).
const HEIGHT: f64 = 3.0;
/// Fits at most; each one narrows the region.
const FITS: usize = 40;
/// Weights that shrink by less than this share have settled.
const SETTLED: f64 = 0.01;
/// Half a result on either side, so that a mean of only wins has a logarithm.
const HALF: f64 = 0.5;

/// Weights from 0 to 1 over the space: the least of those of its shells.
#[derive(Debug, Clone, Default)]
pub struct Region {
    shells: Vec<Shell>,
}

/// A quadratic; weights fall below its mean height.
#[derive(Debug, Clone)]
struct Shell {
    quadratic: Quadratic,
    mean: f64,
    width: f64,
}

impl Region {
    /// `None` without results. Begins with all results, and lowers the weights of places that the
    /// fit shows to be weaker than the weighted mean, until they settle. `see` gets each fit, from
    /// the widest to the narrowest, with the weights of its results.
    pub fn of(samples: &[Observation], mut see: impl FnMut(&Fit, &[f64])) -> Option<Region> {
        let mut region = Region::default();
        let mut weights = vec![1.0; samples.len()];
        for _ in 0..FITS {
            let fit = Fit::of(samples, &weights)?;
            see(&fit, &weights);
            let shell = Shell::of(&fit.quadratic, samples, &weights)?;
            let before: f64 = weights.iter().sum();
            for (weight, sample) in weights.iter_mut().zip(samples) {
                *weight = shell.weight(&sample.place).min(*weight);
            }
            region.shells.push(shell);
            if weights.iter().sum::<f64>() > (1.0 - SETTLED) * before {
                break;
            }
        }
        Some(region)
    }

    /// 0 to 1.
    pub fn weight(&self, place: &[f64]) -> f64 {
        self.shells.iter().map(|shell| shell.weight(place)).fold(1.0, f64::min)
    }

    pub fn middle(&self, samples: &[Observation]) -> Vec<f64> {
        let dimensions = samples.first().map_or(0, |sample| sample.place.len());
        let (mut sum, mut weights) = (vec![0.0; dimensions], 0.0);
        for sample in samples {
            let weight = self.weight(&sample.place);
            weights += weight;
            sum.iter_mut().zip(&sample.place).for_each(|(sum, u)| *sum += weight * u);
        }
        sum.iter().map(|sum| sum / weights).collect()
    }
}

impl Shell {
    /// About the weighted mean of the results; `None` without any.
    fn of(quadratic: &Quadratic, samples: &[Observation], weights: &[f64]) -> Option<Shell> {
        let (mut sum, mut won) = (0.0, 0.0);
        for (sample, weight) in samples.iter().zip(weights) {
            sum += weight;
            won += weight * sample.score;
        }
        let mean = ((won + HALF) / (sum - won + HALF)).ln();
        let expected = chance(mean);
        let squares = samples.iter().zip(weights);
        let squares = squares.map(|(s, weight)| (weight * (s.score - expected)).powi(2));
        let error = squares.sum::<f64>().sqrt() / (sum * expected * (1.0 - expected));
        (error > 0.0 && error.is_finite()).then(|| Shell {
            quadratic: quadratic.clone(),
            mean,
            width: HEIGHT * error,
        })
    }

    fn weight(&self, place: &[f64]) -> f64 {
        ((self.quadratic.at(place) - self.mean) / self.width).min(0.0).exp()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Results of one parameter, best at 0.5, as flat as a plain fit of everything could not follow.
    fn samples(count: u32) -> Vec<Observation> {
        let at = |step: u32| {
            let u = f64::from(step % 101) / 50.0 - 1.0;
            let truth = chance(-2.0 * (u - 0.5).abs());
            // Won or lost, in turn as often as the chance says.
            let score = f64::from(u32::from((f64::from(step / 101) * truth).fract() < truth));
            Observation::new(vec![u], score)
        };
        (0..count).map(at).collect()
    }

    #[test]
    fn results_narrow_the_region() {
        let widths: Vec<f64> = [505, 5050, 20_200]
            .map(|count| {
                let region = Region::of(&samples(count), |_, _| ()).expect("results");
                (0..=100).map(|step| region.weight(&[f64::from(step) / 50.0 - 1.0])).sum()
            })
            .to_vec();
        assert!(widths[0] > widths[1] && widths[1] > widths[2], "{widths:?}");
        let samples = samples(20_200);
        let region = Region::of(&samples, |_, _| ()).expect("results");
        assert!((region.middle(&samples)[0] - 0.5).abs() < 0.1, "{:?}", region.middle(&samples));
        assert!(region.weight(&[0.5]) > 0.9 && region.weight(&[-1.0]) < 0.05);
    }

    #[test]
    fn nothing_known_is_everywhere() {
        assert!(Region::of(&[], |_, _| ()).is_none());
        assert!((Region::default().weight(&[0.3, -1.0]) - 1.0).abs() < 1e-12);
    }
}
