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
