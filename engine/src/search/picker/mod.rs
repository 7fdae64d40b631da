//! The order in which moves are tried, behind one interface: REBEL's way, all moves generated and
//! updated at once and the highest value picked again and again (GEN-01, ORD-16), and Mediocre's,
//! each kind of move generated when its turn comes (GEN-15, ORD-22). Both rate moves alike.
//!
//! Moves come pseudo-legal and are tested when their turn comes (GEN-16); the hash move is tried
//! before anything is generated.

mod captures;
mod corrections;
mod node;
mod quiets;
mod refutations;
#[cfg(test)]
mod tests;

use super::heuristics::Heuristics;
use super::setup::Setup;
use super::stack::StackEntry;
use crate::movegen::{MoveClass, ScoredMove, Select, Sink, points};
use crate::position::{CheckSquares, Pins, Position};
use crate::types::{Move, MoveKind};

use captures::Captures;
use corrections::Corrections;
use node::{ChecksOnly, Node};
use quiets::Quiets;
use refutations::{Refutations, Untimely};

/// What is to be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Every move; in check those that may answer it (GEN-18).
    All,
    /// Captures and queen promotions, those that lose material last.
    Captures,
    /// Winning captures and queen promotions, equal captures, other moves that give check, captures
    /// that lose material (QS-04; of those quiescence wants only the ones that give check).
    CapturesThenChecks,
}

/// What begins when the moves at hand are used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    /// All that is wanted, in one list.
    List,
    /// Mate killers, one by one.
    MateKillers,
    /// Captures, but for the losing ones.
    Captures,
    /// Killers, one by one.
    Killers,
    Quiets,
    Checks,
    LosingCaptures,
    Done,
}

/// Hands out the legal moves of one node, best first.
///
/// The moves lie in a buffer shared by all plies (GEN-02); the picker owns its end, from `start`
/// on, and gives it back in [`Picker::finish`].
pub(super) struct Picker {
    wanted: Wanted,
    hash_move: Move,
    ply: usize,
    stage: Stage,
    pins: Pins,
    start: usize,
    /// The moves at hand.
    next: usize,
    end: usize,
    /// Losing captures, for later.
    losing: (usize, usize),
    /// Whether the first list has been generated and rated.
    generated: bool,
    /// Whether of the quiet moves only those that give check are wanted.
    only_checks: bool,
    /// Moves tried without being generated, the hash move apart.
    untimely: Untimely,
}

/// What a picker needs of the search.
pub(super) struct Sources<'a> {
    pub(super) position: &'a Position,
    pub(super) setup: &'a Setup,
    pub(super) heuristics: &'a Heuristics,
    /// The line: this node's own place and those before it.
    pub(super) stack: &'a [StackEntry],
    pub(super) moves: &'a mut Vec<ScoredMove>,
}

impl Picker {
    /// A picker for the node on `ply`; a hash move that cannot be played here is dropped (HSH-06).
    pub(super) fn new(
        wanted: Wanted,
        hash_move: Move,
        ply: usize,
        position: &Position,
        start: usize,
    ) -> Picker {
        let mut picker = Picker {
            wanted,
            hash_move: Move::NONE,
            ply,
            stage: Stage::Hash,
            pins: position.pins(),
            start,
            next: start,
            end: start,
            losing: (start, start),
            generated: false,
            only_checks: false,
            untimely: Untimely::default(),
        };
        if picker.is_possible(hash_move, position) {
            let fits = match wanted {
                Wanted::All => true,
                Wanted::Captures => is_tactical(hash_move),
                Wanted::CapturesThenChecks => {
                    is_tactical(hash_move)
                        || position.gives_check(hash_move, &position.check_squares())
                }
            };
            picker.hash_move = if fits { hash_move } else { Move::NONE };
        }
        picker
    }

    /// Whether the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        self.pins.checkers().any()
    }

    /// Whether the node has no hash move (ORD-19).
    pub(super) fn has_no_hash_move(&self) -> bool {
        self.hash_move.is_none()
    }

    /// Whether the node has a hash move or a winning capture: if not, its tree is unsorted (ORD-17).
    /// Asked before the first move.
    pub(super) fn is_sorted(&mut self, from: &mut Sources<'_>) -> bool {
        if !self.has_no_hash_move() {
            return true;
        }
        self.prepare(from);
        let wins =
            |scored: &ScoredMove| matches!(scored.class, MoveClass::Winning | MoveClass::Promotion);
        from.moves[self.start..].iter().any(wins)
    }

    /// Uses a hash move that was not known when the picker was made. Before the first move only.
    pub(super) fn set_hash_move(&mut self, mv: Move, position: &Position) {
        if self.is_possible(mv, position) {
            self.hash_move = mv;
        }
    }

    /// The next legal move, its value and its class, highest value first.
    #[inline]
    pub(super) fn next(&mut self, from: &mut Sources<'_>) -> Option<ScoredMove> {
        loop {
            let picked = self.pick(from);
            if picked.is_some() {
                return picked;
            }
            let single = self.advance(from);
            if single.is_some() || self.stage == Stage::Done && self.next == self.end {
                return single;
            }
        }
    }

    /// From now on, quiet moves that give no check are left out. A picker that has generated all moves
    /// at once goes on as before; killers come all the same.
    pub(super) fn skip_quiets(&mut self, from: &mut Sources<'_>, squares: &CheckSquares) {
        if self.only_checks {
            return;
        }
        self.only_checks = true;
        if self.stage == Stage::LosingCaptures {
            let mut kept = self.next;
            for place in self.next..self.end {
                let scored = from.moves[place];
                if from.position.gives_check(scored.mv, squares) {
                    from.moves[kept] = scored;
                    kept += 1;
                }
            }
            self.end = kept;
        }
    }

    /// Gives the buffer back.
    #[inline]
    pub(super) fn finish(self, moves: &mut Vec<ScoredMove>) {
        moves.truncate(self.start);
    }

    /// The best of the moves at hand (ORD-16). Where losing captures wait for later, the first of
    /// them ends the list.
    #[inline]
    fn pick(&mut self, from: &mut Sources<'_>) -> Option<ScoredMove> {
        loop {
            let rest = &mut from.moves[self.next..self.end];
            let best = highest(rest)?;
            if rest[best].class == MoveClass::Losing && self.losers_wait() {
                self.losing = (self.next, self.end);
                self.next = self.end;
                return None;
            }
            rest.swap(0, best);
            let picked = rest[0];
            self.next += 1;
            if !self.was_tried(picked.mv) && from.position.is_legal(picked.mv, &self.pins) {
                return Some(picked);
            }
        }
    }

    /// Whether the captures at hand are only the good ones.
    #[inline]
    fn losers_wait(&self) -> bool {
        matches!(self.stage, Stage::Killers | Stage::Checks)
    }

    #[inline]
    fn was_tried(&self, mv: Move) -> bool {
        mv == self.hash_move || self.untimely.contains(mv)
    }

    /// Whether a move from elsewhere can be played here.
    fn is_possible(&self, mv: Move, position: &Position) -> bool {
        !mv.is_none() && position.is_pseudo_legal(mv) && position.is_legal(mv, &self.pins)
    }

    /// Begins the next stage: a single move, or moves at hand, or neither.
    #[inline(never)]
    fn advance(&mut self, from: &mut Sources<'_>) -> Option<ScoredMove> {
        match self.stage {
            Stage::Hash => {
                self.stage = self.first_stage(from.setup);
                let value = points(from.setup.params.order.hash_move);
                let mv = self.hash_move;
                (!mv.is_none()).then(|| ScoredMove::new(mv, value, MoveClass::Hash))
            }
            Stage::List => {
                self.stage = Stage::Done;
                self.prepare(from);
                (self.next, self.end) = (self.start, from.moves.len());
                None
            }
            Stage::MateKillers => self.refutation(from, MoveClass::MateKiller).or_else(|| {
                self.stage = Stage::Captures;
                None
            }),
            Stage::Captures => {
                let checks = self.wanted == Wanted::CapturesThenChecks;
                self.stage = if checks { Stage::Checks } else { Stage::Killers };
                self.prepare(from);
                (self.next, self.end) = (self.start, from.moves.len());
                None
            }
            Stage::Killers => self.refutation(from, MoveClass::Killer).or_else(|| {
                self.stage = Stage::Quiets;
                None
            }),
            Stage::Quiets => {
                self.stage = Stage::LosingCaptures;
                let squares = self.only_checks.then(|| from.position.check_squares());
                self.prepare_quiets(from, squares.as_ref());
                None
            }
            Stage::Checks => {
                self.stage = Stage::LosingCaptures;
                self.prepare_quiets(from, Some(&from.position.check_squares()));
                None
            }
            Stage::LosingCaptures => {
                self.stage = Stage::Done;
                (self.next, self.end) = self.losing;
                None
            }
            Stage::Done => None,
        }
    }

    fn first_stage(&self, setup: &Setup) -> Stage {
        match self.wanted {
            Wanted::Captures => Stage::List,
            Wanted::CapturesThenChecks => Stage::Captures,
            Wanted::All if !setup.params.order.staged => Stage::List,
            Wanted::All if Refutations::know_mates(&setup.params) => Stage::MateKillers,
            Wanted::All => Stage::Captures,
        }
    }

    /// The next move of a class that is known without generating (GEN-17).
    fn refutation(&mut self, from: &Sources<'_>, class: MoveClass) -> Option<ScoredMove> {
        let refutations = Refutations::new(&Node::new(from, self.ply));
        for scored in refutations.of(class) {
            if self.was_tried(scored.mv) || !self.untimely.push(scored.mv) {
                continue;
            }
            if self.is_possible(scored.mv, from.position) {
                return Some(scored);
            }
        }
        None
    }

    /// Generates and rates the first list: everything, or captures.
    fn prepare(&mut self, from: &mut Sources<'_>) {
        if self.generated {
            return;
        }
        self.generated = true;
        let node = Node::new(from, self.ply);
        let all = self.wanted == Wanted::All && !from.setup.params.order.staged;
        let select = match self.wanted {
            _ if all => Select::All,
            Wanted::All => Select::Captures,
            _ if from.setup.params.qsearch.underpromotions => Select::Loud,
            _ => Select::Captures,
        };
        self.generate(select, from.position, &mut node.stamp(from.moves));
        let corrections = Corrections::new(&node);
        let refutations = Refutations::of_generated(&node, self.wanted);
        let captures = Captures::new(&node, corrections.as_ref(), &refutations, self.wanted);
        let list = &mut from.moves[self.start..];
        if all {
            let quiets = Quiets::new(&node, corrections.as_ref(), &refutations);
            for scored in list {
                if is_tactical(scored.mv) {
                    captures.rate(scored);
                } else {
                    quiets.rate(scored);
                }
            }
        } else {
            list.iter_mut().for_each(|scored| captures.rate(scored));
        }
    }

    /// Generates and rates quiet moves behind what is there, all or those that give check.
    fn prepare_quiets(&mut self, from: &mut Sources<'_>, checks: Option<&CheckSquares>) {
        let node = Node::new(from, self.ply);
        let first = from.moves.len();
        let stamp = &mut node.stamp(from.moves);
        match checks {
            Some(squares) => {
                let promotions = !from.setup.params.qsearch.underpromotions;
                let mut sink = ChecksOnly { squares, stamp, promotions };
                self.generate(Select::Quiets, from.position, &mut sink);
            }
            None => self.generate(Select::Quiets, from.position, stamp),
        }
        let corrections = Corrections::new(&node);
        let refutations = Refutations::of_generated(&node, self.wanted);
        let quiets = Quiets::new(&node, corrections.as_ref(), &refutations);
        from.moves[first..].iter_mut().for_each(|scored| quiets.rate(scored));
        (self.next, self.end) = (first, from.moves.len());
    }

    fn generate<S: Sink>(&self, select: Select, position: &Position, sink: &mut S) {
        if self.in_check() {
            position.evasions(select, self.pins.checkers(), sink);
        } else {
            position.generate(select, sink);
        }
    }
}

/// Captures and promotions to a queen.
#[inline]
pub(super) fn is_tactical(mv: Move) -> bool {
    mv.is_capture() || mv.kind() == MoveKind::PromoteQueen
}

/// The place of the highest value; of equals the one generated first.
#[inline]
fn highest(moves: &[ScoredMove]) -> Option<usize> {
    let (mut best, mut value) = (0, moves.first()?.value);
    for (place, scored) in moves.iter().enumerate().skip(1) {
        if scored.value > value {
            (best, value) = (place, scored.value);
        }
    }
    Some(best)
}
