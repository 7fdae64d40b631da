//! Where our numbers are not those of the known answers.

use stats::Why;

/// Our answer where it is not theirs.
#[derive(Debug)]
pub(super) enum Ours {
    Undefined(Why),
    Value(f64),
}

/// Case, expected key, our answer, and why it differs. Our values were found independently, by
/// numerical integration and by a random search for the likeliest distributions.
pub(super) const DIFFERENCES: [(&str, &str, Ours, &str); 23] = [
    (
        "cc-elo-5",
        "elo_error95",
        Ours::Value(3.044_820),
        "cutechess gives ten draws an error of 0; we replace zero counts, as fishtest does",
    ),
    ("cc-elo-5", "los_percent_wl_only", Ours::Undefined(Why::NoGames), "cutechess divides by zero"),
    (
        "ob-elo-5",
        "elo_low",
        Ours::Value(-24.924_404),
        "OpenBench gives three drawn pairs an interval without width",
    ),
    ("ob-elo-5", "elo_high", Ours::Value(24.924_404), "likewise"),
    (
        "fc-edge-wld-1",
        "elo_error95",
        Ours::Undefined(Why::IntervalReachesEnd),
        "fastchess takes the root of a negative number",
    ),
    ("fc-edge-wld-3", "elo", Ours::Undefined(Why::AllWon), "fastchess divides by zero"),
    ("fc-edge-wld-3", "elo_error95", Ours::Undefined(Why::AllWon), "likewise"),
    ("fc-edge-wld-3", "nelo", Ours::Undefined(Why::AllWon), "likewise"),
    ("fc-edge-wld-3", "nelo_error95", Ours::Undefined(Why::AllWon), "likewise"),
    ("fc-edge-wld-7", "elo", Ours::Undefined(Why::AllWon), "likewise"),
    ("fc-edge-wld-7", "elo_error95", Ours::Undefined(Why::AllWon), "likewise"),
    ("fc-edge-wld-7", "nelo", Ours::Undefined(Why::AllWon), "likewise"),
    ("fc-edge-wld-7", "nelo_error95", Ours::Undefined(Why::AllWon), "likewise"),
    (
        "fc-edge-wld-7",
        "los_percent",
        Ours::Undefined(Why::SingleResult),
        "one game does not prove superiority with certainty",
    ),
    (
        "fc-edge-penta-2",
        "elo_error95",
        Ours::Undefined(Why::SingleResult),
        "fastchess gives a single pair an error of 0",
    ),
    ("fc-edge-penta-2", "nelo", Ours::Undefined(Why::SingleResult), "fastchess divides by zero"),
    ("fc-edge-penta-2", "nelo_error95", Ours::Undefined(Why::SingleResult), "likewise"),
    ("fc-edge-penta-2", "los_percent", Ours::Undefined(Why::SingleResult), "likewise"),
    (
        "peer-edge-sprt-2",
        "fishtest_llr_normalized_alt",
        Ours::Value(-22.784_290),
        "fishtest's approximation is for t-values near the hypotheses; this is the exact ratio",
    ),
    ("ft-sprtelo-1", "llr", Ours::Value(0.0), "no games; fishtest makes them a thousandth each"),
    ("ft-sprtelo-1", "sprt_elo", Ours::Undefined(Why::NoGames), "likewise"),
    ("ft-sprtelo-1", "ci95", Ours::Undefined(Why::NoGames), "likewise"),
    ("ft-sprtelo-1", "sprt_los", Ours::Undefined(Why::NoGames), "likewise"),
];
