//! Gzip members and zstd frames whose lengths are told before their text: several are unpacked at
//! the same time.

use std::collections::VecDeque;
use std::io::{self, Cursor, Read};
use std::num::NonZeroUsize;
use std::sync::Arc;

use super::Compression;
use super::pool::{Output, Pool, Unpacking};

/// Packed bytes of a part, at least, unless the file ends: small members are taken together.
const PART: usize = 256 << 10;
/// Most packed bytes of a member; a longer one is unpacked as it is read.
pub(super) const LONGEST: usize = 8 << 20;
/// Packed bytes that are kept; beyond, no further part is read ahead.
const KEPT: usize = 24 << 20;

/// What the next bytes of a file are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Found {
    /// A whole member.
    Whole,
    /// Something else: only the decompressor can tell.
    Unknown,
    /// The file has ended.
    End,
}

/// Appends the next member to the bytes; what is unknown in part.
pub(super) type Measure = fn(&mut dyn Read, &mut Vec<u8>) -> io::Result<Found>;

/// Appends `len` bytes; false if the file ends before.
pub(super) fn append(reader: &mut dyn Read, len: usize, to: &mut Vec<u8>) -> io::Result<bool> {
    Ok(reader.take(len as u64).read_to_end(to)? == len)
}

/// The text of a file. From the first member on that cannot be measured or does not unpack as
/// measured, one decompressor reads the rest, so that errors are the same as without threads.
pub(super) struct Whole<'a, R> {
    compression: Compression,
    measure: Measure,
    source: State<'a, R>,
    pool: Pool,
    parts: VecDeque<Part>,
    text: Cursor<Vec<u8>>,
    /// Bytes of text already taken from the first part.
    taken: u64,
}

enum State<'a, R> {
    Measuring(R),
    /// Bytes read that no part holds, what happened then, and what follows.
    Beyond(Vec<u8>, Option<io::Error>, R),
    /// The file has ended, or everything else failed.
    Ended,
    /// One decompressor for the rest.
    Rest(Box<dyn Read + Send + 'a>),
}

struct Part {
    packed: Arc<Vec<u8>>,
    text: Unpacking,
}

impl<'a, R: Read + Send + 'a> Whole<'a, R> {
    pub(super) fn new(
        compression: Compression,
        measure: Measure,
        threads: NonZeroUsize,
        reader: R,
    ) -> Whole<'a, R> {
        let (source, pool) = (State::Measuring(reader), Pool::new(threads));
        let (parts, text) = (VecDeque::new(), Cursor::default());
        Whole { compression, measure, source, pool, parts, text, taken: 0 }
    }

    /// Gives parts to the threads until enough are ahead.
    fn read_ahead(&mut self) -> io::Result<()> {
        while let State::Measuring(reader) = &mut self.source {
            let kept: usize = self.parts.iter().map(|part| part.packed.len()).sum();
            if self.parts.len() >= self.pool.ahead() || kept >= KEPT {
                break;
            }
            let mut packed = Vec::new();
            let mut end = 0;
            let found = loop {
                match (self.measure)(reader, &mut packed) {
                    Ok(Found::Whole) => end = packed.len(),
                    found => break found,
                }
                if end >= PART {
                    break Ok(Found::Whole);
                }
            };
            if !matches!(found, Ok(Found::Whole)) {
                let beyond = packed.split_off(end);
                self.source = match (std::mem::replace(&mut self.source, State::Ended), found) {
                    (State::Measuring(reader), Ok(Found::Unknown)) => {
                        State::Beyond(beyond, None, reader)
                    }
                    (State::Measuring(reader), Err(error)) => {
                        State::Beyond(beyond, Some(error), reader)
                    }
                    _ => State::Ended,
                };
            }
            if !packed.is_empty() {
                let packed = Arc::new(packed);
                let (part, compression) = (Arc::clone(&packed), self.compression);
                let work = move |output: &Output| {
                    output.send_all(compression.decompress(part.as_slice())?)
                };
                self.parts.push_back(Part { packed, text: self.pool.unpack(work)? });
            }
        }
        Ok(())
    }

    /// One decompressor for all that is not yet read.
    fn unpack_rest(&mut self) -> io::Result<()> {
        let mut packed = Vec::new();
        self.parts.drain(..).for_each(|part| packed.extend_from_slice(&part.packed));
        let (beyond, error, reader) = match std::mem::replace(&mut self.source, State::Ended) {
            State::Measuring(reader) => (Vec::new(), None, Some(reader)),
            State::Beyond(beyond, error, reader) => (beyond, error, Some(reader)),
            State::Ended | State::Rest(_) => (Vec::new(), None, None),
        };
        packed.extend_from_slice(&beyond);
        let rest = Cursor::new(packed).chain(Failing(error)).chain(Maybe(reader));
        let mut rest = self.compression.decompress(rest)?;
        io::copy(&mut rest.by_ref().take(std::mem::take(&mut self.taken)), &mut io::sink())?;
        self.source = State::Rest(rest);
        Ok(())
    }
}

impl<'a, R: Read + Send + 'a> Read for Whole<'a, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            let len = self.text.read(buffer)?;
            if len > 0 || buffer.is_empty() {
                return Ok(len);
            }
            if let State::Rest(rest) = &mut self.source {
                return rest.read(buffer);
            }
            self.read_ahead()?;
            match (self.parts.front_mut().map(|part| part.text.next()), &self.source) {
                (Some(Ok(Some(text))), _) => {
                    self.taken += text.len() as u64;
                    self.text = Cursor::new(text);
                }
                (Some(Ok(None)), _) => {
                    self.parts.pop_front();
                    self.taken = 0;
                }
                (None, State::Ended) => return Ok(0),
                (Some(Err(_)) | None, _) => self.unpack_rest()?,
            }
        }
    }
}

/// An error that came while reading ahead, once.
struct Failing(Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}

struct Maybe<R>(Option<R>);

impl<R: Read> Read for Maybe<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |reader| reader.read(buffer))
    }
}
