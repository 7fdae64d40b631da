//! Where builds are kept: `builds/KEY/{engine, build.json, build.log}` and a tree for each
//! repository, in the user's cache folder.

use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use super::{BuildIdentity, Recipe};
use process::Error;
use process::locked::Locked;

/// Environment variables that change what a compiler makes; from `ARCH` on what the makefiles of
/// engines ask for.
const FLAGS: &str = "\
    CARGO_INCREMENTAL CC CXX CPP LDLIBS LD AR AS NM RANLIB STRIP OBJCOPY NVCC COMPILER_PATH \
    GCC_EXEC_PREFIX LD_RUN_PATH SOURCE_DATE_EPOCH GOOS GOARCH GOAMD64 SDKROOT \
    MACOSX_DEPLOYMENT_TARGET CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH LIBRARY_PATH ARCH COMP \
    COMPCXX EXE EVALFILE NATIVE NNUE PGO OPT DEBUG";
/// Prefixes of such variables: cargo's, rustc's, those of its cc for one platform, of CMake and of
/// others.
const FAMILIES: &str = "\
    CARGO_BUILD_ CARGO_ENCODED_ CARGO_PROFILE_ CARGO_TARGET_ CARGO_UNSTABLE_ RUSTC AR_ CC_ CXX_ \
    CFLAGS_ CXXFLAGS_ HOST_ TARGET_ CMAKE_ PKG_CONFIG CGO_ ZIG_";
/// The suffix of any compiler's flags.
const ANY_FLAGS: &str = "FLAGS";
/// Exceptions: they say where and how fast, not what, is built.
const NO_MATTER: [&str; 3] = ["CARGO_TARGET_DIR", "CARGO_BUILD_TARGET_DIR", "CARGO_BUILD_JOBS"];

/// A build's own files beside its engine.
const RECORD: &str = "build.json";
const LOG: &str = "build.log";
const HOLD: &str = "build.lock";
const UNFINISHED: [&str; 2] = ["build.tmp", "engine.tmp"];

fn is_ours(name: &OsStr) -> bool {
    [RECORD, LOG, HOLD].into_iter().chain(UNFINISHED).any(|ours| name == ours)
}

#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
}

#[derive(Debug, Clone)]
pub struct Stored {
    pub key: String,
    pub binary: PathBuf,
    pub identity: BuildIdentity,
    pub used: SystemTime,
    /// Of the engine.
    pub bytes: u64,
}

/// What pruning removed, or would.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pruned {
    pub builds: u64,
    /// Of engines, logs and trees.
    pub bytes: u64,
    /// Builds that stay since something plays with them.
    pub in_use: u64,
    pub folders: Vec<PathBuf>,
}

/// Keeps a build from being pruned.
#[derive(Debug)]
pub struct Hold {
    _locked: Locked,
}

impl Hold {
    /// `None` where it cannot be locked.
    pub fn of(engine: &Path) -> Option<Hold> {
        let path = engine.parent()?.join(HOLD);
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path).ok()?;
        Some(Hold { _locked: Locked::share(file).ok()? })
    }
}

fn is_held(folder: &Path) -> bool {
    let file = OpenOptions::new().write(true).open(folder.join(HOLD));
    file.is_ok_and(|file| matches!(Locked::attempt(file), Ok(Err(_))))
}

impl Cache {
    /// `VERDICT_CACHE`, or `verdict` in the user's cache folder.
    pub fn of_user() -> Cache {
        let set =
            |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = set("VERDICT_CACHE")
            .or_else(|| set("XDG_CACHE_HOME").map(|cache| cache.join("verdict")))
            .or_else(|| set("HOME").map(|home| home.join(".cache/verdict")));
        Cache::at(root.unwrap_or_else(|| env::temp_dir().join("verdict-cache")))
    }

    pub fn at(root: PathBuf) -> Cache {
        Cache { root: std::path::absolute(&root).unwrap_or(root) }
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    pub(super) fn tree(&self, repo: &Path) -> PathBuf {
        let hash = hex::encode(Sha256::digest(repo.as_os_str().as_encoded_bytes()));
        self.root.join("trees").join(&hash[..16])
    }

    fn builds(&self) -> PathBuf {
        self.root.join("builds")
    }

    /// Waits until nobody else builds here.
    pub(super) fn lock(&self) -> Result<Locked, Error> {
        for folder in [self.builds(), self.root.join("trees")] {
            fs::create_dir_all(&folder).map_err(Error::io(&folder, "create"))?;
        }
        let path = self.root.join("lock");
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(Error::io(&path, "open"))?;
        Locked::wait(file).map_err(Error::io(&path, "lock"))
    }

    /// Counts as use.
    pub(super) fn find(&self, key: &str) -> Result<Option<Stored>, Error> {
        let Some(stored) = self.read(key) else { return Ok(None) };
        let path = self.builds().join(key).join(RECORD);
        let file = OpenOptions::new().append(true).open(&path);
        file.and_then(|file| file.set_modified(SystemTime::now()))
            .map_err(Error::io(&path, "mark as used"))?;
        Ok(Some(stored))
    }

    /// Makes a new build's folder; returns the place of its log.
    pub(super) fn begin(&self, key: &str) -> Result<PathBuf, Error> {
        let folder = self.builds().join(key);
        fs::create_dir_all(&folder).map_err(Error::io(&folder, "create"))?;
        Ok(folder.join(LOG))
    }

    /// Removes what a build that failed has left half.
    pub(super) fn forget(&self, key: &str) {
        let folder = self.builds().join(key);
        // They are written anew by the next attempt.
        UNFINISHED.iter().for_each(|name| drop(fs::remove_file(folder.join(name))));
    }

    pub(super) fn keep_binary(&self, key: &str, made: &Path) -> Result<PathBuf, Error> {
        let name = made.file_name().filter(|name| !is_ours(name)).unwrap_or("engine".as_ref());
        let folder = self.builds().join(key);
        let binary = folder.join(name);
        let temporary = folder.join(UNFINISHED[1]);
        fs::copy(made, &temporary).map_err(Error::io(&temporary, "write"))?;
        fs::rename(&temporary, &binary).map_err(Error::io(&binary, "write"))?;
        Ok(binary)
    }

    /// `build.json` makes a build a finished one.
    pub(super) fn finish(&self, key: &str, identity: &BuildIdentity) -> Result<(), Error> {
        let folder = self.builds().join(key);
        let (temporary, path) = (folder.join(UNFINISHED[0]), folder.join(RECORD));
        let text = serde_json::to_string_pretty(identity).unwrap_or_default();
        fs::write(&temporary, text + "\n").map_err(Error::io(&temporary, "write"))?;
        fs::rename(&temporary, &path).map_err(Error::io(&path, "write"))
    }

    fn read(&self, key: &str) -> Option<Stored> {
        let folder = self.builds().join(key);
        let path = folder.join(RECORD);
        let identity = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let used = fs::metadata(&path).and_then(|metadata| metadata.modified()).ok()?;
        let entries = fs::read_dir(&folder).ok()?.flatten();
        let mut engines = entries.filter(|entry| !is_ours(&entry.file_name()));
        let binary = engines.next()?.path();
        let bytes = fs::metadata(&binary).ok()?.len();
        Some(Stored { key: key.to_owned(), binary, identity, used, bytes })
    }

    /// The latest used first.
    pub fn list(&self) -> Vec<Stored> {
        let folders = fs::read_dir(self.builds()).into_iter().flatten().flatten();
        let keys = folders.filter_map(|entry| entry.file_name().into_string().ok());
        let mut stored: Vec<Stored> = keys.filter_map(|key| self.read(&key)).collect();
        stored.sort_by(|a, b| b.used.cmp(&a.used).then_with(|| a.key.cmp(&b.key)));
        stored
    }

    /// Removes all but the `keep` builds used last and those used within `younger`, what failed
    /// builds left, and all trees. What something plays with stays. With `dry_run` nothing is
    /// removed.
    pub fn prune(&self, keep: usize, younger: Duration, dry_run: bool) -> Result<Pruned, Error> {
        let _lock = self.lock()?;
        let now = SystemTime::now();
        let retained: Vec<String> = self
            .list()
            .into_iter()
            .enumerate()
            .filter(|(place, stored)| {
                *place < keep || now.duration_since(stored.used).is_ok_and(|age| age < younger)
            })
            .map(|(_, stored)| stored.key)
            .collect();
        let mut pruned = Pruned::default();
        for (folder, are_builds) in [(self.builds(), true), (self.root.join("trees"), false)] {
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                let name = entry.file_name().into_string().unwrap_or_default();
                if are_builds && retained.contains(&name) {
                    continue;
                }
                let path = entry.path();
                if are_builds && is_held(&path) {
                    pruned.in_use += 1;
                    continue;
                }
                pruned.builds += u64::from(are_builds);
                pruned.bytes += size(&path);
                if !dry_run {
                    fs::remove_dir_all(&path).map_err(Error::io(&path, "remove"))?;
                }
                pruned.folders.push(path);
            }
        }
        Ok(pruned)
    }
}

/// Bytes of all files in a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(metadata) if metadata.is_dir() => size(&entry.path()),
        Ok(metadata) => metadata.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

pub(super) fn key(
    commit: &str,
    compiler: Option<&str>,
    recipe: &Recipe,
    environment: impl Iterator<Item = (OsString, OsString)>,
) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &[u8]| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(commit.as_bytes());
    add(compiler.unwrap_or_default().as_bytes());
    add(recipe.command.as_bytes());
    add(recipe.binary.as_os_str().as_encoded_bytes());
    let counts = |name: &OsStr| {
        let bytes = name.as_encoded_bytes();
        let is_flag = FLAGS.split_whitespace().any(|flag| name == flag)
            || FAMILIES.split_whitespace().any(|family| bytes.starts_with(family.as_bytes()))
            || bytes.ends_with(ANY_FLAGS.as_bytes());
        is_flag && !NO_MATTER.iter().any(|other| name == *other)
    };
    let mut flags: Vec<_> = environment.filter(|(name, _)| counts(name)).collect();
    flags.sort();
    for (name, value) in flags.iter().filter(|(_, value)| !value.is_empty()) {
        add(name.as_encoded_bytes());
        add(value.as_encoded_bytes());
    }
    hex::encode(hash.finalize())[..20].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn recipe() -> Recipe {
        Recipe { repo: ".".into(), command: "make".to_owned(), binary: "build.x".into() }
    }

    #[test]
    fn what_changes_a_build_changes_its_key() {
        let key = |compiler: &str, variables: &[(&str, &str)]| {
            let environment = variables.iter().map(|(name, value)| (name.into(), value.into()));
            key("c", Some(compiler), &recipe(), environment)
        };
        let plain = key("gcc 13", &[("LANG", "C"), ("CFLAGS", "")]);
        assert_eq!(plain, key("gcc 13", &[]));
        assert_eq!(plain, key("gcc 13", &[("CARGO_TARGET_DIR", "/x"), ("CARGO_BUILD_JOBS", "2")]));
        let others = [
            key("gcc 14", &[]),
            key("gcc 13", &[("CFLAGS", "-O3")]),
            key("gcc 13", &[("CXXFLAGS", "-O3")]),
            key("gcc 13", &[("RUSTFLAGS", "-O3")]),
            key("gcc 13", &[("CC", "clang")]),
            key("gcc 13", &[("ARCH", "x86-64-avx2")]),
            key("gcc 13", &[("CARGO_PROFILE_RELEASE_LTO", "off")]),
            key("gcc 13", &[("CARGO_TARGET_X86_64_UNKNOWN_LINUX_GNU_RUSTFLAGS", "-O3")]),
            key("gcc 13", &[("CARGO_BUILD_RUSTC_WRAPPER", "sccache")]),
            key("gcc 13", &[("RUSTC_BOOTSTRAP", "1")]),
            key("gcc 13", &[("CFLAGS_x86_64-unknown-linux-gnu", "-O3")]),
            key("gcc 13", &[("CMAKE_BUILD_TYPE", "Debug")]),
            key("gcc 13", &[("MY_OWN_FLAGS", "-O3")]),
        ];
        let mut all: Vec<&String> = others.iter().chain([&plain]).collect();
        all.sort();
        all.dedup();
        assert_eq!(all.len(), 14);
    }

    /// An engine may be called as our own files nearly are.
    #[test]
    fn any_name_will_do_for_an_engine() {
        for name in ["build.x", "build.json", "build", "x.tmp"] {
            let dir = tempfile::tempdir().unwrap();
            let cache = Cache::at(dir.path().join("cache"));
            let made = dir.path().join(name);
            fs::write(&made, "an engine").unwrap();
            cache.begin("key").unwrap();
            let binary = cache.keep_binary("key", &made).unwrap();
            cache.finish("key", &BuildIdentity::default()).unwrap();
            let hold = Hold::of(&binary).unwrap();
            let listed: Vec<PathBuf> = cache.list().into_iter().map(|it| it.binary).collect();
            assert_eq!(listed, [binary], "{name}");
            // What is in use stays.
            let pruned = cache.prune(0, Duration::ZERO, false).unwrap();
            assert_eq!((pruned.builds, pruned.in_use), (0, 1));
            drop(hold);
            for dry_run in [true, false] {
                assert_eq!(cache.list().len(), 1);
                let pruned = cache.prune(0, Duration::ZERO, dry_run).unwrap();
                assert_eq!((pruned.builds, pruned.folders.len()), (1, 1));
            }
            assert!(cache.list().is_empty());
        }
    }
}
