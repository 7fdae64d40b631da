//! `clop.json`: what is looked for and how; `points.csv`: the values that each pair tried.

use std::{fmt::Write as _, path::Path};

use engine::Params;
use serde::{Deserialize, Serialize};

use super::{Clop, Range};
use crate::{
    sweep::{Confirm, params_of},
    tune::TuneError,
};
use arena::record::{FolderKind, output_files::POINTS_FILE};
use arena::{
    plan::Plan,
    record::{Manifest, RecordError, atomic},
};
use process::plain_file::{self, MEASUREMENTS};

/// A quadratic of more has too many coefficients to be known by games.
const MOST_PARAMETERS: usize = 8;

/// The content of `clop.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClopFile {
    /// The version of the file.
    pub format: u32,
    /// The ranges as they were given.
    pub axes: Vec<String>,
    /// Pairs of a batch.
    pub batch: u64,
    /// The match at the end.
    pub confirm: Option<Confirm>,
    /// The match of the base against itself over all pairs of the run.
    pub plan: Plan,
}

impl Manifest for ClopFile {
    const KIND: FolderKind = FolderKind::Clop;
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }

    fn check(&self) -> Result<(), String> {
        self.ranges().map(drop).map_err(|error| error.to_string())
    }
}

impl ClopFile {
    /// A run over these ranges.
    ///
    /// # Errors
    /// When a range is none, or there are too many of them.
    pub fn new(
        ranges: &[Range],
        batch: u64,
        confirm: Option<Confirm>,
        plan: Plan,
    ) -> Result<ClopFile, TuneError> {
        let axes = ranges.iter().map(|range| range.text().to_owned()).collect();
        let file = ClopFile { format: ClopFile::FORMAT, axes, batch, confirm, plan };
        file.ranges()?;
        Ok(file)
    }

    /// The ranges.
    ///
    /// # Errors
    /// When one is none, or there are too many.
    pub fn ranges(&self) -> Result<Vec<Range>, TuneError> {
        let most = MOST_PARAMETERS;
        if self.axes.len() > most {
            return Err(TuneError::TooMany { found: self.axes.len(), most });
        }
        let mut ranges: Vec<Range> = Vec::with_capacity(self.axes.len());
        for text in &self.axes {
            let range: Range = text.parse()?;
            if ranges.iter().any(|other| other.tunable.overlaps(&range.tunable)) {
                return Err(TuneError::Twice(range.tunable.name().to_owned()));
            }
            ranges.push(range);
        }
        Ok(ranges)
    }

    /// The base's parameters.
    ///
    /// # Errors
    /// When the base has none.
    pub fn base(&self) -> Result<Params, TuneError> {
        params_of(&self.plan.base).map_err(TuneError::Base)
    }

    /// The search after what `points` proposed, before any result.
    ///
    /// # Errors
    /// As [`Self::ranges`].
    pub fn start(&self, points: Vec<Vec<i32>>) -> Result<Clop, TuneError> {
        let sizes = (self.plan.pairs, self.batch);
        Ok(Clop::new(self.ranges()?, sizes, self.plan.seed, points))
    }

    /// The values that the pairs of `dir` tried, pair by pair; none of a folder without.
    ///
    /// # Errors
    /// When the file is damaged.
    pub fn read_points(&self, dir: &Path) -> Result<Vec<Vec<i32>>, TuneError> {
        let path = dir.join(POINTS_FILE);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let ranges = self.ranges()?;
        let text =
            plain_file::read_text(&path, MEASUREMENTS).map_err(RecordError::io(&path, "read"))?;
        let mut points = Vec::new();
        for (number, line) in (1..).zip(text.lines()).skip(1) {
            let values: Option<Vec<i32>> =
                line.split(',').skip(1).map(|value| value.parse().ok()).collect();
            let fits = |values: &Vec<i32>| {
                let inside =
                    |(range, value): (&Range, &i32)| (range.min..=range.max).contains(value);
                values.len() == ranges.len() && ranges.iter().zip(values).all(inside)
            };
            let values = values.filter(fits).ok_or_else(|| {
                let reason = format!("expected a pair and {} values in range", ranges.len());
                RecordError::Damaged { path: path.clone(), line: number, reason }
            })?;
            points.push(values);
        }
        Ok(points)
    }

    /// Keeps in `dir` the values that all pairs try, those of the next batch included.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn write_points(&self, dir: &Path, clop: &Clop) -> Result<(), TuneError> {
        let names: Vec<&str> = clop.ranges().iter().map(|range| range.tunable.name()).collect();
        let mut text = format!("pair,{}\n", names.join(","));
        for (pair, values) in clop.points().iter().enumerate() {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            // Writing to a String cannot fail.
            let _ = writeln!(text, "{pair},{}", values.join(","));
        }
        // Whole or not at all: a line torn by a loss of power would be another point.
        Ok(atomic::replace_by(&dir.join(POINTS_FILE), text)?)
    }
}
