//! Danger to a king: units for attackers of its ring, weak squares there, checks that can be given
//! safely, pins, attacks on its wing; less for defenders. The value grows with their square, so
//! that attackers who work together are worth more than each by itself.

use shakmaty::attacks;

use super::facts::{Facts, SideFacts};
use super::ranks;
use crate::eval::context::Context;
use crate::eval::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, ByColor, Color, Role, Score, Square};

/// Adds both kings' danger, and returns it, 1/256 pawn of the middle game.
#[inline]
pub(super) fn evaluate<T: Trace>(
    cx: &Context<'_>,
    sum: &mut Sum<'_, T>,
    facts: &Facts,
) -> ByColor<i32> {
    let params = &cx.params.king_danger;
    let units = ByColor::new_with(|color| units(cx, color, facts).max(0));
    let danger = units.map(|units| units * units / params.square_divisor);
    sum.add_both(
        Term::KingDanger,
        ByColor::new_with(|color| Score::new(-danger[color], -units[color] / params.divisor)),
    );
    danger
}

/// Units of danger to the king of a colour.
#[inline]
fn units(cx: &Context<'_>, color: Color, facts: &Facts) -> i32 {
    let params = &cx.params.king_danger;
    let enemy = color.other();
    let (own, foe) = (&facts[color], &facts[enemy]);
    let attackers: i32 = foe.attackers.iter().sum();
    let has_queen = cx.men(enemy, Role::Queen).any();
    if attackers + i32::from(has_queen) < params.least_attackers {
        return 0;
    }
    let king = cx.position.king(color);
    let count = |squares: Bitboard| squares.count() as i32;
    // Attacked, and defended by the king or queen at most.
    let weak = foe.all & !own.twice & (!own.all | own.queens | own.king);
    let weights: i32 =
        foe.attackers.iter().zip(&params.attacker).map(|(count, by)| count * by).sum();
    let wing = wing(king) & ranks(color, 0, 4);
    let attacked_wing = wing & foe.all;
    attackers * weights
        + params.attack * foe.attacks
        + params.weak * count(own.ring & weak)
        + params.pinned * count(own.blockers)
        + checks(cx, color, king, (own, foe), weak)
        + params.wing_attack * (count(attacked_wing) + count(attacked_wing & foe.twice))
        - params.wing_defence * count(wing & own.all)
        - params.no_queen * i32::from(!has_queen)
        - params.knight_defence * i32::from((own.knights & own.king).any())
        - params.shelter * cx.pawns.shelter[color].mg() / 16
        + params.base
}

/// Units for squares from which the enemy can give check: more where nothing takes the man.
#[inline]
fn checks(
    cx: &Context<'_>,
    color: Color,
    king: Square,
    (own, foe): (&SideFacts, &SideFacts),
    weak: Bitboard,
) -> i32 {
    let params = &cx.params.king_danger;
    let enemy = color.other();
    let through = cx.occupied & !cx.men(color, Role::Queen);
    let straight = attacks::rook_attacks(king, through);
    let diagonal = attacks::bishop_attacks(king, through);
    let safe = !cx.position.by_color(enemy) & (!own.all | weak & foe.twice);
    let rooks = straight & foe.rooks;
    // A queen's check counts where no rook gives the same, and the own queen does not take her.
    let queens = (straight | diagonal) & foe.queens & !own.queens & !(rooks & safe);
    let bishops = diagonal & foe.bishops & !(queens & safe);
    let knights = attacks::knight_attacks(king) & foe.knights;
    let [knight, bishop, rook, queen] = params.safe_check;
    let mut units = 0;
    let mut unsafe_checks = Bitboard::EMPTY;
    for (squares, unit) in [(knights, knight), (bishops, bishop), (rooks, rook), (queens, queen)] {
        let safe = squares & safe;
        if safe.any() {
            units +=
                if safe.more_than_one() { unit + unit * params.more_checks / 100 } else { unit };
        }
        unsafe_checks |= squares & !safe;
    }
    units + params.unsafe_check * unsafe_checks.count() as i32
}

/// The files of a king's wing: three or four, five in the middle.
#[inline]
fn wing(king: Square) -> Bitboard {
    const FILES: [u8; 8] = [0x07, 0x0f, 0x0f, 0x3c, 0x3c, 0xf0, 0xf0, 0xe0];
    Bitboard(0x0101_0101_0101_0101 * u64::from(FILES[king as usize & 7]))
}
