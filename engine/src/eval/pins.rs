//! Pins, discovered attacks and skewers: bishops and rooks that look through exactly one man.

use shakmaty::attacks;

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::params::Pins;
use crate::types::{Bitboard, Color, Role, Score, Square};

/// For each bishop and rook and each enemy rook, queen or king behind exactly one man on its line
/// (AMB-51): a pin when that man is the enemy's (PCE-08 for bishops, PCE-09 for rooks), a
/// discovered attack of the same worth when it is an own one (PCE-10), and a full pawn instead when
/// both men are the enemy's and dearer than the one that looks (PCE-11, AMB-52).
///
/// Queens look through men too, but the paper's table has no row for them.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    if !cx.params.pins.on {
        return;
    }
    for color in Color::ALL {
        let enemy = color.other();
        let royal = cx.men(enemy, Role::Queen) | cx.men(enemy, Role::King);
        let all = royal | cx.men(enemy, Role::Rook);
        let Pins { bishop, rook, .. } = &cx.params.pins;
        for sq in cx.men(color, Role::Bishop) {
            let line = attacks::bishop_attacks(sq, Bitboard::EMPTY);
            look_through(cx, sum, color, sq, line & all, all, bishop);
        }
        // Rooks face each other all the time: not looked at while it is worth nothing.
        let targets = if rook[0] == 0 { royal } else { all };
        for sq in cx.men(color, Role::Rook) {
            let line = attacks::rook_attacks(sq, Bitboard::EMPTY);
            look_through(cx, sum, color, sq, line & targets, royal, rook);
        }
    }
}

/// What one bishop or rook on `from` gets for the men `behind` on its lines. `dearer` are all enemy
/// men worth more than itself, `row` is its row of the table.
#[inline]
fn look_through<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    color: Color,
    from: Square,
    behind: Bitboard,
    dearer: Bitboard,
    row: &[i32; 3],
) {
    let params = &cx.params.pins;
    for target in behind {
        let shield = attacks::between(from, target) & cx.occupied;
        if shield.is_empty() || shield.more_than_one() {
            continue;
        }
        let bonus = match cx.position.piece_at(target).role() {
            Some(Role::Rook) => row[0],
            Some(Role::Queen) => row[1],
            _ => row[2],
        };
        let (term, bonus) = if (shield & cx.position.by_color(color)).any() {
            (Term::DiscoveredAttack, if params.discovered { bonus } else { 0 })
        } else if params.skewer && (shield & dearer).any() && dearer.contains(target) {
            (Term::Skewer, params.skewer_bonus)
        } else {
            (Term::Pin, if params.pin { bonus } else { 0 })
        };
        sum.add(term, color, Score::both(bonus));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::{points, white, white_with};

    /// PCE-08: the paper's first diagram, Bg5 through Nf6 at Qd8, and the rest of the bishop's row.
    #[test]
    fn bishop_pins() {
        let paper = "3qk3/8/5n2/6B1/8/8/8/4K3 w - - 0 1";
        assert_eq!(white(paper, Term::Pin), 15);
        assert_eq!(points(paper, Term::Pin).black, (0, 0), "queens have no row");
        assert_eq!(white("3rk3/8/5n2/6B1/8/8/8/4K3 w - - 0 1", Term::Pin), 20);
        assert_eq!(white("3k4/8/5n2/6B1/8/8/8/4K3 w - - 0 1", Term::Pin), 20);
        assert_eq!(white("3nk3/8/5n2/6B1/8/8/8/4K3 w - - 0 1", Term::Pin), 0);
        assert_eq!(white_with(|p| p.pins.on = false, paper, Term::Pin), (0, 0));
        assert_eq!(white_with(|p| p.pins.pin = false, paper, Term::Pin), (0, 0));
    }

    /// PCE-09: the rook's row.
    #[test]
    fn rook_pins() {
        assert_eq!(white("1k2q3/8/4n3/8/8/8/8/4R1K1 w - - 0 1", Term::Pin), 40);
        assert_eq!(white("4k3/8/4n3/8/8/8/8/4R1K1 w - - 0 1", Term::Pin), 40);
        assert_eq!(white("1k2r3/8/4n3/8/8/8/8/4R1K1 w - - 0 1", Term::Pin), 0);
    }

    /// AMB-51: through exactly one man.
    #[test]
    fn exactly_one_man() {
        assert_eq!(white("3qk3/4p3/5n2/6B1/8/8/8/4K3 w - - 0 1", Term::Pin), 0);
        assert_eq!(white("3qk3/8/8/6B1/8/8/8/4K3 w - - 0 1", Term::Pin), 0);
    }

    /// PCE-10, AMB-51: the third diagram, Bf4-e5-c7 for 20 and Rh1-h5-h8 for 40.
    #[test]
    fn discovered_attacks() {
        let term = Term::DiscoveredAttack;
        let paper = "4k2q/2r5/8/4N2N/5B2/8/8/4K2R w - - 0 1";
        assert_eq!(white(paper, term), 60);
        assert_eq!(white("4k2q/2b5/8/4N2N/5B2/8/8/4K2R w - - 0 1", term), 40);
        assert_eq!(white("4k2b/2r5/8/4N2N/5B2/8/8/4K2R w - - 0 1", term), 20);
        assert_eq!(white_with(|p| p.pins.discovered = false, paper, term), (0, 0));
        assert_ne!(white_with(|p| p.pins.pin = false, paper, term), (0, 0));
    }

    /// PCE-11, AMB-52: both men dearer than the one that looks, the king too.
    #[test]
    fn skewers() {
        let rook_queen = "6k1/1q6/8/3r4/8/5B2/8/6K1 w - - 0 1";
        assert_eq!((white(rook_queen, Term::Skewer), white(rook_queen, Term::Pin)), (256, 0));
        let knight_queen = "6k1/1q6/8/3n4/8/5B2/8/6K1 w - - 0 1";
        assert_eq!((white(knight_queen, Term::Skewer), white(knight_queen, Term::Pin)), (0, 15));
        let queen_king = "4k3/8/8/4q3/8/8/8/4R1K1 w - - 0 1";
        assert_eq!((white(queen_king, Term::Skewer), white(queen_king, Term::Pin)), (256, 0));
        let rook_king = "4k3/8/8/4r3/8/8/8/4R1K1 w - - 0 1";
        assert_eq!((white(rook_king, Term::Skewer), white(rook_king, Term::Pin)), (0, 40));
        let king_queen = "4q3/8/8/4k3/8/8/8/4R1K1 b - - 0 1";
        assert_eq!(white(king_queen, Term::Skewer), 256);
        let own = "6k1/1q6/8/3R4/8/5B2/8/6K1 w - - 0 1";
        assert_eq!((white(own, Term::Skewer), white(own, Term::DiscoveredAttack)), (0, 15));
    }

    #[test]
    fn skewers_are_a_switch() {
        let fen = "6k1/1q6/8/3r4/8/5B2/8/6K1 w - - 0 1";
        assert_eq!(white_with(|p| p.pins.skewer = false, fen, Term::Skewer), (0, 0));
        assert_eq!(white_with(|p| p.pins.skewer = false, fen, Term::Pin), (15, 15));
    }
}
