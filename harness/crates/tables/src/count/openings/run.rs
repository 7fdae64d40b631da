//! Records sorted by key and packed, as in a counts file: about 11 bytes a position.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::collections::binary_heap::PeekMut;
use std::io::{self, Read};

use super::OpeningRecord;
use crate::leb128::{NumberReader, NumberStream, push_leb128, push_wdl};
use crate::scratch::{Scratch, ScratchBytes, ScratchReader, ScratchWriter};

/// Bytes that are read at once.
pub(super) const LONGEST_CHUNK: usize = 64 << 10;
const SHORTEST_CHUNK: usize = 4 << 10;

/// Positions ascending by key, each once.
#[derive(Debug, Clone, Default)]
pub(crate) struct Run {
    bytes: ScratchBytes,
    len: u64,
    most_games: u64,
}

impl Run {
    pub(crate) fn len(&self) -> u64 {
        self.len
    }

    /// The most games of a position.
    pub(super) fn most_games(&self) -> u64 {
        self.most_games
    }

    pub(super) fn bytes(&self) -> impl Read + use<> {
        self.bytes.clone().into_reader()
    }

    /// Reads chunks of so many bytes; what is read is given up unless a clone has it.
    pub(super) fn into_reader(self, chunk: usize) -> RunReader {
        let numbers = NumberStream::new(self.bytes.into_reader(), chunk);
        RunReader { numbers, key: 0, left: self.len }
    }
}

#[derive(Debug)]
pub(super) struct RunReader {
    numbers: NumberStream<ScratchReader>,
    key: u64,
    left: u64,
}

impl Iterator for RunReader {
    type Item = io::Result<OpeningRecord>;

    #[inline]
    fn next(&mut self) -> Option<io::Result<OpeningRecord>> {
        self.left = self.left.checked_sub(1)?;
        let key = self.key;
        let record = self.numbers.read(|numbers| read_record(numbers, key)).and_then(|record| {
            record.ok_or_else(|| {
                let why = "the temporary file of opening positions was changed by another program";
                io::Error::new(io::ErrorKind::InvalidData, why)
            })
        });
        if let Ok(record) = &record {
            self.key = record.key;
        }
        Some(record)
    }
}

/// The record after that of `key`; `None` if there is none.
#[inline]
pub(crate) fn read_record(numbers: &mut NumberReader<'_>, key: u64) -> Option<OpeningRecord> {
    let key = key.checked_add(numbers.next()?)?;
    Some(OpeningRecord { key, wdl: numbers.next_wdl()?, undecided: numbers.next_u32()? })
}

/// Packs records that come in ascending order.
#[derive(Debug)]
pub(crate) struct RunWriter {
    bytes: ScratchWriter,
    /// Not written yet: more games of it may come.
    last: Option<OpeningRecord>,
    /// Of the last record that is written; 0 before the first.
    key: u64,
    packed: Vec<u8>,
    len: u64,
    most_games: u64,
}

impl RunWriter {
    pub(crate) fn new(scratch: &Scratch) -> RunWriter {
        let bytes = ScratchWriter::new(scratch);
        RunWriter { bytes, last: None, key: 0, packed: Vec::new(), len: 0, most_games: 0 }
    }

    /// Adds a record; the key is not below the last one. Returns whether a counter of a position
    /// that was there already is full now. Fails if the temporary file cannot be written.
    #[inline]
    pub(crate) fn push(&mut self, record: OpeningRecord) -> io::Result<bool> {
        match &mut self.last {
            Some(last) if last.key == record.key => {
                last.add(&record);
                Ok(last.is_full())
            }
            last => {
                let before = last.replace(record);
                before.map_or(Ok(()), |record| self.write(&record))?;
                Ok(false)
            }
        }
    }

    fn write(&mut self, record: &OpeningRecord) -> io::Result<()> {
        self.packed.clear();
        push_leb128(&mut self.packed, record.key - self.key);
        push_wdl(&mut self.packed, record.wdl);
        push_leb128(&mut self.packed, u64::from(record.undecided));
        self.key = record.key;
        self.len += 1;
        self.most_games = self.most_games.max(record.games());
        self.bytes.write(&self.packed)
    }

    pub(crate) fn finish(mut self) -> io::Result<Run> {
        if let Some(last) = self.last.take() {
            self.write(&last)?;
        }
        Ok(Run { bytes: self.bytes.finish()?, len: self.len, most_games: self.most_games })
    }
}

/// Adds up runs. Also returns the place of the first of them with which a counter was full.
pub(crate) fn merge(mut runs: Vec<Run>, scratch: &Scratch) -> io::Result<(Run, Option<usize>)> {
    if runs.len() <= 1 {
        return Ok((runs.pop().unwrap_or_default(), None));
    }
    let chunk = (scratch.outside() / runs.len()).clamp(SHORTEST_CHUNK, LONGEST_CHUNK);
    let mut heads = Vec::with_capacity(runs.len());
    let mut order = BinaryHeap::with_capacity(runs.len());
    for (place, run) in runs.into_iter().enumerate() {
        let mut reader = run.into_reader(chunk);
        if let Some(record) = reader.next().transpose()? {
            order.push(Reverse((record.key, heads.len())));
            heads.push((place, record, reader));
        }
    }
    let mut sum = RunWriter::new(scratch);
    let mut full: Option<usize> = None;
    while let Some(mut first) = order.peek_mut() {
        let Reverse((key, head)) = &mut *first;
        let (place, record, reader) = &mut heads[*head];
        if sum.push(*record)? {
            full = Some(full.map_or(*place, |full| full.min(*place)));
        }
        match reader.next().transpose()? {
            Some(next) => (*record, *key) = (next, next.key),
            None => _ = PeekMut::pop(first),
        }
    }
    Ok((sum.finish()?, full))
}
