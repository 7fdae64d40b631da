//! Fieller's interval: where a line crosses zero whose height and slope are both measured.

/// All `u` with `(p + q u)² ≤ z² (V_pp + 2 u V_pq + u² V_qq)`, from the least to the greatest, for
/// a line `p + q u` and the covariance `[V_pp, V_pq, V_qq]` of its two numbers. None while `q` lies
/// no more than `z` standard errors from 0: such a line may cross anywhere, or nowhere.
pub fn fieller([p, q]: [f64; 2], [v_pp, v_pq, v_qq]: [f64; 3], z: f64) -> Option<[f64; 2]> {
    let a = q * q - z * z * v_qq;
    let b = p * q - z * z * v_pq;
    let c = p * p - z * z * v_pp;
    let root = b * b - a * c;
    if !(a > 0.0 && root >= 0.0) {
        return None;
    }
    let root = root.sqrt();
    Some([(-b - root) / a, (-b + root) / a])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_ends_lie_z_errors_from_zero() {
        let (line, covariance, z) = ([3.0, -2.0], [0.5, -0.2, 0.25], 2.0);
        let [low, high] = fieller(line, covariance, z).expect("a slope of four errors");
        assert!(low < 1.5 && 1.5 < high, "{low} {high}");
        for u in [low, high] {
            let variance = covariance[0] + 2.0 * u * covariance[1] + u * u * covariance[2];
            let height = line[0] + line[1] * u;
            assert!((height * height - z * z * variance).abs() < 1e-9, "{u}");
        }
        // A slope of just z errors, and of none.
        assert_eq!(fieller([3.0, -1.0], [0.5, 0.0, 0.25], z), None);
        assert_eq!(fieller([3.0, 0.0], [0.5, 0.0, 0.0], z), None);
        assert_eq!(fieller([f64::NAN, 1.0], [0.5, 0.0, 0.0], z), None);
    }
}
