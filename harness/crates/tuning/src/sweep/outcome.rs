//! The outcome of a sweep: a row for each point, the parabola of one axis, the effect of each
//! value.

use serde_json::{Value, json};

use super::effects::{Effects, Measured, effects};
use super::fit::{Parabola, Point};
use super::race::{Dropped, Race};
use super::{Axis, SweepFile};
use crate::number;
use stats::{Elo, Pentanomial, display_elo, display_los};

#[derive(Debug, Clone)]
pub struct SweepRow {
    pub name: String,
    /// By axis.
    pub values: Vec<f64>,
    pub pairs: u64,
    /// By score, without pairs that repeat others.
    pub counts: Pentanomial,
    pub elo: Elo,
    pub dropped: Option<Dropped>,
    /// Whether it is the base itself, whose Elo is 0 by definition.
    pub is_base: bool,
}

/// What the confirmation match tests.
#[derive(Debug, Clone, PartialEq)]
pub struct Champion {
    pub name: String,
    /// By axis.
    pub values: Vec<f64>,
}

#[derive(Debug, Clone)]
pub struct SweepOutcome {
    pub axes: Vec<Axis>,
    /// By axis.
    pub base: Vec<f64>,
    /// In the order of the sweep, the base last.
    pub rows: Vec<SweepRow>,
    /// The row with the best score still in the race, if better than the base.
    pub best: Option<usize>,
    pub is_over: bool,
    /// Whether the base is shown to be worse than a candidate.
    pub base_is_beaten: bool,
    /// The log evidence at which a candidate is dropped.
    pub bound: f64,
    /// The probability, at most, that the race drops the strongest candidate.
    pub alpha: f64,
    /// Fitted to the points of a single axis.
    pub parabola: Option<Parabola>,
}

impl SweepOutcome {
    pub fn new(file: &SweepFile, axes: Vec<Axis>, race: &Race) -> SweepOutcome {
        let of = |number: usize| {
            let (candidate, counts) = (&file.candidates[number], race.counts(number));
            SweepRow {
                name: candidate.name.clone(),
                values: candidate.values.clone(),
                pairs: race.pairs(number),
                counts,
                elo: display_elo(&counts),
                dropped: race.dropped(number),
                is_base: false,
            }
        };
        let mut rows: Vec<SweepRow> = (0..file.candidates.len()).map(of).collect();
        rows.push(SweepRow {
            name: "base".to_owned(),
            values: file.base.clone(),
            pairs: 0,
            counts: Pentanomial::default(),
            elo: Elo { elo: Ok(0.0), error95: Ok(0.0), low95: Ok(0.0), high95: Ok(0.0) },
            dropped: None,
            is_base: true,
        });
        let mut outcome = SweepOutcome {
            axes,
            base: file.base.clone(),
            rows,
            best: race.best(),
            is_over: race.is_over(),
            base_is_beaten: race.base_is_beaten(),
            bound: race.bound(),
            alpha: file.alpha,
            parabola: None,
        };
        if let [axis] = &outcome.axes[..]
            && axis.tunable.is_ordered()
        {
            outcome.parabola = Parabola::through(&outcome.points());
        }
        outcome
    }

    /// The points of the first axis. The base, whose 0 is exact, weighs as much as the best known
    /// point.
    fn points(&self) -> Vec<Point> {
        let known = self.rows.iter().filter(|row| !row.is_base).filter_map(|row| {
            let (y, error95) = (row.elo.elo.ok()?, row.elo.error95.ok()?);
            let x = *row.values.first()?;
            Some(Point { x, y, error: error95 / stats::Z95 })
        });
        let mut points: Vec<Point> = known.collect();
        let least = points.iter().map(|point| point.error).fold(f64::INFINITY, f64::min);
        if let (Some(&x), true) = (self.base.first(), least.is_finite()) {
            points.push(Point { x, y: 0.0, error: least });
        }
        points
    }

    /// The effect of each value of each axis; `None` where the points do not determine it.
    pub fn effects(&self) -> Option<Effects> {
        let known = self.rows.iter().filter(|row| !row.is_base).filter_map(|row| {
            let (elo, error95) = (row.elo.elo.ok()?, row.elo.error95.ok()?);
            (error95 > 0.0).then_some(Measured { values: &row.values, elo, error95 })
        });
        effects(&known.collect::<Vec<_>>(), &self.base)
    }

    /// What is to be confirmed: the best candidate, or with `takes_top` the parabola's maximum
    /// where it is shown to lie between the candidates and the parabola fits.
    pub fn champion(&self, takes_top: bool) -> Option<Champion> {
        let best = &self.rows[self.best?];
        let top = || {
            let (parabola, axis) = (self.parabola.as_ref()?, self.axes.first()?);
            let top = parabola.top().filter(|top| parabola.fits() && top.y > 0.0)?;
            let value = axis.tunable.playable(top.x);
            let between = axis.values.first()? <= &value && &value <= axis.values.last()?;
            let name = format!("{}={}", axis.tunable.name(), axis.tunable.text(value));
            let champion = Champion { name, values: vec![value] };
            Some(champion).filter(|champion| between && champion.values != self.base)
        };
        let candidate = Champion { name: best.name.clone(), values: best.values.clone() };
        Some(if takes_top { top().unwrap_or(candidate) } else { candidate })
    }

    /// Row indices by score: those in the race first, then by how long the others were in it.
    pub fn ranked(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.rows.len()).collect();
        let key = |number: usize| {
            let row = &self.rows[number];
            let out = row.dropped.map_or(u64::MAX, |dropped| dropped.pairs);
            (out, row.elo.elo.unwrap_or(f64::NEG_INFINITY))
        };
        order.sort_by(|&a, &b| {
            let ((out_a, elo_a), (out_b, elo_b)) = (key(a), key(b));
            out_b.cmp(&out_a).then(elo_b.total_cmp(&elo_a)).then(a.cmp(&b))
        });
        order
    }

    /// Who dropped a row, as text.
    pub fn fate(&self, number: usize) -> String {
        let row = &self.rows[number];
        match row.dropped {
            _ if row.is_base && self.base_is_beaten => "beaten".to_owned(),
            Some(Dropped { pairs, by, .. }) => {
                let by = by.map_or("base", |by| self.rows[by].name.as_str());
                format!("dropped after {pairs} pairs, {by} is better")
            }
            None if self.best == Some(number) => "best".to_owned(),
            None if self.best.is_none() && row.is_base => "best".to_owned(),
            None => String::new(),
        }
    }

    pub fn json(&self) -> Value {
        let rows = self.rows.iter().enumerate().map(|(number, row)| {
            json!({
                "name": row.name,
                "values": row.values.iter().map(|&value| number::json(value)).collect::<Vec<_>>(),
                "base": row.is_base,
                "pairs": row.pairs,
                "ptnml": row.counts.to_array(),
                "elo": row.elo.elo.ok(),
                "elo_error95": row.elo.error95.ok(),
                "los": if row.is_base { None } else { display_los(&row.counts).ok() },
                "dropped": row.dropped.map(|dropped| json!({
                    "pairs": dropped.pairs,
                    "by": dropped.by.map_or("base", |by| self.rows[by].name.as_str()),
                    "evidence": dropped.evidence.exp(),
                })),
                "best": self.best == Some(number),
            })
        });
        let all = self.effects();
        let axes = self.axes.iter().enumerate().map(|(number, axis)| {
            let effects = all.as_ref().map(|all| {
                let effects = all.axes[number].iter().map(|effect| {
                    json!({ "value": number::json(effect.value), "elo": effect.elo, "elo_error95": effect.error95 })
                });
                effects.collect::<Vec<_>>()
            });
            json!({ "name": axis.tunable.name(), "effects": effects })
        });
        let parabola = self.parabola.as_ref().map(|parabola| {
            let top = parabola.top();
            json!({
                "top": top.map(|top| top.x),
                "top_ci95": top.map(|top| [top.low, top.high]),
                "top_error95": top.map(|top| (top.high - top.low) / 2.0),
                "top_elo": top.map(|top| top.y),
                "chi_squared": parabola.chi_squared.0,
                "degrees_of_freedom": parabola.chi_squared.1,
            })
        });
        json!({
            "over": self.is_over,
            "alpha": self.alpha,
            "evidence_bound": self.bound.exp(),
            "best": self.best.map(|best| self.rows[best].name.as_str()),
            "base_is_beaten": self.base_is_beaten,
            "rows": rows.collect::<Vec<_>>(),
            "axes": axes.collect::<Vec<_>>(),
            "effects_are_parabolas": all.as_ref().map(|all| all.is_smooth),
            "parabola": parabola,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sweep::race::PairResult;
    use crate::tunable::Base;
    use arena::record::PairStatus;

    /// Three candidates beside the base at lmr.min_move = 4, with these half points in turn.
    fn outcome(points: [[u8; 4]; 3]) -> SweepOutcome {
        let axes: Vec<Axis> =
            vec![Axis::read("lmr.min_move=2,10,20", &Base::standard()).expect("an axis")];
        let mut race = Race::new(3, 4000, 1e-9);
        for pair in 0..4000 {
            for (candidate, points) in points.iter().enumerate() {
                let half_points = points[pair % 4];
                race.add(candidate, PairResult { half_points, pair_status: PairStatus::New });
            }
        }
        let name = |value: &f64| format!("lmr.min_move={value}");
        let row = |(number, value): (usize, &f64)| SweepRow {
            name: name(value),
            values: vec![*value],
            pairs: race.pairs(number),
            counts: race.counts(number),
            elo: display_elo(&race.counts(number)),
            dropped: race.dropped(number),
            is_base: false,
        };
        let mut rows: Vec<SweepRow> = [2.0, 10.0, 20.0].iter().enumerate().map(row).collect();
        rows.push(SweepRow { is_base: true, values: vec![4.0], ..rows[0].clone() });
        let mut outcome = SweepOutcome {
            axes,
            base: vec![4.0],
            rows,
            best: race.best(),
            is_over: true,
            base_is_beaten: false,
            bound: race.bound(),
            alpha: 0.05,
            parabola: None,
        };
        outcome.parabola = Parabola::through(&outcome.points());
        outcome
    }

    #[test]
    fn the_champion_is_the_best_or_the_top() {
        // Better at 10, worse at 2 and 20.
        let found = outcome([[2, 1, 3, 1], [2, 3, 2, 2], [2, 1, 2, 2]]);
        let best = found.champion(false).expect("a champion");
        assert_eq!((best.name.as_str(), &best.values[..]), ("lmr.min_move=10", &[10.0][..]));
        let parabola = found.parabola.as_ref().expect("four points");
        let top = found.champion(true).expect("a champion").values[0];
        match parabola.top().filter(|_| parabola.fits()) {
            Some(at) => assert_eq!(top, at.x.round()),
            None => assert_eq!(top, 10.0),
        }
        // None is better than the base.
        assert_eq!(outcome([[2, 1, 2, 2], [1, 2, 2, 2], [2, 1, 2, 2]]).champion(true), None);
    }
}
