//! The main search, in numbered steps. A title names the technique and its switch; Elo is `default` minus
//! `default` without it, ± 95 %, at 5,000 nodes a move (`results/default-steps`).

use super::after_move::AfterMove;
use super::extensions::Single;
use super::heuristics::{CutInfo, Searched};
use super::lmr::LateMove;
use super::picker::{Picker, Sources, Wanted, is_tactical};
use super::statistics::{SearchEvent, Statistics};
use super::tt::{Bound, TtHit};
use super::worker::{Buffers, Worker};
use crate::movegen::{MoveClass, ScoredMove};
use crate::types::{Depth, MAX_PLY, Move, Value};

/// Whether a node is met for the first time or searched once more under the same line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Visit {
    First,
    /// Its move has been judged and its counters counted.
    Again,
}

impl<S: Statistics> Worker<'_, S> {
    /// The value of the present position for the side to move, `ply` plies below the root, searched
    /// `depth` deep; exact inside the window, a bound outside (fail-soft).
    pub(super) fn alpha_beta(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        mut depth: Depth,
        ply: usize,
    ) -> Value {
        self.buffers.pv.clear(ply);
        if !self.setup.params.search.alpha_beta {
            (alpha, beta) = (-Value::INFINITE, Value::INFINITE);
        }

        // Step 1. Check extension (check_ext.*, EXT-01).
        let in_check = self.position.in_check();
        self.buffers.stack[ply].in_check = in_check;
        if in_check && (depth >= Depth::PLY || self.setup.params.check_ext.horizon) {
            depth = depth + self.check_extension(ply);
        }
        if in_check && self.setup.params.long_checks.old && depth >= Depth::PLY {
            self.raise_check_limit(ply);
        }

        // Step 2. Draws, at the horizon too: the search must not continue after the end of the game.
        if self.is_draw(ply, in_check) {
            return self.draw_value(ply);
        }

        // Step 3. Quiescence search at the horizon (QS-12).
        if depth < Depth::PLY {
            return self.quiescence(alpha, beta, ply, Visit::First);
        }
        self.node(alpha, beta, depth, ply, Visit::First)
    }

    /// The value of a position above the horizon, after draws and check extension.
    pub(super) fn node(
        &mut self,
        mut alpha: Value,
        mut beta: Value,
        mut depth: Depth,
        ply: usize,
        visit: Visit,
    ) -> Value {
        if self.enter_node(ply) {
            return Value::ZERO;
        }
        self.stats.count(SearchEvent::MainNode);
        if ply >= MAX_PLY - 1 {
            return self.evaluate(ply);
        }
        let in_check = self.buffers.stack[ply].in_check;
        let excluded = self.buffers.stack[ply].excluded;

        // Step 4. Mate distance pruning (search.mate_distance, -0.5 ± 2.4 Elo).
        if self.setup.params.search.mate_distance {
            alpha = alpha.max(Value::mated_in(ply));
            beta = beta.min(Value::mate_in(ply + 1));
            if alpha >= beta {
                return alpha;
            }
        }

        // Step 5. Transposition table cutoff (search.hash_cutoffs).
        let key = self.position.key();
        let mut known = self.probe(key, ply);
        let may_cut = excluded.is_none();
        if may_cut && let Some(value) = self.hash_cutoff(known, alpha, beta, depth) {
            self.stats.count(SearchEvent::HashCut);
            return value;
        }
        let hash_move = known.map_or(Move::NONE, |found| found.mv);

        // Step 5a. Endgame tablebases (option SyzygyPath): the node is worth what they say, or that bounds it.
        let (mut best, mut most) = (-Value::INFINITE, Value::INFINITE);
        if may_cut && let Some(found) = self.probe_tables(depth, ply) {
            if found.cutoff(alpha, beta, depth).is_some() {
                self.hash.store(key, found, ply);
                return found.value;
            }
            if found.bound == Bound::Upper {
                most = found.value;
            } else {
                best = found.value;
                alpha = alpha.max(best);
            }
        }

        // Step 6. Static evaluation with correction history (correction.on, -1.3 ± 8.4 Elo in 5,000 games at
        // bb7986f; RED-05, SEL-01). In check the others read it (selective.in_check), but it is no value to
        // stand on.
        let value = if in_check { None } else { Some(self.static_eval(ply)) };
        let evaluated = !in_check || self.setup.params.selective.in_check;
        if in_check && evaluated {
            self.evaluate(ply);
        }

        // A mate threat that the evaluation sees decides the node (ORD-20); it answers a check, or is none.
        if evaluated
            && excluded.is_none()
            && let Some(value) = self.evaluated_mate(ply)
        {
            return value;
        }

        // Step 7. REBEL's rules after a move: king extension, reductions (reductions.*, reduction1.on and so
        // on), static pruning (selective.*).
        if visit == Visit::First
            && let Some(moved) = self.after_move(beta, depth, ply)
        {
            let change = self.king_extension(ply);
            depth = depth + change;
            if change == Depth::ZERO {
                let reduction = self.reduction(&moved, known);
                if reduction > Depth::ZERO {
                    depth = (depth - reduction).max(Depth::ZERO);
                    if depth < Depth::PLY {
                        return self.quiescence(alpha, beta, ply, Visit::Again);
                    }
                    if let Some(value) = self.hash_cutoff(known, alpha, beta, depth) {
                        self.stats.count(SearchEvent::HashCut);
                        return value;
                    }
                }
            }
            if self.is_pruned(&AfterMove { depth, ..moved }) {
                self.stats.count(SearchEvent::StaticPrune);
                return -moved.score;
            }
        }

        // Step 8. Reverse futility pruning (static_cut.reverse, +63.2 ± 27.9 Elo), razoring
        // (static_cut.razor), null move (selective.null_part, +24.4 ± 27.4 Elo), ProbCut (probcut.on).
        let is_pv = self.setup.params.search.pvs && beta - alpha > Value::new(1);
        let improving = self.is_improving(ply);
        if let Some(value) = value
            && excluded.is_none()
            && !is_pv
        {
            let value = self.refined_by_tt(value, known);
            let cut = self.reverse_futility((alpha, beta), depth, ply, value, improving);
            let cut = cut.or_else(|| self.razoring((alpha, beta), depth, ply, value));
            let cut = cut.or_else(|| self.null_move(beta, depth, ply, value));
            let cut = cut.or_else(|| self.probcut(beta, depth, ply, value, known));
            if let Some(value) = cut {
                return value;
            }
            if self.stopped {
                return Value::ZERO;
            }
        }

        // Step 9. Internal iterative reduction without a hash move (iir.on, +33.5 ± 27.0 Elo).
        if hash_move.is_none() && excluded.is_none() {
            depth = depth - self.iir(depth);
        }

        // Step 10. The move loop; internal iterative deepening finds a first move (iid.on).
        let start = self.buffers.moves.len();
        let mut picker = Picker::new(Wanted::All, hash_move, ply, &self.position, start);
        let checks = self.position.check_squares();
        let (mut best_move, mut bound) = (Move::NONE, Bound::Upper);
        let mut late = LateMove { tried: 0, depth, ply, is_pv, improving, history: 0 };
        let mut failed = Searched::default();
        let rows = self.history_rows(ply);
        let surplus = if in_check { None } else { self.surplus(ply) };
        let mut guessed = false;
        if excluded.is_none() {
            known = self.iid(&mut picker, (alpha, beta), depth, ply).or(known);
            if self.stopped {
                picker.finish(&mut self.buffers.moves);
                return Value::ZERO;
            }
        }
        while let Some(picked) = picker.next(&mut self.sources()) {
            let mv = picked.mv;
            if mv == excluded {
                continue;
            }

            // Step 11. Futility pruning (futility.on, +21.9 ± 13.0 Elo) and lazy evaluation (lazy.on,
            // +49.7 ± 28.8 Elo): the estimate replaces the search. Late move pruning (late_moves.count,
            // +44.0 ± 26.6 Elo) and pruning by SEE (late_moves.see, +30.0 ± 27.6 Elo).
            let rest = depth - Depth::PLY;
            if let Some(guess) = self.futility_value(&picked, alpha, rest, surplus, ply, &checks) {
                late.tried += 1;
                guessed = true;
                best = best.max(guess);
                if self.skips_behind(mv, guess, alpha) {
                    picker.skip_quiets(&mut self.sources(), &checks);
                }
                continue;
            }
            let rescued = best > -Value::TABLE_BOUND;
            late.history = self.history_of(mv, &rows);
            if rescued && !in_check && self.is_skipped(&picked, &late, &checks) {
                if self.is_too_late(mv, &late) && self.setup.params.skip_quiets.count {
                    picker.skip_quiets(&mut self.sources(), &checks);
                }
                late.tried += 1;
                continue;
            }

            // Step 12. Singular and other extensions, late move reductions (lmr.on, +33.5 ± 27.3 Elo),
            // principal variation search (search.pvs).
            let from_hash = picked.class == MoveClass::Hash;
            let single =
                if from_hash { self.singular_search(mv, beta, known, &late) } else { None };
            if let Some(Single::Cut(value)) = single {
                picker.finish(&mut self.buffers.moves);
                return value;
            }
            let wins = self.wins_material(&picked);
            let stage = self.stage_for_extension(mv);
            self.make(mv, ply);
            let next = &mut self.buffers.stack[ply + 1];
            (next.from_hash, next.wins) = (from_hash, wins);
            let extension = self.extension(alpha, known, stage, single, ply);
            let reduction = self.lmr_reduction(&picked, alpha, &late, extension);
            let rest = rest + extension - self.rivalled(single);
            let value = self.search_move(alpha, beta, rest, reduction, ply, late.tried);
            self.unmake(mv);
            if self.stopped {
                picker.finish(&mut self.buffers.moves);
                return Value::ZERO;
            }
            late.tried += 1;

            // Step 13. A new best move, or a beta cutoff.
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
                    self.count_cut(&picked, &late);
                    break;
                }
                self.heuristics.raised(&cut);
            }
            failed.push(mv);
        }
        picker.finish(&mut self.buffers.moves);

        // Step 14. Mate or stalemate; in a singular search the excluded move may be the only one.
        if late.tried == 0 {
            return match (excluded.is_none(), in_check) {
                (false, _) => alpha,
                (true, true) => Value::mated_in(ply),
                (true, false) => self.draw_value(ply),
            };
        }

        best = best.min(most);

        // Step 15. Update heuristics, transposition table and correction history.
        if bound != Bound::Lower {
            self.heuristics.in_vain(&self.position, &failed);
        }
        if excluded.is_none() {
            // A futility estimate may be returned without its margin (FUT-01). The stored bound must be alpha at least.
            let stored = if guessed { best.max(alpha) } else { best };
            let found = TtHit { mv: best_move, value: stored, depth, bound };
            self.hash.store(key, found, ply);
            if let Some(value) = value {
                self.learn_error(value, &found, ply);
            }
        }
        best
    }

    /// What the hash table knows of a position.
    #[inline]
    fn probe(&mut self, key: u64, ply: usize) -> Option<TtHit> {
        let known = self.hash.probe(key, ply);
        self.stats.count(SearchEvent::HashProbe);
        if known.is_some() {
            self.stats.count(SearchEvent::HashHit);
        }
        known
    }

    /// A hash value that cuts off this node. With PVS a node of the principal variation is never cut off, so
    /// that its line is complete (HSH-07).
    #[inline]
    pub(super) fn hash_cutoff(
        &self,
        known: Option<TtHit>,
        alpha: Value,
        beta: Value,
        depth: Depth,
    ) -> Option<Value> {
        /// No cutoffs from this half-move clock on: the fifty-move rule makes stored values unreliable.
        const DOUBTFUL: u32 = 90;
        let search = &self.setup.params.search;
        let on_pv = search.pvs && beta - alpha > Value::new(1);
        if !search.hash_cutoffs || on_pv || self.position.halfmoves() >= DOUBTFUL {
            return None;
        }
        known?.cutoff(alpha, beta, depth)
    }

    /// Draw by repetition, fifty moves (unless it is mate) or material.
    pub(super) fn is_draw(&self, ply: usize, in_check: bool) -> bool {
        let position = &self.position;
        if position.is_repetition(ply) || position.is_insufficient_material() {
            return true;
        }
        position.is_fifty_moves() && !(in_check && self.has_no_move())
    }

    pub(super) fn has_no_move(&self) -> bool {
        let mut moves: Vec<Move> = Vec::new();
        self.position.legal_moves(&mut moves);
        moves.is_empty()
    }

    /// Whether a move wins material, if somebody asks: by its class if captures are ordered by SEE or hanging men, else by SEE.
    fn wins_material(&self, picked: &ScoredMove) -> bool {
        if !self.setup.judges_wins {
            return false;
        }
        let order = &self.setup.params.order;
        match picked.class {
            MoveClass::Winning | MoveClass::Equal | MoveClass::Losing
                if order.hanging || order.see =>
            {
                picked.class == MoveClass::Winning
            }
            _ => is_tactical(picked.mv) && self.wins_exchange(picked.mv),
        }
    }

    /// Whether a capture or promotion wins material by SEE.
    pub(super) fn wins_exchange(&self, mv: Move) -> bool {
        self.position.see(mv, &self.setup.exchange, self.setup.pins) > Value::ZERO
    }

    /// Whether the side to move stands better than two plies ago.
    fn is_improving(&self, ply: usize) -> bool {
        let turn = self.position.turn();
        let stack = &self.buffers.stack;
        let now = stack[ply].value(turn);
        let before = ply.checked_sub(2).and_then(|ply| stack[ply].value(turn));
        match (now, before) {
            (Some(now), Some(before)) => now > before,
            (now, _) => now.is_some(),
        }
    }

    fn count_cut(&mut self, picked: &ScoredMove, late: &LateMove) {
        self.stats.count(SearchEvent::MoveCut);
        if late.tried == 1 {
            self.stats.count(SearchEvent::FirstMoveCut);
        }
        match picked.class {
            MoveClass::Hash => self.stats.count(SearchEvent::HashMoveCut),
            MoveClass::MateKiller | MoveClass::Killer => self.stats.count(SearchEvent::KillerCut),
            _ => {}
        }
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::{QUIET, after, personality};

    /// QS-12: less than a ply left is quiescence, a ply is not.
    #[test]
    fn the_horizon() {
        let nodes = |quarters| {
            after(personality("mediocre"), QUIET, &[], |worker, ply| {
                let (alpha, beta) = (-Value::INFINITE, Value::INFINITE);
                worker.alpha_beta(alpha, beta, Depth::quarters(quarters), ply);
                worker.stats.of(SearchEvent::MainNode)
            })
        };
        assert_eq!([nodes(-4), nodes(0), nodes(3)], [0; 3]);
        assert!(nodes(4) > 0);
    }

    /// HOR-01, QS-12: a check at the horizon gains no ply, unless the parameters say so.
    #[test]
    fn checks_at_the_horizon() {
        let fen = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1";
        let extended = |horizon: bool, depth: Depth| {
            let mut params = Params::default();
            params.check_ext.horizon = horizon;
            after(params, fen, &[], |worker, ply| {
                worker.alpha_beta(-Value::INFINITE, Value::INFINITE, depth, ply);
                worker.stats.of(SearchEvent::CheckExtension) > 0
            })
        };
        assert_eq!([false, true].map(|horizon| extended(horizon, Depth::ZERO)), [false, true]);
        assert_eq!([false, true].map(|horizon| extended(horizon, Depth::PLY)), [true, true]);
    }

    /// SEL-01: a node in check is evaluated where the page is followed, and a mate that answers the check
    /// decides it (ORD-20).
    #[test]
    fn nodes_in_check_are_evaluated() {
        let searched = |fen: &str, on: bool| {
            let mut params = Params::default();
            params.selective.in_check = on;
            after(params, fen, &[], |worker, ply| {
                worker.alpha_beta(-Value::INFINITE, Value::INFINITE, Depth::PLY, ply);
                (worker.ply(ply).evaluation.is_some(), worker.nodes == 1)
            })
        };
        let check = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1";
        assert_eq!([false, true].map(|on| searched(check, on)), [(false, false), (true, false)]);
        let mates = "5rk1/5ppq/8/6N1/4K3/8/8/7Q w - - 0 1";
        assert_eq!([false, true].map(|on| searched(mates, on)), [(false, false), (true, true)]);
    }

    /// ORD-20: a mate that the evaluation sees is not searched for.
    #[test]
    fn a_mate_on_the_board_ends_the_search() {
        let fen = "r4rk1/pp2qp1p/6pQ/8/8/8/PBP2PPP/3R2K1 w - - 0 1";
        for depth in [Depth::ZERO, Depth::plies(5)] {
            after(Params::default(), fen, &[], |worker, ply| {
                let value = worker.alpha_beta(-Value::INFINITE, Value::INFINITE, depth, ply);
                let line: Vec<String> = worker
                    .buffers
                    .pv
                    .line(ply)
                    .iter()
                    .map(|mv| mv.to_uci(false).to_string())
                    .collect();
                assert_eq!((value, worker.nodes), (Value::mate_in(1), 1), "{depth:?}");
                assert_eq!(line, ["h6g7"]);
            });
        }
    }
}
