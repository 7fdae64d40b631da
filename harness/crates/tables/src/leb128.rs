//! Numbers in LEB128: seven bits a byte, the low ones first.

use std::io::{self, Read};

use super::count::SideWdl;

pub(crate) fn push_leb128(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

pub(crate) fn push_wdl(out: &mut Vec<u8>, wdl: SideWdl) {
    for games in [wdl.wins, wdl.draws, wdl.losses] {
        push_leb128(out, u64::from(games));
    }
}

/// Reads numbers in sequence; `None` at the end of the bytes, within a number, or above 64 bits.
pub(crate) struct NumberReader<'a> {
    bytes: &'a [u8],
}

impl<'a> NumberReader<'a> {
    fn new(bytes: &'a [u8]) -> NumberReader<'a> {
        NumberReader { bytes }
    }

    pub(crate) fn next(&mut self) -> Option<u64> {
        let mut number = 0_u64;
        for shift in (0..70).step_by(7) {
            let (&byte, rest) = self.bytes.split_first()?;
            self.bytes = rest;
            let bits = u64::from(byte & 0x7f);
            if shift == 63 && bits > 1 {
                return None;
            }
            number |= bits << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    pub(crate) fn next_u32(&mut self) -> Option<u32> {
        self.next()?.try_into().ok()
    }

    pub(crate) fn next_usize(&mut self) -> Option<usize> {
        self.next()?.try_into().ok()
    }

    pub(crate) fn next_wdl(&mut self) -> Option<SideWdl> {
        Some(SideWdl { wins: self.next_u32()?, draws: self.next_u32()?, losses: self.next_u32()? })
    }
}

/// The longest group of numbers that is read at once, in bytes: seven numbers.
const LONGEST: usize = 70;

/// Numbers of a source that is read in chunks.
#[derive(Debug)]
pub(crate) struct NumberStream<R> {
    source: R,
    chunk: Vec<u8>,
    /// What is read of the chunk but not taken yet.
    begin: usize,
    end: usize,
    is_at_end: bool,
}

impl<R: Read> NumberStream<R> {
    /// Chunks of so many bytes.
    pub(crate) fn new(source: R, chunk: usize) -> NumberStream<R> {
        let chunk = vec![0; chunk.max(2 * LONGEST)];
        NumberStream { source, chunk, begin: 0, end: 0, is_at_end: false }
    }

    /// What `read` makes of the next numbers, at most seven; its `None` is passed on. Fails if the
    /// source cannot be read.
    #[inline]
    pub(crate) fn read<T>(
        &mut self,
        read: impl FnOnce(&mut NumberReader<'_>) -> Option<T>,
    ) -> io::Result<Option<T>> {
        if self.end - self.begin < LONGEST && !self.is_at_end {
            self.fill()?;
        }
        let mut numbers = NumberReader::new(&self.chunk[self.begin..self.end]);
        let value = read(&mut numbers);
        self.begin = self.end - numbers.bytes.len();
        Ok(value)
    }

    fn fill(&mut self) -> io::Result<()> {
        self.chunk.copy_within(self.begin..self.end, 0);
        (self.begin, self.end) = (0, self.end - self.begin);
        while self.end < LONGEST && !self.is_at_end {
            match self.source.read(&mut self.chunk[self.end..]) {
                Ok(0) => self.is_at_end = true,
                Ok(read) => self.end += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads the source to its end, for its own checks.
    pub(crate) fn finish(mut self) -> io::Result<()> {
        while !self.is_at_end {
            self.begin = self.end;
            self.fill()?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let list = [0, 1, 127, 128, 300, 1 << 35, u64::MAX];
        let mut bytes = Vec::new();
        list.iter().for_each(|&number| push_leb128(&mut bytes, number));
        let mut numbers = NumberReader::new(&bytes);
        for number in list {
            assert_eq!(numbers.next(), Some(number));
        }
        assert_eq!(numbers.next(), None);
        assert_eq!(NumberReader::new(&[0xff; 10]).next(), None, "beyond 64 bits");
        assert_eq!(NumberReader::new(&[0x80]).next(), None);
    }

    /// Numbers lie across the ends of chunks, and sources give a few bytes at a time.
    #[test]
    fn numbers_come_back_in_chunks() {
        struct Slow<'a>(&'a [u8]);
        impl Read for Slow<'_> {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let few = buffer.len().min(3);
                self.0.read(&mut buffer[..few])
            }
        }
        let list: Vec<u64> = (0..1000).map(|number: u64| number.pow(6)).collect();
        let mut bytes = Vec::new();
        list.iter().for_each(|&number| push_leb128(&mut bytes, number));
        let mut numbers = NumberStream::new(Slow(&bytes), 1);
        for number in list {
            assert_eq!(numbers.read(|numbers| numbers.next()).unwrap(), Some(number));
        }
        assert_eq!(numbers.read(|numbers| numbers.next()).unwrap(), None);
        numbers.finish().unwrap();
    }
}
