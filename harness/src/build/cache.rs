//! Where builds are kept: `builds/KEY/{engine, build.json, build.log}` and a tree for each
//! repository, in the user's cache folder.

use std::env;
use std::fs::{self, File, OpenOptions};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use sha2::{Digest, Sha256};

use super::{BuildError, BuildIdentity, Recipe};
use crate::record::hex;

/// Environment variables that change what a compiler makes.
const FLAGS: [&str; 8] =
    ["RUSTFLAGS", "CARGO_BUILD_TARGET", "CC", "CXX", "CFLAGS", "CXXFLAGS", "LDFLAGS", "MAKEFLAGS"];

/// The folder of all builds.
#[derive(Debug, Clone)]
pub struct Cache {
    root: PathBuf,
}

/// A build in the cache.
#[derive(Debug, Clone)]
pub struct Stored {
    /// Its key.
    pub key: String,
    /// The engine.
    pub binary: PathBuf,
    /// What it is.
    pub identity: BuildIdentity,
    /// When it was last asked for.
    pub used: SystemTime,
    /// The size of the engine in bytes.
    pub bytes: u64,
}

/// What pruning took away.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pruned {
    /// Builds.
    pub builds: u64,
    /// Bytes of engines, logs and trees.
    pub bytes: u64,
}

impl Cache {
    /// `VERDICT_CACHE`, or `verdict` in the user's cache folder.
    #[must_use]
    pub fn of_user() -> Cache {
        let set =
            |name: &str| env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
        let root = set("VERDICT_CACHE")
            .or_else(|| set("XDG_CACHE_HOME").map(|cache| cache.join("verdict")))
            .or_else(|| set("HOME").map(|home| home.join(".cache/verdict")));
        Cache::at(root.unwrap_or_else(|| env::temp_dir().join("verdict-cache")))
    }

    /// A cache in a folder.
    #[must_use]
    pub fn at(root: PathBuf) -> Cache {
        Cache { root: std::path::absolute(&root).unwrap_or(root) }
    }

    /// The folder.
    #[must_use]
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The tree of a repository.
    pub(super) fn tree(&self, repo: &Path) -> PathBuf {
        let hash = hex(&Sha256::digest(repo.as_os_str().as_encoded_bytes()));
        self.root.join("trees").join(&hash[..16])
    }

    fn builds(&self) -> PathBuf {
        self.root.join("builds")
    }

    /// Waits until nobody else builds here; held as long as the file is open.
    pub(super) fn lock(&self) -> Result<File, BuildError> {
        for folder in [self.builds(), self.root.join("trees")] {
            fs::create_dir_all(&folder).map_err(BuildError::io(&folder, "create"))?;
        }
        let path = self.root.join("lock");
        let file = OpenOptions::new()
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(BuildError::io(&path, "open"))?;
        file.lock().map_err(BuildError::io(&path, "lock"))?;
        Ok(file)
    }

    /// A finished build; asking for it counts as use.
    pub(super) fn find(&self, key: &str) -> Result<Option<Stored>, BuildError> {
        let Some(stored) = self.read(key) else { return Ok(None) };
        let path = self.builds().join(key).join("build.json");
        let file = OpenOptions::new().append(true).open(&path);
        file.and_then(|file| file.set_modified(SystemTime::now()))
            .map_err(BuildError::io(&path, "mark as used"))?;
        Ok(Some(stored))
    }

    /// A new build's folder; the place of its log.
    pub(super) fn begin(&self, key: &str) -> Result<PathBuf, BuildError> {
        let folder = self.builds().join(key);
        fs::create_dir_all(&folder).map_err(BuildError::io(&folder, "create"))?;
        Ok(folder.join("build.log"))
    }

    pub(super) fn keep_binary(&self, key: &str, made: &Path) -> Result<PathBuf, BuildError> {
        let name = made.file_name().unwrap_or("engine".as_ref());
        let folder = self.builds().join(key);
        let binary = folder.join(name);
        let temporary = folder.join("engine.tmp");
        fs::copy(made, &temporary).map_err(BuildError::io(&temporary, "write"))?;
        fs::rename(&temporary, &binary).map_err(BuildError::io(&binary, "write"))?;
        Ok(binary)
    }

    /// What makes a build a finished one is its `build.json`.
    pub(super) fn finish(&self, key: &str, identity: &BuildIdentity) -> Result<(), BuildError> {
        let folder = self.builds().join(key);
        let (temporary, path) = (folder.join("build.tmp"), folder.join("build.json"));
        let text = serde_json::to_string_pretty(identity).unwrap_or_default();
        fs::write(&temporary, text + "\n").map_err(BuildError::io(&temporary, "write"))?;
        fs::rename(&temporary, &path).map_err(BuildError::io(&path, "write"))
    }

    fn read(&self, key: &str) -> Option<Stored> {
        let folder = self.builds().join(key);
        let path = folder.join("build.json");
        let identity = serde_json::from_slice(&fs::read(&path).ok()?).ok()?;
        let used = fs::metadata(&path).and_then(|facts| facts.modified()).ok()?;
        let entries = fs::read_dir(&folder).ok()?.flatten();
        let binary = entries.map(|entry| entry.path()).find(|path| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            !name.starts_with("build.") && !name.ends_with(".tmp")
        })?;
        let bytes = fs::metadata(&binary).ok()?.len();
        Some(Stored { key: key.to_owned(), binary, identity, used, bytes })
    }

    /// All finished builds, the latest used first.
    #[must_use]
    pub fn list(&self) -> Vec<Stored> {
        let folders = fs::read_dir(self.builds()).into_iter().flatten().flatten();
        let keys = folders.filter_map(|entry| entry.file_name().into_string().ok());
        let mut stored: Vec<Stored> = keys.filter_map(|key| self.read(&key)).collect();
        stored.sort_by(|a, b| b.used.cmp(&a.used).then_with(|| a.key.cmp(&b.key)));
        stored
    }

    /// Takes away all but the `keep` builds used last and those used within `younger`, what failed
    /// builds left, and all trees.
    ///
    /// # Errors
    /// When something cannot be taken away.
    pub fn prune(&self, keep: usize, younger: Duration) -> Result<Pruned, BuildError> {
        let _lock = self.lock()?;
        let now = SystemTime::now();
        let kept: Vec<String> = self
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
                if are_builds && kept.contains(&name) {
                    continue;
                }
                let path = entry.path();
                pruned.builds += u64::from(are_builds);
                pruned.bytes += size(&path);
                fs::remove_dir_all(&path).map_err(BuildError::io(&path, "remove"))?;
            }
        }
        Ok(pruned)
    }
}

/// Bytes of all files in a folder.
fn size(folder: &Path) -> u64 {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let sizes = entries.map(|entry| match entry.metadata() {
        Ok(facts) if facts.is_dir() => size(&entry.path()),
        Ok(facts) => facts.len(),
        Err(_) => 0,
    });
    sizes.sum()
}

/// The key of a build.
pub(super) fn key(commit: &str, compiler: Option<&str>, recipe: &Recipe) -> String {
    let mut hash = Sha256::new();
    let mut add = |text: &[u8]| {
        hash.update((text.len() as u64).to_le_bytes());
        hash.update(text);
    };
    add(commit.as_bytes());
    add(compiler.unwrap_or_default().as_bytes());
    add(recipe.command.as_bytes());
    add(recipe.binary.as_os_str().as_encoded_bytes());
    for name in FLAGS {
        add(env::var_os(name).unwrap_or_default().as_encoded_bytes());
    }
    hex(&hash.finalize())[..20].to_owned()
}
