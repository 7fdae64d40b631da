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
mod tests;
