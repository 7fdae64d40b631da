//! Test suites: the command that counts them, and the mates and zugzwangs that must be seen.

mod command;
mod mates;
mod zugzwangs;

use std::env;
use std::path::Path;
use std::sync::Arc;

use engine::params::{PERSONALITIES, SPECS, Shape};
use engine::suite::{self, Case, Conditions, Outcome, SuiteFile};
use engine::{HashSize, Limits, Params, Setup};

fn personalities() -> impl Iterator<Item = &'static str> {
    PERSONALITIES.iter().map(|(name, _)| *name)
}

fn params(personality: &str) -> Params {
    Params::personality(personality).expect("known")
}

/// The personality with nothing left out and nothing reduced, so that depth is a promise: every
/// switch of the papers' chapters on lazy evaluation, futility, horizon tricks, reductions, late
/// moves and selectivity is off, and so is what other engines do besides. What grows without them
/// goes too: long checks, which the horizon tricks keep within bounds (HOR-04), and all extensions
/// but that of checks.
fn full_width(personality: &str) -> Params {
    const CHAPTERS: [&str; 7] = ["LAZ-", "FUT-", "HOR-", "RED-", "LMR-", "SEL-", "the field's"];
    let mut params = params(personality);
    for spec in SPECS.iter().filter(|spec| spec.shape == Shape::Switch) {
        let group = spec.name.split('.').next().unwrap_or_default();
        let leaves_out = CHAPTERS.iter().any(|chapter| spec.source.contains(chapter));
        let grows = group == "long_checks" || group.ends_with("_ext") && group != "check_ext";
        if leaves_out || grows {
            params.set(spec.name, "false").expect("a switch");
        }
    }
    params
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// What comes of each position of a file.
fn search<'a>(file: &'a SuiteFile, params: &Params, limits: &Limits) -> Vec<(&'a Case, Outcome)> {
    let conditions = Conditions {
        setup: Arc::new(Setup::new(&Arc::new(params.clone()))),
        hash: HashSize::from_mib(4),
        limits: limits.clone(),
        threads: 2,
    };
    let cases: Vec<&Case> = file.cases.iter().collect();
    let outcomes = suite::run(&cases, &conditions, |_| ()).expect("memory");
    cases.into_iter().zip(outcomes).collect()
}

fn solved(results: &[(&Case, Outcome)]) -> usize {
    results.iter().filter(|(_, outcome)| outcome.solved).count()
}

/// A file of the folder that an environment variable names.
fn file_of(folder: &str, name: &str) -> SuiteFile {
    let folder = env::var(folder).unwrap_or_else(|_| panic!("{folder} names a folder"));
    let path = Path::new(&folder).join(name);
    SuiteFile::read(&path.to_string_lossy(), false).unwrap_or_else(|error| panic!("{error}"))
}
