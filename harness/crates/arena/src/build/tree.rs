//! A repository's tree checked out inside the cache: one clone a repository, which shares its
//! objects and keeps cargo's results between builds.

use std::fs;
use std::path::{Path, PathBuf};

use process::files::{is_executable, symlink};
use sha2::{Digest, Sha256};

use super::git::{git, git_error, git_output};
use super::written::OutputFiles;
use super::{Cache, Wanted};
use process::Error;

#[derive(Debug)]
pub(super) struct SourceTree {
    pub(super) root: PathBuf,
    /// With `+` and a hash behind it where the work tree changes something.
    pub(super) commit: String,
    /// What could be better about the work tree.
    pub(super) advice: Option<String>,
}

/// The repository and the commit; for a work tree its head, without the changes.
pub(super) fn resolve(wanted: &Wanted, repo: &Path) -> Result<(PathBuf, String), Error> {
    // A bare repository has commits all the same.
    let is_bare = git(repo, &["rev-parse", "--is-bare-repository"])?.trim_end() == "true";
    let of_commits = is_bare && matches!(wanted, Wanted::Revision(_));
    let top = if of_commits { "--absolute-git-dir" } else { "--show-toplevel" };
    let repo = PathBuf::from(git(repo, &["rev-parse", top])?.trim_end());
    let revision = match wanted {
        Wanted::Revision(revision) => revision,
        Wanted::WorkTree => "HEAD",
    };
    let commit = git_output(
        &repo,
        &["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")],
    );
    let commit = commit.map_err(|why| {
        let why = format!("expected a branch, a tag or a commit, found '{revision}' ({why})");
        git_error(&repo, "rev-parse", why)
    })?;
    Ok((repo, commit.trim().to_owned()))
}

/// `by_cargo`: cargo builds it.
pub(super) fn check_out(
    wanted: &Wanted,
    repo: &Path,
    by_cargo: bool,
    cache: &Cache,
) -> Result<SourceTree, Error> {
    let (repo, commit) = resolve(wanted, repo)?;
    let root = cache.tree(&repo);
    let from = repo.display().to_string();
    if !root.join(".git").is_dir() {
        // A clone that was broken off.
        let _ = fs::remove_dir_all(&root);
        let to = root.display().to_string();
        git(&repo, &["clone", "--quiet", "--shared", "--no-checkout", &from, &to])?;
    }
    // The objects of a shallow repository are copied instead of shared.
    if git(&root, &["cat-file", "-e", &format!("{commit}^{{commit}}")]).is_err() {
        git(&root, &["fetch", "--quiet", "--update-shallow", &from, &commit])?;
    }
    git(&root, &["checkout", "--quiet", "--force", "--detach", &commit])?;
    // Results of another build would be taken for ours; cargo alone knows which are its own.
    let excludes = if by_cargo { &["--exclude=/target"][..] } else { &[] };
    git(&root, &[&["clean", "--quiet", "-ffdx"][..], excludes].concat())?;
    if root.join(".gitmodules").is_file() {
        // Where a submodule is may be told from where the repository itself came from, and may be
        // another place in this commit than in the last.
        if let Ok(origin) = git(&repo, &["config", "--get", "remote.origin.url"]) {
            git(&root, &["config", "remote.origin.url", origin.trim()])?;
        }
        git(&root, &["submodule", "--quiet", "sync", "--recursive"])?;
        git(&root, &["submodule", "--quiet", "update", "--init", "--recursive", "--force"])?;
        git(&root, &["submodule", "--quiet", "foreach", "--recursive", "git clean -qffdx"])?;
    }
    if *wanted == Wanted::WorkTree {
        let mut written = OutputFiles::in_repository(&repo);
        let changes = copy_changes(&repo, &root, &mut written)?;
        let commit = changes.map_or(commit.clone(), |hash| format!("{commit}+{hash}"));
        return Ok(SourceTree { root, commit, advice: written.advice() });
    }
    Ok(SourceTree { root, commit, advice: None })
}

/// Brings the tree to the work tree's state; returns a hash of what differs from the commit, if
/// anything. Files that this program has written are left out.
fn copy_changes(
    repo: &Path,
    root: &Path,
    written: &mut OutputFiles<'_>,
) -> Result<Option<String>, Error> {
    let mut paths = changed(repo)?;
    paths.retain(|(path, _)| !written.has_tracked(Path::new(path)));
    let new = git(repo, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    // What ends in a slash is another repository.
    let new = new.split('\0').filter(|path| !path.is_empty() && !path.ends_with('/'));
    let new = new.filter(|path| !written.has(Path::new(path)));
    paths.extend(new.map(|path| (path.to_owned(), true)));
    paths.sort_unstable();
    paths.dedup();
    let mut hash = Sha256::new();
    let mut add = |bytes: &[u8]| {
        hash.update((bytes.len() as u64).to_le_bytes());
        hash.update(bytes);
    };
    for (path, is_there) in &paths {
        let (from, to) = (repo.join(path), root.join(path));
        add(path.as_bytes());
        if !is_there {
            add(b"deleted");
            // Something else may have its name by now.
            if fs::symlink_metadata(&to).is_ok_and(|there| !there.is_dir()) {
                fs::remove_file(&to).map_err(Error::io(&to, "remove"))?;
            }
            continue;
        }
        make_way(root, Path::new(path))?;
        let metadata = fs::symlink_metadata(&from).map_err(Error::io(&from, "read"))?;
        if metadata.is_symlink() {
            let target = fs::read_link(&from).map_err(Error::io(&from, "read"))?;
            add(b"link");
            add(target.as_os_str().as_encoded_bytes());
            symlink(&target, &to).map_err(Error::io(&to, "write"))?;
        } else {
            add(if is_executable(&metadata) { b"program" } else { b"file" });
            add(&fs::read(&from).map_err(Error::io(&from, "read"))?);
            // With its permissions: scripts are run.
            fs::copy(&from, &to).map_err(Error::io(&to, "write"))?;
        }
    }
    let hash = hex::encode(hash.finalize());
    Ok((!paths.is_empty()).then(|| hash[..12].to_owned()))
}

/// The committed paths that differ in the work tree, and whether they are still there.
fn changed(repo: &Path) -> Result<Vec<(String, bool)>, Error> {
    const SUBMODULE: &str = "160000";
    let diff = git(repo, &["diff", "--raw", "-z", "--no-renames", "--no-abbrev", "HEAD"])?;
    let mut paths = Vec::new();
    let mut words = diff.split('\0');
    // `:100644 100755 HASH HASH M`, then the path.
    while let (Some(change), Some(path)) = (words.next(), words.next()) {
        if change.contains(SUBMODULE) {
            return Err(Error::input_output(format!(
                "{}: the submodule is changed, and only what is committed of it can be built: \
                 expected it as HEAD has it (commit there, then here)",
                repo.join(path).display()
            )));
        }
        paths.push((path.to_owned(), !change.ends_with('D')));
    }
    Ok(paths)
}

/// Removes what stands where a path is to be written, and what is no folder on the way there: a
/// link must not be followed out of the tree.
fn make_way(root: &Path, path: &Path) -> Result<(), Error> {
    let mut at = root.to_owned();
    for name in path {
        at.push(name);
        let Ok(there) = fs::symlink_metadata(&at) else { continue };
        if !there.is_dir() {
            fs::remove_file(&at).map_err(Error::io(&at, "remove"))?;
        } else if at == root.join(path) {
            fs::remove_dir_all(&at).map_err(Error::io(&at, "remove"))?;
        }
    }
    match at.parent() {
        Some(folder) => fs::create_dir_all(folder).map_err(Error::io(folder, "create")),
        None => Ok(()),
    }
}
