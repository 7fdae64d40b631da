//! Reads a counts file in sequence, with limits against files made to exhaust memory.

use std::io::{self, BufReader, Read};

use super::body::{read_counts, read_seen};
use super::{Checkpoint, CountsFile, plausible};
use crate::leb128::NumberStream;
use crate::scratch::Scratch;
use arena::record::output_files::COUNTS_MAGIC;

/// The largest file that is read, bytes.
const MOST: u64 = 4 << 30;
/// Limits of unpacking: at most `MOST_RATIO` times the packed bytes read so far plus `SLACK` (tables
/// of equal cells), and never more than `MOST_UNPACKED`.
const MOST_RATIO: u64 = 100;
const SLACK: u64 = 4 << 20;
const MOST_UNPACKED: u64 = 16 << 30;
/// Bytes of numbers that are unpacked at once.
const CHUNK: usize = 64 << 10;

/// Why counts cannot be read.
#[derive(Debug)]
pub(super) enum ReadError {
    /// What the file holds in place of counts: "found …".
    Found(String),
    /// The file, or the temporary file of its opening positions.
    Failed(io::Error),
}

impl ReadError {
    pub(super) fn into_words(self) -> String {
        match self {
            ReadError::Found(found) => found,
            ReadError::Failed(error) => error.to_string(),
        }
    }
}

pub(super) fn read(source: impl Read, scratch: &Scratch) -> Result<CountsFile, ReadError> {
    let mut source = BufReader::new(Counted { source, bytes: 0 });
    let found = |found: &str| ReadError::Found(found.to_owned());
    let magic = read_some(&mut source, COUNTS_MAGIC.len() as u64)?;
    if magic != COUNTS_MAGIC {
        return Err(found("found another beginning"));
    }
    let early = || found("found its end early");
    let len = read_some(&mut source, 4)?.try_into().map_err(|_| early())?;
    let len = u32::from_le_bytes(len);
    let header = read_some(&mut source, len.into())?;
    if header.len() < len as usize {
        return Err(early());
    }
    let mut file: CountsFile = serde_json::from_slice(&header)
        .map_err(|error| ReadError::Found(format!("found a header with {error}")))?;
    let begin = source.get_ref().bytes - source.buffer().len() as u64;
    let decoder = zstd::Decoder::with_buffer(source).map_err(ReadError::Failed)?;
    let mut numbers = NumberStream::new(Unpacked { decoder, begin, bytes: 0 }, CHUNK);
    file.counts = read_counts(&mut numbers, &file.settings, scratch)?;
    let seen = read_seen(&mut numbers)?;
    numbers.finish().map_err(|error| ReadError::Found(error.to_string()))?;
    if let Some(Checkpoint { read_state, .. }) = &mut file.checkpoint {
        read_state.inputs = file.inputs.clone();
        read_state.seen = seen;
    }
    plausible::check(&file).map_err(ReadError::Found)?;
    Ok(file)
}

/// At most so many bytes, fewer at the end.
fn read_some(source: &mut impl Read, most: u64) -> Result<Vec<u8>, ReadError> {
    let mut bytes = Vec::new();
    source.take(most).read_to_end(&mut bytes).map_err(ReadError::Failed)?;
    Ok(bytes)
}

/// Counts the bytes of a file, and fails beyond the most.
struct Counted<R> {
    source: R,
    bytes: u64,
}

impl<R: Read> Read for Counted<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.bytes += read as u64;
        if self.bytes > MOST {
            let why = format!("expected at most {} MiB, found more", MOST >> 20);
            return Err(io::Error::new(io::ErrorKind::FileTooLarge, why));
        }
        Ok(read)
    }
}

/// The numbers, unpacked. Errors say what was found.
struct Unpacked<R: Read> {
    decoder: zstd::Decoder<'static, BufReader<Counted<R>>>,
    /// Bytes of the file before the packed ones.
    begin: u64,
    /// Bytes unpacked so far.
    bytes: u64,
}

impl<R: Read> Read for Unpacked<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.decoder.read(buffer).map_err(|error| {
            io::Error::new(error.kind(), format!("found numbers that cannot be unpacked: {error}"))
        })?;
        self.bytes += read as u64;
        let most = most_unpacked(self.decoder.get_ref().get_ref().bytes - self.begin);
        if self.bytes > most {
            let why = format!("found numbers that unpack to more than {most} bytes");
            return Err(io::Error::other(why));
        }
        Ok(read)
    }
}

/// The limit of unpacked bytes for so many packed ones.
fn most_unpacked(packed: u64) -> u64 {
    packed.saturating_mul(MOST_RATIO).saturating_add(SLACK).min(MOST_UNPACKED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_unpack_has_a_bound() {
        assert_eq!(most_unpacked(0), SLACK);
        assert_eq!(most_unpacked(1 << 20), (100 << 20) + SLACK);
        assert_eq!([MOST, u64::MAX].map(most_unpacked), [16 << 30; 2]);
    }
}
