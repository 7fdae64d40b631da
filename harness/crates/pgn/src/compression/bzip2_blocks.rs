//! Bzip2: the blocks of a file, whether of one stream or of many, are unpacked at the same time.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::num::NonZeroUsize;
use std::sync::Arc;

use bzip2::{Decompress, Error, Status};

use super::bzip2_marks::{BLOCK, Bits, END, MARK_BITS, Section, Sections};
use super::pool::{CHUNK, Output, Pool, Unpacking};

/// `BZh`, and a digit for the size of its blocks.
const HEADER_BITS: usize = 32;
const CHECKSUM_BITS: usize = 32;
/// How many marks behind the next may be the end of a block: a mark may be within it by chance.
const TRIES: usize = 8;

/// The text of a file, its streams one after another.
pub(super) struct Blocks<R> {
    sections: Sections<R>,
    /// Reading ahead has failed.
    failed: Option<io::Error>,
    pool: Pool,
    ahead: VecDeque<Ahead>,
    text: Cursor<Vec<u8>>,
    /// A chunk of the first block was read.
    is_begun: bool,
    place: Place,
    /// Of the stream's blocks so far, combined.
    checksum: u32,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Place {
    Start,
    InStream,
    /// Complete, or broken.
    Ended,
}

struct Ahead {
    section: Arc<Section>,
    /// `None` where no block begins.
    text: Option<Unpacking>,
}

impl<R: Read> Blocks<R> {
    pub(super) fn new(threads: NonZeroUsize, reader: R) -> Blocks<R> {
        Blocks {
            sections: Sections::new(reader),
            failed: None,
            pool: Pool::new(threads),
            ahead: VecDeque::new(),
            text: Cursor::default(),
            is_begun: false,
            place: Place::Start,
            checksum: 0,
        }
    }

    /// Gives blocks to the threads until `count` sections are ahead, or no more follow.
    fn read_ahead(&mut self, count: usize) -> io::Result<()> {
        while self.ahead.len() < count && self.failed.is_none() {
            let section = match self.sections.next() {
                Ok(Some(section)) => Arc::new(section),
                Ok(None) => break,
                Err(error) => {
                    self.failed = Some(error);
                    break;
                }
            };
            let text = if section.bits.get(0, MARK_BITS) == Some(BLOCK) {
                let section = Arc::clone(&section);
                Some(self.pool.unpack(move |output| unpack(&section, output))?)
            } else {
                None
            };
            self.ahead.push_back(Ahead { section, text });
        }
        Ok(())
    }

    /// Reads on in the first section ahead. An error is final.
    fn advance(&mut self) -> io::Result<()> {
        self.read_ahead(self.pool.ahead())?;
        let Some(first) = self.ahead.front_mut() else {
            // A clean end is within the last section.
            return Err(self.failed.take().unwrap_or_else(cut_off));
        };
        let Some(text) = &mut first.text else {
            let section = Arc::clone(&first.section);
            self.ahead.pop_front();
            return self.between(&section);
        };
        if self.place != Place::InStream {
            return Err(broken(Error::DataMagic));
        }
        match text.next() {
            Ok(Some(text)) => {
                self.is_begun = true;
                self.text = Cursor::new(text);
            }
            Ok(None) => {
                self.note_checksum();
                self.ahead.pop_front();
            }
            Err(error) if self.is_begun || first.section.is_last => return Err(error),
            Err(_) => self.text = Cursor::new(self.unpack_joined()?),
        }
        Ok(())
    }

    fn note_checksum(&mut self) {
        let first = self.ahead.front().map(|ahead| &ahead.section.bits);
        let block = first.and_then(checksum_of).unwrap_or_default();
        self.checksum = self.checksum.rotate_left(1) ^ block;
        self.is_begun = false;
    }

    /// The start of the file, or the end of a stream and the start of the next.
    fn between(&mut self, section: &Section) -> io::Result<()> {
        let Section { bits, is_last } = section;
        let mut header = 0;
        if self.place == Place::InStream {
            let (mark, sum) = (bits.get(0, MARK_BITS), bits.get(MARK_BITS, CHECKSUM_BITS));
            let Some(sum) = sum.filter(|_| mark == Some(END)) else {
                return Err(if *is_last { cut_off() } else { broken(Error::Data) });
            };
            if sum != u64::from(self.checksum) {
                return Err(broken(Error::Data));
            }
            header = MARK_BITS + CHECKSUM_BITS;
            header += bits.padding(header);
            if *is_last && header == bits.len() {
                self.place = Place::Ended;
                return Ok(());
            }
        }
        for (index, expected) in b"BZh".iter().enumerate() {
            match bits.get(header + 8 * index, 8) {
                Some(found) if found == u64::from(*expected) => {}
                Some(_) => return Err(broken(Error::DataMagic)),
                None => return Err(cut_off()),
            }
        }
        match bits.get(header + 24, 8) {
            Some(level) if (1..=9).contains(&level.wrapping_sub(u64::from(b'0'))) => {}
            Some(_) => return Err(broken(Error::DataMagic)),
            None => return Err(cut_off()),
        }
        self.checksum = 0;
        self.place = Place::InStream;
        match bits.len() - (header + HEADER_BITS) {
            0 => Ok(()),
            more if *is_last && more < MARK_BITS => Err(cut_off()),
            _ => Err(broken(Error::Data)),
        }
    }

    /// The text of the first block, which does not end at the next mark.
    fn unpack_joined(&mut self) -> io::Result<Vec<u8>> {
        self.read_ahead(1 + TRIES)?;
        let mut joined = self.ahead[0].section.bits.clone();
        let mut last = broken(Error::Data);
        for tried in 1..self.ahead.len() {
            let section = &self.ahead[tried].section;
            joined.join(&section.bits);
            let mut text = Vec::new();
            let done = unpack_block(&joined, section.is_last, |chunk| {
                text.extend_from_slice(&chunk);
                true
            });
            match done {
                Ok(()) => {
                    self.note_checksum();
                    self.ahead.drain(..=tried);
                    return Ok(text);
                }
                Err(error) if section.is_last => last = error,
                Err(_) => {}
            }
        }
        Err(last)
    }
}

impl<R: Read> Read for Blocks<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.text.read(buffer)?;
            if len > 0 || buffer.is_empty() || self.place == Place::Ended {
                return Ok(len);
            }
            if let Err(error) = self.advance() {
                self.place = Place::Ended;
                return Err(error);
            }
        }
    }
}

fn checksum_of(block: &Bits) -> Option<u32> {
    block.get(MARK_BITS, CHECKSUM_BITS).map(|sum| sum as u32)
}

fn broken(error: Error) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, error)
}

fn cut_off() -> io::Error {
    io::Error::new(
        io::ErrorKind::UnexpectedEof,
        "expected the end of a bzip2 stream, found the end of the file",
    )
}

fn unpack(section: &Section, output: &Output) -> io::Result<()> {
    unpack_block(&section.bits, section.is_last, |chunk| output.send(chunk))
}

/// Unpacks a block as a stream of its own. Text goes to `send`, which returns false to stop; no
/// text of a chunk in which an error comes. If the file ends in the block or behind it, that is an
/// error after the text.
fn unpack_block(
    block: &Bits,
    is_last: bool,
    mut send: impl FnMut(Vec<u8>) -> bool,
) -> io::Result<()> {
    let mut packed = b"BZh9".to_vec();
    match checksum_of(block) {
        Some(sum) if !is_last => {
            block.write(&mut packed, &[(END, MARK_BITS), (sum.into(), CHECKSUM_BITS)]);
        }
        _ => block.write(&mut packed, &[]),
    }
    let mut decoder = Decompress::new(false);
    let mut chunk = Vec::with_capacity(CHUNK);
    loop {
        let (read, before) = (decoder.total_in() as usize, chunk.len());
        let status = decoder.decompress_vec(&packed[read..], &mut chunk).map_err(broken)?;
        if status == Status::MemNeeded {
            return Err(io::ErrorKind::OutOfMemory.into());
        }
        let is_complete = status == Status::StreamEnd;
        let is_cut_off = !is_complete
            && chunk.len() == before
            && chunk.len() < chunk.capacity()
            && decoder.total_in() as usize == packed.len();
        if is_complete || is_cut_off || chunk.len() == chunk.capacity() {
            let full = std::mem::replace(&mut chunk, Vec::with_capacity(CHUNK));
            if !full.is_empty() && !send(full) {
                return Ok(());
            }
        }
        if is_cut_off {
            return Err(cut_off());
        }
        if is_complete {
            return Ok(());
        }
    }
}
