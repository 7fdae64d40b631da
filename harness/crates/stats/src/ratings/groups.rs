//! Who is rated with whom, and on what scale.

use std::collections::BTreeMap;

use super::connect::Connections;
use super::edge::elo;
use super::fit::FittedRatings;
use super::rated::Separation;
use super::results::{Meeting, Results};
use crate::Wdl;
use process::Error;

/// Who is rated with whom.
pub(super) struct Groups {
    /// The largest group first.
    pub(super) players: Vec<Vec<usize>>,
    /// Each player's group and parameter.
    pub(super) of: Vec<Option<(usize, usize)>>,
    /// What separates each group from those before it.
    pub(super) separations: Vec<Separation>,
}

impl Groups {
    pub(super) fn of(results: &Results, totals: &[Wdl], anchors: &BTreeMap<usize, f64>) -> Groups {
        let Connections { strong, strong_of, met } = Connections::of(results);
        let mut chosen: Vec<Vec<usize>> =
            strong.iter().filter(|set| set.len() > 1).cloned().collect();
        // Where nobody has a finite distance to anybody, one player is the place to measure from.
        let mut lonely: BTreeMap<usize, usize> = BTreeMap::new();
        let has_set: Vec<usize> = chosen.iter().map(|set| met[set[0]]).collect();
        for player in (0..met.len()).filter(|player| totals[*player].games() > 0) {
            if !has_set.contains(&met[player]) && strong[strong_of[player]].len() == 1 {
                let weight =
                    |player: usize| (anchors.contains_key(&player), totals[player].games());
                let best = lonely.entry(met[player]).or_insert(player);
                if weight(player) > weight(*best) {
                    *best = player;
                }
            }
        }
        chosen.extend(lonely.into_values().map(|player| vec![player]));
        let games = |set: &[usize]| set.iter().map(|&player| totals[player].games()).sum::<u64>();
        chosen.sort_by_key(|set| (usize::MAX - set.len(), u64::MAX - games(set), set[0]));

        let mut of = vec![None; met.len()];
        let mut next = 0;
        for (group, set) in chosen.iter().enumerate() {
            for &player in set {
                of[player] = Some((group, next));
                next += 1;
            }
        }
        let separations = chosen.iter().enumerate().map(|(group, set)| {
            let met_before = || chosen[..group].iter().any(|other| met[other[0]] == met[set[0]]);
            match group {
                0 => Separation::First,
                _ if met_before() => Separation::OneSided,
                _ => Separation::NeverMet,
            }
        });
        let separations = separations.collect();
        Groups { players: chosen, of, separations }
    }

    pub(super) fn parameters(&self) -> Vec<Vec<usize>> {
        let of = |player: &usize| self.of[*player].map(|(_, parameter)| parameter);
        self.players.iter().map(|set| set.iter().filter_map(of).collect()).collect()
    }

    /// The meetings inside groups, players by their parameters.
    pub(super) fn meetings<'a>(&self, results: &'a Results) -> Vec<(usize, usize, &'a Meeting)> {
        let inside = results.meetings().filter_map(|(first, second, meeting)| {
            let ((group, first), (other, second)) = (self.of[first]?, self.of[second]?);
            (group == other).then_some((first, second, meeting))
        });
        inside.collect()
    }

    /// How each group's ratings become Elo.
    pub(super) fn ladders(
        &self,
        results: &Results,
        mean: f64,
        anchors: &BTreeMap<usize, f64>,
        fitted: &FittedRatings,
    ) -> Result<Vec<Ladder>, Error> {
        let mut held: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.players.len()];
        for (&player, &elo) in anchors {
            match self.of[player] {
                Some((group, parameter)) => held[group].push((parameter, elo)),
                None => {
                    return Err(Error::usage(format!(
                        "{:?} cannot be an anchor: it won every game, or lost every game, against \
                         those it would anchor, so that no finite distance is likeliest",
                        results.names()[player]
                    )));
                }
            }
        }
        let ladders = held.into_iter().map(|anchors| {
            let shifts = anchors.iter().map(|&(parameter, to)| to - elo(fitted.ratings[parameter]));
            let shift = match anchors.len() {
                0 => mean,
                several => shifts.sum::<f64>() / several as f64,
            };
            Ladder { shift, anchors: anchors.iter().map(|&(parameter, _)| parameter).collect() }
        });
        Ok(ladders.collect())
    }
}

/// From a group's logistic scale to Elo.
pub(super) struct Ladder {
    /// The Elo of a rating of 0.
    pub(super) shift: f64,
    /// Parameters of the anchors.
    pub(super) anchors: Vec<usize>,
}
