//! Where mates were found: the historic mate killer (ORD-12).

use super::CutInfo;
use super::histories::{BY_PIECE, by_piece};
use crate::types::{Color, Piece, Square, Value};

/// For each piece and target the remaining depths of the mates found there, added up, and of each
/// colour the cell with most. The papers' tables are `[12][64]` per side, of which one colour's half
/// is never used (AMB-37).
#[derive(Debug, Default)]
pub(super) struct MateCells {
    depths: Box<[u32]>,
    best: [Option<(Piece, Square, u32)>; 2],
}

impl MateCells {
    pub(super) fn begin_search(&mut self, on: bool) {
        let wanted = if on { BY_PIECE } else { 0 };
        self.depths = vec![0; wanted].into_boxed_slice();
        self.best = [None; 2];
    }

    /// A move brought a mate score: its cell gains the remaining depth.
    pub(super) fn raised(&mut self, info: &CutInfo<'_>) {
        if info.value < Value::MATE_BOUND {
            return;
        }
        let (piece, to) = (info.piece(info.mv), info.mv.landing());
        let Some(cell) = self.depths.get_mut(by_piece(piece, to)) else { return };
        *cell = cell.saturating_add(info.depth.to_plies().max(0) as u32);
        let best = &mut self.best[info.color() as usize];
        if best.is_none_or(|(_, _, most)| *cell > most) {
            *best = Some((piece, to, *cell));
        }
    }

    #[inline]
    pub(super) fn best(&self, color: Color) -> Option<(Piece, Square)> {
        self.best[color as usize].map(|(piece, to, _)| (piece, to))
    }
}
