//! Moves that refuted the enemy elsewhere in the tree, known before anything is generated: mate
//! threat, mate killers, killers, the answer to the last move (ORD-02, ORD-08, ORD-21).

use super::Wanted;
use super::node::Node;
use crate::movegen::{MoveClass, ScoredMove, points};
use crate::params::Params;
use crate::position::Position;
use crate::types::{Bitboard, Move, Piece, Square};

/// The moves, best first, and the piece and target that most mates came from.
pub(super) struct Refutations {
    moves: [Move; Refutations::MOST],
    values: [i16; Refutations::MOST],
    classes: [MoveClass; Refutations::MOST],
    length: usize,
    /// The targets of all of them: most moves go elsewhere.
    targets: Bitboard,
    threat: Move,
    /// The historic mate killer and its value (ORD-12).
    historic: Option<(Piece, Square, i16)>,
}

impl Refutations {
    /// One mate threat, four killers and one answer are six, and a mate killer more than one mates
    /// hardly ever.
    const MOST: usize = 8;

    const NONE: Refutations = Refutations {
        moves: [Move::NONE; Refutations::MOST],
        values: [0; Refutations::MOST],
        classes: [MoveClass::Killer; Refutations::MOST],
        length: 0,
        targets: Bitboard::EMPTY,
        threat: Move::NONE,
        historic: None,
    };

    /// All of them.
    #[inline]
    pub(super) fn new(node: &Node<'_>) -> Refutations {
        let mut found = Refutations::NONE;
        found.fill(node);
        found
    }

    /// What generated moves are looked up in: everything where they make one list, what goes by
    /// piece and target where the others were tried before, nothing where only some moves are
    /// wanted.
    #[inline]
    pub(super) fn of_generated(node: &Node<'_>, wanted: Wanted) -> Refutations {
        let params = &node.setup.params;
        let needed = !params.order.staged || params.order.mate_threat || params.killers.historic;
        if wanted == Wanted::All && needed { Refutations::new(node) } else { Refutations::NONE }
    }

    /// Whether mate killers are looked for at all.
    pub(super) fn know_mates(params: &Params) -> bool {
        params.order.mate_threat || params.killers.mate
    }

    #[inline]
    fn fill(&mut self, node: &Node<'_>) {
        let params = &node.setup.params;
        let mate_value = points(params.order.mate_move);
        if params.order.mate_threat {
            self.threat = mate_threat(node);
            // In front of the mate killers of the same value (AMB-35).
            self.push(self.threat, mate_value + 1, MoveClass::MateKiller);
        }
        let killers = node.heuristics.killers(node.ply, params);
        if params.killers.mate {
            for (killer, _) in killers.iter().filter(|(killer, _)| killer.mated) {
                self.push(killer.mv, mate_value, MoveClass::MateKiller);
            }
        }
        for (killer, value) in killers {
            self.push(killer.mv, points(value), MoveClass::Killer);
        }
        if params.killers.counter {
            let answer = node.heuristics.answer(node.stack, node.ply);
            self.push(answer, points(params.killers.counter_value), MoveClass::Killer);
        }
        if params.killers.historic {
            let value = points(params.killers.historic_value);
            let cell = node.heuristics.historic_mate(node.position.turn());
            self.historic = cell.map(|(piece, to)| (piece, to, value));
            self.targets.extend(cell.map(|(_, to)| to));
        }
    }

    /// Adds a move, or none. One that is there already keeps its better place.
    #[inline]
    fn push(&mut self, mv: Move, value: i16, class: MoveClass) {
        if !mv.is_none() && self.length < Refutations::MOST {
            self.moves[self.length] = mv;
            self.values[self.length] = value;
            self.classes[self.length] = class;
            self.length += 1;
            self.targets.add(mv.to());
        }
    }

    /// The value and class of a quiet move that is among them.
    #[inline]
    pub(super) fn of_quiet(&self, mv: Move, position: &Position) -> Option<(i16, MoveClass)> {
        if self.targets.contains(mv.to()) { self.look_up(mv, position) } else { None }
    }

    #[inline(never)]
    fn look_up(&self, mv: Move, position: &Position) -> Option<(i16, MoveClass)> {
        let place = self.moves[..self.length].iter().position(|&known| known == mv);
        let known = place.map(|place| (self.values[place], self.classes[place]));
        let least = known.map_or(i16::MIN, |(value, _)| value);
        self.historic_value(mv, position).filter(|(value, _)| *value > least).or(known)
    }

    /// The value and class of a capture that is one of them: the mate threat, or, of the losing
    /// ones, the historic mate killer.
    #[inline]
    pub(super) fn of_capture(
        &self,
        scored: &ScoredMove,
        position: &Position,
    ) -> Option<(i16, MoveClass)> {
        if self.threat == scored.mv {
            return Some((self.values[0], MoveClass::MateKiller));
        }
        let losing = scored.class == MoveClass::Losing && self.historic.is_some();
        if losing { self.historic_value(scored.mv, position) } else { None }
    }

    /// The historic mate killer goes by piece and target, so that several moves can be it.
    fn historic_value(&self, mv: Move, position: &Position) -> Option<(i16, MoveClass)> {
        let (piece, to, value) = self.historic?;
        let is_it = mv.landing() == to && position.piece_at(mv.from()) == piece;
        is_it.then_some((value, MoveClass::Killer))
    }

    /// The moves of a class, best first.
    pub(super) fn of(&self, class: MoveClass) -> impl Iterator<Item = ScoredMove> + '_ {
        let places = (0..self.length).filter(move |&place| self.classes[place] == class);
        places.map(|place| {
            ScoredMove::new(self.moves[place], self.values[place], self.classes[place])
        })
    }
}

/// The mate of the side to move that the evaluation sees here, or saw before the enemy's defence
/// (ORD-21).
fn mate_threat(node: &Node<'_>) -> Move {
    let us = node.position.turn();
    let here = node.evaluation(0).and_then(|evaluation| evaluation.mates[us]);
    let before = || node.evaluation(1).and_then(|evaluation| evaluation.mates[us]);
    here.or_else(before).unwrap_or(Move::NONE)
}

/// Moves that a staged picker tried before they were generated.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Untimely {
    moves: [Move; Untimely::MOST],
    length: u8,
}

impl Untimely {
    const MOST: usize = 8;

    /// Adds a move; false when there is no more place, and the move must wait for its turn.
    pub(super) fn push(&mut self, mv: Move) -> bool {
        let place = self.moves.get_mut(usize::from(self.length));
        if let Some(place) = place {
            *place = mv;
            self.length += 1;
            return true;
        }
        false
    }

    #[inline]
    pub(super) fn contains(&self, mv: Move) -> bool {
        self.moves[..usize::from(self.length)].contains(&mv)
    }
}
