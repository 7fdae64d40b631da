//! Simulated searches: how often they err, and how many pairs they take.

use std::num::{NonZeroU64, NonZeroUsize};

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use serde::Serialize;

use super::search::{CulpritSearch, CulpritTerms, NextStep};
use crate::counts::Pentanomial;
use crate::pair_model::PairModel;
use crate::why::Defined;
use process::parallel;

/// What the changes have done.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CulpritTruth {
    /// How many there are.
    pub changes: NonZeroUsize,
    /// What one of them, drawn at random, lost, in Elo, 0 or more.
    pub loss: f64,
    /// Standard deviation in Elo of what each of them did besides.
    pub drift: f64,
    /// Pairs of equal engines.
    pub shape: Pentanomial,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct CulpritOutcomes {
    /// Share of searches that named the change, 0 to 1.
    pub right: f64,
    /// That named another.
    pub wrong: f64,
    /// That found no loss.
    pub no_loss: f64,
    /// That ended without a word: too many pairs.
    pub undecided: f64,
    /// Mean number of pairs.
    pub pairs: f64,
    /// Mean number of versions that played.
    pub versions: f64,
}

/// One simulated row of versions.
pub(super) struct Row {
    /// The change that lost the Elo, from 1.
    pub culprit: usize,
    /// Elo of version 1, 2, … against version 0.
    elo: Vec<f64>,
    shape: Pentanomial,
    models: Vec<Option<PairModel>>,
    rng: ChaCha8Rng,
    /// Pairs that were played.
    pub pairs: u64,
}

impl Row {
    fn new(truth: &CulpritTruth, seed: u64, number: u64) -> Row {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number);
        let changes = truth.changes.get();
        let culprit = 1 + (rng.next_u64() % changes as u64) as usize;
        let mut level = 0.0;
        let elo = (1..=changes).map(|change| {
            level += truth.drift * normal(&mut rng);
            level -= if change == culprit { truth.loss } else { 0.0 };
            level
        });
        let elo = elo.collect();
        let models = vec![None; changes];
        Row { culprit, elo, shape: truth.shape, models, rng, pairs: 0 }
    }

    /// One pair of a version, from 1, against version 0: the version's half points.
    pub(super) fn play(&mut self, version: usize) -> Defined<u8> {
        let at = version - 1;
        let model = match self.models[at] {
            Some(model) => model,
            None => PairModel::new(&self.shape, self.elo[at])?,
        };
        self.models[at] = Some(model);
        self.pairs += 1;
        Ok(model.draw(&mut self.rng))
    }

    fn versions_played(&self) -> u64 {
        self.models.iter().flatten().count() as u64
    }
}

/// A standard normal number, by Box and Muller.
fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let mut share = || (rng.next_u32() as f64 + 0.5) / (f64::from(u32::MAX) + 1.0);
    let (radius, angle) = ((-2.0 * share().ln()).sqrt(), std::f64::consts::TAU * share());
    radius * angle.cos()
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ended {
    Named(usize),
    NoLoss,
    Undecided,
}

/// Searches made-up rows; what is found does not depend on the number of threads. Fails where pairs
/// of the truth's shape cannot be that uneven.
pub fn simulate(
    terms: CulpritTerms,
    truth: &CulpritTruth,
    searches: NonZeroU64,
    max_pairs: u64,
    seed: u64,
    threads: NonZeroUsize,
) -> Defined<CulpritOutcomes> {
    outcomes(truth, searches, seed, threads, |row| {
        let mut search = CulpritSearch::new(truth.changes.get(), terms);
        loop {
            match search.next() {
                NextStep::Found(changes) => return Ok(Ended::Named(*changes.end())),
                NextStep::NoLoss => return Ok(Ended::NoLoss),
                NextStep::Stuck => return Ok(Ended::Undecided),
                NextStep::Play { .. } if row.pairs >= max_pairs => return Ok(Ended::Undecided),
                NextStep::Play { version, pairs } => {
                    for _ in 0..pairs {
                        search.add(version, row.play(version)?);
                    }
                }
            }
        }
    })
}

#[derive(Default)]
struct Sums {
    right: u64,
    wrong: u64,
    no_loss: u64,
    undecided: u64,
    pairs: u64,
    versions: u64,
    failed: Option<crate::Why>,
}

/// Runs `search` on so many rows.
pub(super) fn outcomes(
    truth: &CulpritTruth,
    searches: NonZeroU64,
    seed: u64,
    threads: NonZeroUsize,
    search: impl Fn(&mut Row) -> Defined<Ended> + Sync,
) -> Defined<CulpritOutcomes> {
    let sums = parallel::sums(searches.get(), threads, |sum: &mut Sums, number| {
        let mut row = Row::new(truth, seed, number);
        match search(&mut row) {
            Ok(Ended::Named(change)) if change == row.culprit => sum.right += 1,
            Ok(Ended::Named(_)) => sum.wrong += 1,
            Ok(Ended::NoLoss) => sum.no_loss += 1,
            Ok(Ended::Undecided) => sum.undecided += 1,
            Err(why) => sum.failed = Some(why),
        }
        sum.pairs += row.pairs;
        sum.versions += row.versions_played();
    });
    if let Some(why) = sums.iter().find_map(|sum| sum.failed) {
        return Err(why);
    }
    let share =
        |of: fn(&Sums) -> u64| sums.iter().map(of).sum::<u64>() as f64 / searches.get() as f64;
    Ok(CulpritOutcomes {
        right: share(|sum| sum.right),
        wrong: share(|sum| sum.wrong),
        no_loss: share(|sum| sum.no_loss),
        undecided: share(|sum| sum.undecided),
        pairs: share(|sum| sum.pairs),
        versions: share(|sum| sum.versions),
    })
}
