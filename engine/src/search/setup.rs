//! What the search derives from the parameters, once per engine.

use std::sync::Arc;

use crate::eval::{Evaluator, ImbalanceTable};
use crate::movegen::{OrderTable, Stamps};
use crate::params::{Params, See, by_role};
use crate::position::{ExchangeValues, SeePins};
use crate::types::Depth;

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
    pub(super) order: OrderTable,
    pub(super) stamps: Stamps,
    pub(super) exchange: ExchangeValues,
    pub(super) pins: SeePins,
    pub(super) check_extension: Depth,
    /// Whether the order of moves wants every node evaluated.
    pub(super) order_reads_evaluation: bool,
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
        let extension = if params.check_ext.on { params.check_ext.amount } else { 0 };
        Setup {
            evaluator: Evaluator::with_imbalance(params, imbalance.as_deref()),
            imbalance,
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
            check_extension: Depth::quarters(extension),
            order_reads_evaluation: order.hanging || order.escape || order.mate_threat,
            params: Arc::clone(params),
        }
    }
}
