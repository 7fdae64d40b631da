//! The main search, in numbered steps.

use super::hash::{Bound, Found};
use super::heuristics::{CutInfo, Tried};
use super::picker::{Picker, Sources, Wanted};
use super::statistics::Statistics;
use super::worker::{Buffers, Worker};
use crate::types::{Depth, MAX_PLY, Move, Value};

impl<S: Statistics> Worker<'_, S> {
    /// The value of the present position for the side to move, `ply` plies below the root, searched
    /// `depth` deep; exact inside the window, a bound outside (fail-soft).
    pub(super) fn alpha_beta(
        &mut self,
        mut alpha: Value,
        beta: Value,
        mut depth: Depth,
        ply: usize,
    ) -> Value {
        self.buffers.pv.clear(ply);

        // Step 1. A check is answered outside the depth (EXT-01).
        let in_check = self.position.in_check();
        if in_check {
            depth = depth + self.setup.check_extension;
        }

        // Step 2. Draws, at the horizon too: a line must not go on behind the end of the game.
        if self.is_draw(ply, in_check) {
            return Value::ZERO;
        }

        // Step 3. The horizon (QS-12), and lines too long to follow.
        if depth < Depth::PLY {
            return self.qsearch(alpha, beta, ply);
        }
        if self.enter_node(ply) {
            return Value::ZERO;
        }
        if ply >= MAX_PLY - 1 {
            return self.evaluate(ply);
        }

        // Step 4. The hash table.
        let key = self.position.key();
        let known = self.hash.probe(key, ply);
        if let Some(value) = self.hash_cutoff(known, alpha, beta, depth) {
            return value;
        }
        let hash_move = known.map_or(Move::NONE, |found| found.mv);

        // Step 5. What the order needs of the evaluation; a mate that it sees ends the search
        // (ORD-20).
        if self.setup.order_reads_evaluation && !in_check {
            self.evaluate(ply);
            if let Some(value) = self.evaluated_mate(ply) {
                return value;
            }
        }

        // Step 6. All moves, the most promising first.
        let start = self.buffers.moves.len();
        let mut picker = Picker::new(Wanted::All, hash_move, ply, &self.position, start);
        let (mut best, mut best_move, mut bound) = (-Value::INFINITE, Move::NONE, Bound::Upper);
        let mut tried: usize = 0;
        let mut failed = Tried::default();
        if !in_check {
            self.presearch(&mut picker, (alpha, beta), depth, ply);
        }
        while let Some(picked) = picker.next(&mut self.sources()) {
            let mv = picked.mv;
            self.make(mv, ply);
            let value = self.search_move(alpha, beta, depth - Depth::PLY, ply, tried);
            self.unmake(mv);
            if self.stopped {
                picker.finish(&mut self.buffers.moves);
                return Value::ZERO;
            }
            tried += 1;

            // Step 7. Better than anything so far?
            if value > best {
                best = value;
            }
            if value > alpha {
                (alpha, best_move, bound) = (value, mv, Bound::Exact);
                self.buffers.pv.set(ply, mv);
                let (position, stack) = (&self.position, &self.buffers.stack[..]);
                let cut = CutInfo { position, stack, ply, depth, mv, value, tried: &failed };
                if value >= beta {
                    bound = Bound::Lower;
                    self.heuristics.cut(&cut);
                    break;
                }
                self.heuristics.raised(&cut);
            }
            failed.push(mv);
        }
        picker.finish(&mut self.buffers.moves);

        // Step 8. No legal move: mate or stalemate.
        if tried == 0 {
            return if in_check { Value::mated_in(ply) } else { Value::ZERO };
        }

        // Step 9. Remember.
        let found = Found { mv: best_move, value: best, depth, bound };
        self.hash.store(key, found, ply);
        best
    }

    /// The value of a move just made, as move number `tried` of its node: the first with the whole
    /// window, the others with a null window first where PVS is on (ASP-06).
    #[inline]
    fn search_move(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: Depth,
        ply: usize,
        tried: usize,
    ) -> Value {
        if self.setup.params.search.pvs && tried > 0 {
            let scout = -self.alpha_beta(-alpha - Value::new(1), -alpha, depth, ply + 1);
            if self.stopped || scout <= alpha || scout >= beta {
                return scout;
            }
        }
        -self.alpha_beta(-beta, -alpha, depth, ply + 1)
    }

    /// A value from the hash table that settles this node. Where windows are null windows, a node
    /// on the principal variation is searched all the same, so that its line is whole (HSH-07).
    #[inline]
    pub(super) fn hash_cutoff(
        &self,
        known: Option<Found>,
        alpha: Value,
        beta: Value,
        depth: Depth,
    ) -> Option<Value> {
        /// From so many plies on the fifty-move rule makes stored values doubtful.
        const DOUBTFUL: u32 = 90;
        let search = &self.setup.params.search;
        let on_pv = search.pvs && beta - alpha > Value::new(1);
        if !search.hash_cutoffs || on_pv || self.position.halfmoves() >= DOUBTFUL {
            return None;
        }
        known?.cutoff(alpha, beta, depth)
    }

    /// Draw by repetition, fifty moves (unless it is mate) or material.
    fn is_draw(&self, ply: usize, in_check: bool) -> bool {
        let position = &self.position;
        if position.is_repetition(ply) || position.is_insufficient_material() {
            return true;
        }
        position.is_fifty_moves() && !(in_check && self.has_no_move())
    }

    fn has_no_move(&self) -> bool {
        let mut moves: Vec<Move> = Vec::new();
        self.position.legal_moves(&mut moves);
        moves.is_empty()
    }

    /// What a picker needs of this search.
    #[inline]
    pub(super) fn sources(&mut self) -> Sources<'_> {
        let Buffers { stack, moves, .. } = &mut *self.buffers;
        Sources {
            position: &self.position,
            setup: self.setup,
            heuristics: self.heuristics,
            stack: &stack[..],
            moves,
        }
    }
}
