//! Pawn structure, which depends on the pawns alone, and the kings' shelter behind them.

use super::attack_map::pawn_attacks;
use super::classical;
use super::spans::{ahead, beside, files, step};
use super::trace::Term;
use crate::params::{Params, Pawns, Squares};
use crate::position::Position;
use crate::types::{Bitboard, ByColor, Color, Role, Score, relative_square};

/// What depends on the pawns and kings alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct PawnFacts {
    /// Passed pawns: no enemy pawn ahead on their own file or the next ones.
    pub(super) passed: ByColor<Bitboard>,
    /// The structure's terms added up, White minus Black, 1/256 pawn.
    pub(super) structure: Score,
    /// Each king's shelter; nought while that is off.
    pub(super) shelter: ByColor<Score>,
}

impl PawnFacts {
    /// Works them out.
    pub(super) fn of(position: &Position, params: &Params) -> PawnFacts {
        let pawns = pawns_by_color(position);
        let passed = ByColor::new_with(|color| {
            let enemy = color.other();
            pawns[color] & !(ahead(enemy, pawns[enemy]) | reach(enemy, pawns[enemy]))
        });
        let mut total = Score::ZERO;
        structure(&pawns, params, |_, color, score| total += color.fold_wb(score, -score));
        let mut facts = PawnFacts { passed, structure: total, ..PawnFacts::default() };
        facts.shelter(position, &pawns, params);
        facts
    }

    /// Works the shelter out.
    pub(super) fn shelter(
        &mut self,
        position: &Position,
        pawns: &ByColor<Bitboard>,
        params: &Params,
    ) {
        let params = &params.king_shelter;
        if params.on {
            self.shelter = ByColor::new_with(|color| {
                classical::shelter::shelter(params, color, position.king(color), pawns)
            });
        }
    }
}

/// Squares that a colour's pawns control now or could control after advancing.
#[inline]
pub(super) fn reach(color: Color, pawns: Bitboard) -> Bitboard {
    beside(ahead(color, pawns))
}

/// The pawns of each colour.
pub(super) fn pawns_by_color(position: &Position) -> ByColor<Bitboard> {
    ByColor::new_with(|color| position.men_of(color, Role::Pawn))
}

/// Tells each structural term of both colours. The isolated pawns' square table is the paper's
/// example of such tables (EVA-02); it overlaps with the weak pawns and so is off (AMB-82), and its
/// end game is ours (MISS-26).
pub(super) fn structure(
    pawns: &ByColor<Bitboard>,
    params: &Params,
    mut tell: impl FnMut(Term, Color, Score),
) {
    for color in Color::ALL {
        let (own, open) = (pawns[color], !files(pawns[color.other()]));
        let side = SidePawns { color, own, open, rows: &params.pawns };
        if side.rows.on {
            side.connection(&mut tell);
            side.doubled(&mut tell);
        }
        if params.isolated.on {
            let set = isolated(own);
            let points = |table| -points(table, color, set);
            let score =
                Score::new(points(&params.isolated.middlegame), points(&params.isolated.endgame));
            tell(Term::IsolatedPawn, color, score);
        }
        if params.pawn_ranks.on {
            classical::pawns::tell(&params.pawn_ranks, color, own, pawns[color.other()], &mut tell);
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

/// One side's pawns, for the terms of how they stand to each other.
#[derive(Clone, Copy)]
struct SidePawns<'a> {
    color: Color,
    own: Bitboard,
    /// The files without enemy pawns: an enemy rook could look down them.
    open: Bitboard,
    rows: &'a Pawns,
}

impl SidePawns<'_> {
    /// Formation and weak pawns, those weaker on an open file (PAW-06). The tables give d4 beside
    /// e4 half as much again as d4 on c3 (PAW-07).
    #[inline]
    fn connection(self, tell: &mut impl FnMut(Term, Color, Score)) {
        let SidePawns { color, own, open, rows } = self;
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

    /// Doubled pawns (PAW-08), and again when they are isolated (PAW-09): each pawn of the file
    /// pays, so an isolated pair pays 40, on an open file 60, on top of the rest (AMB-50), and three
    /// such pawns cost more than a pawn (PAW-10).
    #[inline]
    fn doubled(self, tell: &mut impl FnMut(Term, Color, Score)) {
        let SidePawns { color, own, open, rows } = self;
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
