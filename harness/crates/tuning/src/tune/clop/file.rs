//! `clop.json`: the ranges and settings; `points.csv`: the values that each pair tried.

use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Clop, ClopParam, report};
use crate::base::{base_of, varied};
use crate::confirm::Confirm;
use crate::form::Form;
use crate::report::{Circumstances, Report};
use crate::tunable::Base;
use crate::tune::tuner::{Optimizer as _, Tuner, retain};
use arena::plan::Plan;
use arena::record::output_files::POINTS_FILE;
use arena::record::{FolderKind, Manifest, RecordError, atomic};
use arena::session::VariedOption;
use process::Error;
use process::plain_file::{self, MEASUREMENTS};

/// With more, a quadratic has too many coefficients to be determined by games.
const MOST_PARAMETERS: usize = 8;

/// The content of `clop.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ClopFile {
    pub format: u32,
    /// As given.
    pub axes: Vec<String>,
    /// Pairs per batch.
    pub batch: u64,
    /// The form of the file that they were read from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub form: Option<Form>,
    /// The options of a program that are tuned, with their values in the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<VariedOption>,
    /// The confirmation match.
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
    /// Fails for an invalid range, or too many.
    pub fn new(
        ranges: &[ClopParam],
        batch: u64,
        confirm: Option<Confirm>,
        plan: Plan,
        base: &Base,
    ) -> Result<ClopFile, Error> {
        for range in ranges {
            range.tunable.check_on(base, range.ends())?;
        }
        let axes = ranges.iter().map(|range| range.text().to_owned()).collect();
        let options = varied(ranges.iter().map(|range| &range.tunable));
        let (format, form) = (ClopFile::FORMAT, None);
        let file = ClopFile { format, axes, batch, form, options, confirm, plan };
        file.ranges()?;
        Ok(file)
    }

    /// Fails for an invalid range, or too many.
    pub fn ranges(&self) -> Result<Vec<ClopParam>, Error> {
        let (found, most) = (self.axes.len(), MOST_PARAMETERS);
        if found > most {
            return Err(Error::usage(format!(
                "{found} parameters, expected at most {most}; for many there is verdict tune spsa"
            )));
        }
        let base = self.base()?;
        let mut ranges: Vec<ClopParam> = Vec::with_capacity(found);
        for text in &self.axes {
            let range = ClopParam::read(text, &base)?;
            range.tunable.check_apart(ranges.iter().map(|other| &other.tunable))?;
            ranges.push(range);
        }
        Ok(ranges)
    }

    /// The values that the pairs of `dir` tried, by pair; empty without the file.
    fn read_points(&self, dir: &Path) -> Result<Vec<Vec<f64>>, Error> {
        let path = dir.join(POINTS_FILE);
        if !path.exists() {
            return Ok(Vec::new());
        }
        let ranges = self.ranges()?;
        let text =
            plain_file::read_text(&path, MEASUREMENTS).map_err(RecordError::io(&path, "read"))?;
        let mut points = Vec::new();
        for (number, line) in (1..).zip(text.lines()).skip(1) {
            let values: Option<Vec<f64>> =
                line.split(',').skip(1).map(|value| value.parse().ok()).collect();
            let fits = |values: &Vec<f64>| {
                let inside =
                    |(range, value): (&ClopParam, &f64)| (range.min..=range.max).contains(value);
                values.len() == ranges.len() && ranges.iter().zip(values).all(inside)
            };
            let values = values.filter(fits).ok_or_else(|| {
                let reason = format!("expected a pair and {} values in range", ranges.len());
                RecordError::damaged(&path, number, reason)
            })?;
            points.push(values);
        }
        Ok(points)
    }
}

impl Tuner for ClopFile {
    type Search = Clop;

    fn plan(&self) -> &Plan {
        &self.plan
    }

    fn base(&self) -> Result<Base, Error> {
        base_of(&self.plan.base, &self.options)
    }

    fn options(&self) -> &[VariedOption] {
        &self.options
    }

    fn tuned(&self, clop: &Clop) -> Vec<f64> {
        clop.best().map_or_else(|| clop.base().to_vec(), |best| best.values)
    }

    fn confirm(&self) -> Option<Confirm> {
        self.confirm
    }

    fn retain(&mut self, wanted: &[bool]) {
        retain(&mut self.axes, wanted);
    }

    fn begin(&self, dir: &Path) -> Result<Clop, Error> {
        let (ranges, base) = (self.ranges()?, self.base()?);
        let base = ranges.iter().map(|range| range.tunable.get(&base)).collect();
        let sizes = (self.plan.pairs, self.batch);
        Ok(Clop::new(ranges, base, sizes, self.plan.seed, self.read_points(dir)?))
    }

    /// The values of all pairs, those of the next batch included.
    fn keep(&self, dir: &Path, clop: &Clop) -> Result<(), RecordError> {
        let names: Vec<&str> = clop.tunables().iter().map(|tunable| tunable.name()).collect();
        let mut text = format!("pair,{}\n", names.join(","));
        for (pair, values) in clop.points().iter().enumerate() {
            let values: Vec<String> = values.iter().map(ToString::to_string).collect();
            text += &format!("{pair},{}\n", values.join(","));
        }
        // Atomic: a line torn by a loss of power would be another point.
        atomic::replace_by(&dir.join(POINTS_FILE), text)
    }

    fn report(
        &self,
        clop: &Clop,
        is_over: bool,
        circumstances: Circumstances<'_>,
    ) -> Result<Report, Error> {
        report::report(clop, self, is_over, circumstances)
    }
}
