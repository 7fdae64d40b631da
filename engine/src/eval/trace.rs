//! What the evaluation tells while it counts: nothing, or every term.

use std::fmt;

use super::phase::Phase;
use crate::types::{Color, Role, Score, Value};

/// A term of the evaluation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Term {
    /// Material of one role.
    Material(Role),
    /// Piece-square table of one role.
    PieceSquare(Role),
}

impl Term {
    /// The term's name.
    #[must_use]
    pub fn name(self) -> String {
        match self {
            Term::Material(role) => format!("material {role:?}").to_lowercase(),
            Term::PieceSquare(role) => format!("pst {role:?}").to_lowercase(),
        }
    }

    /// Its register id.
    #[must_use]
    pub fn source(self) -> &'static str {
        match self {
            Term::Material(_) => "GEN-07",
            Term::PieceSquare(_) => "MISS-18",
        }
    }
}

/// Hears of every term. Chosen at compile time: what is not heard costs nothing.
pub trait Trace {
    /// Whether terms that are kept incrementally are counted out for it.
    const DETAILED: bool;

    /// A term's points for a colour, from that colour's view.
    fn add(&mut self, term: Term, color: Color, score: Score);
}

/// Plays: hears nothing.
pub struct NoTrace;

impl Trace for NoTrace {
    const DETAILED: bool = false;

    #[inline]
    fn add(&mut self, _term: Term, _color: Color, _score: Score) {}
}

/// Explains: keeps every term of both colours.
#[derive(Debug, Clone)]
pub struct Breakdown {
    /// Term and its points for White and Black, each from its own view.
    pub rows: Vec<(Term, [Score; 2])>,
    /// The evaluation, White minus Black.
    pub total: Value,
    phase: Phase,
    men: i32,
}

impl Breakdown {
    pub(super) fn new(phase: Phase, men: i32) -> Breakdown {
        Breakdown { rows: Vec::new(), total: Value::ZERO, phase, men }
    }

    /// All rows added up, White minus Black, 1/256 pawn: what [`Breakdown::total`] must equal.
    #[must_use]
    pub fn sum(&self) -> i32 {
        let difference = self.rows.iter().fold(Score::ZERO, |sum, (_, [w, b])| sum + *w - *b);
        self.phase.blend(difference, self.men)
    }
}

impl Trace for Breakdown {
    const DETAILED: bool = true;

    fn add(&mut self, term: Term, color: Color, score: Score) {
        let index = self.rows.iter().position(|(known, _)| *known == term).unwrap_or_else(|| {
            self.rows.push((term, [Score::ZERO; 2]));
            self.rows.len() - 1
        });
        self.rows[index].1[color.fold_wb(0, 1)] += score;
    }
}

/// A table: each term in pawns, middle game and end game, both colours, and what it comes to.
impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pawns = |value: i32| f64::from(value) / f64::from(Value::PAWN.binary());
        writeln!(
            f,
            "term             |   White mg   eg |   Black mg   eg |  total  /256 | source"
        )?;
        writeln!(
            f,
            "-----------------+-----------------+-----------------+--------------+-------"
        )?;
        for (term, [white, black]) in &self.rows {
            let total = self.phase.blend(*white - *black, self.men);
            writeln!(
                f,
                "{:<16} | {:>7.2} {:>7.2} | {:>7.2} {:>7.2} | {:>6.2} {:>5} | {}",
                term.name(),
                pawns(white.mg()),
                pawns(white.eg()),
                pawns(black.mg()),
                pawns(black.eg()),
                pawns(total),
                total,
                term.source()
            )?;
        }
        let share = f64::from(self.phase.share(self.men)) / 2.56;
        writeln!(f, "middle game {share:.0} % (men {} of 62)", self.men)?;
        let total = self.total.binary();
        write!(f, "evaluation {:+.2} pawns, {total:+} /256, White minus Black", pawns(total))
    }
}
