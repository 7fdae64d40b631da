//! What the search learns about moves: killers, mates, histories, answers.
//!
//! The search reports each move that raises alpha, the picker reads. Tables of what is switched off
//! take no memory.

mod correction_history;
mod counter_moves;
mod cutoff_rate;
mod histories;
mod killers;
mod mates;
mod scores;
mod searched;
#[cfg(test)]
mod tests;

use super::history_pst::Learned;
use super::stack::StackEntry;
use crate::params::Params;
use crate::position::Position;
use crate::types::{Color, Depth, Move, Piece, Square, Value};

use correction_history::Errors;
use counter_moves::Answers;
use cutoff_rate::Success;
use histories::Histories;
use killers::Killers;
use mates::MateCells;

pub(super) use histories::{HistoryRows, QuietScores};
pub(super) use killers::Killer;
pub(super) use searched::Searched;

/// A move that raised alpha, and the node where it did.
#[derive(Debug, Clone, Copy)]
pub(super) struct CutInfo<'a> {
    /// The node's position, the move taken back.
    pub(super) position: &'a Position,
    /// The line to the node.
    pub(super) stack: &'a [StackEntry],
    pub(super) ply: usize,
    /// Remaining depth of the node.
    pub(super) depth: Depth,
    pub(super) mv: Move,
    /// What the move brought, side to move.
    pub(super) value: Value,
    /// The node's moves before it.
    pub(super) tried: &'a Searched,
}

impl CutInfo<'_> {
    fn color(&self) -> Color {
        self.position.turn()
    }

    /// The man that plays a move of the node.
    fn piece(&self, mv: Move) -> Piece {
        self.position.piece_at(mv.from())
    }
}

/// The last two moves of the line: the enemy's, and the own one before it. Each as piece and target;
/// `None` at the root and behind a null move.
#[derive(Debug, Clone, Copy, Default)]
struct LastMoves([Option<(Piece, Square)>; 2]);

impl LastMoves {
    #[inline]
    fn of(stack: &[StackEntry], ply: usize) -> LastMoves {
        let at = |back: usize| {
            let info = ply.checked_sub(back).and_then(|ply| stack.get(ply))?;
            (!info.mv.is_none()).then(|| (info.piece, info.mv.to()))
        };
        LastMoves([at(0), at(1)])
    }

    /// The enemy's move that led to the node.
    fn enemy(self) -> Option<(Piece, Square)> {
        self.0[0]
    }

    /// The own move before that.
    fn own(self) -> Option<(Piece, Square)> {
        self.0[1]
    }
}

/// All that is learned, for one engine.
#[derive(Debug)]
pub(crate) struct Heuristics {
    killers: Killers,
    mates: MateCells,
    histories: Histories,
    answers: Answers,
    errors: Errors,
    success: Success,
    /// What history has added to the piece-square tables.
    pub(super) learned: Learned,
}

impl Heuristics {
    pub(crate) fn new() -> Heuristics {
        Heuristics {
            killers: Killers::new(),
            mates: MateCells::default(),
            histories: Histories::default(),
            answers: Answers::default(),
            errors: Errors::default(),
            success: Success::default(),
            learned: Learned::default(),
        }
    }

    /// See [`crate::Engine::warm`].
    pub(crate) fn warm(&self) {
        self.histories.warm();
    }

    /// Forgets everything: a new game.
    pub(crate) fn clear(&mut self) {
        *self = Heuristics::new();
    }

    /// A new search, perhaps by other parameters: killers belong to plies that have moved on, mates
    /// are counted anew (AMB-37), histories fade.
    pub(super) fn begin_search(&mut self, params: &Params) {
        self.killers.begin_search(&params.killers);
        self.mates.begin_search(params.killers.historic);
        self.histories.begin_search(params);
        self.answers.begin_search(params.killers.counter);
        self.success.begin_search(&params.history_reduction);
        self.errors.begin_search(params.correction.on);
    }

    /// A search of a quiet position ended `error` above its judgement, 1/256 pawn.
    pub(super) fn learn_error(&mut self, position: &Position, error: i32, depth: Depth) {
        self.errors.learn(position, error, depth);
    }

    /// What such errors add to the evaluation of a position for the side to move, `weight` at most.
    #[inline]
    pub(super) fn error(&self, position: &Position, weight: i32) -> Value {
        self.errors.of(position, weight)
    }

    /// A move raised alpha but did not cut. Of each such move one of [`Heuristics::raised`] and
    /// [`Heuristics::cut`] is called, in the main search only.
    pub(super) fn raised(&mut self, info: &CutInfo<'_>) {
        self.killers.raised(info);
        self.mates.raised(info);
    }

    /// A move cut: it gains, and those that were tried before it and did not cut lose.
    pub(super) fn cut(&mut self, info: &CutInfo<'_>) {
        self.killers.cut(info);
        self.mates.raised(info);
        self.histories.cut(info);
        self.answers.cut(info);
        self.success.cut(info);
    }

    /// No move of a node in the main search cut.
    pub(super) fn in_vain(&mut self, position: &Position, tried: &Searched) {
        self.success.in_vain(position, tried);
    }

    /// The killers that a node on `ply` looks at, first things first, with their ordering points.
    #[inline]
    pub(super) fn killers(&self, ply: usize, params: &Params) -> [(Killer, i32); 4] {
        self.killers.of(ply, &params.killers)
    }

    /// The piece and target that most mates of a colour were found with, from this search.
    #[inline]
    pub(super) fn historic_mate(&self, color: Color) -> Option<(Piece, Square)> {
        self.mates.best(color)
    }

    /// What last answered the move that led to `ply`; [`Move::NONE`] when nothing did.
    #[inline]
    pub(super) fn answer(&self, stack: &[StackEntry], ply: usize) -> Move {
        self.answers.of(LastMoves::of(stack, ply))
    }

    /// The histories as a node on `ply` reads them.
    #[inline]
    pub(super) fn quiet_scores<'a>(
        &'a self,
        position: &'a Position,
        stack: &[StackEntry],
        ply: usize,
        params: &Params,
    ) -> QuietScores<'a> {
        QuietScores::new(&self.histories, position, LastMoves::of(stack, ply), params)
    }

    /// Where the cells of a node on `ply` begin.
    #[inline]
    pub(super) fn history_rows(
        &self,
        position: &Position,
        stack: &[StackEntry],
        ply: usize,
    ) -> HistoryRows {
        HistoryRows::of(position, LastMoves::of(stack, ply))
    }

    /// The sum of what the histories say of a quiet move of a node, −2000..2000 each, whatever their
    /// weights in the order.
    #[inline]
    pub(super) fn history(&self, rows: &HistoryRows, position: &Position, mv: Move) -> i32 {
        self.histories.plain(rows, position.piece_at(mv.from()), mv)
    }

    /// What the history of a capture of `victim` adds to it: up to `weight` either way.
    #[inline]
    pub(super) fn capture_share(
        &self,
        piece: Piece,
        to: Square,
        victim: Piece,
        weight: i32,
    ) -> i32 {
        self.histories.capture(piece, to, victim, weight)
    }

    /// A quiet move's score by piece and target, −2000..2000: the papers' `H[pt][sq]`. 0 unless
    /// `history.piece_to` or `history_pst.on` keeps it.
    #[inline]
    pub(super) fn piece_to(&self, piece: Piece, to: Square) -> i32 {
        self.histories.piece_to(piece, to)
    }

    /// How often a quiet move by piece and target cut when it was tried, per cent; 100 as long as
    /// nothing is known (MISS-02). Kept with `history_reduction.on`.
    #[inline]
    pub(super) fn success_share(&self, piece: Piece, to: Square) -> i32 {
        self.success.share(piece, to)
    }
}
