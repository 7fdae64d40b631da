//! Positions that games reached in their first moves, as many as are asked for (PRO-19, TST-11).
//!
//! ```text
//! miner ─► counter: a buffer per thread, sorted when it is full ─► sorted runs in a scratch
//!                                    counts, sorted by key ◄─ merged ◄─┘
//! ```

mod counter;
mod run;
#[cfg(test)]
mod tests;

use std::io::{self, Read};

pub(crate) use counter::OpeningCounter;
pub(crate) use run::{Run, RunWriter, merge, read_record};

use super::SideWdl;
use crate::scratch::Scratch;

/// Games that reached a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpeningRecord {
    /// Polyglot's key of the position after the move (en passant only where it is legal).
    pub key: u64,
    /// Of the side that moved there.
    pub wdl: SideWdl,
    /// Games without a decided result.
    pub undecided: u32,
}

impl OpeningRecord {
    /// Games of either kind.
    pub fn games(&self) -> u64 {
        self.wdl.games() + u64::from(self.undecided)
    }

    /// Adds the games of another record of the position. The counters saturate.
    #[inline]
    fn add(&mut self, more: &OpeningRecord) {
        self.wdl += more.wdl;
        self.undecided = self.undecided.saturating_add(more.undecided);
    }

    fn is_full(&self) -> bool {
        self.wdl.is_full() || self.undecided == u32::MAX
    }
}

/// Games by the position that a move leads to.
#[derive(Debug, Clone, Default)]
pub struct OpeningCounts {
    run: Run,
    pub games: u64,
}

impl OpeningCounts {
    pub(crate) fn new(run: Run, games: u64) -> OpeningCounts {
        OpeningCounts { run, games }
    }

    /// Ascending by key. An error if the temporary file cannot be read.
    pub fn records(&self) -> impl Iterator<Item = io::Result<OpeningRecord>> + use<> {
        self.run.clone().into_reader(run::LONGEST_CHUNK)
    }

    pub fn len(&self) -> u64 {
        self.run.len()
    }

    pub fn is_empty(&self) -> bool {
        self.run.len() == 0
    }

    /// The most games that reached one position.
    pub(crate) fn most_games(&self) -> u64 {
        self.run.most_games()
    }

    /// The records as a counts file has them.
    pub(crate) fn bytes(&self) -> impl Read + use<> {
        self.run.bytes()
    }

    /// Adds up counts. Also returns the place of the first of them with which a counter was full.
    pub(crate) fn sum(
        parts: Vec<OpeningCounts>,
        scratch: &Scratch,
    ) -> io::Result<(OpeningCounts, Option<usize>)> {
        let games = parts.iter().fold(0_u64, |sum, part| sum.saturating_add(part.games));
        let (run, full) = merge(parts.into_iter().map(|part| part.run).collect(), scratch)?;
        Ok((OpeningCounts { run, games }, full))
    }
}

/// Of equal records. Records that cannot be read are equal to none.
impl PartialEq for OpeningCounts {
    fn eq(&self, other: &OpeningCounts) -> bool {
        let equal = |(mine, other): (io::Result<_>, io::Result<_>)| matches!((mine, other), (Ok(mine), Ok(other)) if mine == other);
        (self.games, self.len()) == (other.games, other.len())
            && self.records().zip(other.records()).all(equal)
    }
}
