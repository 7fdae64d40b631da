//! A plan's players made ready, and who they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::sync::{Arc, Mutex, OnceLock};

use engine::{HashSize, Params};
use process::children::Confinement;
use process::lock;
use serde_json::{Map, Value};
use tokio::runtime::Handle;

use super::SessionError;
use super::preflight::PreflightPlayer;
use super::settings::settings;
use super::shared::SharedPools;
use crate::build::Hold;
use crate::plan::Plan;
use crate::player::program::{ProgramHost, ProgramSettings, ProgramSpec};
use crate::player::spec::{PlayerSpec, embedded_params};
use crate::pool::PlayerPool;
use crate::record::{Identity, Side, Versions, sha256_file, sha256_folder};
use crate::runner::Stops;
use pgn::Book;

/// Which player is wanted, for what.
pub(super) struct Asked<'a> {
    pub(super) plan: &'a Plan,
    pub(super) side: Side,
    pub(super) book: &'a Book,
    pub(super) stops: &'a Stops,
    /// Where a program runs; `None`: as this one does.
    pub(super) confinement: Option<Arc<Confinement>>,
}

impl Asked<'_> {
    pub(super) fn settings(&self) -> ProgramSettings {
        let confinement = self.confinement.clone();
        ProgramSettings { confinement, ..settings(self.plan, self.side) }
    }
}

/// A player ready to play. A program has passed [`super::preflight`].
pub(super) fn ready(
    asked: &Asked<'_>,
    shared: &mut SharedPools,
) -> Result<(PlayerPool, Identity), SessionError> {
    let Asked { plan, side, stops, .. } = *asked;
    let (spec, build) = (plan.player(side), plan.build(side));
    let identity = Identity {
        spec: spec.to_string(),
        alias: plan.name(side).map(str::to_owned),
        limit: plan.limits().of(side).pgn(),
        limit_meant: plan.limit_meant(side),
        commit: build.map(|build| build.commit.clone()),
        bench: build.and_then(|build| build.bench),
        ..Identity::default()
    };
    match spec {
        PlayerSpec::Embedded { personality, parameters } => {
            let params = embedded_params(personality, parameters)?;
            // A file says itself what it changes; a name stands for its values.
            let of_name = Params::personality(personality).unwrap_or_default();
            let differences = params.differences(&of_name);
            let identity = Identity {
                name: format!("mutineer {personality}"),
                commit: Versions::here().commit,
                build: own_build(),
                options: options(differences),
                ..identity
            };
            let hash = usize::try_from(plan.embedded_hash(side).0).unwrap_or(usize::MAX);
            Ok((PlayerPool::embedded(params, HashSize::from_bytes(hash)), identity))
        }
        PlayerSpec::Program { .. } => {
            let spec = ProgramSpec::parse(&spec.to_string())?;
            let hold = build.and_then(|_| Hold::of(&spec.path));
            let settings = asked.settings();
            let key = format!("{side} {settings:?} {}", plan.restarts(side));
            let host = ProgramHost::new(settings, Handle::current(), stops.now_token())?;
            let identity = program(asked, &spec, identity)?;
            let begin = |spec| PlayerPool::programs(spec, host, plan.restarts(side), hold);
            let pool = shared.pool(&spec, &key, begin);
            let pool = pool.map_err(|reason| {
                let who = plan.called(side);
                SessionError::Program { who, reason }
            })?;
            Ok((pool, identity))
        }
    }
}

/// Tries a program; returns its identity.
fn program(
    asked: &Asked<'_>,
    spec: &ProgramSpec,
    identity: Identity,
) -> Result<Identity, SessionError> {
    let build = sha256_file(&spec.path).ok();
    let is_script = is_script(&spec.path);
    let before = files(spec, &spec.options);
    let found = PreflightPlayer { spec, asked }.preflight()?;
    pass_on(spec, &found.remarks);
    let files = unwritten(files(spec, &found.options), &before);
    let (name, options) = (found.name, options(found.options));
    Ok(Identity { name, build, is_script, options, files, ..identity })
}

fn is_script(path: &Path) -> bool {
    let mut first = [0; 2];
    let read = File::open(path).and_then(|mut file| file.read_exact(&mut first));
    read.is_ok() && first == *b"#!"
}

/// By their hash, the files and folders that options name: a network under its old name is another
/// player.
fn files(spec: &ProgramSpec, given: &[(String, String)]) -> BTreeMap<String, String> {
    let named = |value: &str| spec.dir.as_deref().unwrap_or(Path::new("")).join(value.trim());
    let given = given.iter().filter(|(_, value)| !value.trim().is_empty());
    let files = given.map(|(name, value)| (name, named(value)));
    let hash = |path: &Path| match path {
        path if path.is_file() => sha256_file(path).ok(),
        path if path.is_dir() => sha256_folder(path).ok(),
        _ => None,
    };
    files.filter_map(|(name, path)| Some((name.clone(), hash(&path)?))).collect()
}

/// The files that were the same `before` the program was started: what it has changed since is its
/// log, and no part of it. It may spell its options otherwise than they were given.
fn unwritten(
    files: BTreeMap<String, String>,
    before: &BTreeMap<String, String>,
) -> BTreeMap<String, String> {
    let was_so = |(name, hash): &(String, String)| {
        before.iter().any(|(given, was)| given.eq_ignore_ascii_case(name) && was == hash)
    };
    files.into_iter().filter(was_so).collect()
}

/// Prints what programs say of their options, each remark once: that a file cannot be read is no
/// error to them.
fn pass_on(spec: &ProgramSpec, remarks: &[String]) {
    static WARNED: Mutex<BTreeSet<String>> = Mutex::new(BTreeSet::new());
    let mut warned = lock(&WARNED);
    for remark in remarks {
        let text = format!("{} says: {remark}", spec.path.display());
        if warned.insert(text.clone()) {
            status!("{text}");
        }
    }
}

/// The hash of verdict's own file: the embedded engine is part of it.
fn own_build() -> Option<String> {
    static BUILD: OnceLock<Option<String>> = OnceLock::new();
    BUILD.get_or_init(|| sha256_file(&std::env::current_exe().ok()?).ok()).clone()
}

fn options(pairs: Vec<(String, String)>) -> Map<String, Value> {
    pairs.into_iter().map(|(name, value)| (name, Value::String(value))).collect()
}
