//! What a move cannot take back by itself, kept for every position of the game and the line.

use std::fmt;

use shakmaty::{Color, Square};

use super::castling::Rights;
use super::square_table::Sums;
use crate::types::Piece;

/// What a move cannot take back by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct State {
    /// Zobrist key (shakmaty's `Zobrist64`, en passant only where legal), `I_SCORE`, material, men.
    pub(super) sums: Sums,
    /// Plies since the last capture or pawn move.
    pub(super) halfmoves: u16,
    /// Castling rights.
    pub(super) rights: Rights,
    /// Square behind a pawn that can be taken en passant, legally.
    pub(super) en_passant: Option<Square>,
    /// What the move that led here took.
    pub(super) captured: Piece,
}

impl State {
    /// Nothing on the board, nothing allowed.
    const EMPTY: State = State {
        sums: Sums::ZERO,
        halfmoves: 0,
        rights: Rights(0),
        en_passant: None,
        captured: Piece::EMPTY,
    };
}

/// The states since the last move that was played for good, in one array: a move writes the next
/// one where it will stay, and taking it back is a step down.
///
/// Odd places are White's to move, even ones Black's: nothing else says whose turn it is.
#[derive(Clone)]
pub(super) struct States {
    states: Vec<State>,
    first: u32,
    /// 32 bits so that the next place's index cannot overflow.
    present: u32,
}

/// Only the states that count, not what was once written behind the present one.
impl fmt::Debug for States {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.states[self.first as usize..=self.present as usize]).finish()
    }
}

impl States {
    /// One empty state.
    pub(super) fn new(turn: Color) -> States {
        let first = turn as u32;
        States { states: vec![State::EMPTY; 32], first, present: first }
    }

    /// Whose move it is.
    #[inline]
    pub(super) const fn turn(&self) -> Color {
        Color::from_white(self.present & 1 != 0)
    }

    /// How many moves can be taken back.
    #[inline]
    pub(super) const fn depth(&self) -> usize {
        (self.present - self.first) as usize
    }

    /// The present state.
    #[inline]
    pub(super) fn present(&self) -> &State {
        &self.states[self.present as usize]
    }

    /// The present state, to be changed.
    #[inline]
    pub(super) fn present_mut(&mut self) -> &mut State {
        &mut self.states[self.present as usize]
    }

    /// The key `plies` moves ago.
    #[inline]
    pub(super) fn earlier_key(&self, plies: usize) -> u64 {
        self.states[self.present as usize - plies].sums.key
    }

    /// Goes on by one state: the one that was present, and the new one, to be written. `None`, and
    /// nothing done, if there is no place for it: [`States::grow`].
    #[inline]
    pub(super) fn advance(&mut self) -> Option<(&State, &mut State)> {
        let present = self.present as usize;
        let [old, new] = self.states.get_mut(present..present + 2)? else { return None };
        self.present += 1;
        Some((old, new))
    }

    /// Makes place for more.
    pub(super) fn grow(&mut self) {
        self.states.resize(2 * self.states.len(), State::EMPTY);
    }

    /// Goes back by one state. Whether there was one.
    #[inline]
    pub(super) fn retreat(&mut self) -> bool {
        debug_assert!(self.present > self.first, "nothing to unmake");
        if self.present <= self.first {
            return false;
        }
        self.present -= 1;
        true
    }

    /// Forgets all but the present state.
    pub(super) fn forget_past(&mut self) {
        self.first = self.turn() as u32;
        self.states[self.first as usize] = *self.present();
        self.present = self.first;
    }
}
