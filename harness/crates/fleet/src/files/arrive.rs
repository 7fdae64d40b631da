//! A run's files at a worker: fetched, found locally, or built from sources.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

use arena::build::{Cache, build_received};
use arena::commas;
use arena::plan::Plan;
use arena::player::spec::PlayerSpec;
use arena::record::Side;
use process::children::{Allowance, Confinement};
use process::{Error, machine as own_machine};
use wire::message::{FileCard, FileRecipe, Needs, RunCard};

use super::equipment::Equipment;
use super::places::Places;
use super::plan::{Mark, restored};
use super::{Again, Missing, PROGRAM, SOURCES, version};
use crate::link::Link;
use crate::machine;

/// Address space of an engine besides its tables, in bytes. Some engines reserve much and use
/// little.
const ADDRESSES: u64 = 16 << 30;
/// Processes and threads of all engines, and the addition for each slot.
const TASKS: u64 = 256;
const TASKS_OF_SLOT: u64 = 8;
/// Largest file that an engine may write, in bytes.
const WRITTEN: u64 = 256 << 20;
/// The same for a build.
const BUILT: u64 = 2 << 30;
/// Processor levels, ascending.
const LEVELS: [&str; 4] = ["x86-64", "x86-64-v2", "x86-64-v3", "x86-64-v4"];

/// A plan with paths of this machine.
pub(crate) struct Arrived {
    pub(crate) plan: Plan,
    /// Sandbox of its programs; `None`: none.
    pub(crate) confinement: Option<Confinement>,
    /// Sides whose program was built here.
    pub(crate) built: Vec<Side>,
    pub(crate) places: Places,
}

/// Fetches or finds everything that the run needs.
pub(crate) async fn arrive(
    link: &Link,
    card: &RunCard,
    plan: Plan,
    equipment: &Equipment,
    slots: usize,
) -> Result<Arrived, Missing> {
    let mut places: HashMap<String, PathBuf> = HashMap::new();
    let mut readable = Vec::new();
    let (mut is_received, mut made) = (false, Vec::new());
    for side in [Side::Base, Side::Test] {
        let Some(way) = way(card, side, equipment).map_err(Missing::never)? else { continue };
        let path = match way {
            Way::Have(path) => {
                // With arguments, a program such as a shell can do anything.
                if has_arguments(plan.player(side)) {
                    allowed(equipment)?;
                }
                readable.push(path.clone());
                path
            }
            Way::Program(file) => {
                is_received = true;
                allowed(equipment)?;
                let path = equipment.cache.fetch(link, file).await?;
                readable.push(equipment.cache.folder(&file.sha256));
                path
            }
            Way::Sources(file, recipe) => {
                is_received = true;
                allowed(equipment)?;
                let packed = equipment.cache.fetch(link, file).await?;
                let path = built(packed, recipe, equipment).await?;
                readable.extend(path.parent().map(Path::to_owned));
                made.push(side);
                path
            }
        };
        places.insert(format!("{side}.{PROGRAM}"), path);
    }
    let others = card.files.iter().filter(|file| !is_program(file));
    for file in others {
        let path = equipment.cache.fetch(link, file).await?;
        readable.push(equipment.cache.folder(&file.sha256));
        places.insert(file.role.clone(), path);
    }
    let named = RefCell::new(Places::default());
    let place = |mark: &Mark| {
        let path = match &mark.name {
            Some(_) => places.get(&mark.role).cloned().ok_or_else(|| {
                Error::usage(format!("its plan names {} and does not send it", mark.role))
            }),
            None => tables(card, mark, equipment),
        }?;
        named.borrow_mut().add(&path.to_string_lossy(), &mark.to_string());
        Ok(path)
    };
    let plan = restored(plan, &place).map_err(Missing::never)?;
    readable.extend(equipment.tables.iter().map(|(_, folder)| folder.clone()));
    let sandbox = equipment.sandbox.as_ref().ok().filter(|it| !it.is_off() && has_programs(card));
    let confinement = sandbox.map(|sandbox| Confinement {
        readable: existing(readable),
        allowance: allowance(card, slots),
        ..Confinement::of(sandbox.clone())
    });
    debug_assert!(!is_received || confinement.is_some() || equipment.sandbox.is_ok());
    Ok(Arrived { plan, confinement, built: made, places: named.into_inner() })
}

/// Without duplicates and missing paths.
fn existing(mut paths: Vec<PathBuf>) -> Vec<PathBuf> {
    paths.sort_unstable();
    paths.dedup();
    paths.retain(|path| path.exists());
    paths
}

fn allowance(card: &RunCard, slots: usize) -> Allowance {
    let Needs { memory_mb, threads, tables, .. } = &card.needs;
    let players = 2 * (slots as u64).saturating_mul(TASKS_OF_SLOT + u64::from(*threads));
    Allowance {
        // Tables are mapped as a whole, so there is no limit.
        memory: tables.is_empty().then(|| ADDRESSES.saturating_add((2 * memory_mb) << 20)),
        tasks: Some(TASKS.saturating_add(players)),
        file: Some(WRITTEN),
    }
}

fn has_arguments(spec: &PlayerSpec) -> bool {
    let PlayerSpec::Program { rest, .. } = spec else { return false };
    commas::split(rest).iter().any(|part| part.trim_start().starts_with("arg="))
}

fn is_program(file: &FileCard) -> bool {
    let end = file.role.split_once('.').map(|(_, end)| end);
    end == Some(PROGRAM) || end == Some(SOURCES)
}

fn has_programs(card: &RunCard) -> bool {
    card.files.iter().any(is_program)
}

/// Checks that programs of others may run here.
fn allowed(equipment: &Equipment) -> Result<(), Missing> {
    match &equipment.sandbox {
        Ok(_) => Ok(()),
        Err(why) => Err(Missing::never(Error::usage(format!(
            "its programs need a sandbox, and {why}; expected bubblewrap (apt-get install \
             bubblewrap), or --sandbox off: then they run with this user's rights"
        )))),
    }
}

/// Where a program comes from.
enum Way<'a> {
    Have(PathBuf),
    Program(&'a FileCard),
    Sources(&'a FileCard, &'a FileRecipe),
}

/// `None`: the player is no program.
fn way<'a>(card: &'a RunCard, side: Side, equipment: &Equipment) -> Result<Option<Way<'a>>, Error> {
    let find = |end: &str| {
        let role = format!("{side}.{end}");
        card.files.iter().find(move |file| file.role == role)
    };
    let (program, sources) = (find(PROGRAM), find(SOURCES));
    let sources = sources.and_then(|file| Some(Way::Sources(file, file.recipe.as_ref()?)));
    let Some(program) = program else { return Ok(sources) };
    let have = equipment.have.iter().find(|(have, _)| have.sha256 == program.sha256);
    if let Some((_, path)) = have {
        return Ok(Some(Way::Have(path.clone())));
    }
    match (unlike(&card.needs), sources) {
        (None, _) => Ok(Some(Way::Program(program))),
        (Some(_), Some(sources)) => Ok(Some(sources)),
        (Some(why), None) => Err(Error::usage(format!(
            "its program of {side} is made for another machine: {why}; expected --builds make at the \
             match, or such a machine"
        ))),
    }
}

/// Why the run's programs do not run on this machine.
fn unlike(needs: &Needs) -> Option<String> {
    let Needs { target, cpu, glibc, .. } = needs;
    let here = machine::target();
    if !target.is_empty() && *target != here {
        return Some(format!("it needs {target}, this is {here}"));
    }
    let rank = |level: &str| LEVELS.iter().position(|known| *known == level);
    let level = machine::level();
    let is_lower = match (rank(cpu), rank(level)) {
        (Some(needed), Some(here)) => here < needed,
        _ => !cpu.is_empty() && cpu != level,
    };
    if is_lower {
        return Some(format!("it needs a processor of level {cpu}, this one is {level}"));
    }
    let needed = glibc.as_deref()?;
    let here = own_machine::glibc();
    let is_older = match &here {
        Some(here) => version(here) < version(needed),
        None => true,
    };
    is_older.then(|| {
        let here = here.as_deref().unwrap_or("another C library");
        format!("it needs glibc {needed}, here is {here}")
    })
}

fn tables(card: &RunCard, mark: &Mark, equipment: &Equipment) -> Result<PathBuf, Error> {
    let found = equipment.tables.iter().find(|(set, _)| set.sha256 == mark.hash);
    found.map(|(_, folder)| folder.clone()).ok_or_else(|| {
        let set = card.needs.tables.iter().find(|set| set.sha256 == mark.hash);
        let men = set.map_or_else(
            || "a folder".to_owned(),
            |set| match set.men {
                0 => "a folder".to_owned(),
                men => format!("{men}-men tables"),
            },
        );
        let hash: String = mark.hash.as_str().chars().take(12).collect();
        Error::usage(format!(
            "it needs {men} (list {hash}…), and no --syzygy folder here has that list"
        ))
    })
}

async fn built(
    packed: PathBuf,
    recipe: &FileRecipe,
    equipment: &Equipment,
) -> Result<PathBuf, Missing> {
    let FileRecipe { command, binary, .. } = recipe.clone();
    let sandbox = equipment.sandbox.clone().map_err(Error::usage).map_err(Missing::never)?;
    equipment.cache.room_for(0)?;
    let cache = Cache::of_user();
    let root = cache.root().to_owned();
    let confinement = Confinement {
        allowance: Allowance { file: Some(BUILT), ..Allowance::default() },
        ..Confinement::of(sandbox)
    };
    let build = move || {
        let say = |_: &str| ();
        let how = (&*command, Path::new(&binary));
        build_received(&packed, how, &cache, &confinement, &say)
    };
    let built = tokio::task::spawn_blocking(build).await.map_err(Error::fault);
    let built = built.and_then(|built| built);
    let built = built.map_err(|error| Missing::of_writing(&root, error, Again::Never))?;
    Ok(built.binary)
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::record::BySide;
    use wire::message::{Have, RunIdentities, RunState, VERSION};
    use wire::names::FileHash;

    use crate::files::FileCache;

    fn needs(target: &str, cpu: &str, glibc: Option<&str>) -> Needs {
        Needs {
            verdict: String::new(),
            protocol: VERSION,
            target: target.to_owned(),
            cpu: cpu.to_owned(),
            glibc: glibc.map(str::to_owned),
            memory_mb: 0,
            threads: 1,
            processor: None,
            clock: false,
            tables: Vec::new(),
            sandbox: true,
        }
    }

    /// A run whose test player is a program or sources.
    fn card(needs: Needs, roles: &[&str]) -> RunCard {
        let hash = FileHash::of(b"engine");
        let file = |role: &&str| FileCard {
            sha256: hash.clone(),
            bytes: 6,
            role: (*role).to_owned(),
            name: "engine".to_owned(),
            executable: true,
            recipe: role.ends_with(SOURCES).then(|| FileRecipe {
                command: "make".to_owned(),
                binary: "engine".to_owned(),
                commit: "c".to_owned(),
            }),
        };
        let run = "0123456789abcdef".parse().unwrap();
        let coordinator = "home.1".parse().unwrap();
        let identity = arena::record::Identity::default;
        RunCard {
            v: VERSION,
            run,
            name: "run".to_owned(),
            state: RunState::Playing,
            why: None,
            weight: 1.0,
            coordinator,
            needs,
            plan: serde_json::Value::Null,
            files: roles.iter().map(file).collect(),
            identities: RunIdentities { base: identity(), test: identity(), book: None },
            signatures: BySide { base: None, test: None },
            chunk: 1,
            pairs: 1,
            slots_max: None,
            audit: 0.0,
            barred: Vec::new(),
            varied: None,
        }
    }

    fn equipment(have: Vec<(Have, PathBuf)>) -> Equipment {
        let cache = FileCache::at(PathBuf::new());
        Equipment { sandbox: Err("none".to_owned()), have, tables: Vec::new(), cache }
    }

    /// One of `have`, `program`, `sources`, `none`, `declined`.
    fn comes_by(card: &RunCard, side: Side, have: Vec<(Have, PathBuf)>) -> &'static str {
        match way(card, side, &equipment(have)) {
            Ok(Some(Way::Have(_))) => "have",
            Ok(Some(Way::Program(_))) => "program",
            Ok(Some(Way::Sources(..))) => "sources",
            Ok(None) => "none",
            Err(_) => "declined",
        }
    }

    #[test]
    fn sources_are_for_machines_on_which_the_program_does_not_run() {
        let (like, unlike) = (|| needs("", "", None), || needs("vax-vms", "", None));
        let (program, sources) = ("test.program", "test.sources");
        for (needs, roles, expected) in [
            (like(), &[program][..], "program"),
            (like(), &[program, sources], "program"),
            (like(), &[sources], "sources"),
            (unlike(), &[program, sources], "sources"),
            (unlike(), &[sources], "sources"),
            (unlike(), &[program], "declined"),
        ] {
            let card = card(needs, roles);
            assert_eq!(comes_by(&card, Side::Test, Vec::new()), expected, "{roles:?}");
            assert_eq!(comes_by(&card, Side::Base, Vec::new()), "none");
            // The same file is installed, or another one.
            for (content, or) in [(&b"engine"[..], "have"), (b"other", expected)] {
                let name = "stockfish".parse().unwrap();
                let have = Have { name, sha256: FileHash::of(content) };
                let way = comes_by(&card, Side::Test, vec![(have, PathBuf::from("/x"))]);
                let is_program = roles.contains(&program);
                assert_eq!(way, if is_program { or } else { expected }, "{roles:?}");
            }
        }
    }

    #[test]
    fn a_program_of_another_machine_does_not_run() {
        let here = machine::target();
        assert_eq!(unlike(&needs("", "", None)), None);
        assert_eq!(unlike(&needs(&here, machine::level(), None)), None);
        assert!(unlike(&needs("vax-vms", "", None)).is_some());
        assert!(unlike(&needs(&here, "x86-64-v9", None)).is_some());
        if let Some(glibc) = own_machine::glibc() {
            assert_eq!(unlike(&needs(&here, "", Some(&glibc))), None);
            assert!(unlike(&needs(&here, "", Some("9.1"))).is_some());
        }
    }
}
