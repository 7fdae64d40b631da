//! Sources that are sent to another machine, and builds of such.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::{
    BuildIdentity, Built, Cache, Hold, Recipe, Stored, Wanted, cache, command, pack, tree,
};
use crate::record::sha256_file;
use process::Error;
use process::children::Confinement;

/// Cargo's own folder in the cache, for crates that received builds need.
const CARGO: &str = "cargo";

/// Writes the sources of a build into a file. `Ok(false)`: they are no longer what they were.
pub fn pack_sources(identity: &BuildIdentity, cache: &Cache, to: &Path) -> Result<bool, Error> {
    let (Some(repo), Some(_)) = (&identity.repo, &identity.binary) else { return Ok(false) };
    let wanted = match identity.commit.contains('+') {
        true => Wanted::WorkTree,
        false => Wanted::Revision(identity.commit.clone()),
    };
    let _lock = cache.lock()?;
    let found = tree::check_out(&wanted, repo, is_by_cargo(&identity.command), cache)?;
    if found.commit != identity.commit {
        return Ok(false);
    }
    pack::pack(&found.root, to)?;
    Ok(true)
}

fn is_by_cargo(command: &str) -> bool {
    command.split_whitespace().next() == Some("cargo")
}

/// Builds what [`pack_sources`] has written on another machine, or finds it built. `confinement` is
/// where the build runs: without a network, only cargo may fetch crates before.
pub fn build_received(
    packed: &Path,
    (command, made): (&str, &Path),
    cache: &Cache,
    confinement: &Confinement,
    say: &dyn Fn(&str),
) -> Result<Built, Error> {
    let hash = sha256_file(packed).map_err(Error::input_output)?;
    let _lock = cache.lock()?;
    let tree = cache.root().join("trees").join(format!("received-{}", &hash[..16]));
    if tree.exists() {
        fs::remove_dir_all(&tree).map_err(Error::io(&tree, "remove"))?;
    }
    let done = pack::unpack(packed, &tree).and_then(|()| {
        let compiler = command::compilers(Path::new("/"), command);
        let recipe =
            Recipe { repo: tree.clone(), command: command.to_owned(), binary: made.to_owned() };
        // What somebody calls a commit is not taken for it: the sources count.
        let commit = format!("received:{hash}");
        let key = cache::key(&commit, compiler.as_deref(), &recipe, env::vars_os());
        if let Some(Stored { binary, identity, .. }) = cache.find(&key)? {
            return Ok(Built { hold: Hold::of(&binary), binary, identity, cached: true });
        }
        let received = Received { key, commit, compiler, recipe, tree: tree.clone() };
        make(&received, cache, confinement, say).inspect_err(|_| cache.forget(&received.key))
    });
    // It is made anew when it is needed.
    let _ = fs::remove_dir_all(&tree);
    done
}

struct Received {
    key: String,
    commit: String,
    compiler: Option<String>,
    recipe: Recipe,
    tree: PathBuf,
}

fn make(
    received: &Received,
    cache: &Cache,
    confinement: &Confinement,
    say: &dyn Fn(&str),
) -> Result<Built, Error> {
    let Received { key, commit, compiler, recipe: Recipe { command, binary, .. }, tree } = received;
    say(&format!("building received sources by `{command}`"));
    let log = cache.begin(key)?;
    let by_cargo = is_by_cargo(command);
    let mut inside = Confinement { keeps_user: true, network: false, ..confinement.clone() };
    inside.writable.push(tree.clone());
    let mut variables: Vec<(&str, String)> = Vec::new();
    if by_cargo {
        let folder = cache.root().join(CARGO);
        fs::create_dir_all(&folder).map_err(Error::io(&folder, "create"))?;
        variables.push(("CARGO_HOME", folder.display().to_string()));
        inside.writable.push(folder);
    }
    variables.extend(toolchain(&mut inside));
    let run = |line: &str, inside: &Confinement| {
        let variables: Vec<(&str, &str)> = variables.iter().map(|(n, v)| (*n, &**v)).collect();
        let args = [OsString::from("-c"), line.into()];
        let shell = inside.command(Path::new("/bin/sh"), &args, Some(tree), &variables);
        command::run_shell(shell, tree, &log)
    };
    let failed = |line: &str, outcome: String| {
        Error::input_output(format!(
            "the received sources do not build here: `{line}` {outcome}\n{}",
            command::tail(&log)
        ))
    };
    if by_cargo {
        let fetch = "cargo fetch";
        let online = Confinement { network: true, ..inside.clone() };
        if let Some(outcome) = run(fetch, &online)? {
            return Err(failed(fetch, outcome));
        }
    }
    let offline = match by_cargo {
        true => format!("CARGO_NET_OFFLINE=true {command}"),
        false => command.clone(),
    };
    if let Some(outcome) = run(&offline, &inside)? {
        return Err(failed(command, outcome));
    }
    let made = tree.join(binary);
    // A link may lead out of the tree.
    if !fs::symlink_metadata(&made).is_ok_and(|metadata| metadata.is_file()) {
        let why = format!("left no {}", binary.display());
        return Err(failed(command, why));
    }
    let binary = cache.keep_binary(key, &made)?;
    let identity = BuildIdentity {
        wanted: commit.clone(),
        commit: commit.clone(),
        command: command.clone(),
        compiler: compiler.clone(),
        ..BuildIdentity::default()
    };
    cache.finish(key, &identity)?;
    Ok(Built { hold: Hold::of(&binary), binary, identity, cached: false })
}

/// Compilers in this user's folders: to be read, and the variables that name them.
fn toolchain(inside: &mut Confinement) -> Vec<(&'static str, String)> {
    let home = env::var_os("HOME").map(PathBuf::from);
    let named = |name: &str, usual: &str| {
        let set = env::var_os(name).filter(|it| !it.is_empty()).map(PathBuf::from);
        set.or_else(|| Some(home.as_ref()?.join(usual))).filter(|folder| folder.is_dir())
    };
    let mut variables = Vec::new();
    if let Some(rustup) = named("RUSTUP_HOME", ".rustup") {
        variables.push(("RUSTUP_HOME", rustup.display().to_string()));
        inside.readable.push(rustup);
    }
    let mut path: Vec<PathBuf> =
        env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect();
    if let Some(programs) = named("CARGO_HOME", ".cargo").map(|cargo| cargo.join("bin"))
        && programs.is_dir()
    {
        path.insert(0, programs.clone());
        inside.readable.push(programs);
    }
    if let Ok(path) = env::join_paths(path) {
        variables.push(("PATH", path.to_string_lossy().into_owned()));
    }
    variables
}
