//! The evaluation explained: every term of both colours, as a table or as JSON.

use std::fmt;

use serde_json::{Value as Json, json};

use super::phase::Phase;
use super::trace::{Term, Trace};
use crate::position::Position;
use crate::types::{Color, Score, Value};

/// Every term of one position.
#[derive(Debug, Clone)]
pub struct Breakdown {
    /// Term and its points for White and Black, each from its own view. Terms that are nought for
    /// both colours are left out.
    pub rows: Vec<(Term, [Score; 2])>,
    /// The evaluation, White minus Black.
    pub total: Value,
    phase: Phase,
    men: i32,
    stage: &'static str,
}

impl Breakdown {
    pub(super) fn new(phase: Phase, position: &Position) -> Breakdown {
        let stage = phase.stage(position);
        let stage = match (stage.pawn_ending, stage.late_endgame, stage.endgame) {
            (true, _, _) => "pawn ending",
            (_, true, _) => "late end game",
            (_, _, true) => "end game",
            _ => "middle game",
        };
        Breakdown { rows: Vec::new(), total: Value::ZERO, phase, men: position.men(), stage }
    }

    /// All rows added up, White minus Black, 1/256 pawn: what [`Breakdown::total`] must equal.
    #[must_use]
    pub fn sum(&self) -> i32 {
        let difference = self.rows.iter().fold(Score::ZERO, |sum, (_, [w, b])| sum + *w - *b);
        self.phase.blend(difference, self.men)
    }

    /// A term's points for a colour, from its own view.
    #[must_use]
    pub fn of(&self, term: Term, color: Color) -> Score {
        let row = self.rows.iter().find(|(known, _)| *known == term);
        row.map_or(Score::ZERO, |(_, points)| points[color.fold_wb(0, 1)])
    }

    /// Points in the position's phase, 1/256 pawn.
    fn blended(&self, score: Score) -> i32 {
        self.phase.blend(score, self.men)
    }

    /// All of it for other programs. `binary` is 1/256 pawn; `mg` and `eg` are middle game and end
    /// game; `total` is White minus Black, blended by `middlegame_share`.
    #[must_use]
    pub fn to_json(&self) -> Json {
        let points = |score: Score| {
            let blended = self.blended(score);
            json!({ "mg": score.mg(), "eg": score.eg(), "binary": blended, "pawns": pawns(blended) })
        };
        let terms = self.rows.iter().map(|(term, [white, black])| {
            let total = self.blended(*white - *black);
            json!({
                "term": term.name(), "source": term.source(),
                "white": points(*white), "black": points(*black),
                "total": { "binary": total, "pawns": pawns(total) },
            })
        });
        json!({
            "stage": self.stage,
            "middlegame_share": f64::from(self.phase.share(self.men)) / 256.0,
            "men": self.men,
            "terms": terms.collect::<Vec<_>>(),
            "total": { "binary": self.total.binary(), "pawns": pawns(self.total.binary()) },
        })
    }
}

/// 1/256 pawn in pawns.
fn pawns(binary: i32) -> f64 {
    f64::from(binary) / f64::from(Value::PAWN.binary())
}

impl Trace for Breakdown {
    const DETAILED: bool = true;

    fn add(&mut self, term: Term, color: Color, score: Score) {
        if score == Score::ZERO {
            return;
        }
        let index = self.rows.iter().position(|(known, _)| *known == term).unwrap_or_else(|| {
            self.rows.push((term, [Score::ZERO; 2]));
            self.rows.len() - 1
        });
        self.rows[index].1[color.fold_wb(0, 1)] += score;
    }
}

/// A table: each term for both colours in the position's phase, in pawns and in 1/256 pawn, and
/// what it comes to.
impl fmt::Display for Breakdown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "term                    |  White  /256 |  Black  /256 |  total  /256 | source"
        )?;
        writeln!(
            f,
            "------------------------+--------------+--------------+--------------+-------"
        )?;
        for (term, [white, black]) in &self.rows {
            write!(f, "{:<23} |", term.name())?;
            for points in [*white, *black, *white - *black] {
                let binary = self.blended(points);
                write!(f, " {:>6.2} {binary:>5} |", pawns(binary))?;
            }
            writeln!(f, " {}", term.source())?;
        }
        let share = f64::from(self.phase.share(self.men)) / 2.56;
        writeln!(f, "{}, middle game's share {share:.0} % (men {} of 62)", self.stage, self.men)?;
        let total = self.total.binary();
        write!(f, "evaluation {:+.2} pawns, {total:+} /256, White minus Black", pawns(total))
    }
}
