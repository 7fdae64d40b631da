//! The card of a run: what workers are told about it. The plan without paths, its files, what a
//! machine needs, and the signatures of the programs.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use arena::build::{BuildIdentity, Cache, pack_sources};
use arena::compliance::{forgets, signature};
use arena::game::Limit;
use arena::plan::Plan;
use arena::player::program::{ProgramSettings, ProgramSpec};
use arena::player::spec::PlayerSpec;
use arena::record::{BookIdentity, BySide, Identity, RunFile, Side};
use arena::runner::Stops;
use arena::session::settings;
use process::{Error, lock, machine as own_machine, random};
use wire::message::{
    FileCard, FileRecipe, Needs, RunCard, RunIdentities, RunState, Signature, VERSION,
};

use super::desk::Desk;
use super::{Fleet, files};
use crate::files::{
    Builds, FileCache, MOST, PROGRAM, Places, ProgramNeeds, SOURCES, SentFile, hash_of, memory_mb,
    portable, threads, version,
};
use crate::link::Link;
use crate::machine;

/// Largest size of packed sources that are sent beside a program, in bytes.
const BESIDE: u64 = 64 << 20;
/// File name of packed sources.
const PACKED: &str = "sources.zst";

/// Results that later matches of a session use again.
#[derive(Default)]
pub(super) struct Known {
    /// By the program and its settings.
    signatures: Mutex<HashMap<String, Option<Signature>>>,
    /// Whether a program forgets one game before the next, by the same.
    pub(super) forgets: Mutex<HashMap<String, bool>>,
    /// By the build.
    sources: Mutex<HashMap<String, Option<SentFile>>>,
}

pub(super) struct Carded {
    pub(super) card: RunCard,
    pub(super) files: Vec<SentFile>,
    pub(super) places: Places,
    /// Why a program would play another game if it played one again, in words; looked for only if games
    /// are to be played twice.
    pub(super) strays: Option<String>,
}

impl Fleet {
    /// Puts the run's files at the broker, and makes the card.
    pub(super) async fn card(&self, desk: &Desk, link: &Link) -> Result<Carded, Error> {
        let chunk = desk.ledger(|ledger, _| ledger.split()).each().get();
        let (plan, run) = (desk.plan.clone(), desk.run.clone());
        let (builds, known) = (self.settings.builds, Arc::clone(&self.known));
        let (stops, is_audited) = (desk.contest.stops.clone(), desk.audits.is_some());
        // On a thread of its own: it starts programs and reads large files.
        let prepare = move || Prepared::of(&plan, &run, builds, is_audited, &known, &stops);
        let prepared = tokio::task::spawn_blocking(prepare).await.map_err(Error::fault)??;
        let Prepared { plan, files, places, needs, signatures, identities, strays } = prepared;
        files::put_all(link, &files).await?;
        if !files.is_empty() {
            let bytes: u64 = files.iter().map(|file| file.card.bytes).sum();
            let (count, mega) = (files.len(), bytes.div_ceil(1 << 20));
            (self.tell)(&format!("{}: files for workers: {count}, {mega} MB", desk.name));
        }
        let card = RunCard {
            v: VERSION,
            run: desk.id,
            name: desk.name.clone(),
            state: RunState::Playing,
            why: None,
            weight: 1.0,
            coordinator: self.settings.name.clone(),
            needs,
            plan: plan.to_json()?,
            files: files.iter().map(|file| file.card.clone()).collect(),
            signatures,
            identities,
            chunk,
            pairs: desk.plan.pairs,
            slots_max: None,
            audit: 0.0,
            barred: desk.barred(),
            varied: desk.asking.as_ref().map(|asking| asking.options.clone()),
        };
        Ok(Carded { card, files, places, strays })
    }
}

struct Prepared {
    plan: Plan,
    files: Vec<SentFile>,
    places: Places,
    needs: Needs,
    signatures: BySide<Option<Signature>>,
    identities: RunIdentities,
    strays: Option<String>,
}

impl Prepared {
    fn of(
        plan: &Plan,
        run: &RunFile,
        builds: Builds,
        is_audited: bool,
        known: &Known,
        stops: &Stops,
    ) -> Result<Prepared, Error> {
        let portable = portable(plan, run)?;
        let (mut files, places) = (portable.files, portable.places);
        for side in [Side::Base, Side::Test] {
            if let Some(build) = plan.build(side) {
                with_sources(side, build, builds, known, &mut files)?;
            }
        }
        let needs = Needs { tables: portable.tables, ..needs(plan, &files) };
        let (mut signatures, mut strays) = (BySide { base: None, test: None }, None);
        for side in [Side::Base, Side::Test] {
            let Some(program) = Program::of(plan, run, side)? else { continue };
            let signature = program.signature(known, stops);
            if is_audited && strays.is_none() {
                strays = program.strays(&signature, known, stops);
            }
            *side.choose(&mut signatures.base, &mut signatures.test) = signature;
        }
        // Workers are not told the paths of this machine.
        let identity = |side: Side| Identity {
            spec: portable.plan.player(side).to_string(),
            ..run.identity(side).clone()
        };
        let book = run.book.clone().map(|book| {
            let name = Path::new(&book.path).file_name().unwrap_or_default();
            BookIdentity { path: name.to_string_lossy().into_owned(), ..book }
        });
        let identities =
            RunIdentities { base: identity(Side::Base), test: identity(Side::Test), book };
        Ok(Prepared { plan: portable.plan, files, places, needs, signatures, identities, strays })
    }
}

/// Adds the sources of a build, and removes the program if only sources are to be sent.
fn with_sources(
    side: Side,
    build: &BuildIdentity,
    builds: Builds,
    known: &Known,
    files: &mut Vec<SentFile>,
) -> Result<(), Error> {
    if builds == Builds::Send {
        return Ok(());
    }
    let key = format!("{build:?}");
    let cached = lock(&known.sources).get(&key).cloned();
    let sources = match cached {
        Some(sources) => sources,
        None => packed(build)?,
    };
    lock(&known.sources).insert(key, sources.clone());
    let sources = match sources {
        Some(sources) if builds == Builds::Make || sources.card.bytes <= BESIDE => sources,
        None if builds == Builds::Make => {
            return Err(Error::usage(format!(
                "--builds make: the sources of {} are no longer there as they were built; expected \
                 --builds send",
                build.wanted
            )));
        }
        _ => return Ok(()),
    };
    let role = format!("{side}.{PROGRAM}");
    if builds == Builds::Make {
        files.retain(|file| file.card.role != role);
    }
    let card = FileCard { role: format!("{side}.{SOURCES}"), ..sources.card };
    files.push(SentFile { card, ..sources });
    Ok(())
}

/// The packed sources of a build; `None` if they do not exist any more.
fn packed(build: &BuildIdentity) -> Result<Option<SentFile>, Error> {
    let Some(binary) = build.binary.as_ref().and_then(|binary| binary.to_str()) else {
        return Ok(None);
    };
    let (cache, ours) = (Cache::of_user(), FileCache::of_user());
    let unfinished = ours.unfinished(&hex::encode(random::secret()?))?;
    if !pack_sources(build, &cache, &unfinished)? {
        return Ok(None);
    }
    let sha256 = hash_of(&unfinished)?;
    let bytes = unfinished.metadata().map_err(Error::io(&unfinished, "read"))?.len();
    let path: PathBuf = ours.keep(&unfinished, &sha256, PACKED)?;
    let recipe = FileRecipe {
        command: build.command.clone(),
        binary: binary.to_owned(),
        commit: build.commit.clone(),
    };
    let card = FileCard {
        sha256,
        bytes,
        role: String::new(),
        name: PACKED.to_owned(),
        executable: false,
        recipe: Some(recipe),
    };
    Ok((bytes <= MOST).then_some(SentFile { card, path }))
}

fn needs(plan: &Plan, files: &[SentFile]) -> Needs {
    let programs = files.iter().filter(|file| file.card.role.ends_with(PROGRAM));
    let (mut target, mut glibc) = (String::new(), None);
    for program in programs {
        let needs = ProgramNeeds::of(&program.path);
        target = needs.target.unwrap_or(target);
        let numbers = |text: &Option<String>| text.as_deref().and_then(version);
        if numbers(&needs.glibc) > numbers(&glibc) {
            glibc = needs.glibc;
        }
    }
    // A build may use all instructions of this processor. What other programs use is not known.
    let is_built = [Side::Base, Side::Test].iter().any(|side| plan.build(*side).is_some());
    let cpu = if is_built { machine::level() } else { "" };
    let is_received = |file: &SentFile| {
        let end = file.card.role.split_once('.').map(|(_, end)| end);
        end == Some(PROGRAM) || end == Some(SOURCES)
    };
    let loaded = files.iter().map(|file| file.card.bytes).sum();
    Needs {
        verdict: machine::commit(),
        protocol: VERSION,
        target,
        cpu: cpu.to_owned(),
        glibc,
        memory_mb: memory_mb(plan, loaded),
        threads: threads(plan),
        clock: !plan.repeats_itself(),
        processor: (!plan.repeats_itself() && plan.scale.is_none())
            .then(own_machine::cpu)
            .flatten(),
        tables: Vec::new(),
        sandbox: files.iter().any(is_received),
    }
}

/// A player that is a program, as it plays the match.
pub(super) struct Program {
    side: Side,
    spec: ProgramSpec,
    settings: ProgramSettings,
    limit: Limit,
    /// Nodes of a build's `bench`.
    bench: Option<u64>,
    /// Whether every game has a process of its own.
    restarts: bool,
    /// Programs with the same key answer the same.
    pub(super) key: String,
}

impl Program {
    /// `None` for an embedded player.
    pub(super) fn of(plan: &Plan, run: &RunFile, side: Side) -> Result<Option<Program>, Error> {
        let spec = plan.player(side);
        if !matches!(spec, PlayerSpec::Program { .. }) {
            return Ok(None);
        }
        let (identity, limit) = (run.identity(side), plan.limits().of(side));
        let (settings, spec) = (settings(plan, side), ProgramSpec::parse(&spec.to_string())?);
        let key =
            format!("{spec:?} {limit} {settings:?} {:?} {:?}", identity.build, identity.files);
        let (bench, restarts) = (identity.bench, plan.restarts(side));
        Ok(Some(Program { side, spec, settings, limit, bench, restarts, key }))
    }

    /// `None` for a program that does not repeat itself.
    fn signature(&self, known: &Known, stops: &Stops) -> Option<Signature> {
        if let Some(nodes) = self.bench {
            return Some(Signature::Bench { nodes });
        }
        let ask = || {
            let answers = signature(&self.spec, &self.settings, self.limit, stops);
            answers.map(|it| Signature::Positions { hash: it.in_words() })
        };
        known_or(&known.signatures, &self.key, ask)
    }

    /// Why it would play another game if it played one again, in words.
    pub(super) fn strays(
        &self,
        signature: &Option<Signature>,
        known: &Known,
        stops: &Stops,
    ) -> Option<String> {
        let side = self.side;
        if signature.is_none() {
            return Some(format!("{side} does not answer the same in the same positions"));
        }
        let forgets = || forgets(&self.spec, &self.settings, self.limit, stops);
        let is_same = self.restarts || known_or(&known.forgets, &self.key, forgets);
        (!is_same).then(|| {
            format!(
                "{side} keeps something of one game in the next, so that its games depend on those before; with \
                 --restart each has a process of its own"
            )
        })
    }
}

fn known_or<T: Clone>(known: &Mutex<HashMap<String, T>>, key: &str, find: impl FnOnce() -> T) -> T {
    if let Some(known) = lock(known).get(key) {
        return known.clone();
    }
    let found = find();
    lock(known).insert(key.to_owned(), found.clone());
    found
}
