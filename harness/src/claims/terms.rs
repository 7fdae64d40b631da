//! What a measurement was made of, kept beside it: when the engine, the parameters or the conditions
//! are others, what lies there says nothing of them.

use std::sync::Arc;

use engine::{Params, bench, params};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::kept::Kept;
use super::{Claim, ClaimsError, Job, Measure, Work};
use crate::record::hex;

/// The depth of the bench that stands for the engine, in plies.
const BENCH_DEPTH: u32 = 6;

/// What a measurement was made of.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Terms {
    /// The nodes of a short bench in the personality: they change with the engine.
    engine: u64,
    /// A hash of all values of the player with the mechanism, and of the other's.
    parameters: [String; 2],
    /// Games, nodes, positions and the like, in words.
    conditions: String,
}

/// As the file has it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Begun {
    #[serde(flatten)]
    pub(super) terms: Terms,
    /// Whether both players searched alike wherever that was looked into before a match.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) alike: Option<bool>,
}

impl Terms {
    /// Those of a job, now; `engine` is the [bench](engine_nodes) of its personality.
    ///
    /// # Errors
    /// When the engine does not have a parameter.
    pub(super) fn of(work: &Work<'_>, job: &Job<'_>, engine: u64) -> Result<Terms, ClaimsError> {
        let hash = |with| {
            let (_, values) = work.player(job, with)?;
            let digest = Sha256::digest(params::json(&values).to_string());
            Ok::<_, ClaimsError>(hex(&digest[..8]))
        };
        let conditions = &work.file.conditions;
        let positions = format!(
            "{} positions to depth {}",
            conditions.positions,
            conditions.depth_of(job.personality)
        );
        let conditions = match (job.measure, &job.claim.elo) {
            (Measure::Match, Some(elo)) => {
                let limit = match elo.depth {
                    Some(depth) => format!("depth {depth}"),
                    None => format!("{} nodes", elo.nodes.unwrap_or(conditions.nodes)),
                };
                let odds = elo.odds.map_or(String::new(), |odds| format!(" at odds of {odds}"));
                format!("{} pairs at {limit}{odds}, seed {}", conditions.pairs, conditions.seed)
            }
            (Measure::Speed, _) => format!("{positions}, {} rounds", conditions.rounds),
            _ => positions,
        };
        Ok(Terms { engine, parameters: [hash(true)?, hash(false)?], conditions })
    }
}

/// The nodes that stand for an engine with these parameters.
pub(super) fn engine_nodes(params: Params) -> u64 {
    bench::bench(&Arc::new(params), BENCH_DEPTH, |_, _, _| ()).map_or(0, |report| report.nodes)
}

impl Begun {
    /// Whether a match between the two need not be played.
    pub(super) fn is_pointless(&self, claim: &Claim) -> bool {
        self.alike == Some(true) && !claim.rare
    }
}

impl Kept for Begun {
    const FILE: &str = "claim.json";
    const WHAT: &str = "what a measurement was begun with";
}
