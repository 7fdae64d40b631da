//! Wilson's score interval: what a share that was counted says of the true one.

/// The interval of a share seen in `n` trials, 0 to 1, by the normal quantile `z` (1.96 for 95 % on
/// both sides, 1.645 for 95 % on one); none without trials. For scores of games, in which draws
/// spread less than wins and losses, it is on the safe side.
pub fn wilson(share: f64, n: u64, z: f64) -> Option<(f64, f64)> {
    if n == 0 {
        return None;
    }
    let n = n as f64;
    let centre = share + z * z / (2.0 * n);
    let spread = z * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    Some((((centre - spread) / scale).max(0.0), ((centre + spread) / scale).min(1.0)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Z95;

    /// Brown, Cai and DasGupta's way to write it gives the same: centre and half width.
    #[test]
    fn intervals() {
        assert_eq!(wilson(0.5, 0, Z95), None);
        let (low, high) = wilson(0.5, 100, Z95).expect("trials");
        assert!((low - 0.4038).abs() < 1e-4 && (high - 0.5962).abs() < 1e-4, "{low} {high}");
        let (low, high) = wilson(1.0, 10, Z95).expect("trials");
        assert!((low - 0.7225).abs() < 1e-4 && (1.0 - high).abs() < 1e-12, "{low} {high}");
    }
}
