//! A chunk to play, sent on `v1.chunk.RUN`.

use arena::varied::PairValues;
use serde::{Deserialize, Serialize};

use super::{Message, Refused, VERSION, allow, is_line};
use crate::chunk::{Chunk, MOST_ASKED};
use crate::names::RunId;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ChunkMessage {
    pub v: u64,
    pub run: RunId,
    pub first: u64,
    pub pairs: u32,
    pub round: u32,
    /// Another worker plays it, too: the results are compared, and recorded once.
    #[serde(default)]
    pub audit: bool,
    /// Values for a tuner's pair.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub values: Option<PairValues>,
}

impl ChunkMessage {
    pub fn new(run: RunId, chunk: Chunk) -> ChunkMessage {
        let Chunk { first, pairs, round } = chunk;
        ChunkMessage { v: VERSION, run, first, pairs, round, audit: false, values: None }
    }

    pub fn chunk(&self) -> Chunk {
        Chunk { first: self.first, pairs: self.pairs, round: self.round }
    }
}

impl Message for ChunkMessage {
    const NAME: &'static str = "a chunk";
    const MOST: usize = 256 << 10;

    fn version(&self) -> u64 {
        self.v
    }

    fn check(&self) -> Result<(), Refused> {
        allow((1..=MOST_ASKED).contains(&self.pairs), "pairs")?;
        // Game numbers are twice as large.
        allow(self.first <= u64::MAX / 4, "first")?;
        let Some(PairValues { base, test }) = &self.values else { return Ok(()) };
        allow(self.pairs == 1, "values")?;
        let fits = |(name, value): (&String, &String)| {
            !name.is_empty() && is_line(name, 200) && is_line(value, 4096)
        };
        allow(base.iter().chain(test).all(fits), "values")
    }
}
