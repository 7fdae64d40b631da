//! The order in which moves are tried: all moves generated at once, each with a value, the highest
//! first (GEN-01, ORD-16); the hash move before anything is generated.

use super::heuristics::{Heuristics, History};
use super::setup::Setup;
use crate::movegen::{ScoredMove, Select, Stamp, points};
use crate::params::{Order, Params};
use crate::position::{Pins, Position};
use crate::types::{Move, MoveKind, Role};

/// What is to be tried.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// Every move.
    All,
    /// Captures and queen promotions.
    Captures,
    /// The same, then quiet moves that give check.
    CapturesThenChecks,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Hash,
    Generate,
    Rest,
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
    next: usize,
}

/// What a picker needs of the search.
pub(super) struct Sources<'a> {
    pub(super) position: &'a Position,
    pub(super) setup: &'a Setup,
    pub(super) heuristics: &'a Heuristics,
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
        let pins = position.pins();
        let usable = !hash_move.is_none()
            && position.is_pseudo_legal(hash_move)
            && position.is_legal(hash_move, &pins)
            && (wanted == Wanted::All || is_tactical(hash_move));
        let hash_move = if usable { hash_move } else { Move::NONE };
        Picker { wanted, hash_move, ply, stage: Stage::Hash, pins, start, next: start }
    }

    /// Whether the side to move is in check.
    pub(super) fn in_check(&self) -> bool {
        self.pins.checkers().any()
    }

    /// The next legal move and its value, highest value first.
    #[inline]
    pub(super) fn next(&mut self, from: &mut Sources<'_>) -> Option<ScoredMove> {
        if self.stage == Stage::Hash {
            self.stage = Stage::Generate;
            if !self.hash_move.is_none() {
                let value = points(from.setup.params.order.hash_move);
                return Some(ScoredMove { mv: self.hash_move, value });
            }
        }
        if self.stage == Stage::Generate {
            self.stage = Stage::Rest;
            self.generate(from);
            self.update(from);
        }
        loop {
            let rest = &mut from.moves[self.next..];
            let (best, _) = rest.iter().enumerate().max_by(by_value)?;
            rest.swap(0, best);
            let picked = rest[0];
            self.next += 1;
            if picked.mv != self.hash_move && from.position.is_legal(picked.mv, &self.pins) {
                return Some(picked);
            }
        }
    }

    /// Gives the buffer back.
    #[inline]
    pub(super) fn finish(self, moves: &mut Vec<ScoredMove>) {
        moves.truncate(self.start);
    }

    fn generate(&self, from: &mut Sources<'_>) {
        let select = match self.wanted {
            Wanted::All => Select::All,
            Wanted::Captures | Wanted::CapturesThenChecks => Select::Captures,
        };
        let mut sink = Stamp {
            position: from.position,
            table: &from.setup.order,
            stamps: &from.setup.stamps,
            moves: from.moves,
        };
        if self.in_check() {
            from.position.evasions(select, self.pins.checkers(), &mut sink);
        } else {
            from.position.generate(select, &mut sink);
        }
    }

    /// The update phase: what the generator could not know (ORD-01..10, ORD-23).
    fn update(&self, from: &mut Sources<'_>) {
        let params = &from.setup.params;
        let killers = Killers::new(params, from.heuristics, self.ply);
        let color = from.position.turn();
        for scored in &mut from.moves[self.start..] {
            let mv = scored.mv;
            if is_tactical(mv) {
                scored.value = tactical_value(scored.value, mv, from.position, from.setup);
                continue;
            }
            if let Some(value) = killers.value(mv) {
                scored.value = value;
            } else if params.order.history && mv.is_quiet() && mv.kind() != MoveKind::Castle {
                let history = from.heuristics.history.of(color, mv);
                let share = history * params.order.history_weight * 256 / History::MAX;
                let ceiling = i32::from(points(100));
                scored.value = (i32::from(scored.value) + share)
                    .clamp(i32::from(points(-127)), ceiling) as i16;
            }
        }
    }
}

/// Captures and promotions to a queen.
#[inline]
pub(super) fn is_tactical(mv: Move) -> bool {
    mv.is_capture() || mv.kind() == MoveKind::PromoteQueen
}

/// Highest value; of equals the one generated first.
#[inline]
fn by_value(a: &(usize, &ScoredMove), b: &(usize, &ScoredMove)) -> std::cmp::Ordering {
    a.1.value.cmp(&b.1.value).then(b.0.cmp(&a.0))
}

/// The value of a capture or queen promotion: winning ones by what they win, equal ones as stamped,
/// losing ones last (ORD-03..07, ORD-26).
fn tactical_value(stamped: i16, mv: Move, position: &Position, setup: &Setup) -> i16 {
    let order = &setup.params.order;
    let gain = if order.see {
        position.see(mv, &setup.exchange, setup.pins).binary()
    } else {
        victim_minus_attacker(mv, position, setup)
    };
    match gain {
        1.. => winning_value(gain, order),
        0 => stamped.max(points(order.equal_captures[6])),
        _ => points(order.losing_capture) + (gain / 16).max(-0x1000) as i16,
    }
}

/// 122 points and, the more is won, up to two more (ORD-03: 122 to 124).
fn winning_value(gain: i32, order: &Order) -> i16 {
    (i32::from(points(order.winning_capture)) + (gain / 5).min(2 * 256)).min(i32::from(i16::MAX))
        as i16
}

/// Most valuable victim, least valuable attacker, never negative (ORD-25).
fn victim_minus_attacker(mv: Move, position: &Position, setup: &Setup) -> i32 {
    let value = |role: Option<Role>| role.map_or(0, |role| setup.exchange.of(role));
    let victim = match mv.kind() {
        MoveKind::EnPassant => Some(Role::Pawn),
        _ => position.piece_at(mv.to()).role(),
    };
    let attacker = position.piece_at(mv.from()).role().map_or(0, |role| role as i32);
    value(victim) + value(mv.promotion()) - attacker
}

/// The four killers that a node looks at, with their values (ORD-08).
struct Killers {
    moves: [(Move, i16); 4],
}

impl Killers {
    fn new(params: &Params, heuristics: &Heuristics, ply: usize) -> Killers {
        let values = &params.killers;
        if !values.on {
            return Killers { moves: [(Move::NONE, 0); 4] };
        }
        let [first, second] = heuristics.killers.of(ply);
        let [first_older, second_older] =
            if ply >= 2 { heuristics.killers.of(ply - 2) } else { [Move::NONE; 2] };
        Killers {
            moves: [
                (first, points(values.first)),
                (first_older, points(values.first_older)),
                (second, points(values.second)),
                (second_older, points(values.second_older)),
            ],
        }
    }

    #[inline]
    fn value(&self, mv: Move) -> Option<i16> {
        self.moves.iter().find(|(killer, _)| *killer == mv).map(|(_, value)| *value)
    }
}
