//! The root: iterative deepening over a search of its own, which always knows its best move
//! (ROT-01, ROT-08). No score is taken from the hash table here (HSH-05).

use super::aspiration::Window;
use super::limits::IterationInfo;
use super::picker::{Picker, Wanted};
use super::statistics::Statistics;
use super::worker::Worker;
use crate::types::{Depth, MAX_PLY, Move, Value};

/// A root move with what the last look at it found.
#[derive(Debug, Clone)]
struct RootMove {
    mv: Move,
    nodes: u64,
}

/// What a search found.
#[derive(Debug, Clone)]
pub struct RootReport {
    /// Score of the best move, side to move; mate or draw when there is no move.
    pub score: Value,
    /// Completed iterations, plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// The principal variation; empty only when there is no legal move.
    pub pv: Vec<Move>,
}

impl<S: Statistics> Worker<'_, S> {
    /// Deepens until a limit is reached. The report has a move whenever there is a legal one, even
    /// if the first iteration could not be finished.
    pub(crate) fn deepen(mut self) -> RootReport {
        let mut moves = self.root_moves();
        let mut report = RootReport {
            score: self.score_without_moves(),
            depth: 0,
            seldepth: 0,
            nodes: 0,
            pv: moves.first().map(|root| root.mv).into_iter().collect(),
        };
        if moves.is_empty() {
            return report;
        }
        report.score = self.evaluate(0);
        let most = self.limits.depth.unwrap_or(u32::MAX).min(MAX_PLY as u32 - 1);
        for depth in 1..=most {
            let previous = (depth > 1).then_some(report.score);
            self.iterate(depth, previous, &mut moves, &mut report);
            if self.stopped {
                break;
            }
            report.depth = depth;
            self.tell(depth, &report);
            self.learn_between_iterations();
            let mate_found = self.limits.mate.is_some_and(|wanted| {
                report.score.mate().is_some_and(|moves| moves > 0 && moves as u32 <= wanted)
            });
            let forced = moves.len() == 1 && self.clock.is_limited();
            if mate_found
                || self.clock.soft_is_over(self.observer)
                || forced && !self.observer.pondering()
            {
                break;
            }
        }
        report.seldepth = self.seldepth as u32;
        report.nodes = self.nodes;
        report
    }

    /// One iteration: every root move, the best of the last iteration first. A score outside the
    /// window opens it and the move is searched again (ASP-02), so the first move always leaves
    /// with a true score; a stopped iteration counts as far as it came (ROT-04).
    fn iterate(
        &mut self,
        depth: u32,
        previous: Option<Value>,
        moves: &mut [RootMove],
        report: &mut RootReport,
    ) {
        let setup = self.setup;
        let mut window = Window::new(&setup.params.aspiration, previous);
        for index in 0..moves.len() {
            let mv = moves[index].mv;
            self.observer.root_move(mv, index + 1, self.clock.elapsed());
            let nodes_before = self.nodes;
            let score = self.search_root_move(mv, Depth::plies(depth as i32), index, &mut window);
            moves[index].nodes = self.nodes - nodes_before;
            if self.stopped {
                return;
            }
            if score > window.alpha {
                window.new_best(score);
                report.score = score;
                report.pv.clear();
                report.pv.push(mv);
                report.pv.extend_from_slice(self.buffers.pv.line(1));
                moves[..=index].rotate_right(1);
                if index > 0 {
                    self.tell(depth, report);
                }
            }
        }
        // After the best: those that took the most effort to refute.
        moves[1..].sort_by_key(|root| std::cmp::Reverse(root.nodes));
    }

    /// The score of one root move, opening the window as far as it takes.
    fn search_root_move(
        &mut self,
        mv: Move,
        depth: Depth,
        index: usize,
        window: &mut Window<'_>,
    ) -> Value {
        self.make(mv, 0);
        let depth = depth - Depth::PLY;
        let mut scout = self.setup.params.search.pvs && index > 0;
        let score = loop {
            let alpha = window.alpha;
            let beta = if scout { alpha + Value::new(1) } else { window.beta };
            let score = -self.alpha_beta(-beta, -alpha, depth, 1);
            if self.stopped {
                break score;
            }
            if scout && score > alpha {
                scout = false;
                continue;
            }
            let retry = if score >= window.beta {
                window.open_high()
            } else if index == 0 && score <= alpha {
                window.open_low()
            } else {
                false
            };
            if !retry {
                break score;
            }
        };
        self.unmake(mv);
        score
    }

    /// The legal root moves, or those of them that are wanted, in the generator's order of values.
    fn root_moves(&mut self) -> Vec<RootMove> {
        let hash_move = self.hash.probe(self.position.key(), 0).map_or(Move::NONE, |f| f.mv);
        let mut picker = Picker::new(Wanted::All, hash_move, 0, &self.position, 0);
        let mut moves = Vec::new();
        while let Some(picked) = picker.next(&mut self.sources()) {
            moves.push(RootMove { mv: picked.mv, nodes: 0 });
        }
        picker.finish(&mut self.buffers.moves);
        let wanted = &self.limits.searchmoves;
        if moves.iter().any(|root| wanted.contains(&root.mv)) {
            moves.retain(|root| wanted.contains(&root.mv));
        }
        moves
    }

    fn score_without_moves(&self) -> Value {
        if self.position.in_check() { Value::mated_in(0) } else { Value::ZERO }
    }

    fn tell(&self, depth: u32, report: &RootReport) {
        self.observer.iteration(&IterationInfo {
            depth,
            seldepth: self.seldepth as u32,
            score: report.score,
            nodes: self.nodes,
            time: self.clock.elapsed(),
            hashfull: self.hash.permille(),
            pv: &report.pv,
        });
    }
}
