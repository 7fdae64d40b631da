//! Builds: a commit or the work tree of a repository made into an engine, once.
//!
//! ```text
//! git:REV, workdir ─► tree (in the cache) ─► command ─► binary, log, bench ─► player
//! ```
//!
//! The cache lies outside of every work tree. A build's key is the hash of what makes it: the
//! commit, what the work tree changes in it, the compilers, their environment, and the command;
//! equal keys are built once.
//!
//! `pack`, `received`: sources that another machine builds.

mod cache;
mod command;
mod git;
mod line;
mod pack;
mod received;
mod repository;
mod tree;
mod written;

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Once;
use std::{env, fmt};

use process::Error;
use serde::{Deserialize, Serialize};

pub use cache::{Cache, Hold, Pruned, Stored};
pub use command::{bench, bench_of};
pub use line::{Commit, commit, fork, has_commit, is_ancestor, is_changed, line};
#[cfg(any(test, fuzzing, feature = "testing"))]
pub use pack::sources;
pub use received::{build_received, pack_sources};

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wanted {
    /// Anything that git resolves to a commit.
    Revision(String),
    /// The files in the work tree, without those that git ignores and new ones that this program
    /// has written there.
    WorkTree,
}

impl Wanted {
    /// With the commit that it is, unless it says so itself.
    fn with_commit(&self, commit: &str) -> String {
        match self {
            Wanted::Revision(revision) if revision == commit => self.to_string(),
            _ => format!("{self} ({commit})"),
        }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Wanted::Revision(revision) => write!(f, "git:{revision}"),
            Wanted::WorkTree => f.write_str("workdir"),
        }
    }
}

impl FromStr for Wanted {
    type Err = String;

    fn from_str(text: &str) -> Result<Wanted, String> {
        match text.strip_prefix("git:") {
            Some(revision) if !revision.is_empty() && !revision.starts_with('-') => {
                Ok(Wanted::Revision(revision.to_owned()))
            }
            None if text == "workdir" => Ok(Wanted::WorkTree),
            _ => Err(format!("expected git:REV or workdir, found '{text}'")),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipe {
    pub repo: PathBuf,
    /// Run by the shell in the tree's root.
    pub command: String,
    /// Path from the tree's root.
    pub binary: PathBuf,
}

/// Builds mutineer from this repository, with its own lock file.
pub const OWN_COMMAND: &str = "cargo build --release --locked --package engine --bin mutineer";
pub const OWN_BINARY: &str = "target/release/mutineer";

/// The content of `build.json`.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct BuildIdentity {
    pub wanted: String,
    /// With `+` and a hash behind it where the work tree changes something.
    pub commit: String,
    /// The node total of the engine's `bench`, if it tells one.
    pub bench: Option<u64>,
    pub command: String,
    /// What the compilers say of themselves, if there are any to ask.
    pub compiler: Option<String>,
    /// With `binary`, what it takes to build it again. Older builds have neither.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repo: Option<PathBuf>,
    /// Path from the tree's root.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub binary: Option<PathBuf>,
}

#[derive(Debug)]
pub struct Built {
    pub binary: PathBuf,
    pub identity: BuildIdentity,
    pub cached: bool,
    pub hold: Option<Hold>,
}

/// Looks for what is wanted, and builds nothing.
pub fn resolve(wanted: &Wanted, repo: &Path) -> Result<(), Error> {
    tree::resolve(wanted, repo).map(drop)
}

/// Builds what is wanted, or finds it built. Tells its progress through `say`; waits for other
/// processes that use the same cache.
pub fn build(
    wanted: &Wanted,
    recipe: &Recipe,
    cache: &Cache,
    say: &dyn Fn(&str),
) -> Result<Built, Error> {
    attempt(wanted, recipe, cache, say)?.map_err(Error::input_output)
}

/// The same; source that does not build is the inner error, in words.
pub fn attempt(
    wanted: &Wanted,
    recipe: &Recipe,
    cache: &Cache,
    say: &dyn Fn(&str),
) -> Result<Result<Built, String>, Error> {
    let _lock = cache.lock()?;
    let by_cargo = recipe.command.split_whitespace().next() == Some("cargo");
    let tree = tree::check_out(wanted, &recipe.repo, by_cargo, cache)?;
    if let Some(advice) = &tree.advice {
        static WARNED: Once = Once::new();
        WARNED.call_once(|| say(advice));
    }
    let compiler = command::compilers(&tree.root, &recipe.command);
    let key = cache::key(&tree.commit, compiler.as_deref(), recipe, env::vars_os());
    let repo = Some(std::path::absolute(&recipe.repo).unwrap_or_else(|_| recipe.repo.clone()));
    let made_of = Some(recipe.binary.clone());
    if let Some(Stored { binary, identity, .. }) = cache.find(&key)? {
        let identity = BuildIdentity { repo, binary: made_of, ..identity };
        return Ok(Ok(Built { hold: Hold::of(&binary), binary, identity, cached: true }));
    }
    say(&format!("building {}", wanted.with_commit(&tree.commit)));
    let log = cache.begin(&key)?;
    let Recipe { command, binary, .. } = recipe;
    if let Some(outcome) = command::run(command, &tree.root, &log)? {
        return Ok(Err(format!(
            "{} does not build: `{command}` {outcome}\n{}\n(the whole log is in {})",
            wanted.with_commit(&tree.commit),
            command::tail(&log),
            log.display()
        )));
    }
    let made = tree.root.join(binary);
    if !made.is_file() {
        return Ok(Err(format!(
            "{wanted}: `{command}` left no {}; expected the engine there (--binary)",
            binary.display()
        )));
    }
    let binary = cache.keep_binary(&key, &made)?;
    let identity = BuildIdentity {
        wanted: wanted.to_string(),
        bench: command::bench(&binary),
        commit: tree.commit,
        command: command.clone(),
        compiler,
        repo,
        binary: made_of,
    };
    cache.finish(&key, &identity)?;
    Ok(Ok(Built { hold: Hold::of(&binary), binary, identity, cached: false }))
}
