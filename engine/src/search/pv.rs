//! The principal variation, a triangle of moves (GEN-20).

use crate::types::{MAX_PLY, Move};

/// For each ply the best line from there on.
#[derive(Debug)]
pub(super) struct PvTable {
    lines: Box<[[Move; MAX_PLY + 1]; MAX_PLY + 1]>,
    lengths: [u8; MAX_PLY + 2],
}

impl PvTable {
    pub(super) fn new() -> PvTable {
        PvTable {
            lines: Box::new([[Move::NONE; MAX_PLY + 1]; MAX_PLY + 1]),
            lengths: [0; MAX_PLY + 2],
        }
    }

    /// No line from this ply yet.
    #[inline]
    pub(super) fn clear(&mut self, ply: usize) {
        self.lengths[ply] = 0;
    }

    /// The best line from `ply` is `mv` and what was best after it.
    #[inline]
    pub(super) fn set(&mut self, ply: usize, mv: Move) {
        let length = usize::from(self.lengths[ply + 1]).min(MAX_PLY - ply);
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        upper[ply][0] = mv;
        if let Some(next) = lower.first() {
            upper[ply][1..=length].copy_from_slice(&next[..length]);
        }
        self.lengths[ply] = length as u8 + 1;
    }

    /// The best line from `ply`.
    pub(super) fn line(&self, ply: usize) -> &[Move] {
        &self.lines[ply][..usize::from(self.lengths[ply])]
    }
}
