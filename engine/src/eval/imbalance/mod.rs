//! Material imbalance: what many games say of the men on the board (PRO-01..PRO-06).
//!
//! [`ImbalanceTable`] holds the games and scores of every balance of material as read from files;
//! [`values`] turns each cell into points once, by the parameters; a position then costs one look.
//! Without a table, and with the program's own left unused, the term is nought.

mod packed;
mod table;
mod values;

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::types::{Color, Role, Score};

pub use table::{ImbalanceError, ImbalanceStatistics, ImbalanceTable, MaterialCounts};
pub(super) use values::CellValues;

/// The five roles of the table in its order.
const ROLES: [Role; 5] = [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

/// The points of the position's cell, White minus Black. Men beyond the table's limits, after
/// promotions, have no cell: the term is left out (AMB-75).
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let Some(values) = &cx.evaluator.imbalance else { return };
    let mut counts = [0; 10];
    for (pair, role) in counts.chunks_exact_mut(2).zip(ROLES) {
        pair[0] = cx.men(Color::White, role).count() as u8;
        pair[1] = cx.men(Color::Black, role).count() as u8;
    }
    let Some(cell) = MaterialCounts(counts).index() else { return };
    let points = values.at(cell);
    let gains = if points >= 0 { Color::White } else { Color::Black };
    sum.add(Term::Imbalance, gains, Score::both(points.abs()));
}
