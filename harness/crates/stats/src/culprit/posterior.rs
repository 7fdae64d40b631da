//! How likely each change is, given the results.

use super::model::{Evidence, Model, Played, little_drift};

/// What the other changes may do beside a little where the results have to tell, as standard deviations
/// in Elo.
const MORE: [f64; 3] = [0.5, 1.0, 2.0];
/// How likely each of these is at first, beside a little. With more, searches take more pairs where the
/// other changes do nothing; with less, they err more often where these do much.
const PRIOR: f64 = 0.1;

#[derive(Debug, Clone, PartialEq)]
pub struct Posterior {
    /// Of change 1, 2, …: 0 to 1.
    pub changes: Vec<f64>,
    /// That no change lost Elo.
    pub none: f64,
    /// Mean of the loss in Elo, above 0, if there was one.
    pub loss: f64,
    /// What each other change does, a standard deviation in Elo: as told, or the mean of what is likely.
    pub drift: f64,
}

impl Posterior {
    /// That the loss is in one of the changes up to this one, counted from 1.
    pub fn up_to(&self, change: usize) -> f64 {
        self.changes.iter().take(change).sum()
    }
}

/// The results as one drift explains them.
struct View {
    /// How likely it is at first, beside the others.
    prior: f64,
    model: Model,
    evidence: Vec<Evidence>,
    /// Of each change, together with this drift.
    joint: Vec<f64>,
    /// That no change lost Elo, together with this drift.
    none: f64,
}

/// What the results say, over the drifts that may be.
pub(super) struct Explained {
    views: Vec<View>,
    pub posterior: Posterior,
}

impl Explained {
    /// `played` is in the order of versions, each with pairs. `is_candidate` says of each change, from 1,
    /// whether it may have lost Elo; `drift` is `None` where it is not known.
    pub(super) fn new(
        played: Vec<Played>,
        is_candidate: &[bool],
        least_elo: f64,
        drift: Option<f64>,
    ) -> Explained {
        let drifts = match drift {
            Some(drift) => vec![(drift, 1.0)],
            None => {
                let more = MORE.map(|drift| (drift, PRIOR));
                [(little_drift(least_elo), 1.0)].into_iter().chain(more).collect()
            }
        };
        let view = |(drift, prior): (f64, f64)| {
            let model = Model::new(played.clone(), drift);
            let evidence = model.evidence(least_elo);
            View { prior, model, evidence, joint: Vec::new(), none: 0.0 }
        };
        let mut views: Vec<View> = drifts.into_iter().map(view).collect();
        let most = views.iter().fold(f64::MIN, |most, view| {
            let best = view.evidence.iter().fold(0.0_f64, |most, it| most.max(it.logarithm));
            most.max(view.model.plain + best)
        });
        let (mut sum, mut none, mut loss, mut drift) = (0.0, 0.0, 0.0, 0.0);
        for View { prior, model, evidence, joint, none: without } in &mut views {
            *without = *prior * (model.plain - most).exp();
            let of = |(change, is_candidate): (usize, &bool)| {
                let Evidence { logarithm, elo, .. } = evidence[place(model, change)];
                let with = model.plain + logarithm - most;
                let likelihood = if *is_candidate { *prior * with.exp() } else { 0.0 };
                loss += likelihood * elo;
                likelihood
            };
            *joint = (1..).zip(is_candidate).map(of).collect();
            let all: f64 = joint.iter().sum();
            sum += all;
            none += *without;
            drift += (all + *without) * model.drift;
        }
        let all = sum + none;
        for view in &mut views {
            view.joint.iter_mut().for_each(|cell| *cell /= all);
            view.none /= all;
        }
        let change = |at: usize| views.iter().map(|view| view.joint[at]).sum();
        let posterior = Posterior {
            changes: (0..is_candidate.len()).map(change).collect(),
            none: none / all,
            loss: if sum > 0.0 { loss / sum } else { least_elo },
            drift: drift / all,
        };
        Explained { views, posterior }
    }

    /// Of a pair's score about its version's mean.
    pub(super) fn variance(&self) -> f64 {
        self.views.first().map_or(0.0, |view| view.model.variance)
    }

    /// What a further pair of each version, from 1, is worth: the variance of its expected score over
    /// the changes that may have lost Elo, for each drift by itself. It is twice the variance of a pair
    /// times the information about the change.
    pub(super) fn worths(&self, is_candidate: &[bool]) -> Vec<f64> {
        let mut candidates = 0;
        let of = |(version, is_candidate): (usize, &bool)| {
            candidates += usize::from(*is_candidate);
            self.views.iter().map(|view| view.worth(version, candidates)).sum()
        };
        (1..).zip(is_candidate).map(of).collect()
    }
}

impl View {
    /// Of a version with so many candidates up to it, times how likely this drift is.
    fn worth(&self, version: usize, candidates: usize) -> f64 {
        let View { model, evidence, joint, none, .. } = self;
        let known = model.known_walk(candidates);
        let (mut all, mut mean, mut square) = (*none, 0.0, 0.0);
        for (change, share) in (1..).zip(joint).filter(|(_, share)| **share > 0.0) {
            let place = place(model, change);
            let has_it = if change <= version { 1.0 } else { 0.0 };
            let seen = evidence[place].lead * (has_it - known[place]);
            all += share;
            mean += share * seen;
            square += share * seen * seen;
        }
        if all > 0.0 { square - mean * mean / all } else { 0.0 }
    }
}

/// The place among the versions that played of the first one that has a change, from 1.
fn place(model: &Model, change: usize) -> usize {
    model.played.partition_point(|it| it.version < change)
}
