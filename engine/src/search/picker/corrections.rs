//! REBEL's fine correction of ordinary moves: 30 points less for a move that gives material away,
//! 30 more for a man that hangs (ORD-14, ORD-15); losing captures, too (AMB-85).

use super::node::Node;
use crate::eval::attack_map::{AttackMap, AttackerClass};
use crate::movegen::{ScoredMove, points};
use crate::params::Order;
use crate::types::{Bitboard, Role};

/// Where each man would be lost, worked out once a node.
pub(super) struct Corrections {
    /// By role: squares that a cheaper enemy covers, or any enemy while nobody helps.
    lost: [Bitboard; 6],
    /// Squares in enemy reach.
    covered: Bitboard,
    /// Own men that hang.
    hanging: Bitboard,
    below: i16,
    give_away: i16,
    escape: i16,
}

impl Corrections {
    /// `None` when both corrections are off.
    #[inline]
    pub(super) fn new(node: &Node<'_>) -> Option<Corrections> {
        let order = &node.setup.params.order;
        (order.give_away || order.escape).then(|| Corrections::of(node, order))
    }

    fn of(node: &Node<'_>, order: &Order) -> Corrections {
        let us = node.position.turn();
        let mut corrections = Corrections {
            lost: [Bitboard::EMPTY; 6],
            covered: Bitboard::EMPTY,
            hanging: Bitboard::EMPTY,
            below: points(order.correction_below),
            give_away: points(order.give_away_points),
            escape: points(order.escape_points),
        };
        if order.escape {
            corrections.hanging = node.hanging(us).iter().map(|man| man.sq).collect();
        }
        if order.give_away {
            corrections.find_lost(node);
        }
        corrections
    }

    fn find_lost(&mut self, node: &Node<'_>) {
        let xray = node.setup.params.hanging.xray;
        let us = node.position.turn();
        let own = AttackMap::of(node.position, us, xray);
        let enemy = AttackMap::of(node.position, us.other(), xray);
        let [pawns, minors, rooks] =
            [AttackerClass::Pawn, AttackerClass::Minor, AttackerClass::Rook]
                .map(|class| enemy.by(class));
        self.covered = enemy.any();
        // A man that moves to a square is one of those that cover it, unless it is a pawn.
        let alone = self.covered & !own.twice();
        self.lost = [
            self.covered & !own.any(),
            alone | pawns,
            alone | pawns,
            alone | pawns | minors,
            alone | pawns | minors | rooks,
            Bitboard::EMPTY,
        ];
    }

    /// Corrects a move of low value.
    #[inline]
    pub(super) fn apply(&self, node: &Node<'_>, scored: &mut ScoredMove) {
        if scored.value >= self.below {
            return;
        }
        let mut value = i32::from(scored.value);
        if self.hanging.contains(scored.mv.from()) {
            value += i32::from(self.escape);
        }
        if self.gives_away(node, scored) {
            value += i32::from(self.give_away);
        }
        scored.value = value.clamp(i32::from(points(-127)), i32::from(points(100))) as i16;
    }

    /// Whether the move leaves its man where the enemy wins it, or takes less than it loses.
    #[inline]
    fn gives_away(&self, node: &Node<'_>, scored: &ScoredMove) -> bool {
        let (position, mv) = (node.position, scored.mv);
        let Some(role) = position.piece_at(mv.from()).role() else { return false };
        let Some(victim) = position.taken_by(mv).role() else {
            return self.lost[role as usize - 1].contains(mv.to());
        };
        let exchange = &node.setup.exchange;
        role != Role::King
            && self.covered.contains(mv.to())
            && exchange.of(role) > exchange.of(victim)
    }
}
