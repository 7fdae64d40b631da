//! How often quiet moves succeed when they are tried: what history reductions ask (RED-16, MISS-02).

use super::histories::{BY_PIECE, by_piece};
use super::{CutInfo, Searched};
use crate::params::HistoryReduction;
use crate::position::Position;
use crate::types::{Move, Piece, Square};

/// Tries and cuts of one piece and target.
#[derive(Debug, Clone, Copy, Default)]
struct CutoffTally {
    tried: u16,
    cut: u16,
}

impl CutoffTally {
    /// Beyond so many tries both numbers are halved, so that the share stays as it is and what is
    /// new counts.
    const MANY: u16 = 1 << 14;

    fn count(&mut self, cut: bool) {
        if self.tried >= CutoffTally::MANY {
            self.tried /= 2;
            self.cut /= 2;
        }
        self.tried += 1;
        self.cut += u16::from(cut);
    }
}

/// Tries and cuts by piece and target, counted at nodes where a quiet move cut, or at all.
#[derive(Debug, Default)]
pub(super) struct Success {
    tallies: Box<[CutoffTally]>,
    every_try: bool,
}

impl Success {
    pub(super) fn begin_search(&mut self, params: &HistoryReduction) {
        let wanted = if params.on { BY_PIECE } else { 0 };
        self.every_try = params.every_try;
        if self.tallies.len() != wanted {
            self.tallies = vec![CutoffTally::default(); wanted].into_boxed_slice();
        }
        for tally in &mut self.tallies {
            tally.tried /= 2;
            tally.cut /= 2;
        }
    }

    pub(super) fn cut(&mut self, info: &CutInfo<'_>) {
        if info.mv.is_quiet() {
            self.count(info.position, info.mv, true);
        }
        if info.mv.is_quiet() || self.every_try {
            self.all_failed(info.position, info.tried);
        }
    }

    /// Nothing cut.
    pub(super) fn in_vain(&mut self, position: &Position, tried: &Searched) {
        if self.every_try {
            self.all_failed(position, tried);
        }
    }

    fn all_failed(&mut self, position: &Position, tried: &Searched) {
        if !self.tallies.is_empty() {
            tried.quiets().iter().for_each(|&mv| self.count(position, mv, false));
        }
    }

    fn count(&mut self, position: &Position, mv: Move, cut: bool) {
        let piece = position.piece_at(mv.from());
        if let Some(tally) = self.tallies.get_mut(by_piece(piece, mv.landing())) {
            tally.count(cut);
        }
    }

    /// Per cent; 100 as long as nothing is known.
    #[inline]
    pub(super) fn share(&self, piece: Piece, to: Square) -> i32 {
        match self.tallies.get(by_piece(piece, to)) {
            Some(CutoffTally { tried, cut }) if *tried > 0 => {
                i32::from(*cut) * 100 / i32::from(*tried)
            }
            _ => 100,
        }
    }
}
