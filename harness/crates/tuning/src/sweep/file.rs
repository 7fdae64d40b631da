//! `sweep.json`: what is swept, and in which folders.

use serde::{Deserialize, Serialize};

use super::{Axis, Design};
use crate::base::{params_of, with_values};
use crate::confirm::Confirm;
use crate::tunable::Tunable;
use arena::game::Limit;
use arena::plan::{Plan, SideOverrides, slug};
use arena::player::spec::PlayerSpec;
use arena::record::{FolderKind, Manifest};
use process::Error;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Inside the sweep's folder.
    pub folder: String,
    pub name: String,
    /// By axis.
    pub values: Vec<i32>,
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
    /// By axis.
    pub base: Vec<i32>,
    pub candidates: Vec<Candidate>,
}

/// More candidates need more open files than systems grant.
const MOST_CANDIDATES: u64 = 300;

impl SweepFile {
    /// A sweep of these axes about the base of `plan`. Fails when the base has no parameters, or
    /// there is nothing or too much to try.
    pub fn new(
        axes: &[Axis],
        design: Design,
        alpha: f64,
        confirm: Option<Confirm>,
        plan: Plan,
    ) -> Result<SweepFile, Error> {
        for (number, axis) in axes.iter().enumerate() {
            axis.tunable.check_apart(axes[..number].iter().map(|other| &other.tunable))?;
        }
        let params = params_of(&plan.base)?;
        for Axis { tunable, values, .. } in axes {
            tunable.check_on(&params, values.iter().map(|&value| f64::from(value)))?;
        }
        let base: Vec<i32> = axes.iter().map(|axis| axis.tunable.get(&params)).collect();
        let values: Vec<Vec<i32>> = axes.iter().map(|axis| axis.values.clone()).collect();
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
        self.axes.iter().map(|text| text.parse()).collect()
    }

    /// The match of a point against the base.
    pub fn match_of(
        &self,
        tunables: &[Tunable],
        name: &str,
        values: &[i32],
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
    pub fn player(&self, tunables: &[Tunable], values: &[i32]) -> Result<PlayerSpec, Error> {
        with_values(&self.plan.base, tunables, values)
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
        let fits = |values: &[i32]| values.len() == axes;
        if !(fits(&self.base) && self.candidates.iter().all(|one| fits(&one.values))) {
            return Err(format!("{axes} values of every candidate"));
        }
        self.axes().map(drop).map_err(|error| error.to_string())
    }
}
