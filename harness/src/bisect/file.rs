//! `bisect.json`: the commits, how they are built, and how they play.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use arena::build::{Commit, Recipe};
use arena::plan::{Plan, SideOverrides, slug};
use arena::player::spec::PlayerSpec;
use arena::record::{FolderKind, Manifest};
use process::Error;
use stats::Rule;
use stats::culprit::CulpritTerms;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct BisectFile {
    pub format: u32,
    /// As the command line named the ends.
    pub good: String,
    pub bad: String,
    /// Along first parents, the good one first: version 0.
    pub commits: Vec<Commit>,
    pub repo: PathBuf,
    pub build: String,
    /// Path from the tree's root.
    pub binary: PathBuf,
    /// The probability of naming a wrong commit, 0 to 1.
    pub alpha: f64,
    /// The smallest loss that matters, in Elo.
    pub elo: f64,
    /// Standard deviation in Elo of what each other commit does; `None` where the results have to tell.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub others: Option<f64>,
    /// Of plain halving.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rule: Option<Rule>,
    /// The match of the bad commit (test) against the good one (base).
    pub plan: Plan,
}

impl Manifest for BisectFile {
    const KIND: FolderKind = FolderKind::Bisection;
    const FORMAT: u32 = 1;

    fn format(&self) -> u32 {
        self.format
    }

    fn check(&self) -> Result<(), String> {
        if self.commits.len() < 2 {
            return Err("two commits or more".to_owned());
        }
        if !(self.alpha > 0.0 && self.alpha < 1.0) {
            return Err("alpha above 0 and below 1".to_owned());
        }
        match self.elo > 0.0 && self.elo.is_finite() && self.others.is_none_or(|it| it >= 0.0) {
            true => Ok(()),
            false => Err("elo above 0 and others from 0".to_owned()),
        }
    }
}

impl BisectFile {
    pub fn recipe(&self) -> Recipe {
        let (repo, command, binary) = (self.repo.clone(), self.build.clone(), self.binary.clone());
        Recipe { repo, command, binary }
    }

    pub fn terms(&self) -> CulpritTerms {
        CulpritTerms { alpha: self.alpha, least_elo: self.elo, drift: self.others }
    }

    /// The number of the last version.
    pub fn last(&self) -> usize {
        self.commits.len() - 1
    }

    /// The folder of a version's match inside the bisection's.
    pub fn folder(&self, version: usize) -> String {
        format!("{version:03}-{}", self.short(version))
    }

    pub fn run(&self, dir: &Path, version: usize) -> PathBuf {
        dir.join(self.folder(version))
    }

    /// Some digits of a version's hash.
    pub fn short(&self, version: usize) -> &str {
        self.commits.get(version).map_or("", Commit::short)
    }

    /// A version in a sentence: hash and subject.
    pub fn words(&self, version: usize) -> String {
        let subject = self.commits.get(version).map_or("", |commit| &commit.subject);
        format!("{} {subject}", self.short(version))
    }

    /// The match of a version, built as `binary`, against the good one. Each has its own order of
    /// openings: the luck of the same ones would be taken for a loss.
    pub fn match_of(&self, version: usize, built: arena::build::Built) -> Result<Plan, Error> {
        let PlayerSpec::Program { rest, .. } = &self.plan.test else {
            return Err(Error::input_output("bisect.json: expected a program for test"));
        };
        let overrides = SideOverrides {
            name: Some(self.short(version).to_owned()),
            ..self.plan.test_overrides.clone()
        };
        Ok(Plan {
            test: PlayerSpec::uci(&built.binary, rest.clone()),
            test_build: Some(built.identity),
            test_overrides: overrides,
            seed: self.plan.seed.wrapping_add(version as u64),
            ..self.plan.clone()
        })
    }

    /// A name for the folder of a new bisection.
    pub fn slug(good: &str, bad: &str) -> String {
        format!("bisect-{}", slug(&format!("{good}-to-{bad}")))
    }
}
