//! A race on a simulated engine.

use super::SweepFile;
use super::race::{PairResult, Race};
use crate::simulated_engine::{PairSampler, Peak, SimulatedEngine};
use arena::record::PairStatus;
use process::Error;

/// The race of a sweep with random results from a known truth. Fails when a peak is on no axis.
pub fn race(file: &SweepFile, peaks: &[Peak], seed: u64) -> Result<Race, Error> {
    let axes = file.axes()?;
    let engine = SimulatedEngine::new(axes.iter().map(|axis| axis.tunable.name()), peaks)?;
    let points = file.candidates.iter().map(|candidate| candidate.values.as_slice());
    let elo = |values: &[f64]| engine.elo(values);
    Ok(race_of(points, &file.base, elo, (file.plan.pairs, file.alpha), seed))
}

/// The race of these points against a base over at most so many pairs.
pub fn race_of<'a>(
    points: impl Iterator<Item = &'a [f64]>,
    base: &[f64],
    elo: impl Fn(&[f64]) -> f64,
    (pairs, alpha): (u64, f64),
    seed: u64,
) -> Race {
    let models: Vec<_> = points.map(|point| PairSampler::model(elo(point) - elo(base))).collect();
    let mut sampler = PairSampler::new(seed);
    let mut race = Race::new(models.len(), pairs, alpha);
    while !race.is_over() {
        for candidate in race.running().collect::<Vec<_>>() {
            let half_points = sampler.pair(models[candidate].as_ref());
            race.add(candidate, PairResult { half_points, pair_status: PairStatus::New });
        }
    }
    race
}

#[cfg(test)]
mod tests;
