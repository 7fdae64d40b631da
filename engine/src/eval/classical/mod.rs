//! Knowledge of full boards, as the engines of later years have it and REBEL's papers do not: every
//! family is a switch of the parameter table and a file here, tapered, and off in the personalities
//! of the papers.
//!
//! [`facts`] are worked out once, then each family adds its terms; [`winnable`] comes last, when all
//! others are added up.

mod facts;
mod heavy;
mod king_danger;
mod king_squares;
mod minors;
mod passers;
pub(super) mod pawns;
pub(super) mod shelter;
mod space;
mod threats;
mod winnable;

use super::context::Context;
use super::trace::{Sum, Term, Trace};
use crate::types::{Bitboard, ByColor, Color, File, Score, Square};

use facts::{Facts, facts};

pub(super) use king_squares::KingSquares;
pub use king_squares::{KingCell, king_cells};

/// The files c to f.
const CENTRE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// What the families found that the search wants to know, each colour's own, 1/256 pawn.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Found {
    /// Danger to each colour's own king, middle game; `None` without the family.
    pub(super) king_danger: Option<ByColor<i32>>,
    /// What each colour's passed pawns are worth in the position's phase; `None` without the family.
    pub(super) passed: Option<ByColor<i32>>,
}

/// Adds the terms of all families that are on.
#[inline]
pub(super) fn evaluate<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) -> Found {
    let params = cx.params;
    let mut found = Found::default();
    if params.tempo.on {
        let tempo = &params.tempo;
        sum.add(Term::Tempo, cx.position.turn(), Score::new(tempo.move_mg, tempo.move_eg));
    }
    let needs_facts = params.piece_mobility.on
        || params.king_danger.on
        || params.piece_threats.on
        || params.minor_pieces.on
        || params.heavy_pieces.on
        || params.passers.on
        || params.space.on;
    if let Some(tables) = cx.evaluator.king_squares.as_deref() {
        king_squares::evaluate(cx, sum, tables);
    }
    if params.king_shelter.on {
        sum.add_both(Term::KingShelter, cx.pawns.shelter);
    }
    if needs_facts {
        let facts: &Facts = &facts(cx);
        if params.piece_mobility.on {
            sum.add_both(Term::PieceMobility, facts.map(|side| side.mobility));
        }
        if params.minor_pieces.on {
            minors::evaluate(cx, sum, facts);
        }
        if params.heavy_pieces.on {
            heavy::evaluate(cx, sum, facts);
        }
        if params.king_danger.on {
            found.king_danger = Some(king_danger::evaluate(cx, sum, facts));
        }
        if params.piece_threats.on {
            threats::evaluate(cx, sum, facts);
        }
        if params.passers.on {
            found.passed = Some(passers::evaluate(cx, sum, facts));
        }
        if params.space.on {
            space::evaluate(cx, sum, facts);
        }
    }
    found
}

/// Changes the whole, once all else is added up: how hard an advantage is to convert.
#[inline]
pub(super) fn adjust<T: Trace>(cx: &Context<'_>, sum: &mut Sum<'_, T>) {
    if cx.params.winnable.on || cx.params.scale.on {
        winnable::evaluate(cx, sum);
    }
}

/// A pair of cells of a tapered weight.
#[inline]
fn pair(middlegame: &[i32], endgame: &[i32], index: usize) -> Score {
    Score::new(middlegame[index], endgame[index])
}

/// A pair so many times.
#[inline]
fn times(middlegame: i32, endgame: i32, count: usize) -> Score {
    Score::new(middlegame * count as i32, endgame * count as i32)
}

/// A square's rank as its colour counts it, 0 to 7.
#[inline]
fn rank_of(color: Color, sq: Square) -> usize {
    let rank = sq as usize >> 3;
    color.fold_wb(rank, 7 - rank)
}

/// How far a file is from the edge of the board, 0 to 3.
#[inline]
fn from_edge(file: File) -> usize {
    let file = file as usize;
    file.min(7 - file)
}

/// The ranks from `first` to `last` as a colour counts them, 0 to 7.
#[inline]
const fn ranks(color: Color, first: u32, last: u32) -> Bitboard {
    let white = (u64::MAX >> (8 * (7 - last))) & (u64::MAX << (8 * first));
    match color {
        Color::White => Bitboard(white),
        Color::Black => Bitboard(white.swap_bytes()),
    }
}

#[cfg(test)]
mod tests;
