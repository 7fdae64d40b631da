//! The commits of a repository in a row, and what git says of each.

use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::git::{git, git_output};
use super::{Wanted, tree};
use process::Error;

#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Commit {
    /// The whole hash.
    pub commit: String,
    /// Hashes; a merge has several.
    pub parents: Vec<String>,
    pub author: String,
    /// When it was written, as RFC 3339.
    pub date: String,
    pub subject: String,
}

/// Digits of a hash that are shown.
const DIGITS: usize = 10;

impl Commit {
    pub fn short(&self) -> &str {
        self.commit.get(..DIGITS).unwrap_or(&self.commit)
    }

    pub fn is_merge(&self) -> bool {
        self.parents.len() > 1
    }
}

/// A field a line: a subject is one line.
const FORMAT: &str = "--format=%H%n%P%n%an%n%aI%n%s";

fn read(text: &str) -> Vec<Commit> {
    let of = |record: &str| {
        let mut lines = record.trim_start_matches('\n').lines();
        let mut next = || lines.next().unwrap_or_default().to_owned();
        let (commit, parents) = (next(), next());
        let parents = parents.split_whitespace().map(str::to_owned).collect();
        Commit { commit, parents, author: next(), date: next(), subject: next() }
    };
    text.split('\0').filter(|record| !record.trim().is_empty()).map(of).collect()
}

fn resolved(revision: &str, repo: &Path) -> Result<(PathBuf, String), Error> {
    tree::resolve(&Wanted::Revision(revision.to_owned()), repo).map_err(Error::usage)
}

/// What git says of the commit of a revision.
pub fn commit(revision: &str, repo: &Path) -> Result<Commit, Error> {
    let (repo, hash) = resolved(revision, repo)?;
    let text = git(&repo, &["log", "-1", "-z", FORMAT, &hash])?;
    read(&text).pop().ok_or_else(|| Error::input_output(format!("git log says nothing of {hash}")))
}

/// Whether a revision is a commit of the repository.
pub fn has_commit(revision: &str, repo: &Path) -> bool {
    let object = format!("{revision}^{{commit}}");
    git_output(repo, &["cat-file", "-e", &object]).is_ok()
}

/// Whether the second commit is built on the first, or is it.
pub fn is_ancestor(first: &Commit, second: &Commit, repo: &Path) -> bool {
    git_output(repo, &["merge-base", "--is-ancestor", &first.commit, &second.commit]).is_ok()
}

/// Whether the work tree differs from its head; a bare repository has none.
pub fn is_changed(repo: &Path) -> bool {
    let status = git_output(repo, &["status", "--porcelain", "--untracked-files=no"]);
    status.is_ok_and(|status| !status.trim().is_empty())
}

/// The commits from `good` to `bad`, both included, along first parents: a merge is one commit, and
/// what it brings in is not looked into. Fails where `good` does not lie on that line before `bad`.
pub fn line(good: &str, bad: &str, repo: &Path) -> Result<Vec<Commit>, Error> {
    let (first, last) = (commit(good, repo)?, commit(bad, repo)?);
    let (repo, _) = resolved(good, repo)?;
    let usage = |why: String| Error::usage(why).context(repo.display());
    if first.commit == last.commit {
        let hash = first.short();
        return Err(usage(format!(
            "--good {good} and --bad {bad} are one commit ({hash}): expected a later one for --bad"
        )));
    }
    if !is_ancestor(&first, &last, &repo) {
        let base = git_output(&repo, &["merge-base", &first.commit, &last.commit]);
        let way_out = match base {
            _ if is_ancestor(&last, &first, &repo) => "they are the other way round".to_owned(),
            Ok(base) => format!(
                "both come from {}: if that one is good, --good {0}",
                base.trim().get(..DIGITS).unwrap_or_default()
            ),
            Err(_) => "they have no commit in common".to_owned(),
        };
        return Err(usage(format!(
            "--good {good} is no ancestor of --bad {bad}: expected an earlier commit; {way_out}"
        )));
    }
    let range = format!("{}..{}", first.commit, last.commit);
    let text =
        git(&repo, &["log", "-z", "--first-parent", "--reverse", "--topo-order", FORMAT, &range])?;
    let commits = read(&text);
    let before = commits.first().and_then(|commit| commit.parents.first());
    if before != Some(&first.commit) {
        let before = before.and_then(|hash| hash.get(..DIGITS)).unwrap_or("none");
        return Err(usage(format!(
            "--good {good} is not on the line of first parents of --bad {bad}, it came in by a merge: \
             expected a commit of that line, like --good {before}"
        )));
    }
    Ok(std::iter::once(first).chain(commits).collect())
}

/// Where the branch that a merge brings in has left the line that it is merged into.
pub fn fork(merge: &Commit, repo: &Path) -> Option<String> {
    let [ours, theirs] = merge.parents.get(..2)? else { return None };
    let base = git_output(repo, &["merge-base", ours, theirs]).ok()?;
    base.trim().get(..DIGITS).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_git_prints_is_read() {
        let text = "a1\nb2 c3\nN. N.\n2026-01-02T03:04:05+01:00\nMerge: a, b\0d4\n\nM\n2026\n\0";
        let commits = read(text);
        let [merge, root] = &commits[..] else { panic!("{commits:?}") };
        assert!(merge.is_merge() && !root.is_merge());
        assert_eq!((merge.subject.as_str(), merge.author.as_str()), ("Merge: a, b", "N. N."));
        assert_eq!((root.commit.as_str(), root.subject.as_str(), root.short()), ("d4", "", "d4"));
    }
}
