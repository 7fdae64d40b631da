//! Passed pawns: what they are worth where they stand, how free their way is, who helps them and
//! who must watch them.

use super::attack_map::AttackerClass;
use super::context::Context;
use super::spans::{ahead, step};
use super::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, ByColor, Color, Role, Score, Square, relative_square};

/// The terms of both colours' passed pawns. Returns what each colour's are worth in the position's
/// phase, from its own view, in 1/256 pawn.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) -> ByColor<i32> {
    if !cx.params.passed.on || (cx.pawns.passed.white | cx.pawns.passed.black).is_empty() {
        return ByColor::default();
    }
    ByColor::new_with(|color| {
        if cx.pawns.passed[color].is_empty() {
            return 0;
        }
        let mut worth = Score::ZERO;
        let mut add = |term, score| {
            sum.add(term, color, score);
            worth += score;
        };
        let ways = Ways::of(cx, color);
        for sq in cx.pawns.passed[color] {
            passer(cx, color, sq, &ways, &mut add);
        }
        cx.evaluator.phase.blend(worth, cx.position.phase_material())
    })
}

/// Squares a colour's pawns may go to.
struct Ways {
    empty: Bitboard,
    /// Empty, and controlled by an own man or by no enemy.
    free: Bitboard,
}

impl Ways {
    #[inline]
    fn of(cx: &Context<'_>, color: Color) -> Ways {
        let empty = !cx.occupied;
        let safe = cx.attacks[color].any() | !cx.attacks[color.other()].any();
        Ways { empty, free: empty & safe }
    }

    /// How many times the bonus is given for the potential of a pawn on `square`: the free squares
    /// ahead up to the third; at the board's end it is three whatever the number (PAS-03, AMB-46).
    #[inline]
    fn potential(&self, color: Color, square: Bitboard) -> i32 {
        let mut next = square;
        for free in 0..3 {
            next = step(color, next);
            if next.is_empty() {
                break;
            }
            if (next & self.free).is_empty() {
                return free;
            }
        }
        3
    }
}

/// The terms of one passed pawn: behind an own rook only a penalty (PAS-07); else its square
/// (PAS-01), connection (PAS-02), potential (PAS-03) or support when blocked (PAS-04), both kings
/// (PAS-05, PAS-06), and the rook or queen that has to watch it (PAS-08).
#[inline]
fn passer(
    cx: &Context<'_>,
    color: Color,
    sq: Square,
    ways: &Ways,
    add: &mut impl FnMut(Term, Score),
) {
    let params = &cx.params.passed;
    let (own, enemy) = (&cx.attacks[color], &cx.attacks[color.other()]);
    let square = Bitboard::from_square(sq);
    let front = step(color, square);
    let way = ahead(color, square);
    let seen = relative_square(color, sq);

    // Behind an own rook the pawn is worth nothing: this comes first and ends it (PAS-07).
    // The paper wants a penalty that no pawn won is worth: its size is ours (MISS-13).
    if params.immobility && !(way & cx.men(color, Role::Rook)).is_empty() {
        let attacked = enemy.any().contains(sq);
        let penalty =
            if attacked { params.immobility_penalty } else { params.immobility_safe_penalty };
        add(Term::ImmobilePasser, Score::both(-penalty));
        return;
    }

    // PAS-01, AMB-39; the pawn ending has no middle game to blend with (AMB-84).
    let endgame = if cx.stage.pawn_ending { &params.pawn_ending } else { &params.endgame };
    let base = Score::new(params.middlegame.of(seen), endgame.of(seen));
    add(Term::PassedPawn, base);
    // PAS-02: beside a pawn, or protected by one.
    if params.connected && !(cx.pawn_control(color) & (square | front)).is_empty() {
        add(Term::ConnectedPasser, base);
    }
    if !(front & ways.empty).is_empty() {
        if params.potential {
            add(Term::PasserPotential, base * ways.potential(color, square));
        }
    } else if params.blocked {
        // PAS-04: once each for an own blocker, two protectors, control of the blocked square.
        let blocker = front & cx.position.by_color(color);
        let times = [blocker, square & own.twice(), front & own.any()];
        let times = times.into_iter().filter(|reason| !reason.is_empty()).count();
        add(Term::BlockedPasser, base * times as i32);
    }
    if params.king_support {
        // PAS-05. The paper lists the eight squares around the pawn; its code asks for control of
        // the next square too, which lets in three more (AMB-47).
        let squares = if params.king_support_next { square | front } else { square };
        if !(own.by(AttackerClass::King) & squares).is_empty() {
            add(Term::PasserKingSupport, Score::new(0, params.king_support_table.of(seen)));
        }
    }
    if params.king_tropism && cx.stage.is_late_for_passers() {
        // PAS-06: the greater of the distances in ranks and in files (AMB-48).
        let distance = sq.distance(cx.position.king(color.other())) as i32;
        add(Term::PasserKingTropism, Score::both(params.king_tropism_table.of(seen) * distance));
    }
    if params.compelling
        && let Some(rank) = (seen.rank() as usize).checked_sub(4)
    {
        // PAS-08; of a queen and a rook the queen counts.
        let points = if !(way & cx.men(color.other(), Role::Queen)).is_empty() {
            params.compelling_queen
        } else if !(way & cx.men(color.other(), Role::Rook)).is_empty() {
            params.compelling_rook
        } else {
            0
        };
        add(Term::CompellingPasser, Score::both(points * params.compelling_ranks[rank]));
    }
}
