//! What a run of SPSA found of each parameter.

use super::Spsa;
use super::band::{Band, bands, tuned};

#[derive(Debug, Clone)]
pub(super) struct LineOutcome<'a> {
    pub(super) name: &'a str,
    pub(super) start: f64,
    /// The tuned value, rounded where the engine's numbers are whole.
    pub(super) tuned: f64,
    /// Decimals that tell its values apart.
    pub(super) decimals: usize,
    /// The last iterate.
    pub(super) last: f64,
    /// `None` before there are enough iterations.
    pub(super) band: Option<Band>,
}

pub(super) fn outcomes(spsa: &Spsa) -> Vec<LineOutcome<'_>> {
    let (bands, tuned) = (bands(spsa), tuned(spsa));
    let each = spsa.lines().iter().enumerate().map(|(number, line)| LineOutcome {
        name: line.tunable.name(),
        start: line.start,
        tuned: line.playable(tuned[number]),
        decimals: line.decimals(),
        last: spsa.theta()[number],
        band: bands.as_ref().map(|bands| bands[number]),
    });
    each.collect()
}
