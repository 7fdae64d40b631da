//! Pawn structure, which depends on the pawns alone and is kept in a cache, and pressure on pawns,
//! which needs the attack maps.

use std::fmt;

use super::attack_map::pawn_attacks;
use super::context::{Context, relative_square};
use super::spans::{ahead, beside, files, step};
use super::trace::{Sum, Term, Trace};
use crate::memory::touch;
use crate::params::{Params, Squares};
use crate::position::Position;
use crate::types::{Bitboard, ByColor, Color, Role, Score};

/// What depends on the pawns alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PawnFacts {
    /// Passed pawns: no enemy pawn ahead on their own file or the next ones.
    pub(super) passed: ByColor<Bitboard>,
    /// Squares that a colour's pawns control now or could control after advancing.
    pub(super) reach: ByColor<Bitboard>,
    /// The structure's terms added up, White minus Black, 1/256 pawn.
    structure: Score,
}

impl PawnFacts {
    /// Works them out.
    pub(super) fn of(position: &Position, params: &Params) -> PawnFacts {
        let pawns = pawns(position);
        let reach = ByColor::new_with(|color| beside(ahead(color, pawns[color])));
        let passed = ByColor::new_with(|color| {
            let enemy = color.other();
            pawns[color] & !(ahead(enemy, pawns[enemy]) | reach[enemy])
        });
        let mut total = Score::ZERO;
        structure(&pawns, params, |_, color, score| total += color.fold_wb(score, -score));
        PawnFacts { passed, reach, structure: total }
    }
}

fn pawns(position: &Position) -> ByColor<Bitboard> {
    ByColor::new_with(|color| position.men_of(color, Role::Pawn))
}

/// Pawn facts of positions seen before: a table with one place for each hash of the pawns (HSH-09).
///
/// The pawns themselves are compared, so a wrong answer cannot come out of it. What it holds is
/// true for one set of parameters.
pub struct PawnCache {
    /// An unused place says that without pawns there is nothing to tell, which is true.
    places: Box<[(ByColor<Bitboard>, PawnFacts)]>,
}

impl PawnCache {
    const PLACES: usize = 1024;

    /// An empty cache of 56 KiB.
    #[must_use]
    pub fn new() -> PawnCache {
        PawnCache { places: vec![Default::default(); PawnCache::PLACES].into_boxed_slice() }
    }

    /// See [`crate::Engine::warm`].
    pub(crate) fn warm(&self) {
        touch(&self.places);
    }

    /// The facts of a position's pawns, worked out if they are not there.
    #[inline]
    pub(super) fn facts(&mut self, position: &Position, params: &Params) -> PawnFacts {
        let pawns = pawns(position);
        let (known, facts) = &mut self.places[PawnCache::place(&pawns)];
        if *known != pawns {
            (*known, *facts) = (pawns, PawnFacts::of(position, params));
        }
        *facts
    }

    /// The place of a structure: the upper bits of a product, in which all pawns have a part.
    #[inline]
    fn place(pawns: &ByColor<Bitboard>) -> usize {
        const MIX: u64 = 0x9e37_79b9_7f4a_7c15;
        let mixed =
            (pawns.white.0.wrapping_mul(MIX) ^ pawns.black.0).wrapping_mul(MIX.rotate_left(32));
        (mixed >> (u64::BITS - PawnCache::PLACES.ilog2())) as usize
    }
}

impl Default for PawnCache {
    fn default() -> PawnCache {
        PawnCache::new()
    }
}

impl fmt::Debug for PawnCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("PawnCache").finish_non_exhaustive()
    }
}

/// The pawn structure's terms, from the cache unless the trace wants each of them, and pressure.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    if T::DETAILED {
        structure(&pawns(cx.position), cx.params, |term, color, score| sum.add(term, color, score));
    } else {
        sum.add(Term::PawnFormation, Color::White, cx.pawns.structure);
    }
    if cx.params.pressure.on {
        sum.add_both(Term::PawnPressure, ByColor::new_with(|color| pressure(cx, color)));
    }
}

/// Tells each structural term of both colours. The isolated pawns' square table is the paper's
/// example of such tables (EVA-02); it overlaps with the weak pawns and so is off (AMB-82), and its
/// end game is ours (MISS-26).
fn structure(pawns: &ByColor<Bitboard>, params: &Params, mut tell: impl FnMut(Term, Color, Score)) {
    for color in Color::ALL {
        let own = pawns[color];
        // No enemy pawn on the file: an enemy rook could look down it.
        let open = !files(pawns[color.other()]);
        if params.pawns.on {
            connection(color, own, open, params, &mut tell);
            doubled(color, own, open, params, &mut tell);
        }
        if params.isolated.on {
            let set = isolated(own);
            let points = |table| -points(table, color, set);
            let score =
                Score::new(points(&params.isolated.middlegame), points(&params.isolated.endgame));
            tell(Term::IsolatedPawn, color, score);
        }
    }
}

/// How a colour's pawns stand to each other. The paper asks in turn whether an own pawn controls the
/// square in front of the pawn (PAW-01), its own (PAW-02), the one behind (PAW-03), or the next one
/// behind, a poor connection that counts for nothing (PAW-04); a pawn of which none is true is weak
/// (PAW-05).
pub(super) struct Connection {
    side_by_side: Bitboard,
    protecting: Bitboard,
    /// Without connection; backward pawns are among them (MISS-34).
    pub(super) weak: Bitboard,
}

impl Connection {
    #[inline]
    pub(super) fn of(color: Color, own: Bitboard) -> Connection {
        let (west, east) = pawn_attacks(color, own);
        let control = west | east;
        let behind = step(color, control);
        let side_by_side = own & step(color.other(), control);
        let protecting = own & !side_by_side & (control | behind);
        let weak = own & !side_by_side & !protecting & !step(color, behind);
        Connection { side_by_side, protecting, weak }
    }
}

/// Formation and weak pawns, those weaker on an open file (PAW-06). The tables give d4 beside e4
/// half as much again as d4 on c3 (PAW-07).
#[inline]
fn connection(
    color: Color,
    own: Bitboard,
    open: Bitboard,
    params: &Params,
    tell: &mut impl FnMut(Term, Color, Score),
) {
    let rows = &params.pawns;
    let Connection { side_by_side, protecting, weak } = Connection::of(color, own);
    if rows.formation {
        let bonus = points(&rows.formation_1, color, side_by_side)
            + points(&rows.formation_2, color, protecting);
        tell(Term::PawnFormation, color, Score::both(bonus));
    }
    if rows.weak {
        tell(Term::WeakPawn, color, Score::both(-points(&rows.weakpawn_1, color, weak)));
        if rows.weak_open {
            let penalty = points(&rows.weakpawn_2, color, weak & open);
            tell(Term::WeakPawnOpenFile, color, Score::both(-penalty));
        }
    }
}

/// Doubled pawns (PAW-08), and again when they are isolated (PAW-09): each pawn of the file pays,
/// so an isolated pair pays 40, on an open file 60, on top of the rest (AMB-50), and three such
/// pawns cost more than a pawn (PAW-10).
#[inline]
fn doubled(
    color: Color,
    own: Bitboard,
    open: Bitboard,
    params: &Params,
    tell: &mut impl FnMut(Term, Color, Score),
) {
    let rows = &params.pawns;
    let set = own & (ahead(Color::White, own) | ahead(Color::Black, own));
    if set.is_empty() {
        return;
    }
    let penalty = |set: Bitboard, each: i32| Score::both(-each * set.count() as i32);
    if rows.doubled {
        tell(Term::DoubledPawn, color, penalty(set, rows.doubled_penalty));
    }
    if rows.isolated_doubled {
        let set = set & isolated(own);
        let score = penalty(set, rows.isolated_doubled_penalty)
            + penalty(set & open, rows.isolated_doubled_open_penalty);
        tell(Term::IsolatedDoubled, color, score);
    }
}

/// Pawns without own pawns on the next files.
#[inline]
pub(super) fn isolated(own: Bitboard) -> Bitboard {
    own & !beside(files(own))
}

/// A table's sum over squares of a colour.
#[inline]
fn points(table: &Squares, color: Color, squares: Bitboard) -> i32 {
    squares.into_iter().map(|sq| table.of(relative_square(color, sq))).sum()
}

/// Pressure on pawns that no pawn protects and that can take no pawn (PAW-11): importance of the
/// square, shifted by the number of attackers, more in the end game. Pawns that nobody attacks are
/// left out, and those with a defender cheaper than every attacker; a pawn without any defender
/// does not count as such (AMB-42).
#[inline]
fn pressure(cx: &Context<'_>, color: Color) -> Score {
    let (own, enemy) = (&cx.attacks[color], &cx.attacks[color.other()]);
    let pawn_control = cx.pawn_control(color) | cx.pawn_control(color.other());
    let mut penalty = 0;
    for sq in cx.men(color, Role::Pawn) & enemy.any() & !pawn_control {
        let (defenders, attackers) = (own.byte(sq), enemy.byte(sq));
        let defended = defenders.count() > 0 && defenders.smallest() < attackers.smallest();
        if !defended {
            penalty +=
                cx.params.pressure.factor.of(relative_square(color, sq)) << attackers.count();
        }
    }
    Score::new(-penalty, -penalty * cx.params.pressure.endgame)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Within what an idle engine may cost; and a place is no larger than a cache line.
    #[test]
    fn cache_is_small() {
        let place = size_of::<(ByColor<Bitboard>, PawnFacts)>();
        assert!(place <= 64 && place * PawnCache::PLACES <= 96 << 10, "{place}");
    }

    #[test]
    fn cache_changes_nothing() {
        use crate::eval::{Evaluator, LineFacts, NoTrace};
        let evaluator = Evaluator::new(&std::sync::Arc::new(Params::default()));
        let mut cache = PawnCache::new();
        let mut word: u64 = 3;
        for game in 0..40 {
            let mut position =
                Position::from_fen(crate::bench::POSITIONS[game % 20]).expect("legal");
            position.set_table(&evaluator.table);
            for _ in 0..60 {
                let line = LineFacts::default();
                let with = evaluator.evaluate(&position, line, Some(&mut cache), &mut NoTrace);
                let again = evaluator.evaluate(&position, line, Some(&mut cache), &mut NoTrace);
                let without = evaluator.evaluate(&position, line, None, &mut NoTrace);
                assert_eq!((with, again), (without, without), "{}", position.fen());
                let mut moves: Vec<crate::types::Move> = Vec::new();
                position.legal_moves(&mut moves);
                word = word.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                if moves.is_empty() {
                    break;
                }
                position.play(moves[(word >> 33) as usize % moves.len()]);
            }
        }
    }

    /// One place is used again for other pawns, and they do not get each other's facts.
    #[test]
    fn places_are_shared() {
        let (mut cache, params) = (PawnCache::new(), Params::default());
        let mut used = std::collections::HashSet::new();
        for (a, b) in (0..48).flat_map(|a| (0..48).map(move |b| (a, b))) {
            let fen = |pawn: char, at: usize| {
                let mut squares = vec!['1'; 64];
                squares[8 + at] = pawn;
                squares
            };
            let mut squares = fen('P', a);
            if a == b {
                continue;
            }
            squares[8 + b] = 'p';
            (squares[0], squares[63]) = ('k', 'K');
            let ranks: Vec<String> = squares.chunks(8).map(|rank| rank.iter().collect()).collect();
            // With the kings in opposite corners a pawn may give check to the side not to move.
            let fens = ["w", "b"].map(|turn| format!("{} {turn} - - 0 1", ranks.join("/")));
            let Some(position) = fens.iter().find_map(|fen| Position::from_fen(fen).ok()) else {
                continue;
            };
            assert_eq!(cache.facts(&position, &params), PawnFacts::of(&position, &params));
            used.insert(PawnCache::place(&pawns(&position)));
        }
        assert!(used.len() > 800, "2256 structures spread over {} places", used.len());
    }
}
