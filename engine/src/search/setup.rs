//! What the search derives from the parameters, once per engine.

use std::sync::Arc;

use super::move_squares::SquareGains;
use super::opening::OpeningTable;
use crate::eval::{Evaluator, ImbalanceTable};
use crate::movegen::{OrderTable, Stamps};
use crate::params::{LateMoveReduction, Params, See, by_role};
use crate::position::{ExchangeValues, SeePins};
use crate::tablebase::Probing;

/// The exchange values of a parameter set.
pub(crate) fn exchange_values(see: &See) -> ExchangeValues {
    let values = [see.pawn, see.knight, see.bishop, see.rook, see.queen, 0];
    ExchangeValues::new(|role| by_role(role, values))
}

/// Parameters and the tables derived from them: worked out once, shared by every engine that plays
/// by them.
#[derive(Debug)]
pub struct Setup {
    pub(crate) params: Arc<Params>,
    pub(crate) evaluator: Evaluator,
    pub(crate) imbalance: Option<Arc<ImbalanceTable>>,
    /// As it was loaded.
    pub(crate) opening: Option<Arc<OpeningTable>>,
    own_opening: Option<Arc<OpeningTable>>,
    /// The endgame tablebases and how they are used.
    pub(crate) probing: Probing,
    pub(super) order: OrderTable,
    pub(super) stamps: Stamps,
    pub(super) exchange: ExchangeValues,
    pub(super) pins: SeePins,
    /// Where moves are reduced or pruned by their squares (PRO-21).
    pub(super) square_gains: Option<SquareGains>,
    /// Whether a rule asks if a move won material.
    pub(super) judges_wins: bool,
    late: Box<[[u8; 64]; 64]>,
}

impl Setup {
    /// Derives the tables.
    #[must_use]
    pub fn new(params: &Arc<Params>) -> Setup {
        Setup::with_imbalance(params, None)
    }

    /// The same with a material imbalance table (PRO-01).
    #[must_use]
    pub fn with_imbalance(params: &Arc<Params>, imbalance: Option<Arc<ImbalanceTable>>) -> Setup {
        let order = &params.order;
        let tables =
            [&order.pawn, &order.knight, &order.bishop, &order.rook, &order.queen, &order.king];
        let evaluator = Evaluator::with_imbalance(params, imbalance.as_deref());
        Setup {
            evaluator: match reads_hanging(params) {
                true => evaluator,
                false => evaluator.without_hanging_men(),
            },
            imbalance,
            opening: None,
            probing: Probing::default(),
            own_opening: OpeningTable::built_in(params.opening.table),
            order: OrderTable::new(
                |role, sq| {
                    if order.pst { by_role(role, tables).of(sq) } else { 0 }
                },
            ),
            stamps: Stamps {
                capture_promotion: order.capture_promotion,
                promotion: order.promotion,
                equal_captures: order.equal_captures,
                castle_king_side: order.castle_king_side,
                castle_queen_side: order.castle_queen_side,
                minor_promotion: order.minor_promotion,
            },
            exchange: exchange_values(&params.see),
            pins: if params.see.pins { SeePins::Respected } else { SeePins::Ignored },
            square_gains: SquareGains::new(params),
            judges_wins: judges_wins(params),
            late: late_table(&params.lmr),
            params: Arc::clone(params),
        }
    }

    /// The same with a loaded table of openings (PRO-19), or without.
    #[must_use]
    pub fn with_opening(self, opening: Option<Arc<OpeningTable>>) -> Setup {
        Setup { opening, ..self }
    }

    /// The same with endgame tablebases.
    #[must_use]
    pub fn with_probing(self, probing: Probing) -> Setup {
        Setup { probing, ..self }
    }

    /// The table of openings to play by: the loaded one, or the program's own that the parameters name.
    pub(super) fn opening_table(&self) -> Option<&OpeningTable> {
        let table = self.opening.as_deref().or(self.own_opening.as_deref());
        table.filter(|_| self.params.opening.on)
    }

    /// The growing reduction of late moves, quarter plies (LMR-07).
    pub(super) fn late_quarters(&self, plies: i32, tried: usize) -> i32 {
        i32::from(self.late[plies.clamp(0, 63) as usize][tried.min(63)])
    }
}

/// Recapture extensions, static pruning and all reductions but the first ask it (EXT-04, SEL-14, RED-06).
fn judges_wins(params: &Params) -> bool {
    params.recapture_ext.on || params.selective.static_part || reduces_statically(params)
}

/// Whether a reduction but the first is on.
fn reduces_statically(params: &Params) -> bool {
    params.two_hanging.on
        || params.reduction2a.on
        || params.reduction2b.on
        || params.reduction2c.on
        || params.reduction2d.on
}

/// Whether a rule asks at every node which men hang (ORD-03, ORD-15, HOR-01, SEL-07, SEL-14,
/// RED-06..13, RED-18, LMR-09, PRO-07, PCE-16).
fn reads_hanging(params: &Params) -> bool {
    reduces_statically(params)
        || params.order.hanging
        || params.order.escape
        || params.lmr.spare_threats
        || params.horizon.trick_one
        || params.double_attack.on
        || params.selective.static_part
        || params.selective.null_part && params.null_move.threat_guard
        || params.static_cut.reverse && params.static_cut.threat
        || params.shuffle.on
}

/// Quarter plies by remaining depth and move number: a base and the product of both logarithms.
fn late_table(params: &LateMoveReduction) -> Box<[[u8; 64]; 64]> {
    let mut table = Box::new([[0; 64]; 64]);
    let (base, divisor) = (f64::from(params.growing_base), f64::from(params.growing_divisor));
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (tried, quarters) in row.iter_mut().enumerate().skip(1) {
            let logarithms = (depth as f64).ln() * (tried as f64).ln();
            let plies = base / 100.0 + logarithms * 100.0 / divisor;
            *quarters = (plies * 4.0).clamp(0.0, 255.0) as u8;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::params::{SPECS, Shape};
    use crate::search::testing::{QUIET, personality};
    use crate::{Engine, HashSize, Limits, Position};

    /// Whichever switch is turned on in a personality without rules that read the hanging men: they
    /// are listed if it reads them (the list that is not there would panic in this build), and the
    /// search is the same with and without its statistics.
    #[test]
    fn readers_of_hanging_men() {
        let default = personality("default");
        assert!(!reads_hanging(&default));
        let position = Position::from_fen(QUIET).expect(QUIET);
        let limits = Limits { depth: Some(4), ..Limits::default() };
        for switch in SPECS.iter().filter(|row| row.shape == Shape::Switch) {
            let mut params = default.clone();
            switch.set(&mut params, 0, 1).expect(switch.name);
            let setup = Arc::new(Setup::new(&Arc::new(params)));
            let [plain, counted] = [false, true].map(|counted| {
                let mut engine = Engine::with_setup(&setup, HashSize::MIN);
                match counted {
                    true => engine.search_counted(&position, &limits, &()).0.nodes,
                    false => engine.search(&position, &limits, &()).nodes,
                }
            });
            assert_eq!(plain, counted, "{}", switch.name);
        }
    }
}
