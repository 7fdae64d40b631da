//! A book in memory: every entry checked and packed into a few bytes.

use std::path::Path;

use shakmaty::packed::{PackedSetup, PackedUciMove};
use shakmaty::{CastlingMode, EnPassantMode, Position, Setup};

use super::error::BookError;
use super::opening::{BookEntry, Opening};

/// Openings, packed: about 30 bytes a position, and 8 bytes and 2 a ply for a game that starts
/// where the game before it did.
#[derive(Debug, Clone, Default)]
pub(super) struct Packed {
    /// Packed start positions, one behind the other.
    starts: Vec<u8>,
    moves: Vec<[u8; 2]>,
    entries: Vec<Parts>,
    pub(super) terminal: usize,
    pub(super) chess960: usize,
}

#[derive(Debug, Clone, Copy)]
struct Parts {
    /// Where in `starts` the start position begins: its length, its castling mode, its bytes.
    start: u32,
    /// Where in `moves` its moves end; they begin where those of the entry before end.
    moves_end: u32,
}

impl Packed {
    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Bytes of memory.
    fn bytes(&self) -> usize {
        self.starts.len() + 2 * self.moves.len() + size_of::<Parts>() * self.entries.len()
    }

    pub(super) fn opening(&self, index: usize) -> Option<Opening> {
        let entry = self.entries.get(index)?;
        let moves_begin = match index.checked_sub(1) {
            Some(before) => self.entries.get(before)?.moves_end as usize,
            None => 0,
        };
        let packed_moves = self.moves.get(moves_begin..entry.moves_end as usize)?;
        let moves =
            packed_moves.iter().map(|&bytes| PackedUciMove::from_bytes(bytes).unpack()).collect();
        let (setup, mode) = unpack_start(self.starts.get(entry.start as usize..)?)?;
        Opening::new(index, setup, mode, moves)
    }
}

pub(super) struct Packer {
    /// Bytes that they may take.
    most: usize,
    packed: Packed,
    /// Where the last start position is, and the position: games mostly share one.
    last_start: Option<(u32, Setup, CastlingMode)>,
    too_large: bool,
}

impl Packer {
    pub(super) fn new(most: usize) -> Packer {
        Packer { most, packed: Packed::default(), last_start: None, too_large: false }
    }

    /// All that was added, unless it was more than may be.
    pub(super) fn finish(self, path: &Path) -> Result<Packed, BookError> {
        if self.too_large {
            return Err(BookError::TooLarge { path: path.to_owned() });
        }
        let mut packed = self.packed;
        packed.starts.shrink_to_fit();
        packed.moves.shrink_to_fit();
        packed.entries.shrink_to_fit();
        Ok(packed)
    }

    pub(super) fn add(&mut self, entry: &BookEntry) {
        self.too_large |= self.try_add(entry).is_none();
    }

    fn try_add(&mut self, entry: &BookEntry) -> Option<()> {
        if self.too_large || self.packed.bytes() > self.most {
            return None;
        }
        let packed = &mut self.packed;
        let mode = entry.start.castles().mode();
        let setup = entry.start.to_setup(EnPassantMode::Legal);
        let start = match &self.last_start {
            Some((at, last, last_mode)) if *last == setup && *last_mode == mode => *at,
            _ => {
                let at = u32::try_from(packed.starts.len()).ok()?;
                pack_start(&setup, mode, &mut packed.starts)?;
                self.last_start = Some((at, setup, mode));
                at
            }
        };
        packed.moves.extend(entry.moves.iter().map(|mv| PackedUciMove::pack(*mv).to_bytes()));
        let moves_end = u32::try_from(packed.moves.len()).ok()?;
        u32::try_from(packed.entries.len() + 1).ok()?;
        packed.entries.push(Parts { start, moves_end });
        packed.terminal += usize::from(entry.terminal().is_some());
        packed.chess960 += usize::from(mode.is_chess960());
        Some(())
    }
}

fn pack_start(setup: &Setup, mode: CastlingMode, starts: &mut Vec<u8>) -> Option<()> {
    let packed = PackedSetup::pack_standard(setup).ok()?;
    let bytes = packed.as_bytes();
    starts.extend([u8::try_from(bytes.len()).ok()?, u8::from(mode.is_chess960())]);
    starts.extend_from_slice(bytes);
    Some(())
}

fn unpack_start(starts: &[u8]) -> Option<(Setup, CastlingMode)> {
    let (&[len, chess960], rest) = starts.split_first_chunk::<2>()?;
    let packed = PackedSetup::try_from_bytes(rest.get(..usize::from(len))?).ok()?;
    Some((packed.unpack_standard().ok()?, CastlingMode::from_chess960(chess960 == 1)))
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    /// However small the file that they are from, openings take no more than was allowed them.
    #[test]
    fn too_many_openings_are_too_large() {
        let start = Chess::default();
        let entry = BookEntry {
            line: 1,
            offset: 0,
            start: start.clone(),
            moves: Vec::new(),
            end: start,
            has_counters: true,
        };
        let packed = |count: usize| {
            let mut packer = Packer::new(1000);
            (0..count).for_each(|_| packer.add(&entry));
            let bytes = packer.packed.bytes();
            (packer.finish(Path::new("a.epd.zst")), bytes)
        };
        assert!(packed(100).0.is_ok());
        let (refused, bytes) = packed(10_000);
        assert!(matches!(refused, Err(BookError::TooLarge { .. })) && bytes < 1100, "{bytes}");
    }
}
