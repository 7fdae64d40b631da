//! How likely each change is, given the results.

use super::model::{Evidence, Model};

#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    /// Of change 1, 2, …: 0 to 1.
    pub changes: Vec<f64>,
    /// That no change lost Elo.
    pub none: f64,
    /// Mean of the loss in Elo, above 0, if there was one.
    pub loss: f64,
}

impl Posterior {
    /// That the loss is in one of the changes up to this one, counted from 1.
    pub fn up_to(&self, change: usize) -> f64 {
        self.changes.iter().take(change).sum()
    }
}

/// The place among the versions that played of the first one that has a change, from 1.
fn place(model: &Model, change: usize) -> usize {
    model.played.partition_point(|it| it.version < change)
}

/// `is_candidate` says of each change, from 1, whether it may have lost Elo.
pub(super) fn posterior(
    model: &Model,
    evidence: &[Evidence],
    is_candidate: &[bool],
    least_elo: f64,
) -> Posterior {
    let most = evidence.iter().fold(0.0_f64, |most, it| most.max(it.logarithm));
    let none = (-most).exp();
    let (mut sum, mut loss) = (0.0, 0.0);
    let of = |(change, is_candidate): (usize, &bool)| {
        let evidence = &evidence[place(model, change)];
        let likelihood = if *is_candidate { (evidence.logarithm - most).exp() } else { 0.0 };
        sum += likelihood;
        loss += likelihood * evidence.elo;
        likelihood
    };
    let mut changes: Vec<f64> = (1..).zip(is_candidate).map(of).collect();
    let all = sum + none;
    changes.iter_mut().for_each(|cell| *cell /= all);
    let loss = if sum > 0.0 { loss / sum } else { least_elo };
    Posterior { changes, none: none / all, loss }
}

/// What a further pair of each version, from 1, is worth: the variance of its expected score over
/// what may be true, which is twice the variance of a pair times the information.
pub(super) fn worths(
    model: &Model,
    evidence: &[Evidence],
    is_candidate: &[bool],
    posterior: &Posterior,
) -> Vec<f64> {
    let mut candidates = 0;
    let of = |(version, is_candidate): (usize, &bool)| {
        candidates += usize::from(*is_candidate);
        let known = model.known_walk(candidates);
        let (mut mean, mut square) = (0.0, 0.0);
        for (change, share) in (1..).zip(&posterior.changes).filter(|(_, share)| **share > 0.0) {
            let place = place(model, change);
            let has_it = if change <= version { 1.0 } else { 0.0 };
            let seen = evidence[place].lead * (has_it - known[place]);
            mean += share * seen;
            square += share * seen * seen;
        }
        square - mean * mean
    };
    (1..).zip(is_candidate).map(of).collect()
}
