//! Results, sent on `v1.pair.RUN.NAME.INSTANCE`. Each game is its line of `games.jsonl`.

use std::collections::BTreeSet;

use arena::player::program::Capsule;
use arena::record::GameRecord;
use process::Error;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::capsule::{CAPSULE_BYTES, shorten, size};
use super::packed::{MOST_PACKED, MOST_UNPACKED, pack_bytes, unpack};
use super::{Message, Refused, allow, is_amount, is_line};
use crate::names::{RunId, WorkerName};

/// Most games in a batch that are accepted; workers send half as many.
const GAMES: usize = 64;
/// Most spoilt attempts at one game.
const ATTEMPTS: usize = 8;
/// Most remarks on one game, and their bytes: 300 characters.
const TROUBLES: usize = 8;
const TROUBLE: usize = 1200;
/// A capsule that was cut down to less says nothing.
const LEAST: usize = 4 << 10;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairsBatch {
    pub v: u64,
    pub run: RunId,
    /// First pair of the chunk.
    pub first: u64,
    /// Round of the chunk.
    pub round: u32,
    pub games: Vec<WireGame>,
    pub worker: WorkerStamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WireGame {
    pub record: GameRecord,
    /// Remarks in words.
    #[serde(default)]
    pub troubles: Vec<String>,
    /// What is kept of its fault.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capsule: Option<Capsule>,
    /// Earlier attempts at it, for which verdict was late.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spoilt: Vec<Spoilt>,
}

/// An attempt at a game that does not count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spoilt {
    pub record: GameRecord,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub capsule: Option<Capsule>,
}

impl WireGame {
    pub fn new(record: GameRecord) -> WireGame {
        WireGame { record, troubles: Vec::new(), capsule: None, spoilt: Vec::new() }
    }

    /// Its capsules and those of its attempts.
    fn capsules(&mut self) -> impl Iterator<Item = &mut Option<Capsule>> {
        let spoilt = self.spoilt.iter_mut().map(|attempt| &mut attempt.capsule);
        std::iter::once(&mut self.capsule).chain(spoilt)
    }
}

/// The worker that sent a batch, and its speed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WorkerStamp {
    pub name: WorkerName,
    /// Commit of its verdict.
    pub verdict: String,
    pub slots: u32,
    /// Nodes/s of one slot while all slots are busy.
    pub nps: u64,
    /// Factor that its clocks were multiplied with.
    pub scale: f64,
    /// Number of batches that it sent before.
    pub seq: u64,
}

/// A batch as it is sent.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Packed {
    /// Its message id.
    pub id: String,
    pub bytes: Vec<u8>,
    /// Numbers of its games.
    pub games: Vec<u64>,
}

impl PairsBatch {
    /// Packs the batch, in several parts if it is too large for one message. An error of kind fault
    /// if one pair is too large.
    pub fn pack(self) -> Result<Vec<Packed>, Error> {
        let json = serde_json::to_vec(&self).map_err(std::io::Error::from)?;
        if json.len() <= MOST_UNPACKED && self.games.len() <= GAMES {
            let bytes = pack_bytes(&json)?;
            if bytes.len() <= MOST_PACKED {
                let games = self.games.iter().map(|game| game.record.game).collect();
                return Ok(vec![Packed { id: self.message_id(), bytes, games }]);
            }
        }
        let Some((one, other)) = self.halves() else {
            if let Some(shorter) = self.shorter() {
                return shorter.pack();
            }
            let refused = Refused::Size { found: json.len(), most: MOST_UNPACKED };
            return Err(Error::fault(format!("a pair's games cannot be sent: {refused}")));
        };
        let mut parts = one.pack()?;
        parts.extend(other.pack()?);
        Ok(parts)
    }

    /// Splits the pairs into two halves.
    fn halves(&self) -> Option<(PairsBatch, PairsBatch)> {
        let pairs: BTreeSet<u64> = self.games.iter().map(|game| game.record.pair).collect();
        let later: BTreeSet<u64> = pairs.iter().skip(pairs.len().div_ceil(2)).copied().collect();
        let half = |wanted: bool| {
            let of_half = |game: &&WireGame| later.contains(&game.record.pair) == wanted;
            let games = self.games.iter().filter(of_half).cloned().collect();
            PairsBatch { games, worker: self.worker.clone(), ..*self }
        };
        (!later.is_empty()).then(|| (half(false), half(true)))
    }

    /// With shorter capsules, and in the end without them and without earlier attempts; `None`: nothing
    /// is left to leave out. How well a text compresses is not known before.
    pub(super) fn shorter(&self) -> Option<PairsBatch> {
        let mut shorter = self.clone();
        let longest = shorter.games.iter_mut().flat_map(WireGame::capsules).flatten();
        let longest = longest.map(|capsule| size(capsule)).max();
        match longest {
            Some(longest) if longest > LEAST => {
                let capsules = shorter.games.iter_mut().flat_map(WireGame::capsules).flatten();
                capsules.for_each(|capsule| shorten(capsule, longest / 2));
            }
            _ => {
                shorter.games.iter_mut().for_each(|game| {
                    game.capsule = None;
                    game.spoilt.clear();
                });
                if shorter == *self {
                    return None;
                }
            }
        }
        Some(shorter)
    }

    pub fn unpack(packed: &[u8]) -> Result<PairsBatch, Refused> {
        unpack(packed)
    }

    /// Made from the games' hashes in sorted order, so a batch that is sent twice has the same id.
    pub fn message_id(&self) -> String {
        let mut hashes: Vec<(u64, &str)> =
            self.games.iter().map(|game| (game.record.game, &*game.record.hash)).collect();
        // Two games with the same hash differ by their number.
        hashes.sort_unstable();
        let mut hasher = Sha256::new();
        for (game, hash) in hashes {
            hasher.update(format!("{game} {hash}\n"));
        }
        format!("{}.{}.{}", self.run, hex::encode(&hasher.finalize()[..8]), self.round)
    }

    /// Checks that the batch belongs to `run` and was sent by `sender`, as the broker names it.
    pub fn expect(&self, run: RunId, sender: &WorkerName) -> Result<(), Refused> {
        if self.run != run {
            return Err(Refused::OtherRun(self.run));
        }
        if self.worker.name != *sender {
            return Err(Refused::OtherWorker(self.worker.name.clone()));
        }
        Ok(())
    }
}

impl Message for PairsBatch {
    const NAME: &'static str = "a batch of results";
    const MOST: usize = MOST_UNPACKED;

    fn version(&self) -> u64 {
        self.v
    }

    fn check(&self) -> Result<(), Refused> {
        let PairsBatch { first, games, worker, .. } = self;
        allow(games.len() <= GAMES, "games")?;
        let of_chunk =
            |record: &GameRecord| record.pair == record.game / 2 && record.pair >= *first;
        allow(games.iter().all(|game| of_chunk(&game.record)), "games")?;
        let numbers: BTreeSet<u64> = games.iter().map(|game| game.record.game).collect();
        allow(numbers.len() == games.len(), "games")?;
        let is_short = |capsule: &Option<Capsule>| {
            capsule.as_ref().is_none_or(|capsule| size(capsule) <= CAPSULE_BYTES)
        };
        for WireGame { record, troubles, capsule, spoilt } in games {
            let plain = troubles.iter().all(|trouble| is_line(trouble, TROUBLE));
            allow(plain && troubles.len() <= TROUBLES, "troubles")?;
            allow(is_short(capsule), "capsule")?;
            allow(capsule.is_none() || record.termination.is_fault(), "capsule")?;
            let fits = |it: &Spoilt| it.record.game == record.game && is_short(&it.capsule);
            allow(spoilt.len() <= ATTEMPTS && spoilt.iter().all(fits), "spoilt")?;
        }
        allow(is_line(&worker.verdict, 200), "verdict")?;
        allow(worker.slots > 0, "slots")?;
        allow(is_amount(worker.scale) && worker.scale > 0.0, "scale")
    }
}
