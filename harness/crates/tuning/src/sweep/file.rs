//! `sweep.json`: what is swept, and in which folders.

use serde::{Deserialize, Serialize};

use super::{Axis, Design};
use crate::base::{base_of, varied, with_values};
use crate::confirm::Confirm;
use crate::number;
use crate::tunable::{Base, Tunable};
use arena::game::Limit;
use arena::plan::{Plan, SideOverrides, slug};
use arena::player::spec::PlayerSpec;
use arena::record::{FolderKind, Manifest};
use arena::session::VariedOption;
use process::Error;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Candidate {
    /// Inside the sweep's folder.
    pub folder: String,
    pub name: String,
    /// By axis.
    #[serde(serialize_with = "number::list")]
    pub values: Vec<f64>,
}

/// What is measured.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[derive(strum::Display, strum::EnumString, strum::EnumIter, strum::EnumMessage)]
#[derive(strum::IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Elo by games.
    #[default]
    Elo,
    /// Nodes and time to --depth.
    Speed,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SweepFile {
    pub format: u32,
    #[serde(default)]
    pub measure: Measure,
    /// As given.
    pub axes: Vec<String>,
    pub design: Design,
    /// The probability, at most, that the race drops the strongest candidate.
    pub alpha: f64,
    /// The confirmation match.
    pub confirm: Option<Confirm>,
    /// Whether that match is of the maximum of the parabola, where one is shown.
    #[serde(default)]
    pub takes_top: bool,
    /// The match of the base against itself, from which every candidate's is derived.
    pub plan: Plan,
    /// The options of a program that are varied, with their values in the base.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub options: Vec<VariedOption>,
    /// By axis.
    #[serde(serialize_with = "number::list")]
    pub base: Vec<f64>,
    pub candidates: Vec<Candidate>,
}

/// More candidates need more open files than systems grant.
const MOST_CANDIDATES: u64 = 300;

impl SweepFile {
    /// A sweep of these axes about the base of `plan`, whose values are `base`. Fails when there is
    /// nothing or too much to try.
    pub fn new(
        axes: &[Axis],
        design: Design,
        alpha: f64,
        confirm: Option<Confirm>,
        plan: Plan,
        base: &Base,
    ) -> Result<SweepFile, Error> {
        for (number, axis) in axes.iter().enumerate() {
            axis.tunable.check_apart(axes[..number].iter().map(|other| &other.tunable))?;
        }
        for Axis { tunable, values, .. } in axes {
            tunable.check_on(base, values.iter().copied())?;
        }
        let options = varied(axes.iter().map(|axis| &axis.tunable));
        let base: Vec<f64> = axes.iter().map(|axis| axis.tunable.get(base)).collect();
        let values: Vec<Vec<f64>> = axes.iter().map(|axis| axis.values.clone()).collect();
        let (count, most) = (super::design::size(design, &values), MOST_CANDIDATES);
        if count > most {
            return Err(Error::usage(format!(
                "{count} candidates, expected at most {most}: fewer values, --lines or --samples N"
            )));
        }
        let points = super::design::points(design, &values, &base, plan.seed);
        if points.is_empty() {
            return Err(Error::usage("nothing to sweep: all these values are those of the base"));
        }
        let candidates = (1..).zip(points).map(|(number, values)| {
            let parts = axes.iter().zip(&values).zip(&base);
            let moved = parts.filter(|((_, value), base)| value != base);
            let words = moved.map(|((axis, value), _)| {
                format!("{}={}", axis.tunable.name(), axis.tunable.text(*value))
            });
            let name = words.collect::<Vec<_>>().join(" ");
            Candidate { folder: format!("{number:02}-{}", slug(&name)), name, values }
        });
        let candidates = candidates.collect();
        let axes = axes.iter().map(|axis| axis.text().to_owned()).collect();
        Ok(SweepFile {
            format: SweepFile::FORMAT,
            takes_top: false,
            measure: Measure::Elo,
            axes,
            design,
            alpha,
            confirm,
            plan,
            options,
            base,
            candidates,
        })
    }

    /// The depth limit of its searches.
    pub fn depth(&self) -> Option<u32> {
        match self.plan.limit {
            Limit::Depth(plies) => Some(plies),
            _ => None,
        }
    }

    /// Fails when the engine no longer has a parameter.
    pub fn axes(&self) -> Result<Vec<Axis>, Error> {
        let base = self.base_values()?;
        self.axes.iter().map(|text| Axis::read(text, &base)).collect()
    }

    /// The values of the base.
    pub fn base_values(&self) -> Result<Base, Error> {
        base_of(&self.plan.base, &self.options)
    }

    /// The match of a point against the base.
    pub fn match_of(
        &self,
        tunables: &[Tunable],
        name: &str,
        values: &[f64],
    ) -> Result<Plan, Error> {
        Ok(Plan {
            test: self.player(tunables, values)?,
            test_overrides: SideOverrides {
                name: Some(name.to_owned()),
                ..self.plan.test_overrides.clone()
            },
            ..self.plan.clone()
        })
    }

    /// The base with these values.
    pub fn player(&self, tunables: &[Tunable], values: &[f64]) -> Result<PlayerSpec, Error> {
        let values = tunables.iter().zip(values.iter().copied());
        Ok(with_values(&self.plan.base, &self.base_values()?, values))
    }
}

impl Manifest for SweepFile {
    const KIND: FolderKind = FolderKind::Sweep;
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }

    fn check(&self) -> Result<(), String> {
        let axes = self.axes.len();
        let fits = |values: &[f64]| values.len() == axes;
        if !(fits(&self.base) && self.candidates.iter().all(|one| fits(&one.values))) {
            return Err(format!("{axes} values of every candidate"));
        }
        self.axes().map(drop).map_err(|error| error.to_string())
    }
}
