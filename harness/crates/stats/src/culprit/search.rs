//! What to play next, and when to stop.

use std::ops::RangeInclusive;

use super::model::{self, Played};
use super::posterior::{Explained, Posterior};
use crate::counts::Pentanomial;
use crate::elo::score_of_elo;

/// The least and the most pairs between two looks.
const BATCH: (f64, f64) = (16.0, 2048.0);
/// Information of a batch about one version, in nats, if the loss is as large as it seems.
const INFORMATION: f64 = 0.1;

/// How much a result of a version is worth that has played, beside one that has to be built.
const KNOWN: f64 = 1.15;

/// The posterior is taken to be so much surer than asked for: it knows the sizes of losses only as
/// evenly spread, and a true one is one size.
const MARGIN: f64 = 0.7;

/// What a search is for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct CulpritTerms {
    /// The probability of naming a wrong change, 0 to 1.
    pub alpha: f64,
    /// The smallest loss that matters, in Elo, above 0.
    pub least_elo: f64,
    /// Standard deviation in Elo of what each change does besides: 0 for nothing, `None` where the
    /// results have to tell.
    pub drift: Option<f64>,
}

impl CulpritTerms {
    /// What other changes may do without costing many pairs: a standard deviation in Elo.
    pub fn little_drift(least_elo: f64) -> f64 {
        model::little_drift(least_elo)
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NextStep {
    /// Pairs that a version plays against version 0.
    Play { version: usize, pairs: u64 },
    /// The loss is in one of the candidates among these changes, with a probability of at least
    /// 1 − alpha. Nothing tells them apart.
    Found(RangeInclusive<usize>),
    /// No change lost as much, with a probability of at least 1 − alpha.
    NoLoss,
    /// No version that can still play could tell more.
    Stuck,
}

#[derive(Debug, Clone)]
pub struct CulpritSearch {
    terms: CulpritTerms,
    /// Of change 1, 2, …
    is_candidate: Vec<bool>,
    /// Of version 1, 2, …
    versions: Vec<Version>,
}

#[derive(Debug, Clone, Copy, Default)]
struct Version {
    pairs: Pentanomial,
    is_passed_over: bool,
    is_exhausted: bool,
}

impl CulpritSearch {
    /// Of versions 0 to `changes`.
    pub fn new(changes: usize, terms: CulpritTerms) -> CulpritSearch {
        let versions = vec![Version::default(); changes];
        CulpritSearch { terms, is_candidate: vec![true; changes], versions }
    }

    /// Adds a pair of a version against version 0, by the version's half points.
    pub fn add(&mut self, version: usize, half_points: u8) {
        if let Some(version) = self.version(version) {
            version.pairs.add_pair(half_points);
        }
    }

    /// Versions `after` and `version` are the same: no change between them lost anything.
    pub fn same(&mut self, after: usize, version: usize) {
        let changes = self.is_candidate.iter_mut().take(version).skip(after);
        changes.for_each(|is_candidate| *is_candidate = false);
    }

    /// A version cannot play. Its results so far do not count.
    pub fn pass_over(&mut self, version: usize) {
        if let Some(version) = self.version(version) {
            *version = Version { is_passed_over: true, ..Version::default() };
        }
    }

    /// A version can play no more pairs.
    pub fn exhaust(&mut self, version: usize) {
        if let Some(version) = self.version(version) {
            version.is_exhausted = true;
        }
    }

    fn version(&mut self, version: usize) -> Option<&mut Version> {
        self.versions.get_mut(version.checked_sub(1)?)
    }

    /// Results of a version, from 1, so far.
    pub fn pairs(&self, version: usize) -> Pentanomial {
        let version = version.checked_sub(1).and_then(|at| self.versions.get(at));
        version.map_or(Pentanomial::default(), |version| version.pairs)
    }

    /// Whether a change, from 1, may have lost Elo.
    pub fn is_candidate(&self, change: usize) -> bool {
        change.checked_sub(1).and_then(|at| self.is_candidate.get(at)).is_some_and(|it| *it)
    }

    fn explained(&self) -> Explained {
        let mut candidates = 0;
        let versions = (1..).zip(&self.versions).zip(&self.is_candidate);
        let all = versions.map(|((version, it), is_candidate)| {
            candidates += usize::from(*is_candidate);
            Played { version, candidates, pairs: it.pairs }
        });
        let played = all.filter(|it| it.pairs.pairs() > 0).collect();
        let CulpritTerms { least_elo, drift, .. } = self.terms;
        Explained::new(played, &self.is_candidate, least_elo, drift)
    }

    pub fn posterior(&self) -> Posterior {
        self.explained().posterior
    }

    pub fn next(&self) -> NextStep {
        let explained = self.explained();
        let posterior = &explained.posterior;
        let sure = 1.0 - MARGIN * self.terms.alpha;
        if posterior.none >= sure || !self.is_candidate.contains(&true) {
            return NextStep::NoLoss;
        }
        let plays = |version: &usize| !self.versions[version - 1].is_passed_over;
        let mut before = 0.0;
        let mut first = 1;
        for version in (1..=self.versions.len()).filter(plays) {
            let up_to = posterior.up_to(version);
            if up_to - before >= sure {
                return NextStep::Found(first..=version);
            }
            (before, first) = (up_to, version + 1);
        }
        let worths = explained.worths(&self.is_candidate);
        let worth = |version: &usize| {
            let known = self.versions[version - 1].pairs.pairs() > 0;
            worths[version - 1] * if known { KNOWN } else { 1.0 }
        };
        let can_play = |version: &usize| plays(version) && !self.versions[version - 1].is_exhausted;
        let best = (1..=self.versions.len()).filter(can_play);
        // Of several that are worth the same, the first.
        match best.rev().max_by(|a, b| worth(a).total_cmp(&worth(b))) {
            Some(version) if worth(&version) > 0.0 => {
                NextStep::Play { version, pairs: batch(posterior.loss, explained.variance()) }
            }
            _ => NextStep::Stuck,
        }
    }
}

/// Pairs to the next look, for a loss of so many Elo.
fn batch(loss: f64, variance: f64) -> u64 {
    let lead = 0.5 - score_of_elo(-loss);
    let (least, most) = BATCH;
    (2.0 * INFORMATION * variance / (lead * lead)).clamp(least, most).ceil() as u64
}
