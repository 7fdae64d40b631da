//! Counts the positions of one thread.

use std::num::NonZeroUsize;
use std::{io, iter};

use super::{OpeningCounts, OpeningRecord, Run, RunWriter};
use crate::scratch::Scratch;

/// Records of a buffer that has none yet.
const FIRST: usize = 1024;

/// Counts in a buffer of limited size; what goes beyond it are sorted runs.
#[derive(Debug)]
pub(crate) struct OpeningCounter {
    pub(crate) games: u64,
    /// Sorted and each position once, as far as the last time that it was full.
    buffer: Vec<OpeningRecord>,
    /// Records at most in the buffer.
    most: usize,
    runs: Vec<Run>,
    scratch: Scratch,
    /// Why a run could not be written: nothing is counted any more.
    failure: Option<io::Error>,
}

impl OpeningCounter {
    /// One of so many counters that share a scratch.
    pub(crate) fn new(scratch: &Scratch, counters: NonZeroUsize) -> OpeningCounter {
        let most = scratch.outside() / counters.get() / size_of::<OpeningRecord>();
        OpeningCounter {
            games: 0,
            buffer: Vec::new(),
            most: most.max(1),
            runs: Vec::new(),
            scratch: scratch.clone(),
            failure: None,
        }
    }

    #[inline]
    pub(crate) fn add(&mut self, record: OpeningRecord) {
        if self.buffer.len() == self.buffer.capacity() {
            self.make_room();
        }
        self.buffer.push(record);
    }

    /// Whether a run could not be written; [`OpeningCounter::finish`] says why.
    pub(crate) fn has_failed(&self) -> bool {
        self.failure.is_some()
    }

    /// Adds up equal positions. If that leaves half of the buffer or more, it grows or becomes a
    /// run: so a record is sorted twice on average at most.
    #[cold]
    fn make_room(&mut self) {
        self.sort();
        let (len, capacity) = (self.buffer.len(), self.buffer.capacity());
        if capacity > 0 && len < capacity.div_ceil(2) {
            return;
        }
        if capacity < self.most {
            let more = capacity.max(FIRST).min(self.most - capacity);
            return self.buffer.reserve_exact(capacity - len + more);
        }
        if self.failure.is_none() {
            self.failure = self.pack().err();
        }
        self.buffer.clear();
    }

    fn sort(&mut self) {
        self.buffer.sort_unstable_by_key(|record| record.key);
        self.buffer.dedup_by(|more, record| {
            let is_same = more.key == record.key;
            if is_same {
                record.add(more);
            }
            is_same
        });
    }

    /// Makes a run of the buffer, which is sorted.
    fn pack(&mut self) -> io::Result<()> {
        let mut run = RunWriter::new(&self.scratch);
        for record in self.buffer.drain(..) {
            run.push(record)?;
        }
        self.runs.push(run.finish()?);
        Ok(())
    }

    /// What was counted, in parts to add up. Fails if a run could not be written.
    pub(crate) fn finish(mut self) -> io::Result<Vec<OpeningCounts>> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        if !self.buffer.is_empty() {
            self.sort();
            self.pack()?;
        }
        let mut runs = self.runs.into_iter();
        let first = OpeningCounts::new(runs.next().unwrap_or_default(), self.games);
        Ok(iter::once(first).chain(runs.map(|run| OpeningCounts::new(run, 0))).collect())
    }
}
