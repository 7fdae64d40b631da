//! What each ply of the line knows of itself and of the plies before it (GEN-08).
//!
//! Counters of the line lie on the stack too: a move copies them to the next ply, so taking it back
//! restores them by itself (AMB-23, AMB-27, AMB-32).

use crate::eval::{Evaluation, LineFacts};
use crate::types::{ByColor, Color, Move, Piece, Value};

/// One ply of the line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// The move that led here; [`Move::NONE`] at the root and after a null move.
    pub(super) mv: Move,
    /// The man that made it.
    pub(super) piece: Piece,
    /// The man it took.
    pub(super) taken: Piece,
    /// `I_SCORE` before it, White minus Black.
    pub(super) i_score_before: Value,
    /// It takes more than it gives, or promotes to a queen.
    pub(super) wins: bool,
    /// It was its node's hash move.
    pub(super) from_hash: bool,
    /// It was extended: no second time (EXT-10).
    pub(super) extended: bool,
    /// It is searched less deep, by what was known before its evaluation: no second time (RED-06).
    pub(super) reduced: bool,
    /// The side to move is in check.
    pub(super) in_check: bool,
    /// An expected cut node: searched with a null window, and the node before is none.
    pub(super) cut: bool,
    /// The moves out of that check are searched deeper (EXT-01): they are extended already.
    pub(super) evasions_extended: bool,
    /// The evaluation of the position; in check only where a switch says so (SEL-01), and that of
    /// quiescence's first trick (HOR-02).
    pub(super) evaluation: Option<Evaluation>,
    /// No null move here: one is being verified.
    pub(super) no_null: bool,
    /// The hash move that a search without it leaves out, to see whether it stands alone.
    pub(super) excluded: Move,
    /// Counters of the line so far.
    pub(super) counters: Counters,
    /// Shuffling moves of both colours on the line so far.
    pub(super) shuffles: ByColor<u8>,
    /// What the evaluation must know of the line.
    pub(super) facts: LineFacts,
}

/// What is counted along a line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Counters {
    /// Checks answered (EXT-02).
    pub(super) checks: u8,
    /// Hash moves behind hash moves (EXT-12).
    pub(super) hash_moves: u8,
    /// Reductions made (RED-14).
    pub(super) reductions: u8,
    /// Reduction 1 was made (RED-03).
    pub(super) reduction1: bool,
    /// The ply up to which quiescence searches quiet checks (QS-06, QS-07).
    pub(super) check_limit: u8,
    /// Extensions made, quarter plies (EXT-15).
    pub(super) extensions: i16,
}

impl StackEntry {
    /// What searching the position will count on the line, to be restored before it is searched
    /// again under another window.
    #[inline]
    pub(super) fn mark(&self) -> (Counters, bool) {
        (self.counters, self.extended)
    }

    /// Forgets what a search of the position has counted.
    #[inline]
    pub(super) fn rewind(&mut self, mark: (Counters, bool)) {
        (self.counters, self.extended) = mark;
    }

    /// The evaluation seen by a colour, if there is one.
    #[inline]
    pub(super) fn value(&self, color: Color) -> Option<Value> {
        self.evaluation.map(|evaluation| seen_by(color, evaluation.value))
    }
}

/// A value that is White's, seen by a colour.
#[inline]
pub(super) fn seen_by(color: Color, white: Value) -> Value {
    if color.is_white() { white } else { -white }
}
