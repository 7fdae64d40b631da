//! `sweep.json`: what is swept, and in which folders.

use engine::Params;
use serde::{Deserialize, Serialize};

use super::{Axis, Champion, Design};
use crate::{simulated_engine::PeakError, tunable::Tunable};
use arena::record::FolderKind;
use arena::{
    game::Limit,
    plan::{Plan, SideOverrides, slug},
    player::spec::{PlayerSpec, SpecError, embedded_params},
    record::{Manifest, ManifestError, RecordError},
};
use stats::Rule;

/// Why there is no sweep.
#[derive(Debug, thiserror::Error)]
pub enum SweepError {
    /// The base is a program.
    #[error(
        "--base {0}: expected an embedded player; only the parameters of mutineer can be varied"
    )]
    NotEmbedded(String),
    /// The base cannot play.
    #[error("--base: {0}")]
    Base(#[from] SpecError),
    /// A book too small for a race and a match of its own behind it.
    #[error(
        "--confirm: the race uses {race} openings, and the book has only {unused} more for {wanted} pairs; \
         with node or depth limits used openings would repeat the games of the race: expected a larger \
         --book, fewer --pairs or --confirm-pairs, or --confirm none"
    )]
    Openings {
        /// Pairs of the race.
        race: u64,
        wanted: u64,
        /// Openings left.
        unused: u64,
    },
    /// A parameter on two axes.
    #[error("'{0}' is swept twice, or in a group: expected each parameter once")]
    Twice(String),
    /// A rule in the race's place.
    #[error(
        "--rule {0}: a sweep has no --rule; --alpha is for the race, --confirm for the confirmation match"
    )]
    Rule(Rule),
    /// Speed without a depth.
    #[error("--measure speed: expected --depth N, the depth to measure")]
    Depth,
    /// A flag about games where none are played.
    #[error("{0} does not apply to --measure speed, which plays no games")]
    OfGames(&'static str),
    /// An axis that the engine no longer has.
    #[error(transparent)]
    Axis(#[from] super::AxisError),
    /// A simulated engine of other parameters.
    #[error("--truth: {0}")]
    SimulatedEngine(#[from] PeakError),
    /// Nothing that would change a game.
    #[error(
        "no-op: all candidates search like the base in {0} positions to depth 8; --keep-no-ops plays them \
         anyway"
    )]
    NoOps(usize),
    /// A top that is not looked for.
    #[error("--confirm-top: expected one axis (for a parabola) and a confirmation match")]
    NoTop,
    /// Nothing but the base.
    #[error("nothing to sweep: all these values are those of the base")]
    Nothing,
    /// More than can be played.
    #[error("{count} candidates, expected at most {most}: fewer values, --lines or --samples N")]
    TooMany {
        count: u64,
        /// How many there may be.
        most: u64,
    },
    /// The file cannot be read or written.
    #[error(transparent)]
    Manifest(#[from] ManifestError),
    /// Nor another file of the folder.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl SweepError {
    /// Whether the command line is what is wrong.
    pub fn is_usage(&self) -> bool {
        match self {
            SweepError::Manifest(error) => error.is_usage(),
            SweepError::Record(_) => false,
            _ => true,
        }
    }
}

/// A point that is tried.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Candidate {
    /// Its folder inside the sweep's.
    pub folder: String,
    /// What it is called.
    pub name: String,
    /// Its value on each axis.
    pub values: Vec<i32>,
}

/// What is measured.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    Serialize,
    Deserialize,
    strum::Display,
    strum::EnumString,
    strum::EnumIter,
    strum::EnumMessage,
    strum::IntoStaticStr,
)]
#[strum(serialize_all = "kebab-case")]
#[serde(rename_all = "kebab-case")]
pub enum Measure {
    /// Elo by games.
    #[default]
    Elo,
    /// Nodes and time to --depth.
    Speed,
}

/// The match at the end.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Confirm {
    /// What decides it.
    pub rule: Rule,
    /// Pairs at most.
    pub pairs: u64,
}

/// The content of `sweep.json`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct SweepFile {
    /// The version of the file.
    pub format: u32,
    /// What is measured.
    #[serde(default)]
    pub measure: Measure,
    /// The axes as they were given.
    pub axes: Vec<String>,
    /// How the points were chosen from them.
    pub design: Design,
    /// The chance that the race drops the strongest, at most.
    pub alpha: f64,
    /// The match at the end.
    pub confirm: Option<Confirm>,
    /// Whether that match is of the top of the parabola, where one is shown.
    #[serde(default)]
    pub takes_top: bool,
    /// The match of the base against itself, of which every candidate's is made.
    pub plan: Plan,
    /// The base's value on each axis.
    pub base: Vec<i32>,
    /// What is tried.
    pub candidates: Vec<Candidate>,
}

/// The match at the end, inside the sweep's folder.
pub const CONFIRM_FOLDER: &str = "confirm";
/// More candidates have more open files than systems grant.
const MOST_CANDIDATES: u64 = 300;

impl SweepFile {
    /// A sweep of these axes about the base of `plan`.
    ///
    /// # Errors
    /// When the base has no parameters, or there is nothing or too much to try.
    pub fn new(
        axes: &[Axis],
        design: Design,
        alpha: f64,
        confirm: Option<Confirm>,
        plan: Plan,
    ) -> Result<SweepFile, SweepError> {
        for (number, axis) in axes.iter().enumerate() {
            if axes[..number].iter().any(|other| other.tunable.overlaps(&axis.tunable)) {
                return Err(SweepError::Twice(axis.tunable.name().to_owned()));
            }
        }
        let params = params_of(&plan.base)?;
        for Axis { tunable, values, .. } in axes {
            let checked = values.iter().map(|&value| tunable.check_on(&params, f64::from(value)));
            checked.collect::<Result<(), _>>().map_err(super::AxisError::from)?;
        }
        let base: Vec<i32> = axes.iter().map(|axis| axis.tunable.get(&params)).collect();
        let values: Vec<Vec<i32>> = axes.iter().map(|axis| axis.values.clone()).collect();
        let most = MOST_CANDIDATES;
        match super::design::size(design, &values) {
            count if count > most => return Err(SweepError::TooMany { count, most }),
            _ => {}
        }
        let points = super::design::points(design, &values, &base, plan.seed);
        if points.is_empty() {
            return Err(SweepError::Nothing);
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
        let measure = Measure::Elo;
        Ok(SweepFile {
            format: SweepFile::FORMAT,
            takes_top: false,
            measure,
            axes,
            design,
            alpha,
            confirm,
            plan,
            base,
            candidates,
        })
    }

    /// The same for another measure.
    ///
    /// # Errors
    /// For speed without a depth.
    pub fn measuring(self, measure: Measure) -> Result<SweepFile, SweepError> {
        match (measure, self.depth()) {
            (Measure::Speed, None) => Err(SweepError::Depth),
            _ => Ok(SweepFile { measure, ..self }),
        }
    }

    /// The depth of its searches, if that limits them.
    pub fn depth(&self) -> Option<u32> {
        match self.plan.limit {
            Limit::Depth(plies) => Some(plies),
            _ => None,
        }
    }

    /// The tunable of each axis.
    ///
    /// # Errors
    /// When the engine no longer has one.
    pub fn axes(&self) -> Result<Vec<Axis>, super::AxisError> {
        self.axes.iter().map(|text| text.parse()).collect()
    }

    /// The match of a point against the base.
    ///
    /// # Errors
    /// When the base cannot be had.
    pub fn match_of(
        &self,
        tunables: &[Tunable],
        name: &str,
        values: &[i32],
    ) -> Result<Plan, SweepError> {
        Ok(Plan {
            test: self.player(tunables, values)?,
            test_own: SideOverrides { name: Some(name.to_owned()), ..self.plan.test_own.clone() },
            ..self.plan.clone()
        })
    }

    /// The match that confirms a point: openings that the race has not used, a rule of its own.
    ///
    /// # Errors
    /// When the base cannot be had.
    pub fn confirming(
        &self,
        tunables: &[Tunable],
        champion: &Champion,
        confirm: Confirm,
    ) -> Result<Plan, SweepError> {
        let mut plan = self.match_of(tunables, &champion.name, &champion.values)?;
        plan.openings.offset = plan.openings.offset.saturating_add(plan.pairs);
        Ok(Plan { rule: confirm.rule, pairs: confirm.pairs, ..plan })
    }

    /// The base with these values.
    ///
    /// # Errors
    /// When the base cannot be had.
    pub fn player(&self, tunables: &[Tunable], values: &[i32]) -> Result<PlayerSpec, SweepError> {
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

/// The parameters of an embedded player.
///
/// # Errors
/// When it is none, or cannot play.
pub fn params_of(player: &PlayerSpec) -> Result<Params, SweepError> {
    match player {
        PlayerSpec::Embedded { personality, parameters } => {
            Ok(embedded_params(personality, parameters)?)
        }
        PlayerSpec::Program { .. } => Err(SweepError::NotEmbedded(player.to_string())),
    }
}

/// An embedded player with other values.
///
/// # Errors
/// As [`params_of`].
pub fn with_values(
    player: &PlayerSpec,
    tunables: &[Tunable],
    values: &[i32],
) -> Result<PlayerSpec, SweepError> {
    let base = params_of(player)?;
    let mut player = player.clone();
    if let PlayerSpec::Embedded { parameters, .. } = &mut player {
        for (tunable, &value) in
            tunables.iter().zip(values).filter(|(tunable, value)| tunable.get(&base) != **value)
        {
            let cells = tunable.cells(&base, f64::from(value)).into_iter();
            let cells = cells.filter(|(name, value)| base.get(name) != Ok(value.to_string()));
            parameters.extend(cells.map(|(name, value)| (name, value.to_string())));
        }
    }
    Ok(player)
}
