//! Helpers for tests of evaluation terms: a term's points, checked for colour symmetry.

#[path = "../../tests/common/flipped.rs"]
mod common;

use std::sync::{Arc, LazyLock};

use common::color_flipped;

use super::context::Context;
use super::{Evaluator, LineFacts, Term};
use crate::types::ByColor;
use crate::{Params, Position};

static TABLE_DEFAULTS: LazyLock<Evaluator> = LazyLock::new(|| Evaluator::new(&Arc::default()));

/// The evaluation context of a position without search history.
pub(super) fn context<'a>(evaluator: &'a Evaluator, position: &'a Position) -> Context<'a> {
    Context::new(evaluator, position, evaluator.threats(position), LineFacts::default(), None)
}

/// A term's points for both colours as (middle game, end game), each from its own view. Asserts
/// that the colour-flipped position gives the same points with the colours exchanged.
fn points_by(evaluator: &Evaluator, fen: &str, term: Term) -> ByColor<(i32, i32)> {
    let of = |fen: &str| {
        let breakdown = evaluator.breakdown(&Position::from_fen(fen).expect(fen));
        ByColor::new_with(|color| {
            let score = breakdown.of(term, color);
            (score.mg(), score.eg())
        })
    };
    let (points, mut flipped) = (of(fen), of(&color_flipped(fen)));
    flipped.swap();
    assert_eq!(points, flipped, "{fen}: {} is not the same for both colours", term.name());
    points
}

/// A term's points with the row defaults of the parameter table.
pub(super) fn points(fen: &str, term: Term) -> ByColor<(i32, i32)> {
    points_by(&TABLE_DEFAULTS, fen, term)
}

/// White's points with the row defaults, for a term with equal points in both phases.
pub(super) fn white(fen: &str, term: Term) -> i32 {
    let (mg, eg) = points(fen, term).white;
    assert_eq!(mg, eg, "{fen}: {}", term.name());
    mg
}

/// White's points (middle game, end game) with changed parameters.
pub(super) fn white_with(change: impl Fn(&mut Params), fen: &str, term: Term) -> (i32, i32) {
    let mut params = Params::default();
    change(&mut params);
    points_by(&Evaluator::new(&Arc::new(params)), fen, term).white
}
