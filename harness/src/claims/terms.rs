//! What a measurement was made of, kept beside it: it says nothing of another engine, other
//! parameters or other conditions.

use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;

use engine::params::SPECS;
use engine::{Params, bench};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::measurement_file::MeasurementFile;
use super::{Claim, Conditions, MeasureKind, Measurement, mates};
use arena::record::{FolderKind, sha256_file};
use process::Error;

pub(crate) const CLAIM_FILE: &str = FolderKind::Claims.file();

/// The depth of the bench that stands for the engine, in plies.
pub(super) const ENGINE_DEPTH: u32 = 6;

/// And of the one that stands for a player: there are many of them.
pub(super) const PLAYER_DEPTH: u32 = 4;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct MeasureTerms {
    /// The nodes of a short bench in the personality: they change with the engine.
    engine: u64,
    /// The same of the player with the mechanism, and of the other: they change with what the
    /// personality does without. Files of older programs do not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) players: Option<[u64; 2]>,
    /// The [`fingerprint`] of the player with the mechanism, and of the other.
    parameters: [String; 2],
    /// Games, nodes, positions and the like, in words.
    conditions: String,
}

/// The content of the claim file: the terms, and whether both players search alike.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct StoredTerms {
    #[serde(flatten)]
    pub(super) terms: MeasureTerms,
    /// Whether both players searched alike wherever that was looked into before a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) alike: Option<bool>,
}

impl MeasureTerms {
    /// Those of a measurement, now; `engine` is the [bench](bench_nodes) of its personality.
    pub(super) fn of(
        measurement: &Measurement<'_>,
        engine: u64,
        conditions: &Conditions,
        players: &[Params; 2],
    ) -> MeasureTerms {
        let positions = format!(
            "{} positions to depth {}",
            conditions.positions,
            measurement.claim.depth(measurement.measure, conditions, measurement.personality)
        );
        let conditions =
            match (measurement.measure, &measurement.claim.elo, &measurement.claim.mates) {
                (MeasureKind::Match | MeasureKind::More, Some(elo), _) => {
                    let limit = match (elo.depth, &elo.tc) {
                        (Some(depth), _) => format!("depth {depth}"),
                        (_, Some(tc)) => format!("clock {tc}"),
                        _ => format!("{} nodes", elo.nodes.unwrap_or(conditions.nodes)),
                    };
                    let odds = elo.odds.map_or(String::new(), |odds| format!(" at odds of {odds}"));
                    let book = elo.openings.as_deref().map(book).unwrap_or_default();
                    let (pairs, seed) = conditions.part(measurement.measure);
                    format!("{pairs} pairs at {limit}{odds}, seed {seed}{book}")
                }
                (MeasureKind::Speed, ..) => format!("{positions}, {} rounds", conditions.rounds),
                (MeasureKind::Mates, _, Some(mates)) => {
                    let book = mates::book(&mates.positions);
                    let hash =
                        book.map_or("not found".to_owned(), |it| it.sha256()[..16].to_owned());
                    format!("depth {}, {} {hash}", mates.depth, mates.positions.display())
                }
                (MeasureKind::Micro, ..) => {
                    let what =
                        measurement.claim.micro.as_ref().map(|compared| compared.benchmark.form());
                    let positions = conditions.positions;
                    format!("{}, {positions} positions", what.unwrap_or_default())
                }
                _ => positions,
            };
        let parameters = players.each_ref().map(|values| fingerprint(measurement.claim, values));
        MeasureTerms { engine, players: None, parameters, conditions }
    }

    /// Whether they are these, which lack the players' benches: `players` finds them out, where
    /// they are recorded.
    pub(super) fn are(
        &self,
        now: MeasureTerms,
        players: impl FnOnce() -> Result<[u64; 2], Error>,
    ) -> Result<bool, Error> {
        if *self != (MeasureTerms { players: self.players, ..now }) {
            return Ok(false);
        }
        self.players.map_or(Ok(true), |recorded| Ok(recorded == players()?))
    }
}

/// A hash of a player's parameters: of all in the groups that the claim is about, and of the others
/// those that differ from the table. What the engine has learnt since and does not use leaves it as
/// it was.
fn fingerprint(claim: &Claim, values: &Params) -> String {
    fn group(name: &str) -> Option<&str> {
        name.split('.').next()
    }
    let named = claim.with.keys().chain(claim.without.keys());
    let touched: HashSet<_> = named.map(|name| group(name)).collect();
    let table = Params::default();
    let mut digest = Sha256::new();
    for spec in SPECS.iter() {
        let text = spec.text(values);
        if touched.contains(&group(spec.name)) || text != spec.text(&table) {
            digest.update(format!("{}={text}\n", spec.name));
        }
    }
    hex::encode(&digest.finalize()[..8])
}

/// A book in words: its name and a hash of its content. An unreadable book is reported when its
/// match is to be played.
fn book(path: &Path) -> String {
    let hash = sha256_file(path).map(|hash| hash[..16].to_owned());
    format!(", openings {} {}", path.display(), hash.as_deref().unwrap_or("not found"))
}

/// The nodes of a bench with these parameters.
pub(super) fn bench_nodes(params: Params, depth: u32) -> u64 {
    bench::bench(&Arc::new(params), depth, |_, _, _| ()).map_or(0, |report| report.nodes)
}

impl StoredTerms {
    /// Whether a match between the two need not be played.
    pub(super) fn is_pointless(&self, claim: &Claim) -> bool {
        self.alike == Some(true) && !claim.rare
    }
}

impl MeasurementFile for StoredTerms {
    const FILE: &str = CLAIM_FILE;
    const WHAT: &str = "what a measurement was begun with";
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::ClaimsFile;

    /// A change of a mechanism that the personality does without shows in the players alone.
    #[test]
    fn another_engine_is_seen() {
        let terms = |engine| MeasureTerms {
            engine,
            players: None,
            parameters: [String::new(), String::new()],
            conditions: String::new(),
        };
        let recorded = MeasureTerms { players: Some([2, 3]), ..terms(1) };
        let are = |now, players| recorded.are(terms(now), || Ok(players)).unwrap();
        assert!(are(1, [2, 3]) && !are(1, [2, 4]) && !are(5, [2, 3]));
        let older = terms(1).are(terms(1), || panic!("older files do not know")).unwrap();
        assert!(older);
    }

    #[test]
    fn other_parameters_make_another_player() {
        let file = ClaimsFile::read(None).unwrap();
        let claim = file.claims.iter().find(|claim| claim.id == "CLM-13").unwrap();
        let of = |changes: &[(&str, &str)]| {
            let mut values = Params::personality("rebel").unwrap();
            for (name, value) in changes {
                values.set(name, value).unwrap();
            }
            fingerprint(claim, &values)
        };
        assert_ne!(of(&[]), of(&[("iid.on", "true")]), "another mechanism");
        assert_ne!(of(&[]), of(&[("futility.depth", "5")]), "what the claim is about");
    }
}
