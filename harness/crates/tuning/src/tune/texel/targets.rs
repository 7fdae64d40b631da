//! What the values of positions should predict: expected scores, on the scale of each source. Who
//! gave the scores counts pawns otherwise than the evaluation, so scores have a scale of their own.

use super::sample::TexelSample;

/// 1 / (1 + e^(−x)).
pub(super) fn expected(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// What the value of a position should predict.
#[derive(Debug, Clone, Copy)]
pub struct Target {
    /// White's expected score, 0 to 1.
    pub expected: f32,
    /// The scale of the position's source.
    pub scale: f32,
}

pub fn mean_error(values: &[f32], targets: &[Target]) -> f64 {
    let squares = values.iter().zip(targets).map(|(value, target)| square(*value, target));
    squares.sum::<f64>() / values.len().max(1) as f64
}

/// The squared error of a value.
pub(super) fn square(value: f32, target: &Target) -> f64 {
    (expected(f64::from(target.scale * value)) - f64::from(target.expected)).powi(2)
}

/// By source, the scale under which the values predict what is expected best; 0 for a source without
/// positions. `positions` have source, value, and White's expected score.
pub fn scales(positions: impl Iterator<Item = (u16, f32, f32)>, sources: usize) -> Vec<f64> {
    let mut of_source = vec![(Vec::new(), Vec::new()); sources];
    for (source, value, expected) in positions {
        let (values, all) = &mut of_source[usize::from(source)];
        values.push(value);
        all.push(expected);
    }
    of_source.iter().map(|(values, expected)| scale(values, expected)).collect()
}

/// Golden-section search.
fn scale(values: &[f32], results: &[f32]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let error = |scale: f64| {
        let target = |&expected: &f32| Target { expected, scale: scale as f32 };
        mean_error(values, &results.iter().map(target).collect::<Vec<_>>())
    };
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (1e-4, 0.05);
    while high - low > 1e-6 {
        let (left, right) = (high - golden * (high - low), low + golden * (high - low));
        if error(left) < error(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}

/// White's expected score in each position: `lambda` of the game's result, the rest from the score
/// that came with it, by the scale that its source's scores have.
pub fn expected_scores(samples: &[TexelSample], score_scales: &[f64], lambda: f64) -> Vec<f32> {
    let mix = |sample: &TexelSample| {
        let score = score_scales[usize::from(sample.source)] * f64::from(sample.score);
        (lambda * f64::from(sample.result) + (1.0 - lambda) * expected(score)) as f32
    };
    samples.iter().map(mix).collect()
}

/// The same with the evaluation's scale by source, against which the weights are fitted.
pub fn targets(samples: &[TexelSample], expected: &[f32], scales: &[f64]) -> Vec<Target> {
    let target = |(sample, &expected): (&TexelSample, &f32)| Target {
        expected,
        scale: scales[usize::from(sample.source)] as f32,
    };
    samples.iter().zip(expected).map(target).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Each source gets the scale under which its results were made.
    #[test]
    fn scales_of_sources() {
        let truth = [0.002, 0.004];
        let values: Vec<f32> = (0..2000).map(|n| (n % 1001) as f32 - 500.0).collect();
        let samples: Vec<TexelSample> = (0..2000_usize)
            .map(|n| {
                let source = n % 2;
                let result = expected(truth[source] * f64::from(values[n])) as f32;
                let mut sample = TexelSample::of("", result);
                sample.source = source as u16;
                sample
            })
            .collect();
        let positions = samples.iter().zip(&values);
        let found =
            scales(positions.map(|(sample, &value)| (sample.source, value, sample.result)), 3);
        assert!((found[0] - truth[0]).abs() < 1e-5 && (found[1] - truth[1]).abs() < 1e-5);
        assert_eq!(found[2], 0.0);
    }

    /// Scores and results are mixed as expected scores, a pawn being worth what the source's scores
    /// say.
    #[test]
    fn scores_have_their_own_scale() {
        let mut sample = TexelSample::of("", 1.0);
        sample.score = 200.0;
        let of = |lambda| expected_scores(std::slice::from_ref(&sample), &[0.005], lambda)[0];
        let by_score = expected(1.0) as f32;
        assert_eq!((of(1.0), of(0.0)), (1.0, by_score));
        assert!((of(0.25) - (0.25 + 0.75 * by_score)).abs() < 1e-6);
    }
}
