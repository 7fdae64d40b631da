//! Results, sent on `v1.pair.RUN.NAME.INSTANCE`. Each game is its line of `games.jsonl`.

use std::collections::BTreeSet;

use arena::record::GameRecord;
use process::Error;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::packed::{MOST_PACKED, MOST_UNPACKED, pack_bytes, unpack};
use super::{Message, Refused, allow, is_amount, is_line};
use crate::names::{FileHash, RunId, WorkerName, capsule_message_id};

/// Most games in a batch that are accepted; workers send half as many.
const GAMES: usize = 64;
/// Most spoilt attempts at one game.
const ATTEMPTS: usize = 8;
/// Most remarks on one game, and their bytes: 300 characters.
const TROUBLES: usize = 8;
const TROUBLE: usize = 1200;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PairsBatch {
    pub v: u64,
    pub run: RunId,
    /// First pair of the chunk.
    pub first: u64,
    /// Round of the chunk.
    pub round: u32,
    pub games: Vec<WireGame>,
    /// Earlier attempts at games, which were spoilt and played again.
    #[serde(default)]
    pub spoilt: Vec<Spoilt>,
    /// Capsules of faults, which were sent before this batch.
    #[serde(default)]
    pub capsules: Vec<CapsuleRef>,
    pub worker: WorkerStamp,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WireGame {
    pub record: GameRecord,
    /// Remarks in words.
    #[serde(default)]
    pub troubles: Vec<String>,
}

/// An attempt at a game that does not count.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Spoilt {
    pub game: u64,
    /// Counted from 1.
    pub attempt: u32,
    pub record: GameRecord,
}

/// Names the capsule of a fault, which has a message of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CapsuleRef {
    pub game: u64,
    /// `None`: the attempt that counts.
    pub attempt: Option<u32>,
    /// Its message id: `cap.` and the hash.
    pub object: String,
    /// SHA-256 of the packed capsule.
    pub sha256: FileHash,
    /// Size of the packed capsule.
    pub bytes: u64,
}

impl CapsuleRef {
    pub fn new(game: u64, attempt: Option<u32>, packed: &[u8]) -> CapsuleRef {
        let sha256 = FileHash::of(packed);
        let (object, bytes) = (capsule_message_id(&sha256), packed.len() as u64);
        CapsuleRef { game, attempt, object, sha256, bytes }
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
            let refused = Refused::Size { found: json.len(), most: MOST_UNPACKED };
            return Err(Error::fault(format!("a pair's games cannot be sent: {refused}")));
        };
        let mut parts = one.pack()?;
        parts.extend(other.pack()?);
        Ok(parts)
    }

    /// Splits the pairs into two halves. What belongs to no pair stays in the first.
    fn halves(&self) -> Option<(PairsBatch, PairsBatch)> {
        let pairs: BTreeSet<u64> = self.games.iter().map(|game| game.record.pair).collect();
        let later: BTreeSet<u64> = pairs.iter().skip(pairs.len().div_ceil(2)).copied().collect();
        let half = |wanted: bool| {
            let of_half = |game: u64| later.contains(&(game / 2)) == wanted;
            PairsBatch {
                games: self.games.iter().filter(|it| of_half(it.record.game)).cloned().collect(),
                spoilt: self.spoilt.iter().filter(|it| of_half(it.game)).cloned().collect(),
                capsules: self.capsules.iter().filter(|it| of_half(it.game)).cloned().collect(),
                worker: self.worker.clone(),
                ..*self
            }
        };
        (!later.is_empty()).then(|| (half(false), half(true)))
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
        let PairsBatch { first, games, spoilt, capsules, worker, .. } = self;
        allow(games.len() <= GAMES, "games")?;
        allow(spoilt.len() <= GAMES * ATTEMPTS, "spoilt")?;
        allow(capsules.len() <= GAMES * (ATTEMPTS + 1), "capsules")?;
        let of_chunk =
            |record: &GameRecord| record.pair == record.game / 2 && record.pair >= *first;
        allow(games.iter().all(|game| of_chunk(&game.record)), "games")?;
        let numbers: BTreeSet<u64> = games.iter().map(|game| game.record.game).collect();
        allow(numbers.len() == games.len(), "games")?;
        for game in games {
            let plain = game.troubles.iter().all(|trouble| is_line(trouble, TROUBLE));
            allow(plain && game.troubles.len() <= TROUBLES, "troubles")?;
        }
        let fits =
            |it: &Spoilt| it.game == it.record.game && it.attempt > 0 && of_chunk(&it.record);
        allow(spoilt.iter().all(fits), "spoilt")?;
        let named = |it: &CapsuleRef| it.object == capsule_message_id(&it.sha256);
        allow(capsules.iter().all(named), "capsules")?;
        allow(is_line(&worker.verdict, 200), "verdict")?;
        allow(worker.slots > 0, "slots")?;
        allow(is_amount(worker.scale) && worker.scale > 0.0, "scale")
    }
}
