//! Figures: what was asked, what was found.

use std::io::Write as _;
use std::time::Duration;

use process::Error;
use serde_json::{Value, json};

/// A figure.
pub(crate) struct Row {
    /// Short name, such as `dead`.
    pub(crate) key: &'static str,
    /// In words, with its conditions.
    pub(crate) what: String,
    /// The bound, in words; empty: none.
    pub(crate) asked: &'static str,
    pub(crate) found: String,
    /// Whether the bound holds; `None`: there is none.
    pub(crate) holds: Option<bool>,
    /// All numbers.
    pub(crate) data: Value,
}

impl Row {
    /// Prints it as a line of JSON.
    pub(crate) fn print(&self) -> Result<(), Error> {
        let Row { key, what, asked, found, holds, data } = self;
        let line = json!({"figure": key, "what": what, "asked": asked, "found": found,
            "holds": holds, "data": data});
        let mut out = std::io::stdout().lock();
        writeln!(out, "{line}")?;
        out.flush()?;
        let verdict = match holds {
            Some(true) => "holds",
            Some(false) => "MISSED",
            None => "–",
        };
        eprintln!("| {what} | {asked} | {found} | {verdict} |");
        Ok(())
    }
}

/// Durations or other measurements, sorted.
pub(crate) struct Sample(Vec<f64>);

impl Sample {
    pub(crate) fn new(mut values: Vec<f64>) -> Sample {
        values.sort_by(f64::total_cmp);
        Sample(values)
    }

    /// In milliseconds.
    pub(crate) fn of_times(times: impl IntoIterator<Item = Duration>) -> Sample {
        Sample::new(times.into_iter().map(|time| 1e3 * time.as_secs_f64()).collect())
    }

    /// The smallest value that so many percent do not exceed; NaN if there are no values.
    pub(crate) fn at(&self, percent: f64) -> f64 {
        let rank = (self.0.len() as f64 * percent / 100.0).ceil() as usize;
        self.0.get(rank.max(1) - 1).copied().unwrap_or(f64::NAN)
    }

    pub(crate) fn most(&self) -> f64 {
        self.at(100.0)
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn mean(&self) -> f64 {
        self.0.iter().sum::<f64>() / self.0.len() as f64
    }

    pub(crate) fn data(&self) -> Value {
        let (p50, p99) = (self.at(50.0), self.at(99.0));
        json!({"count": self.count(), "least": self.at(0.0), "p50": p50, "p99": p99,
            "most": self.most()})
    }
}

/// Rounded to three digits after the point, for data.
pub(crate) fn rounded(value: f64) -> f64 {
    (1e3 * value).round() / 1e3
}
