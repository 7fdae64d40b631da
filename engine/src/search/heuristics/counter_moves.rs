//! The quiet move that last cut after each move of the enemy: the counter move.

use super::histories::{BY_PIECE, by_piece};
use super::{CutInfo, LastMoves};
use crate::types::Move;

/// One move for each piece and target of the enemy's last move.
#[derive(Debug, Default)]
pub(super) struct Answers {
    moves: Box<[Move]>,
}

impl Answers {
    pub(super) fn begin_search(&mut self, on: bool) {
        let wanted = if on { BY_PIECE } else { 0 };
        if self.moves.len() != wanted {
            self.moves = vec![Move::NONE; wanted].into_boxed_slice();
        }
    }

    pub(super) fn cut(&mut self, info: &CutInfo<'_>) {
        let cell =
            LastMoves::of(info.stack, info.ply).enemy().map(|(piece, to)| by_piece(piece, to));
        if info.mv.is_quiet()
            && let Some(answer) = cell.and_then(|cell| self.moves.get_mut(cell))
        {
            *answer = info.mv;
        }
    }

    #[inline]
    pub(super) fn of(&self, last: LastMoves) -> Move {
        let cell = last.enemy().map(|(piece, to)| by_piece(piece, to));
        cell.and_then(|cell| self.moves.get(cell)).copied().unwrap_or(Move::NONE)
    }
}
