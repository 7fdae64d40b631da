//! Evaluation of speed measurements.

use serde::Serialize;
use serde_json::json;

use super::{ROUNDS, Timing, page};
use crate::number;
use crate::report::Report;
use crate::sweep::{Axis, SweepFile};
use charts::page::{Page, PageTable};
use process::Error;
use stats::IntervalKind;

/// A candidate's cost as a share of the base's, geometric mean over positions.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Ratio {
    /// Below 1 is cheaper.
    pub mean: f64,
    /// Ends of its 95 % interval, by Student's t; `None` for one position.
    #[serde(rename = "ci95")]
    pub ends: Option<[f64; 2]>,
}

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SpeedRow {
    pub name: String,
    /// By axis.
    #[serde(serialize_with = "number::list")]
    pub values: Vec<f64>,
    #[serde(rename = "base")]
    pub is_base: bool,
    /// Over all positions.
    pub nodes: u64,
    /// Time over all positions, in microseconds, the least of the rounds for each.
    #[serde(rename = "microseconds")]
    pub micros: u64,
    pub nodes_ratio: Ratio,
    pub time_ratio: Ratio,
}

#[derive(Debug, Clone)]
pub struct SpeedOutcome {
    pub axes: Vec<Axis>,
    /// The base first, then the measured candidates.
    pub rows: Vec<SpeedRow>,
    /// In one line.
    conditions: String,
}

impl SpeedOutcome {
    /// Evaluates measurements to a depth over so many positions; `None` without the base's. Fails
    /// when the engine no longer has a parameter.
    pub fn new(
        file: &SweepFile,
        (depth, positions): (u32, usize),
        timings: &[Timing],
    ) -> Result<Option<SpeedOutcome>, Error> {
        let conditions = format!(
            "{} against base {}, depth {depth}, {positions} positions, the least time of {ROUNDS} rounds",
            file.axes.join(" "),
            file.plan.base,
        );
        let axes = file.axes()?;
        Ok(rows(file, timings).map(|rows| SpeedOutcome { axes, rows, conditions }))
    }

    pub fn report(&self) -> Report {
        let table = self.table();
        Report {
            heading: "Speed",
            intro: "Nodes and time to a depth, as shares of the base's on the geometric mean over the \
                    positions: below 1 is cheaper.",
            source: "sweep.json and speed.jsonl",
            conditions: self.conditions.clone(),
            verdict: String::new(),
            json: json!({ "speed": self.rows }),
            figures: page::figures(self),
            table: table.html("All candidates"),
            summary: summary(table),
            files: Vec::new(),
        }
    }

    fn table(&self) -> PageTable {
        let names = self.axes.iter().map(Axis::title);
        let numbers = ["nodes", "× base", "time, ms", "× base", ""].map(str::to_owned);
        let mut table = PageTable::new(self.axes.len(), names.chain(numbers));
        for row in &self.rows {
            let values = self.axes.iter().zip(&row.values);
            let values = values.map(|(axis, &value)| axis.tunable.words(value));
            let ratios = [row.nodes_ratio, row.time_ratio];
            let [nodes, time] =
                ratios.map(|ratio| if row.is_base { "1".to_owned() } else { words(ratio) });
            let base = if row.is_base { "base" } else { "" };
            let millis = format!("{:.1}", row.micros as f64 / 1000.0);
            let cells = [row.nodes.to_string(), nodes, millis, time, base.to_owned()];
            table.rows.push(values.chain(cells).collect());
        }
        table
    }
}

fn summary(table: PageTable) -> Page {
    let mut page = Page::default();
    page.text(
        "Shares of the base's nodes and time, on the geometric mean over the positions, with their \
         95 % intervals; below 1 is cheaper.",
    );
    page.table(table);
    page
}

/// The base first, then the measured candidates; `None` without the base.
fn rows(file: &SweepFile, timings: &[Timing]) -> Option<Vec<SpeedRow>> {
    let base = least(timings, None)?;
    let row = |candidate: Option<usize>| {
        let (nodes, micros) = least(timings, candidate)?;
        let (name, values) = match candidate {
            None => ("base".to_owned(), file.base.clone()),
            Some(number) => {
                let candidate = &file.candidates[number];
                (candidate.name.clone(), candidate.values.clone())
            }
        };
        Some(SpeedRow {
            name,
            values,
            nodes_ratio: ratio(&nodes, &base.0),
            time_ratio: ratio(&micros, &base.1),
            nodes: nodes.iter().sum(),
            micros: micros.iter().sum(),
            is_base: candidate.is_none(),
        })
    };
    let all = std::iter::once(None).chain((0..file.candidates.len()).map(Some));
    Some(all.filter_map(row).collect())
}

fn words(Ratio { mean, ends }: Ratio) -> String {
    let ends = ends.map(|[low, high]| format!(" ({low:.3} to {high:.3})"));
    format!("{mean:.3}{}", ends.unwrap_or_default())
}

/// Nodes, and the least time of all rounds, by position.
fn least(timings: &[Timing], candidate: Option<usize>) -> Option<(Vec<u64>, Vec<u64>)> {
    let mut of = timings.iter().filter(|timing| timing.candidate == candidate);
    let first = of.next()?;
    let mut micros = first.micros.clone();
    for timing in of {
        for (least, &time) in micros.iter_mut().zip(&timing.micros) {
            *least = time.min(*least);
        }
    }
    Some((first.nodes.clone(), micros))
}

/// The geometric mean of the costs' ratios by position.
pub fn ratio(of: &[u64], base: &[u64]) -> Ratio {
    let logarithm = |(&a, &b): (&u64, &u64)| (a.max(1) as f64 / b.max(1) as f64).ln();
    let logarithms: Vec<f64> = of.iter().zip(base).map(logarithm).collect();
    let count = logarithms.len().max(1) as f64;
    let mean = logarithms.iter().sum::<f64>() / count;
    let squares: f64 = logarithms.iter().map(|value| (value - mean).powi(2)).sum();
    let error = IntervalKind::StudentT.reach(count) * (squares / (count - 1.0) / count).sqrt();
    let ends = (count > 1.0).then(|| [(mean - error).exp(), (mean + error).exp()]);
    Ratio { mean: mean.exp(), ends }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratios_are_geometric() {
        let ratio = ratio(&[200, 50, 100], &[100, 100, 100]);
        assert!((ratio.mean - 1.0).abs() < 1e-9);
        // By hand: logarithms ±ln 2 and 0, of standard deviation ln 2; t of two degrees of freedom is 4.3027.
        let error = 4.302_652_7 * 2.0_f64.ln() / 3.0_f64.sqrt();
        let [low, high] = ratio.ends.expect("three positions");
        assert!((low.ln() + error).abs() < 1e-6 && (high.ln() - error).abs() < 1e-6);
        assert_eq!(super::ratio(&[7], &[7]), Ratio { mean: 1.0, ends: None });
        assert_eq!(words(super::ratio(&[7], &[7])), "1.000");
    }

    #[test]
    fn the_least_time_of_all_rounds_counts() {
        let timing = |round, micros: [u64; 2]| Timing {
            candidate: Some(1),
            round,
            nodes: vec![5, 6],
            micros: micros.to_vec(),
        };
        let timings = [timing(0, [10, 30]), timing(1, [20, 25])];
        assert_eq!(least(&timings, Some(1)), Some((vec![5, 6], vec![10, 25])));
        assert_eq!(least(&timings, None), None);
    }
}
