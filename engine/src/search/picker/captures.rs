//! The order of captures and promotions to a queen: by the evaluation's hanging men (ORD-03..07),
//! by SEE (ORD-24), or by victim and attacker (ORD-25).

use super::Wanted;
use super::corrections::Corrections;
use super::node::Node;
use super::refutations::Refutations;
use crate::eval::hanging::HangingList;
use crate::movegen::{MoveClass, ScoredMove, points};
use crate::params::Order;
use crate::types::{Bitboard, Move, MoveKind, Role, Square};

/// Rates captures and promotions to a queen.
pub(super) struct Captures<'a> {
    node: Node<'a>,
    by: By,
    corrections: Option<&'a Corrections>,
    refutations: &'a Refutations,
}

/// What they are rated by.
enum By {
    Hanging(HangingList),
    Exchange,
    VictimAndAttacker,
}

impl<'a> Captures<'a> {
    #[inline]
    pub(super) fn new(
        node: &Node<'a>,
        corrections: Option<&'a Corrections>,
        refutations: &'a Refutations,
        wanted: Wanted,
    ) -> Captures<'a> {
        let params = &node.setup.params;
        let order = &params.order;
        let see = if wanted == Wanted::All { order.see } else { params.qsearch.see_order };
        let by = if order.hanging {
            By::Hanging(node.hanging(node.position.turn().other()))
        } else if see {
            By::Exchange
        } else {
            By::VictimAndAttacker
        };
        Captures { node: *node, by, corrections, refutations }
    }

    /// Gives a stamped capture or promotion its value and class.
    #[inline]
    pub(super) fn rate(&self, scored: &mut ScoredMove) {
        let order = &self.node.setup.params.order;
        match &self.by {
            By::Hanging(list) => self.by_hanging(list, scored, order),
            By::Exchange => {
                let (node, setup) = (&self.node, self.node.setup);
                let see = node.position.see(scored.mv, &setup.exchange, setup.pins);
                scored.keep_see(see);
                self.by_gain(see.binary(), scored, order);
            }
            By::VictimAndAttacker => {
                let gain = self.victim_and_attacker(scored.mv);
                self.by_gain(gain, scored, order);
            }
        }
        if let Some(place) = self.refutations.of_capture(scored, self.node.position) {
            (scored.value, scored.class) = place;
        }
    }

    /// Winning captures by what they win, equal ones as stamped, losing ones last (ORD-26).
    #[inline]
    fn by_gain(&self, gain: i32, scored: &mut ScoredMove, order: &Order) {
        let luck = self.history(scored.mv);
        let promotes = scored.class == MoveClass::Promotion;
        (scored.value, scored.class) = match gain {
            1.. if order.winning_first => {
                (winning_value((gain + luck).max(1), order), MoveClass::Winning)
            }
            0.. => {
                let stamped = scored.value.max(points(order.equal_captures[6]));
                let class = match (promotes, gain) {
                    (true, _) => MoveClass::Promotion,
                    (false, 0) => MoveClass::Equal,
                    (false, _) => MoveClass::Winning,
                };
                (stamped.saturating_add((luck / 16).clamp(-64, 64) as i16), class)
            }
            _ => {
                let loss = ((gain + luck).min(-1) / 16).max(-0x1000);
                (points(order.losing_capture).saturating_add(loss as i16), MoveClass::Losing)
            }
        };
    }

    /// REBEL's way: the hanging men in their order, of several takers the cheapest first; promotions
    /// by the safety of their square (AMB-34); everything else as stamped and corrected
    /// (ORD-03..07, AMB-33).
    fn by_hanging(&self, list: &HangingList, scored: &mut ScoredMove, order: &Order) {
        let (mv, position) = (scored.mv, self.node.position);
        let lesser = mv.promotion().is_some_and(|role| role != Role::Queen);
        let rank = list.iter().position(|man| man.sq == mv.to());
        let rank = rank.filter(|_| !lesser);
        if rank.is_some() {
            scored.class = MoveClass::Winning;
        }
        if let Some(rank) = rank.filter(|_| order.winning_first) {
            let role = position.piece_at(mv.from()).role();
            let taker = match role.filter(|_| order.cheapest_first) {
                Some(role) => 32 * (7 - role as i16),
                None => 3 * self.place_in_a_scan(mv.from()),
            };
            scored.value = points(order.hanging_values[rank]) + taker;
        } else if mv.kind() == MoveKind::PromoteQueen {
            let enemy = position.turn().other();
            let behind = position.occupied() & !Bitboard::from_square(mv.from());
            let covered = position.is_attacked(mv.to(), enemy, behind);
            let value = if covered { order.covered_promotion } else { order.safe_promotion };
            scored.value = points(value);
        } else if let Some(corrections) = self.corrections {
            corrections.apply(&self.node, scored);
        }
        let luck = (self.history(mv) / 16).clamp(-16, 15);
        scored.value = scored.value.saturating_add(luck as i16);
    }

    /// Where nothing orders the takers (ORD-04 off): as one finds them who looks through the board from
    /// his own side. In the order in which moves are made the cheapest would be first all the same.
    fn place_in_a_scan(&self, from: Square) -> i16 {
        let from = from as i16;
        if self.node.position.turn().is_white() { 63 - from } else { 63 - (from ^ 56) }
    }

    /// Most valuable victim, least valuable attacker, never negative (ORD-25).
    fn victim_and_attacker(&self, mv: Move) -> i32 {
        let (position, exchange) = (self.node.position, &self.node.setup.exchange);
        let value = |role: Option<Role>| role.map_or(0, |role| exchange.of(role));
        let attacker = position.piece_at(mv.from()).role().map_or(0, |role| role as i32);
        value(position.taken_by(mv).role()) + value(mv.promotion()) - attacker
    }

    /// What the history of captures adds to a gain, 1/256 pawn.
    #[inline]
    fn history(&self, mv: Move) -> i32 {
        let rules = &self.node.setup.params.history;
        if !rules.captures {
            return 0;
        }
        let position = self.node.position;
        let (piece, victim) = (position.piece_at(mv.from()), position.taken_by(mv));
        self.node.heuristics.capture_share(piece, mv.to(), victim, rules.captures_weight)
    }
}

/// 122 points and, the more is won, up to two more (ORD-03: 122 to 124).
#[inline]
fn winning_value(gain: i32, order: &Order) -> i16 {
    (i32::from(points(order.winning_capture)) + (gain / 5).min(2 * 256)).min(i32::from(i16::MAX))
        as i16
}
