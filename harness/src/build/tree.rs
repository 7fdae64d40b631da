//! A repository's tree checked out inside the cache: one clone a repository, which shares the
//! repository's objects and keeps cargo's results between builds.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use sha2::{Digest, Sha256};

use super::{BuildError, Cache, Wanted};
use crate::record::hex;

/// A tree ready to build.
#[derive(Debug)]
pub(super) struct Tree {
    /// Where it lies.
    pub(super) root: PathBuf,
    /// Its commit; with `+` and a hash behind it where the work tree changes something.
    pub(super) commit: String,
}

/// Checks out what is wanted.
pub(super) fn check_out(wanted: &Wanted, repo: &Path, cache: &Cache) -> Result<Tree, BuildError> {
    // A bare repository has commits all the same.
    let is_bare = git(repo, &["rev-parse", "--is-bare-repository"])?.trim_end() == "true";
    let of_commits = is_bare && matches!(wanted, Wanted::Revision(_));
    let top = if of_commits { "--absolute-git-dir" } else { "--show-toplevel" };
    let repo = PathBuf::from(git(repo, &["rev-parse", top])?.trim_end());
    let revision = match wanted {
        Wanted::Revision(revision) => revision,
        Wanted::WorkTree => "HEAD",
    };
    let commit = git(
        &repo,
        &["rev-parse", "--verify", "--end-of-options", &format!("{revision}^{{commit}}")],
    )?;
    let commit = commit.trim().to_owned();
    let root = cache.tree(&repo);
    if !root.join(".git").is_dir() {
        // A clone that was broken off.
        let _ = fs::remove_dir_all(&root);
        let (from, to) = (repo.display().to_string(), root.display().to_string());
        git(&repo, &["clone", "--quiet", "--shared", "--no-checkout", &from, &to])?;
    }
    git(&root, &["checkout", "--quiet", "--force", "--detach", &commit])?;
    // Results of another build command would be taken for ours; cargo knows its own.
    git(&root, &["clean", "--quiet", "-ffdx", "--exclude=/target"])?;
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
    let changes = match wanted {
        Wanted::Revision(_) => None,
        Wanted::WorkTree => copy_changes(&repo, &root)?,
    };
    let commit = match changes {
        Some(hash) => format!("{commit}+{hash}"),
        None => commit,
    };
    Ok(Tree { root, commit })
}

/// Brings the tree to the work tree's state; a hash of what differs from the commit, if anything.
fn copy_changes(repo: &Path, root: &Path) -> Result<Option<String>, BuildError> {
    let changed = git(repo, &["diff", "--name-only", "-z", "--no-renames", "HEAD"])?;
    let new = git(repo, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    let mut paths: Vec<&str> = changed.split('\0').chain(new.split('\0')).collect();
    paths.retain(|path| !path.is_empty());
    paths.sort_unstable();
    paths.dedup();
    let mut hash = Sha256::new();
    for path in &paths {
        let (from, to) = (repo.join(path), root.join(path));
        hash.update(path.as_bytes());
        match fs::read(&from) {
            Ok(content) => {
                hash.update([1]);
                hash.update((content.len() as u64).to_le_bytes());
                hash.update(&content);
                if let Some(folder) = to.parent() {
                    fs::create_dir_all(folder).map_err(BuildError::io(folder, "create"))?;
                }
                // With its permissions: scripts are run.
                fs::copy(&from, &to).map_err(BuildError::io(&to, "write"))?;
            }
            Err(_) => {
                // Deleted, or a submodule's folder.
                hash.update([0]);
                let _ = fs::remove_file(&to);
            }
        }
    }
    let hash = hex(&hash.finalize());
    Ok((!paths.is_empty()).then(|| hash[..12].to_owned()))
}

/// Runs git; what it printed.
fn git(at: &Path, words: &[&str]) -> Result<String, BuildError> {
    let run = Command::new("git").arg("-C").arg(at).args(words).output();
    let failed = |why: String| BuildError::Git { repo: at.to_owned(), what: words.join(" "), why };
    let Output { status, stdout, stderr } = run.map_err(|error| failed(error.to_string()))?;
    if status.success() {
        String::from_utf8(stdout).map_err(|_| failed("a path is no UTF-8".to_owned()))
    } else {
        Err(failed(String::from_utf8_lossy(&stderr).trim().to_owned()))
    }
}
