//! The root: iterative deepening over a search of its own, which always knows its best move
//! (ROT-01, ROT-08). No score is taken from the hash table here (HSH-05).

mod helpers;
mod mistakes;
mod moves;
mod solved;
mod tables;

use super::aspiration::Window;
use super::budget::{self, Budget};
use super::heuristics::{CutInfo, Searched};
use super::limits::{ClockLimit, IterationInfo};
use super::picker::is_tactical;
use super::stack::Counters;
use super::statistics::Statistics;
use super::time_scale::TimeScale;
use super::tt::{Bound, TtHit};
use super::worker::Worker;
use crate::types::{Depth, MAX_PLY, Move, Value};
pub(crate) use helpers::{Crew, Helpers};
use moves::{Line, RootMove};

/// What a search found.
#[derive(Debug, Clone)]
pub struct RootReport {
    /// Score of the best move, side to move; mate or draw when there is no move.
    pub score: Value,
    /// Completed iterations, plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes searched, by all threads.
    pub nodes: u64,
    /// Positions found in endgame tablebases.
    pub tbhits: u64,
    /// The principal variation; empty only when there is no legal move.
    pub pv: Vec<Move>,
}

impl<S: Statistics> Worker<'_, S> {
    /// Deepens until a limit is reached. The report has a move whenever there is a legal one, even
    /// if the first iteration could not be finished.
    pub(crate) fn deepen(mut self, first_search: bool) -> RootReport {
        let mut moves = self.root_moves();
        let nothing = self.score_without_search(moves.is_empty());
        let mut completed = 0;
        if !moves.is_empty() {
            let time = &self.setup.params.time;
            let share = budget::share(time, first_search, moves.len());
            let clock = self.clock_at_hand();
            self.clock.set_budget(Budget::new(self.limits, clock, time, share));
            self.look_interval = self.clock.look_interval();
            let helpers = self.call_helpers(&moves);
            completed = match self.limits.strength {
                Some(strength) => self.play_weaker(strength, &mut moves),
                None => self.iterations(&mut moves),
            };
            self.dismiss(helpers);
            if let (Some(clock), Some((taken, longest))) = (self.limits.clock, self.clock.taken()) {
                self.buffers.stalls.end(&clock, taken, longest, time);
            }
        }
        let (score, pv) = match moves.first() {
            Some(root @ RootMove { line: Some(line), .. }) => {
                (root.told(line.score), line.pv.clone())
            }
            Some(root) => (root.table.map_or(nothing, |known| known.value), vec![root.mv]),
            None => (nothing, Vec::new()),
        };
        let (seldepth, nodes) = (self.seldepth as u32, self.nodes_of_all());
        let tbhits = self.tbhits_of_all();
        RootReport { score, depth: completed, seldepth, nodes, tbhits, pv }
    }

    /// The clock without what is kept back for stalls; one that counts nodes knows none.
    fn clock_at_hand(&mut self) -> Option<ClockLimit> {
        let (clock, time) = (self.limits.clock?, &self.setup.params.time);
        if self.limits.nodes_per_ms.is_some() {
            return Some(clock);
        }
        Some(self.buffers.stalls.begin(&clock, self.limits.ponder, time))
    }

    /// One iteration after another; the number of those that came to an end. The best move comes to
    /// the front.
    fn iterations(&mut self, moves: &mut [RootMove]) -> u32 {
        let params = &self.setup.params;
        let lines = self.limits.multipv.clamp(1, moves.len());
        let most = self.limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
        let mut patience = TimeScale::new(&params.time);
        for depth in 1..=most {
            if self.leaves_out(depth) {
                continue;
            }
            let nodes_before = self.nodes;
            self.iterate(depth, lines, moves);
            if self.stopped {
                moves::sort_lines(&mut moves[..lines]);
            } else {
                moves::sort(moves, lines, &params.root);
            }
            for (number, root) in (1..).zip(&moves[..lines]) {
                self.tell(number, root);
            }
            if self.stopped {
                return depth - 1;
            }
            self.learn_between_iterations();
            let (best, score) = (&moves[0], moves[0].line_score());
            if params.time.dynamic
                && let Some(score) = score
            {
                let effort = best.nodes * 100 / (self.nodes - nodes_before).max(1);
                self.clock.set_patience(patience.after(best.mv, score, effort as u32));
            }
            let mate = score.and_then(Value::mate).unwrap_or(0);
            let mate_found =
                self.limits.mate.is_some_and(|wanted| mate > 0 && mate as u32 <= wanted);
            // What is asked for is wanted whole: a time for each move, or some moves of many.
            let forced = moves.len() == 1
                && self.clock.is_limited()
                && self.limits.movetime.is_none()
                && self.limits.searchmoves.is_empty();
            if forced {
                self.clock.spend_no_more();
            }
            let charged = self.nodes_charged();
            if mate_found || self.clock.begin_is_over(self.observer, charged) {
                return depth;
            }
        }
        most
    }

    /// One iteration: the best line over all moves, the next over the rest, and so on.
    fn iterate(&mut self, depth: u32, lines: usize, moves: &mut [RootMove]) {
        for root in moves.iter_mut() {
            root.nodes = 0;
        }
        self.clock.set_trouble(false);
        self.begin_iteration(depth);
        for line in 0..lines {
            self.search_line(depth, line, moves);
            if self.stopped {
                return;
            }
        }
    }

    /// Starts an iteration of so many plies: sets the plan and the root's counters.
    pub(super) fn begin_iteration(&mut self, iteration: u32) {
        self.plan.begin(self.setup, iteration);
        self.buffers.stack[0].rewind((Counters::default(), false));
        let checks = &self.setup.params.long_checks;
        let in_check = self.buffers.stack[0].in_check;
        if checks.old {
            let limit = (iteration as i32 + checks.plies).min(MAX_PLY as i32);
            self.buffers.stack[0].counters.check_limit = limit as u8;
            if in_check {
                self.raise_check_limit(0);
            }
        }
        self.plan.check = if in_check { self.check_extension(0) } else { Depth::ZERO };
    }

    /// Line number `line` from 0: every move but those of the lines before, the best of the last
    /// iteration first. A score outside the window opens it and the move is searched again (ASP-02),
    /// so the first move always leaves with a true score; a stopped iteration counts as far as it
    /// came (ROT-04).
    fn search_line(&mut self, depth: u32, line: usize, moves: &mut [RootMove]) {
        let params = &self.setup.params;
        let from = params.aspiration.from as u32;
        let previous = moves[line].line_score().filter(|_| depth >= from);
        let mut window = Window::new(&params.aspiration, previous);
        for index in line..moves.len() {
            self.observer.root_move(moves[index].mv, index + 1, self.clock.elapsed());
            let nodes_before = self.nodes;
            let looked = self.search_root_move(depth, line, index, moves, &mut window);
            moves[index].nodes += self.nodes - nodes_before;
            let (score, bound) = match looked {
                Looked::Searched(score) => (score, Bound::Exact),
                Looked::Stopped { proved } if params.root.take_fail_high && index > line => {
                    (proved, Bound::Lower)
                }
                Looked::Stopped { .. } => return,
            };
            moves[index].score = score;
            if score > window.alpha {
                window.new_best(score);
                self.learn_at_root(moves[index].mv, score, depth);
                let mut pv = vec![moves[index].mv];
                if bound == Bound::Exact {
                    pv.extend_from_slice(self.buffers.pv.line(1));
                }
                moves[index].line = Some(Line { score, bound, depth, pv });
                moves[line..=index].rotate_right(1);
                if index > line && !self.stopped {
                    self.tell(line + 1, &moves[line]);
                }
            }
            if self.stopped {
                return;
            }
        }
        window.count(self.stats);
    }

    /// What a node learns of a move that raises alpha. Nothing goes into the hash table: a line that came
    /// back here would find its score and go round in circles.
    fn learn_at_root(&mut self, mv: Move, value: Value, depth: u32) {
        let (position, stack) = (&self.position, &self.buffers.stack[..]);
        let (depth, tried) = (Depth::plies(depth as i32), &Searched::default());
        self.heuristics.raised(&CutInfo { position, stack, ply: 0, depth, mv, value, tried });
    }

    /// Searches one root move, opening the window as far as it takes.
    fn search_root_move(
        &mut self,
        depth: u32,
        line: usize,
        index: usize,
        moves: &[RootMove],
        window: &mut Window<'_>,
    ) -> Looked {
        let root = &moves[index];
        let mut proved = -Value::INFINITE;
        let mut scout = self.setup.params.search.pvs && index > line;
        let rest = self.make_at_root(root, index == line, window.alpha, depth);
        let line_so_far = self.buffers.stack[1].mark();
        let looked = loop {
            self.buffers.stack[1].rewind(line_so_far);
            let alpha = window.alpha;
            let beta = if scout { alpha + Value::new(1) } else { window.beta };
            let score = self.search_with_bonus(root, alpha, beta, rest);
            if self.stopped {
                break Looked::Stopped { proved };
            }
            if score >= beta {
                proved = score;
            }
            if scout && score > alpha {
                scout = false;
                continue;
            }
            let failed = if score >= window.beta && window.open_high(score) {
                Bound::Lower
            } else if index == line && score <= alpha && window.open_low(score) {
                // What a second line comes to is not played.
                if line == 0 {
                    self.clock.set_trouble(true);
                }
                Bound::Upper
            } else {
                break Looked::Searched(score);
            };
            self.tell_fail(depth, line, root, score, failed);
        };
        self.unmake(root.mv);
        looked
    }

    /// Makes a root move; the depth behind it, with what it and a check at the root gain. The best
    /// move of the last iteration counts as the hash move.
    fn make_at_root(&mut self, root: &RootMove, first: bool, alpha: Value, depth: u32) -> Depth {
        let rest = Depth::plies(depth as i32) - Depth::PLY + self.plan.check;
        let known = root.line_score().filter(|_| first).map(|value| TtHit {
            mv: root.mv,
            value,
            depth: rest,
            bound: Bound::Exact,
        });
        let wins = is_tactical(root.mv) && self.wins_exchange(root.mv);
        let stage = self.stage_for_extension(root.mv);
        self.make(root.mv, 0);
        let next = &mut self.buffers.stack[1];
        (next.from_hash, next.wins) = (known.is_some(), wins);
        rest + self.extension(alpha, known, stage, None, 0)
    }

    /// The score of a root move just made, with its bonus (PRO-19), in a window at the root; `rest` is
    /// the depth behind it.
    fn search_with_bonus(
        &mut self,
        root: &RootMove,
        alpha: Value,
        beta: Value,
        rest: Depth,
    ) -> Value {
        let haste = self.haste(0);
        let (alpha, beta) = haste.map_or((alpha, beta), |haste| haste.window(alpha, beta));
        let (alpha, beta) = (root.bonus.removed(alpha), root.bonus.removed(beta));
        let value = root.bonus.added(-self.alpha_beta(-beta, -alpha, rest, 1));
        haste.map_or(value, |haste| haste.applied(value))
    }

    /// The score of a root where nothing has been searched yet, or where there is nothing to search.
    fn score_without_search(&mut self, no_move: bool) -> Value {
        match (no_move, self.position.in_check()) {
            (true, true) => Value::mated_in(0),
            (true, false) => Value::ZERO,
            (false, _) => {
                let value = self.evaluate(0);
                if self.position.in_check() && !self.setup.params.selective.in_check {
                    self.buffers.stack[0].evaluation = None;
                }
                value
            }
        }
    }

    /// Tells of line `number` from 1, if it is known.
    fn tell(&self, number: usize, root: &RootMove) {
        if let Some(line) = &root.line {
            let score = root.told(line.score);
            let info = self.info(line.depth, number, (score, line.bound), &line.pv);
            self.observer.iteration(&info);
        }
    }

    /// Tells of a score outside the window.
    fn tell_fail(&self, depth: u32, line: usize, root: &RootMove, score: Value, bound: Bound) {
        let mut pv = vec![root.mv];
        match (&root.line, bound) {
            // What refutes the move is not its line.
            (Some(line), Bound::Upper) => pv.clone_from(&line.pv),
            _ => pv.extend_from_slice(self.buffers.pv.line(1)),
        }
        let score = (root.told(score), bound);
        self.observer.root_fail(&self.info(depth, line + 1, score, &pv));
    }

    fn info<'a>(
        &self,
        depth: u32,
        multipv: usize,
        (score, bound): (Value, Bound),
        pv: &'a [Move],
    ) -> IterationInfo<'a> {
        IterationInfo {
            depth,
            seldepth: self.seldepth as u32,
            multipv,
            score,
            bound,
            nodes: self.nodes_of_all(),
            time: self.clock.elapsed(),
            hashfull: self.hash.permille(),
            tbhits: self.tbhits_of_all(),
            pv,
        }
    }
}

/// What came of searching a root move.
enum Looked {
    /// Its score; inside the window exact.
    Searched(Value),
    /// The search was stopped meanwhile; the score was proved to be at least this.
    Stopped { proved: Value },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Params;
    use crate::search::testing::{after, only, personality};

    /// What a root move gains, quarter plies, and what its ply knows of it: `wins` and `from_hash`.
    fn made(params: Params, fen: &str, mv: &str, best: Option<i32>) -> (i32, bool, bool) {
        after(params, fen, &[], |worker, _| {
            worker.begin_iteration(5);
            let mv = worker.position.parse_uci(mv).expect("legal");
            let line = best.map(|score| Line {
                score: Value::new(score),
                bound: Bound::Exact,
                depth: 4,
                pv: vec![mv],
            });
            let root = RootMove { score: Value::ZERO, line, ..RootMove::new(mv) };
            let rest = worker.make_at_root(&root, best.is_some(), Value::ZERO, 5);
            let here = worker.ply(1);
            ((rest - Depth::plies(4)).to_quarters(), here.wins, here.from_hash)
        })
    }

    /// EXT-07, RED-06, EXT-12: the root's moves are judged as all others are.
    #[test]
    fn root_moves_are_moves() {
        let pawn = "8/8/2P5/8/k7/8/8/K7 w - - 0 1";
        assert_eq!(made(only("pawn_ext.on"), pawn, "c6c7", None), (4, false, false));
        assert_eq!(made(only("pawn_ext.on"), pawn, "a1b1", Some(9)), (0, false, true));
        let bishop = "r3k3/8/3p4/1p2N3/R7/8/8/4K2B w - - 0 1";
        assert_eq!(made(only("pawn_ext.on"), bishop, "h1a8", None), (0, true, false));
    }

    /// EXT-01, EXT-02: a check at the root is the line's first.
    #[test]
    fn a_check_at_the_root() {
        let check = "4k3/8/8/8/8/8/8/r3K3 w - - 0 1";
        let plain = Params::default();
        assert_eq!(made(plain, check, "e1e2", None).0, 4);
        let rebel = personality("rebel");
        assert_eq!(made(rebel.clone(), check, "e1e2", None).0, 0);
        let next = after(rebel, check, &[], |worker, _| {
            worker.begin_iteration(5);
            worker.begin_iteration(6);
            worker.check_extension(0).to_quarters()
        });
        assert_eq!(next, 4, "the second, and each iteration begins anew");
    }
}
