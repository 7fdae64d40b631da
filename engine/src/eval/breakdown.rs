//! The evaluation explained: every term of both colours, as a table or as JSON.

use std::fmt;

use serde_json::{Value as Json, json};

use super::Evaluation;
use super::hanging::HangingList;
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
    /// Words about men in danger and mates.
    remarks: Vec<String>,
}

impl Breakdown {
    pub(super) fn new(phase: Phase, position: &Position) -> Breakdown {
        let stage = phase.stage(position);
        let stage = match (stage.pawn_ending, stage.is_late_for_passers(), stage.endgame) {
            (true, _, _) => "pawn ending",
            (_, true, _) => "late end game",
            (_, _, true) => "end game",
            _ => "middle game",
        };
        Breakdown {
            rows: Vec::new(),
            total: Value::ZERO,
            phase,
            men: position.phase_material(),
            stage,
            remarks: Vec::new(),
        }
    }

    /// Takes the result, and what was found that is worth nothing by itself.
    pub(super) fn finish(&mut self, found: &Evaluation, position: &Position) {
        self.total = found.value;
        for color in Color::ALL {
            let listed = found.hanging.of(color).into_iter().flat_map(HangingList::iter);
            let men: Vec<String> = listed
                .map(|man| {
                    let piece = position.piece_at(man.sq).letter().to_ascii_uppercase();
                    format!("{piece}{} ({})", man.sq, man.loss)
                })
                .collect();
            if !men.is_empty() {
                let word = if color == position.turn() { "threatened" } else { "hanging" };
                let text =
                    format!("{color}'s {word} men, loss in pawns (EVA-07): {}", men.join(", "));
                self.remarks.push(text);
            }
            if let Some(mv) = found.mates[color] {
                let word = if color == position.turn() { "mates by" } else { "threatens mate by" };
                let mv = mv.to_uci(position.is_chess960());
                self.remarks.push(format!("{color} {word} {mv} (EVA-13)"));
            }
        }
    }

    /// What rounding each row by itself loses or gains against the whole, 1/256 pawn.
    fn rounding(&self) -> i32 {
        let rows = self.rows.iter().map(|(_, [white, black])| self.blended(*white - *black));
        self.total.binary() - rows.sum::<i32>()
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
    /// game; `total` is White minus Black, blended by `middlegame_share`; the
    /// terms' totals and `rounding` add up to the last one.
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
            "rounding": self.rounding(),
            "remarks": self.remarks,
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
        if self.rounding() != 0 {
            let place = " ".repeat(12);
            writeln!(f, "{:<23} | {place} | {place} | {:>12} |", "rounding", self.rounding())?;
        }
        for remark in &self.remarks {
            writeln!(f, "{remark}")?;
        }
        let share = f64::from(self.phase.share(self.men)) / 2.56;
        writeln!(f, "{}, middle game's share {share:.0} % (men {} of 62)", self.stage, self.men)?;
        let total = self.total.binary();
        write!(f, "evaluation {:+.2} pawns, {total:+} /256, White minus Black", pawns(total))
    }
}
