//! How sure the next acceptance must be, so that few of all acceptances are false.

/// e-LOND: of the changes that it calls discoveries, the share that are no gains is on average at most
/// `alpha`, however many tests there are and however they depend on each other.
///
/// Test `t` is a discovery when its e-value for "better" reaches `1 / level`, where `level = alpha γ_t
/// (D + 1)` and `D` counts earlier discoveries. The weights are `γ_t = k / ((t + k − 1) (t + k))`, which
/// sum to 1, half of it over the first `k` tests. An e-value may be taken whenever a match stopped, since
/// it is one at every look.
///
/// After Xu and Ramdas, "Online multiple testing with e-values" (2024).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OnlineFdr {
    alpha: f64,
    half: f64,
    tests: u64,
    discoveries: u64,
}

impl OnlineFdr {
    /// `alpha` is 0 to 1; half of it is meant for the first `half` tests.
    pub fn new(alpha: f64, half: u64) -> OnlineFdr {
        OnlineFdr { alpha, half: half.max(1) as f64, tests: 0, discoveries: 0 }
    }

    /// The probability of error that the next test may have.
    pub fn level(&self) -> f64 {
        let (k, next) = (self.half, self.tests as f64 + 1.0);
        let weight = k / ((next + k - 1.0) * (next + k));
        self.alpha * weight * (self.discoveries as f64 + 1.0)
    }

    /// [`OnlineFdr::level`] for the rule `anytime`: as three digits of a percentage, rounded down.
    pub fn level_for_a_rule(&self) -> f64 {
        let level = self.level().min(0.49);
        let scale = 10_f64.powf(2.0 - level.log10().floor());
        (level * scale).floor() / scale
    }

    /// Adds the next test by the logarithm of its e-value; whether it is a discovery.
    pub fn add(&mut self, log_e: f64) -> bool {
        let is_discovery = log_e >= -self.level().ln();
        self.tests += 1;
        self.discoveries += u64::from(is_discovery);
        is_discovery
    }

    pub fn discoveries(&self) -> u64 {
        self.discoveries
    }

    pub fn alpha(&self) -> f64 {
        self.alpha
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_sum_to_alpha_and_discoveries_raise_them() {
        let mut fdr = OnlineFdr::new(0.05, 10);
        let mut sum = 0.0_f64;
        for number in 0..100_000 {
            if number == 10 {
                assert!((sum - 0.025).abs() < 1e-12, "{sum}");
            }
            sum += fdr.level();
            assert!(!fdr.add(0.0));
        }
        assert!((0.0499..0.05).contains(&sum), "{sum}");
        let mut fdr = OnlineFdr::new(0.05, 10);
        let first = fdr.level();
        assert!((first - 0.05 * 10.0 / 110.0).abs() < 1e-12);
        assert!(fdr.add((1.0 / first).ln() + 1e-9));
        assert_eq!(fdr.discoveries(), 1);
        assert!((fdr.level() - 2.0 * 0.05 * 10.0 / (11.0 * 12.0)).abs() < 1e-12);
    }

    #[test]
    fn a_rule_asks_for_no_less() {
        for half in [1, 7, 100, 12_345] {
            let mut fdr = OnlineFdr::new(0.05, half);
            for _ in 0..50 {
                let (level, rounded) = (fdr.level(), fdr.level_for_a_rule());
                assert!(rounded <= level && rounded > 0.99 * level, "{level} {rounded}");
                fdr.add(0.0);
            }
        }
    }
}
