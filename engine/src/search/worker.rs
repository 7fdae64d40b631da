//! One search under way: the position it walks, what it may use, when it must end.

use super::clock::Clock;
use super::hash::HashTable;
use super::heuristics::Heuristics;
use super::limits::{Limits, Observer};
use super::pv::PvTable;
use super::setup::Setup;
use super::statistics::Statistics;
use crate::eval::{Evaluation, LineFacts, NoTrace, PawnCache};
use crate::movegen::ScoredMove;
use crate::position::Position;
use crate::types::{ByColor, MAX_PLY, Move, Piece, Value};

/// Memory that a search needs and the next one can use again.
#[derive(Debug)]
pub(crate) struct Buffers {
    /// The moves of all plies on the present line, one after another (GEN-02: 5000 for all plies).
    pub(super) moves: Vec<ScoredMove>,
    pub(super) pv: PvTable,
    /// What each ply of the line knows of itself (GEN-08).
    pub(super) stack: Box<[PlyInfo; MAX_PLY + 1]>,
    pawns: PawnCache,
}

/// One ply of the line.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct PlyInfo {
    /// The move that led here; [`Move::NONE`] at the root and after a null move.
    pub(super) mv: Move,
    /// The man that made it.
    pub(super) piece: Piece,
    /// The evaluation of the position after the ply's move, once it was asked for.
    pub(super) evaluation: Option<Evaluation>,
    /// Shuffling moves of both colours on the line so far.
    pub(super) shuffles: ByColor<u8>,
    /// What the evaluation must know of the line.
    pub(super) line: LineFacts,
}

impl Buffers {
    pub(crate) fn new() -> Buffers {
        Buffers {
            moves: Vec::with_capacity(5000),
            pv: PvTable::new(),
            stack: Box::new([PlyInfo::default(); MAX_PLY + 1]),
            pawns: PawnCache::new(),
        }
    }

    /// See [`crate::Engine::warm`].
    pub(crate) fn warm(&self) {
        self.pawns.warm();
    }

    /// Forgets what was worked out under other parameters.
    pub(crate) fn clear(&mut self) {
        self.pawns = PawnCache::new();
    }
}

/// A search under way.
pub(crate) struct Worker<'a, S: Statistics> {
    pub(super) setup: &'a Setup,
    pub(super) position: Position,
    pub(super) hash: &'a mut HashTable,
    pub(super) heuristics: &'a mut Heuristics,
    pub(super) buffers: &'a mut Buffers,
    pub(super) limits: &'a Limits,
    pub(super) observer: &'a dyn Observer,
    pub(super) clock: Clock,
    pub(super) nodes: u64,
    pub(super) seldepth: usize,
    /// Set once; every value returned after that is meaningless.
    pub(super) stopped: bool,
    pub(super) stats: &'a mut S,
    node_limit: u64,
}

/// Nodes between two looks at the clock and the observer; a power of two.
const LOOK_INTERVAL: u64 = 1024;

impl<'a, S: Statistics> Worker<'a, S> {
    pub(crate) fn new(
        setup: &'a Setup,
        position: &Position,
        (hash, heuristics, buffers): (&'a mut HashTable, &'a mut Heuristics, &'a mut Buffers),
        limits: &'a Limits,
        observer: &'a dyn Observer,
        stats: &'a mut S,
    ) -> Worker<'a, S> {
        let clock = Clock::start(limits, &setup.params.time);
        let mut position = position.clone();
        position.set_table(&heuristics.square_table(setup, &position, hash));
        hash.grow_old();
        heuristics.begin_search(&setup.params);
        buffers.moves.clear();
        buffers.stack[0] = PlyInfo::default();
        Worker {
            setup,
            position,
            hash,
            heuristics,
            buffers,
            limits,
            observer,
            clock,
            nodes: 0,
            seldepth: 0,
            stopped: false,
            stats,
            node_limit: limits.nodes.unwrap_or(u64::MAX),
        }
    }

    /// Counts a node on `ply`; true when the search must end before it.
    #[inline]
    pub(super) fn enter_node(&mut self, ply: usize) -> bool {
        if self.nodes >= self.node_limit {
            self.stopped = true;
            return true;
        }
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply);
        if self.nodes.is_multiple_of(LOOK_INTERVAL) {
            self.stopped |= self.must_stop();
        }
        self.stopped
    }

    #[cold]
    fn must_stop(&mut self) -> bool {
        self.observer.stop() || self.clock.hard_is_over(self.observer)
    }

    /// The static value for the side to move; all of the evaluation stays on the stack (GEN-08).
    #[inline]
    pub(super) fn evaluate(&mut self, ply: usize) -> Value {
        let Buffers { stack, pawns, .. } = &mut *self.buffers;
        let info = &mut stack[ply];
        let position = &self.position;
        let evaluation =
            self.setup.evaluator.evaluate(position, info.line, Some(pawns), &mut NoTrace);
        info.evaluation = Some(evaluation);
        let value = evaluation.value;
        if position.turn().is_white() { value } else { -value }
    }
}
