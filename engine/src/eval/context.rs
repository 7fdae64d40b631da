//! The evaluation context: computed once per position, read by all terms.

use super::attack_map::{AttackMap, AttackerClass};
use super::pawn_cache::PawnCache;
use super::pawn_structure::{PawnFacts, reach};
use super::phase::Stage;
use super::threats::{HangingMen, Threats};
use super::{Evaluator, LineFacts};
use crate::params::Params;
use crate::position::Position;
use crate::types::{Bitboard, ByColor, Color, Role};

/// The position, its attack maps, hanging pieces, pawn facts and stage.
#[derive(Debug)]
pub(super) struct Context<'a> {
    pub(super) position: &'a Position,
    pub(super) params: &'a Params,
    pub(super) evaluator: &'a Evaluator,
    /// Attack maps: the papers' WB and BB.
    pub(super) attacks: ByColor<AttackMap>,
    /// Up to three pieces of each side that would be lost if captured now.
    pub(super) hanging: HangingMen,
    pub(super) pawns: PawnFacts,
    pub(super) stage: Stage,
    pub(super) line: LineFacts,
    pub(super) occupied: Bitboard,
}

impl<'a> Context<'a> {
    /// Builds the context of a position whose threats are known.
    #[inline]
    pub(super) fn new(
        evaluator: &'a Evaluator,
        position: &'a Position,
        threats: Threats,
        line: LineFacts,
        cache: Option<&mut PawnCache>,
    ) -> Context<'a> {
        let params = &*evaluator.params;
        let Threats { attacks, hanging } = threats;
        let pawns = match cache {
            Some(cache) => cache.facts(position, params),
            None => PawnFacts::of(position, params),
        };
        let stage = evaluator.phase.stage(position);
        let occupied = position.occupied();
        Context { position, params, evaluator, attacks, hanging, pawns, stage, line, occupied }
    }

    /// The men of a colour and role.
    #[inline]
    pub(super) fn men(&self, color: Color, role: Role) -> Bitboard {
        self.position.men_of(color, role)
    }

    /// How many men of a colour and role there are.
    #[inline]
    pub(super) fn count(&self, color: Color, role: Role) -> i32 {
        self.men(color, role).count() as i32
    }

    /// Knights and bishops of a colour.
    #[inline]
    pub(super) fn minors(&self, color: Color) -> Bitboard {
        Bitboard(self.men(color, Role::Knight).0 | self.men(color, Role::Bishop).0)
    }

    /// Whether a colour has bishops on squares of both colours.
    #[inline]
    pub(super) fn has_bishop_pair(&self, color: Color) -> bool {
        let bishops = self.men(color, Role::Bishop);
        (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any()
    }

    /// Whether each side has one bishop, and these never meet.
    #[inline]
    pub(super) fn has_opposite_bishops(&self) -> bool {
        let bishop = |color| self.men(color, Role::Bishop).single_square();
        let (Some(white), Some(black)) = (bishop(Color::White), bishop(Color::Black)) else {
            return false;
        };
        Bitboard::LIGHT_SQUARES.contains(white) != Bitboard::LIGHT_SQUARES.contains(black)
    }

    /// The squares that pawns of a colour control or could control after advancing.
    #[inline]
    pub(super) fn pawn_reach(&self, color: Color) -> Bitboard {
        reach(color, self.men(color, Role::Pawn))
    }

    /// The squares that pawns of a colour control.
    #[inline]
    pub(super) fn pawn_control(&self, color: Color) -> Bitboard {
        self.attacks[color].by(AttackerClass::Pawn)
    }
}
