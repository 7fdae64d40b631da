/// Where between `low` and `high` `is_below` turns from true to false, after so many halvings.
pub(super) fn bisect(
    mut low: f64,
    mut high: f64,
    halvings: u32,
    is_below: impl Fn(f64) -> bool,
) -> f64 {
    for _ in 0..halvings {
        let middle = f64::midpoint(low, high);
        *if is_below(middle) { &mut low } else { &mut high } = middle;
    }
    f64::midpoint(low, high)
}
