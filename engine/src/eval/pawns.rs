//! STUB pawns

use super::context::Context;
use super::spans::{ahead, beside};
use super::trace::{Sum, Trace};
use crate::params::Params;
use crate::position::Position;
use crate::types::{Bitboard, ByColor, Role};

/// What depends on the pawns alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PawnFacts {
    /// Passed pawns.
    pub(super) passed: ByColor<Bitboard>,
    /// Squares that a colour's pawns control now or could control after advancing.
    pub(super) reach: ByColor<Bitboard>,
}

impl PawnFacts {
    /// Works them out.
    pub(super) fn of(position: &Position, _params: &Params) -> PawnFacts {
        let pawns = ByColor::new_with(|color| position.men_of(color, Role::Pawn));
        let reach = ByColor::new_with(|color| beside(ahead(color, pawns[color])));
        let passed = ByColor::new_with(|color| {
            let enemy = color.other();
            let stopped = ahead(enemy, pawns[enemy]) | reach[enemy];
            Bitboard(pawns[color].0 & !stopped.0)
        });
        PawnFacts { passed, reach }
    }
}

/// Pawn facts of positions seen before.
#[derive(Debug)]
pub struct PawnCache {}

impl PawnCache {
    /// An empty cache.
    #[must_use]
    pub fn new() -> PawnCache {
        PawnCache {}
    }

    pub(super) fn facts(&mut self, position: &Position, params: &Params) -> PawnFacts {
        PawnFacts::of(position, params)
    }
}

pub(super) fn evaluate<T: Trace>(_cx: &Context<'_>, _sum: &mut Sum<'_, T>) {}
