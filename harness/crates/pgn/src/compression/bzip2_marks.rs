//! Bzip2 files cut at their marks: 48 bits before each block and at the end of each stream. Blocks
//! begin at any bit.

use std::io::{self, Read};

/// Before a block.
pub(super) const BLOCK: u64 = 0x3141_5926_5359;
/// At the end of a stream.
pub(super) const END: u64 = 0x1772_4538_5090;
pub(super) const MARK_BITS: usize = 48;
const MASK: u64 = (1 << MARK_BITS) - 1;

/// More bytes than a section may have: 900,000 symbols of 20 bits, and their tables.
const LONGEST: usize = 4 << 20;
/// Bytes read at once.
const WINDOW: usize = 64 << 10;

/// Bits of a file, the first of a byte being its highest.
#[derive(Clone)]
pub(super) struct Bits {
    bytes: Vec<u8>,
    /// Of the first byte, to be left out.
    begin: usize,
    /// Exclusive, from the first byte's first bit.
    end: usize,
}

impl Bits {
    pub(super) fn len(&self) -> usize {
        self.end - self.begin
    }

    /// Up to 56 bits from the one at `at`, as a number; `None` if there are fewer.
    pub(super) fn get(&self, at: usize, len: usize) -> Option<u64> {
        if at + len > self.len() {
            return None;
        }
        let from = self.begin + at;
        let bytes = self.bytes.get(from / 8..(from + len).div_ceil(8))?;
        let number = bytes.iter().fold(0, |sum, &byte| sum << 8 | u64::from(byte));
        let behind = bytes.len() * 8 - from % 8 - len;
        Some(number >> behind & ((1 << len) - 1))
    }

    /// Bits up to the next byte of the file, behind those before `at`.
    pub(super) fn padding(&self, at: usize) -> usize {
        (self.begin + at).next_multiple_of(8) - (self.begin + at)
    }

    /// Appends the bits that follow these in the file.
    pub(super) fn join(&mut self, next: &Bits) {
        self.bytes.truncate(self.end / 8);
        self.end = self.bytes.len() * 8 + next.end;
        self.bytes.extend_from_slice(&next.bytes);
    }

    /// Appends them to whole bytes, and behind them the numbers with their bits; the last byte is
    /// filled with zeros.
    pub(super) fn write(&self, bytes: &mut Vec<u8>, behind: &[(u64, usize)]) {
        let (shift, whole) = (self.begin % 8, self.len() / 8);
        bytes.reserve(whole + 16);
        if shift == 0 {
            bytes.extend_from_slice(&self.bytes[..whole]);
        } else {
            let pairs = self.bytes.windows(2).take(whole);
            bytes.extend(pairs.map(|pair| pair[0] << shift | pair[1] >> (8 - shift)));
        }
        let odd = self.len() % 8;
        let rest = (self.get(whole * 8, odd).unwrap_or_default(), odd);
        let (mut held, mut count) = (0, 0);
        for &(number, len) in std::iter::once(&rest).chain(behind) {
            for bit in (0..len).rev() {
                held = held << 1 | (number >> bit & 1) as u8;
                count += 1;
                if count % 8 == 0 {
                    bytes.push(held);
                }
            }
        }
        if count % 8 != 0 {
            bytes.push(held << (8 - count % 8));
        }
    }
}

/// From a mark, or the beginning of the file, to the next.
pub(super) struct Section {
    pub(super) bits: Bits,
    /// No mark follows: the file ends, or none was found within the length of a block.
    pub(super) is_last: bool,
}

pub(super) struct Sections<R> {
    reader: R,
    bytes: Vec<u8>,
    /// Bit at which the next section begins.
    begin: usize,
    /// Byte before which no further mark begins.
    searched: usize,
    ended: bool,
    /// What came when more was to be read.
    failed: Option<io::Error>,
}

impl<R: Read> Sections<R> {
    pub(super) fn new(reader: R) -> Sections<R> {
        Sections { reader, bytes: Vec::new(), begin: 0, searched: 0, ended: false, failed: None }
    }

    /// `None` behind the last. An error comes behind the sections read before it.
    pub(super) fn next(&mut self) -> io::Result<Option<Section>> {
        loop {
            let least = (self.searched * 8).max(self.begin + 1);
            if let Some(mark) = find(&self.bytes, least, self.ended) {
                let bits = self.cut(mark);
                return Ok(Some(Section { bits, is_last: false }));
            }
            self.searched = (self.bytes.len().saturating_sub(MARK_BITS / 8)).max(self.begin / 8);
            if let Some(error) = self.failed.take() {
                return Err(error);
            }
            let rest = self.bytes.len() * 8 - self.begin;
            if self.ended && rest == 0 {
                return Ok(None);
            }
            if self.ended || rest > LONGEST * 8 {
                self.ended = true;
                let bits = self.cut(self.bytes.len() * 8);
                return Ok(Some(Section { bits, is_last: true }));
            }
            self.fill();
        }
    }

    fn fill(&mut self) {
        let passed = self.begin / 8;
        self.bytes.drain(..passed);
        (self.begin, self.searched) = (self.begin % 8, self.searched - passed);
        match self.reader.by_ref().take(WINDOW as u64).read_to_end(&mut self.bytes) {
            Ok(read) => self.ended = read < WINDOW,
            Err(error) => self.failed = Some(error),
        }
    }

    fn cut(&mut self, end: usize) -> Bits {
        let first = self.begin / 8;
        let bytes = self.bytes[first..end.div_ceil(8)].to_vec();
        let begin = std::mem::replace(&mut self.begin, end) % 8;
        self.searched = end / 8;
        Bits { bytes, begin, end: end - first * 8 }
    }
}

/// The first mark that begins at the bit `least` or behind it. One that ends in the last byte is
/// found if no further byte is to come.
fn find(bytes: &[u8], least: usize, ended: bool) -> Option<usize> {
    let mut word = 0u64;
    let from = least / 8;
    let behind = ended.then_some(&0);
    for (index, &byte) in bytes.get(from..)?.iter().chain(behind).enumerate() {
        word = word << 8 | u64::from(byte);
        if !MAY_END.has((word >> 8) as u16) {
            continue;
        }
        // The mark's last bit is the last of the byte before this one, or in this one.
        for shift in (1..=8).rev() {
            let number = word >> shift & MASK;
            if number == BLOCK || number == END {
                let end = (from + index + 1) * 8 - shift;
                if let Some(begin) = end.checked_sub(MARK_BITS).filter(|&begin| begin >= least) {
                    return Some(begin);
                }
            }
        }
    }
    None
}

/// Which pairs of bytes are the last whole ones of a mark, at any of the eight shifts.
struct Pairs([u64; 1024]);

const MAY_END: Pairs = {
    let mut pairs = [0; 1024];
    let mut shift = 0;
    while shift < 8 {
        let (block, end) = ((BLOCK >> shift) as u16 as usize, (END >> shift) as u16 as usize);
        pairs[block / 64] |= 1 << (block % 64);
        pairs[end / 64] |= 1 << (end % 64);
        shift += 1;
    }
    Pairs(pairs)
};

impl Pairs {
    fn has(&self, pair: u16) -> bool {
        self.0[usize::from(pair / 64)] >> (pair % 64) & 1 != 0
    }
}
