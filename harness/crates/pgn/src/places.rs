//! Places in a large file: lines with their offsets, and those from which entries can be read.

use process::files::ReadAt as _;
use std::fs::File;
use std::io;

use super::lines::{LONGEST_LINE, Line, bare};

/// Bytes read at once: what fits into a processor's cache beside the rest.
const BUFFER: usize = 256 << 10;
/// Entries between places at first.
const STRIDE: u64 = 16;
/// Places that are kept: 1.5 MiB of them.
const MOST: usize = 1 << 16;

/// Where an entry can be read from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct EntryPlace {
    /// The first entry that begins there or behind, from 0.
    pub(super) entry: u64,
    /// The first byte of a line.
    pub(super) offset: u64,
    /// The number of that line, from 1.
    pub(super) line: u64,
}

/// The places of some entries, fewer and fewer as the file goes on: the memory they take is
/// bounded, and reading an entry passes over at most as many others as lie between two.
#[derive(Debug, Clone)]
pub(super) struct Places {
    list: Vec<EntryPlace>,
    stride: u64,
    most: usize,
}

impl Places {
    pub(super) fn new() -> Places {
        Places::sparse(STRIDE, MOST)
    }

    /// At first every `stride`-th entry, at most `most` in all (2 or more).
    pub(super) fn sparse(stride: u64, most: usize) -> Places {
        Places { list: vec![EntryPlace { entry: 0, offset: 0, line: 1 }], stride, most }
    }

    /// Keeps a place, unless it is too near to the last. They come in the order of the file.
    pub(super) fn add(&mut self, place: EntryPlace) {
        if !self.is_due(place) {
            return;
        }
        while self.list.len() >= self.most {
            self.stride *= 2;
            let mut due = 0;
            self.list.retain(|place| {
                let keep = place.entry >= due;
                if keep {
                    due = place.entry + self.stride;
                }
                keep
            });
        }
        if self.is_due(place) {
            self.list.push(place);
        }
    }

    fn is_due(&self, place: EntryPlace) -> bool {
        self.list.last().is_none_or(|last| place.entry >= last.entry + self.stride)
    }

    /// The last place from which an entry can be read.
    pub(super) fn before(&self, entry: u64) -> EntryPlace {
        let behind = self.list.partition_point(|place| place.entry <= entry);
        self.list[behind.saturating_sub(1)]
    }

    pub(super) fn shrink(&mut self) {
        self.list.shrink_to_fit();
    }
}

/// The lines of a file, not copied one by one.
pub(super) struct PlacedLines<'a> {
    file: &'a File,
    buffer: Vec<u8>,
    filled: usize,
    /// Where in the buffer the next line begins, and where in the file.
    begin: usize,
    offset: u64,
    number: u64,
    /// The last line was too long: its rest comes next.
    is_within_line: bool,
}

impl<'a> PlacedLines<'a> {
    pub(super) fn new(file: &'a File) -> PlacedLines<'a> {
        PlacedLines {
            file,
            buffer: vec![0; BUFFER],
            filled: 0,
            begin: 0,
            offset: 0,
            number: 0,
            is_within_line: false,
        }
    }

    pub(super) fn next(&mut self) -> io::Result<Option<Line<'_>>> {
        while std::mem::take(&mut self.is_within_line) {
            self.take()?;
        }
        let (begin, offset) = self.take()?;
        if begin == self.begin {
            return Ok(None);
        }
        self.number += 1;
        let bytes = bare(&self.buffer[begin..self.begin]);
        Ok(Some(Line { number: self.number, offset, bytes }))
    }

    /// Takes a line, or so much of it as is read; where it begins in the buffer and in the file.
    fn take(&mut self) -> io::Result<(usize, u64)> {
        let len = match memchr::memchr(b'\n', &self.buffer[self.begin..self.filled]) {
            Some(end) => end + 1,
            None => self.fill()?,
        };
        let (begin, offset) = (self.begin, self.offset);
        self.begin += len;
        self.offset += len as u64;
        self.is_within_line = len >= LONGEST_LINE && self.buffer[self.begin - 1] != b'\n';
        Ok((begin, offset))
    }

    /// Reads on until the buffer holds a whole line from its front; returns its length with its
    /// end, 0 at the end of the file.
    fn fill(&mut self) -> io::Result<usize> {
        self.buffer.copy_within(self.begin..self.filled, 0);
        self.filled -= self.begin;
        self.begin = 0;
        while self.filled < LONGEST_LINE {
            if self.filled == self.buffer.len() {
                self.buffer.resize(self.filled * 2, 0);
            }
            let behind = self.offset + self.filled as u64;
            let read = read_at(self.file, &mut self.buffer[self.filled..], behind)?;
            if read == 0 {
                break;
            }
            let end = memchr::memchr(b'\n', &self.buffer[self.filled..self.filled + read]);
            let len = end.map(|end| self.filled + end + 1);
            self.filled += read;
            if let Some(len) = len {
                return Ok(len);
            }
        }
        Ok(self.filled)
    }
}

/// A file from some place on. Several can read one open file.
pub(super) struct ReadFrom<'a> {
    pub(super) file: &'a File,
    pub(super) offset: u64,
}

impl io::Read for ReadFrom<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.file.read_at(buffer, self.offset)?;
        self.offset += read as u64;
        Ok(read)
    }
}

/// Retries a read that a signal interrupts.
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    loop {
        match file.read_at(buffer, offset) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            read => return read,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_stay_few_and_ordered_and_near() {
        let mut places = Places::sparse(2, 8);
        for entry in 0..1000 {
            places.add(EntryPlace { entry, offset: entry * 10, line: entry + 1 });
        }
        assert!((4..=8).contains(&places.list.len()), "{places:?}");
        assert!(places.list.is_sorted_by_key(|place| place.entry));
        for entry in 0..1000 {
            let place = places.before(entry);
            assert!(place.entry <= entry && entry < place.entry + places.stride, "{place:?}");
            assert_eq!(place.offset, place.entry * 10);
        }
    }

    #[test]
    fn places_far_apart_are_thinned_too() {
        let mut places = Places::sparse(1, 4);
        for entry in (0..100_000).step_by(1000) {
            places.add(EntryPlace { entry, offset: entry, line: 1 });
        }
        assert!(places.list.len() <= 4);
        assert_eq!(places.before(0).entry, 0);
    }
}
