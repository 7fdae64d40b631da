//! Knights: strong squares, blockades, and pairs that work together.

use shakmaty::attacks;

use super::context::Context;
use super::pawn_structure::Connection;
use super::spans::step;
use super::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, Color, Role, Score, relative_square};

/// All terms of knights.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    let params = cx.params;
    if !params.strong_square.on && !params.knight_blockade.on && !params.cooperative_knights.on {
        return;
    }
    for color in Color::ALL {
        let knights = cx.men(color, Role::Knight);
        if knights.any() {
            strong_square(cx, sum, color, knights);
            blockade(cx, sum, color, knights);
            cooperation(cx, sum, color, knights);
        }
    }
}

/// A knight that no enemy pawn can ever attack, as long as the enemy has pawns enough to make that
/// worth something (PCE-05, AMB-43). Whether own pawns cover it makes no difference (PRO-15),
/// unless the switch says so.
#[inline]
fn strong_square<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    color: Color,
    knights: Bitboard,
) {
    let params = &cx.params.strong_square;
    if !params.on {
        return;
    }
    let enemy = color.other();
    let mut strong = knights & !cx.pawn_reach(enemy);
    if params.cover {
        strong &= cx.pawn_control(color);
    }
    if strong.is_empty() || cx.count(enemy, Role::Pawn) < params.least_pawns {
        return;
    }
    let bonus = strong.into_iter().map(|sq| params.table.of(relative_square(color, sq))).sum();
    sum.add(Term::StrongSquare, color, Score::both(bonus));
}

/// A knight right before a weak enemy pawn (PRO-18). Weak is what the pawn formation calls so
/// (PAW-05).
#[inline]
fn blockade<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, color: Color, knights: Bitboard) {
    let params = &cx.params.knight_blockade;
    if !params.on {
        return;
    }
    let enemy = color.other();
    let blocked = step(color, knights) & cx.men(enemy, Role::Pawn);
    if blocked.is_empty() {
        return;
    }
    let weak = blocked & Connection::of(enemy, cx.men(enemy, Role::Pawn)).weak;
    sum.add(Term::KnightBlockade, color, Score::both(params.bonus * weak.count() as i32));
}

/// Knights side by side on a file or rank control the most squares; knights that protect each other
/// are tied to each other (PRO-20). The paper's diagrams are lost and neither ever gained: off
/// unless asked for.
#[inline]
fn cooperation<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>, color: Color, knights: Bitboard) {
    const NOT_A: Bitboard = Bitboard(0xfefe_fefe_fefe_fefe);
    let params = &cx.params.cooperative_knights;
    if !params.on {
        return;
    }
    let neighbours = (knights & Bitboard(knights.0 << 8)).count()
        + (knights & NOT_A & Bitboard(knights.0 << 1)).count();
    let ties: usize =
        knights.into_iter().map(|sq| (attacks::knight_attacks(sq) & knights).count()).sum();
    let points = params.beside * neighbours as i32 - params.protecting * (ties / 2) as i32;
    sum.add(Term::CooperativeKnights, color, Score::both(points));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::testing::{white, white_with};

    /// PCE-05, AMB-43: a knight on e5 and black pawns that can or cannot ever attack it.
    #[test]
    fn strong_square_e5() {
        let term = Term::StrongSquare;
        let strong = "4k3/pp2p1pp/8/4N3/8/8/8/4K3 w - - 0 1";
        assert_eq!(white(strong, term), 30);
        assert_eq!(white("4k3/pp4pp/8/4N3/3p4/8/8/4K3 w - - 0 1", term), 30, "d4 has gone by");
        assert_eq!(white("4k3/pp4pp/8/3pN3/8/8/8/4K3 w - - 0 1", term), 30, "d5 too");
        assert_eq!(white("4k3/pp1p2pp/8/4N3/8/8/8/4K3 w - - 0 1", term), 0, "d7-d6");
        assert_eq!(white("4k3/pp4pp/5p2/4N3/8/8/8/4K3 w - - 0 1", term), 0, "f6");
        assert_eq!(white_with(|p| p.strong_square.on = false, strong, term), (0, 0));
    }

    /// PCE-05, AMB-43: from e4, a pawn on d7 is seen as well, although it needs two steps.
    #[test]
    fn strong_square_e4() {
        assert_eq!(white("4k3/pp1p2pp/8/8/4N3/8/8/4K3 w - - 0 1", Term::StrongSquare), 0);
        assert_eq!(white("4k3/pp4pp/8/2p5/4N3/8/8/4K3 w - - 0 1", Term::StrongSquare), 20);
    }

    /// PCE-05: five enemy pawns at least.
    #[test]
    fn strong_square_wants_pawns() {
        let four = "4k3/pp4pp/8/4N3/8/8/8/4K3 w - - 0 1";
        assert_eq!(white(four, Term::StrongSquare), 0);
        let asked = white_with(|p| p.strong_square.least_pawns = 4, four, Term::StrongSquare);
        assert_eq!(asked, (30, 30));
    }

    /// PRO-15: cover makes no difference, unless it is asked for.
    #[test]
    fn strong_square_without_cover() {
        let term = Term::StrongSquare;
        let bare = "4k3/pp2p1pp/8/4N3/8/8/8/4K3 w - - 0 1";
        let covered = "4k3/pp2p1pp/8/4N3/3P4/8/8/4K3 w - - 0 1";
        assert_eq!((white(bare, term), white(covered, term)), (30, 30));
        let ask = |fen| white_with(|p| p.strong_square.cover = true, fen, term);
        assert_eq!((ask(bare), ask(covered)), ((0, 0), (30, 30)));
    }

    /// PRO-18, MISS-25: only a knight, only right before the pawn, only if the pawn is weak.
    #[test]
    fn blockade_of_weak_pawns() {
        let term = Term::KnightBlockade;
        let isolated = "4k3/8/8/3p4/3N4/8/8/4K3 w - - 0 1";
        assert_eq!(white(isolated, term), 12);
        assert_eq!(white("4k3/8/8/3p4/3B4/8/8/4K3 w - - 0 1", term), 0, "a bishop");
        assert_eq!(white("4k3/8/8/3p4/8/3N4/8/4K3 w - - 0 1", term), 0, "not right before it");
        assert_eq!(white("4k3/8/2p5/3p4/3N4/8/8/4K3 w - - 0 1", term), 0, "protected");
        assert_eq!(white("4k3/8/8/3pp3/3N4/8/8/4K3 w - - 0 1", term), 0, "side by side");
        assert_eq!(white("4k3/2p5/8/3p4/3N4/8/8/4K3 w - - 0 1", term), 0, "c6 will protect it");
        assert_eq!(white("4k3/2p5/8/8/3p4/3N4/8/4K3 w - - 0 1", term), 0, "poor but no weakness");
        assert_eq!(white("4k3/2p5/8/8/8/3p4/3N4/4K3 w - - 0 1", term), 12, "left behind");
        assert_eq!(white_with(|p| p.knight_blockade.on = false, isolated, term), (0, 0));
    }

    /// PRO-20: off by default; side by side good, protecting each other bad.
    #[test]
    fn cooperative_knights() {
        let term = Term::CooperativeKnights;
        let beside = "4k3/8/8/8/3NN3/8/8/4K3 w - - 0 1";
        assert_eq!(white(beside, term), 0);
        let on = |fen| white_with(|p| p.cooperative_knights.on = true, fen, term);
        assert_eq!(on(beside), (12, 12));
        assert_eq!(on("4k3/8/8/3N4/3N4/8/8/4K3 w - - 0 1"), (12, 12));
        assert_eq!(on("4k3/8/8/8/3N4/8/4N3/4K3 w - - 0 1"), (-12, -12));
        assert_eq!(on("4k3/8/8/N7/7N/8/8/4K3 w - - 0 1"), (0, 0), "a5 is not beside h4");
    }
}
