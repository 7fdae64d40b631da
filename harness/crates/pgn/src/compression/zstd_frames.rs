//! Zstd frames: their blocks tell their lengths (RFC 8878).

use std::io::{self, Read};

use super::whole::{Found, LONGEST, append};

const MAGIC: u32 = 0xfd2f_b528;
/// Without the last four bits.
const SKIPPABLE: u32 = 0x184d_2a50;
/// Largest window of a frame that is unpacked beside others: each of them takes that memory.
const WINDOW: u64 = 8 << 20;

pub(super) fn measure(reader: &mut dyn Read, packed: &mut Vec<u8>) -> io::Result<Found> {
    let begin = packed.len();
    if !append(reader, 4, packed)? {
        return Ok(if packed.len() == begin { Found::End } else { Found::Unknown });
    }
    let whole = match number(&packed[begin..]) as u32 {
        MAGIC => frame(reader, packed, begin)?,
        magic if magic & !15 == SKIPPABLE => {
            let len = next(reader, 4, packed)?.filter(|&len| len <= LONGEST as u64);
            len.map_or(Ok(false), |len| append(reader, len as usize, packed))?
        }
        _ => false,
    };
    Ok(if whole { Found::Whole } else { Found::Unknown })
}

/// Whether it is whole, and small enough.
fn frame(reader: &mut dyn Read, packed: &mut Vec<u8>, begin: usize) -> io::Result<bool> {
    let Some(descriptor) = next(reader, 1, packed)? else { return Ok(false) };
    let is_single_segment = descriptor & 0x20 != 0;
    let dictionary = [0, 1, 2, 4][descriptor as usize & 3];
    let content_bytes = match descriptor >> 6 {
        0 => usize::from(is_single_segment),
        flag => 1 << flag,
    };
    let window = if is_single_segment { Some(0) } else { next(reader, 1, packed)?.map(window_of) };
    if !append(reader, dictionary, packed)? {
        return Ok(false);
    }
    let (Some(window), Some(content)) = (window, next(reader, content_bytes, packed)?) else {
        return Ok(false);
    };
    if window > WINDOW || is_single_segment && content > WINDOW {
        return Ok(false);
    }
    loop {
        let Some(header) = next(reader, 3, packed)? else { return Ok(false) };
        let (is_last, kind, size) = (header & 1 != 0, header >> 1 & 3, header as usize >> 3);
        // One byte, repeated.
        let stored = if kind == 1 { 1 } else { size };
        if packed.len() - begin + stored > LONGEST || !append(reader, stored, packed)? {
            return Ok(false);
        }
        if is_last {
            let checksum = if descriptor & 4 != 0 { 4 } else { 0 };
            return append(reader, checksum, packed);
        }
    }
}

fn window_of(descriptor: u64) -> u64 {
    let base = 1 << (10 + (descriptor >> 3));
    base + base / 8 * (descriptor & 7)
}

/// The next bytes as a number; `None` if the file ends before.
fn next(reader: &mut dyn Read, len: usize, packed: &mut Vec<u8>) -> io::Result<Option<u64>> {
    let begin = packed.len();
    Ok(append(reader, len, packed)?.then(|| number(&packed[begin..])))
}

/// Little-endian, of at most eight bytes.
fn number(bytes: &[u8]) -> u64 {
    bytes.iter().rev().fold(0, |sum, &byte| sum << 8 | u64::from(byte))
}
