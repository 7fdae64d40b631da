//! Material and piece-square tables: the terms that make and unmake keep as `I_SCORE` (GEN-07).

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::params::{Params, by_role};
use crate::position::SquareTable;
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

/// Takes the position's sum; a detailed trace hears it man by man.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    sum.total += cx.position.i_score();
    if T::DETAILED {
        for color in Color::ALL {
            for role in Role::ALL {
                for sq in cx.position.men_of(color, role) {
                    let (material, square) = cx.position.table().of_man(color, role, sq);
                    sum.tell(Term::Material(role), color, material);
                    sum.tell(Term::PieceSquare(role), color, square);
                }
            }
        }
    }
}
