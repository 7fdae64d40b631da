//! Material and piece-square tables: the terms that make and unmake keep as `I_SCORE`.

use super::trace::{Term, Trace};
use crate::params::{Params, by_role};
use crate::position::{Position, SquareTable};
use crate::types::{Color, Role, Score};

/// The table of a parameter set: what each man adds to `I_SCORE` on each square.
#[must_use]
pub fn square_table(params: &Params) -> SquareTable {
    let m = &params.material;
    let material = |role| by_role(role, [m.pawn, m.knight, m.bishop, m.rook, m.queen, 0]);
    let p = &params.pst;
    let mg = [&p.pawn_mg, &p.knight_mg, &p.bishop_mg, &p.rook_mg, &p.queen_mg, &p.king_mg];
    let eg = [&p.pawn_eg, &p.knight_eg, &p.bishop_eg, &p.rook_eg, &p.queen_eg, &p.king_eg];
    SquareTable::new(material, |role, sq| {
        Score::new(by_role(role, mg).of(sq), by_role(role, eg).of(sq))
    })
}

/// Counts the incremental terms anew, man by man, for the trace.
pub(super) fn explain<T: Trace>(position: &Position, table: &SquareTable, trace: &mut T) {
    for color in [Color::White, Color::Black] {
        for role in Role::ALL {
            for sq in position.men_of(color, role) {
                let (material, square) = table.of_man(color, role, sq);
                trace.add(Term::Material(role), color, material);
                trace.add(Term::PieceSquare(role), color, square);
            }
        }
    }
}
