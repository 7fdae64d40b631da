//! Pawn structure by rank: connected, isolated, backward, doubled, blocked pawns, candidates. It
//! depends on the pawns alone, and is part of what the pawn cache holds.

use shakmaty::attacks;

use super::{from_edge, pair, rank_of};
use crate::eval::attack_map::pawn_attacks;
use crate::eval::spans::{ahead, beside, file_of, step};
use crate::eval::trace::Term;
use crate::params::PawnRanks;
use crate::types::{Bitboard, Color, Score, Square};

/// Tells the terms of a colour's pawns.
pub(in crate::eval) fn tell(
    params: &PawnRanks,
    color: Color,
    own: Bitboard,
    enemy: Bitboard,
    mut tell: impl FnMut(Term, Color, Score),
) {
    let side = Side { params, color, own, enemy };
    let (mut structure, mut candidates) = (Score::ZERO, Score::ZERO);
    for sq in own {
        structure += side.pawn(sq);
        candidates += side.candidate(sq);
    }
    tell(Term::PawnRanks, color, structure);
    tell(Term::CandidatePawn, color, candidates);
}

struct Side<'a> {
    params: &'a PawnRanks,
    color: Color,
    own: Bitboard,
    enemy: Bitboard,
}

impl Side<'_> {
    /// How a pawn stands to the others of its side.
    #[inline]
    fn pawn(&self, sq: Square) -> Score {
        let Side { params, color, own, enemy } = *self;
        let square = Bitboard::from_square(sq);
        let way = ahead(color, square);
        let is_open = (way & enemy).is_empty();
        let supporters = (attacks::pawn_attacks(color.other(), sq) & own).count();
        let is_phalanx = (beside(square) & own).any();
        let neighbours = beside(file_of(sq)) & own;
        let (rank, edge) = (rank_of(color, sq), from_edge(sq.file()));
        let stop = step(color, square);
        let is_stopped = |stop: Bitboard| {
            let (west, east) = pawn_attacks(color, stop);
            ((stop | west | east) & enemy).any()
        };
        let mut score = Score::ZERO;
        if supporters > 0 || is_phalanx {
            if is_phalanx {
                score += if is_open {
                    pair(&params.phalanx_open_mg, &params.phalanx_open_eg, rank)
                } else {
                    pair(&params.phalanx_mg, &params.phalanx_eg, rank)
                };
            }
            score += pair(&params.supported_mg, &params.supported_eg, rank) * supporters as i32;
        } else if neighbours.is_empty() {
            score += pair(&params.isolated_mg, &params.isolated_eg, edge);
            if is_open {
                score += Score::new(params.isolated_open_mg, params.isolated_open_eg);
            }
        } else if (neighbours & !ahead(color, beside(square) | square)).is_empty()
            && is_stopped(stop)
        {
            score += pair(&params.backward_mg, &params.backward_eg, rank);
            if is_open {
                score += Score::new(params.backward_open_mg, params.backward_open_eg);
            }
        }
        if supporters == 0 {
            if (own & step(color.other(), square)).any() {
                score += pair(&params.doubled_mg, &params.doubled_eg, edge);
            }
            if (attacks::pawn_attacks(color, sq) & enemy).more_than_one() {
                score += Score::new(params.lever_mg, params.lever_eg);
            }
        }
        if (stop & enemy).any() {
            score += pair(&params.blocked_mg, &params.blocked_eg, rank);
        }
        score
    }

    /// A pawn whose way is free but for pawns on the next files, and that has as many helpers there
    /// as the enemy has guards.
    #[inline]
    fn candidate(&self, sq: Square) -> Score {
        let Side { params, color, own, enemy } = *self;
        let square = Bitboard::from_square(sq);
        let way = ahead(color, square);
        let guards = beside(way) & enemy;
        if (way & (own | enemy)).any() || guards.is_empty() {
            return Score::ZERO;
        }
        let helpers = beside(file_of(sq)) & own & !beside(way);
        if helpers.count() < guards.count() {
            return Score::ZERO;
        }
        pair(&params.candidate_mg, &params.candidate_eg, rank_of(color, sq))
    }
}
