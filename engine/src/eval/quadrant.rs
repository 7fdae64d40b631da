//! The quadrant rule: in a pawn ending, a passed pawn that the enemy king cannot catch counts as
//! promoted (PAS-09). With the races between two such pawns it also stands for what others call the
//! pawn race (MISS-34).

use shakmaty::attacks;

use super::context::Context;
use super::spans::{ahead, step};
use super::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, ByColor, Color, Role, Score, Square};

/// The bonus of pawns that will promote, of one pawn for each side (PAS-11). Returns whether one
/// was given (PAS-13).
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) -> bool {
    let params = &cx.params.quadrant;
    let passed = cx.pawns.passed.white | cx.pawns.passed.black;
    if !params.on || !cx.stage.pawn_ending || passed.is_empty() {
        return false;
    }
    let runners = ByColor::new_with(|color| Runners::of(cx, color));
    let promotes = if params.races { winners(cx, &runners) } else { runners.map(Runners::any) };
    let bonus = ByColor::new_with(|color| {
        let pawns = match (promotes[color], params.one_pawn) {
            (false, _) => 0,
            (true, true) => 1,
            (true, false) => runners[color].count as i32,
        };
        Score::both(pawns * params.bonus)
    });
    sum.add_both(Term::Quadrant, bonus);
    promotes.white || promotes.black
}

/// A colour's pawns that the enemy king cannot catch.
#[derive(Clone, Copy, Default)]
struct Runners {
    count: usize,
    /// Those that promote first.
    fastest: Bitboard,
    /// Plies from now to their promotion, the promoting move included.
    plies: i32,
    /// Whether their king must move before them.
    king_moves: bool,
}

impl Runners {
    fn any(self) -> bool {
        self.count > 0
    }

    fn of(cx: &Context<'_>, color: Color) -> Runners {
        let mut runners = Runners::default();
        for sq in cx.pawns.passed[color] {
            let Some((steps, king_moves)) = steps_to_promote(cx, color, sq) else { continue };
            let plies = if cx.position.turn() == color { 2 * steps - 1 } else { 2 * steps };
            let pawn = Bitboard::from_square(sq);
            if !runners.any() || plies < runners.plies {
                runners = Runners { fastest: pawn, plies, king_moves, ..runners };
            } else if plies == runners.plies {
                runners.fastest |= pawn;
                runners.king_moves |= king_moves;
            }
            runners.count += 1;
        }
        runners
    }
}

/// How many moves of its side a passed pawn needs to promote and whether one of them is the king's,
/// who has to step out of the way (PAS-10); `None` when it does not get there.
///
/// The enemy king catches the pawn if it can take it on the promotion square at the latest, so it
/// must be no farther from there than the pawn, or one step more when it is on the move.
fn steps_to_promote(cx: &Context<'_>, color: Color, sq: Square) -> Option<(i32, bool)> {
    let params = &cx.params.quadrant;
    let enemy = color.other();
    let enemy_moves = cx.position.turn() == enemy;
    let pawn = Bitboard::from_square(sq);
    let way = ahead(color, pawn);
    let (own_king, enemy_king) = (cx.position.king(color), cx.position.king(enemy));
    if way.contains(enemy_king) || !(way & cx.men(color, Role::Pawn)).is_empty() {
        return None;
    }
    let passant = cx.position.en_passant().map(Bitboard::from_square);
    if passant.is_some_and(|target| enemy_moves && step(color, target) == pawn) {
        return None;
    }
    let in_check = !enemy_moves && cx.pawn_control(enemy).contains(own_king);
    // PAS-10: the king has to get out of the way, or out of check, before the pawn can move.
    let king_moves = params.own_king && way.contains(own_king) || params.in_check && in_check;
    let protected = cx.attacks[color].any().contains(sq);
    if (enemy_moves || king_moves) && !protected && sq.distance(enemy_king) == 1 {
        return None;
    }
    // Squares ahead are moves to make, but the first may take two of them.
    let squares = way.count() as i32;
    let steps = squares.min(5) + i32::from(king_moves);
    let distance = enemy_king.distance(goal(color, sq)) as i32;
    (distance > steps + i32::from(enemy_moves)).then_some((steps, king_moves))
}

/// A pawn's promotion square.
fn goal(color: Color, sq: Square) -> Square {
    Square::from_coords(sq.file(), color.fold_wb(shakmaty::Rank::Eighth, shakmaty::Rank::First))
}

/// Which colours' pawns promote to any use. When both sides have a pawn that the other king cannot
/// catch, the faster wins the race if it leads by more than one ply. If they promote one after the
/// other, the first must make it count: with check, or in control of the other's promotion square
/// (PAS-12). Otherwise both promote, and the bonuses cancel.
fn winners(cx: &Context<'_>, runners: &ByColor<Runners>) -> ByColor<bool> {
    let both = runners.white.any() && runners.black.any();
    let first = if runners.white.plies < runners.black.plies { Color::White } else { Color::Black };
    let lead = (runners.white.plies - runners.black.plies).abs();
    if both && (lead > 1 || first_stops_second(cx, first, runners)) {
        return ByColor::new_with(|color| color == first);
    }
    runners.map(Runners::any)
}

/// Whether some fastest pawn of `first` promotes with check or controls the promotion square,
/// whichever of its fastest pawns the other side runs with.
fn first_stops_second(cx: &Context<'_>, first: Color, runners: &ByColor<Runners>) -> bool {
    let second = first.other();
    runners[first].fastest.into_iter().any(|winner| {
        runners[second].fastest.into_iter().all(|loser| stops(cx, first, runners, winner, loser))
    })
}

/// Whether the pawn from `winner`, promoting one ply before the one from `loser`, keeps that from
/// promoting for good.
fn stops(
    cx: &Context<'_>,
    first: Color,
    runners: &ByColor<Runners>,
    winner: Square,
    loser: Square,
) -> bool {
    let second = first.other();
    let promoted = goal(first, winner);
    let target = goal(second, loser);
    // Both pawns have left their squares; so has a king that had to make way.
    let gone = Bitboard::from_square(winner) | Bitboard::from_square(loser);
    let mut occupied = cx.occupied & !gone;
    for color in [first, second] {
        if runners[color].king_moves {
            occupied &= !Bitboard::from_square(cx.position.king(color));
        }
    }
    // The slower pawn stands on its seventh rank when the queen appears; where its king has had to
    // move nobody knows whether it will be in check.
    let waiting = step(first, Bitboard::from_square(target));
    let check = !runners[second].king_moves
        && attacks::queen_attacks(promoted, occupied | waiting).contains(cx.position.king(second));
    // Once it has promoted too, that square is empty again. A promotion square that its own side
    // protects costs the queen.
    let control = attacks::queen_attacks(promoted, occupied).contains(target)
        && !cx.attacks[second].any().contains(target);
    check || control
}
