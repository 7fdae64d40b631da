//! The pages of the repository: what they lead to is there, for whoever has nothing but the repository.

use std::collections::HashSet;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::process::Command;

/// The repository's root.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

/// The files that git tracks, and their folders; `None` where there is no git, or no repository.
fn tracked() -> Option<HashSet<PathBuf>> {
    if !root().join(".git").exists() {
        return None;
    }
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(root()).output().ok()?;
    let listed = String::from_utf8(listed.stdout).ok().filter(|_| listed.status.success())?;
    let files = listed.split('\0').filter(|file| !file.is_empty()).map(Path::new);
    Some(files.flat_map(Path::ancestors).map(Path::to_owned).collect())
}

/// Where the links of a page lead: `[words](target)`, and `[name]: target` on a line of its own.
fn targets(page: &str) -> impl Iterator<Item = &str> {
    page.lines().flat_map(|line| {
        let named = line.strip_prefix('[').and_then(|line| line.split_once("]: "));
        let inline = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        inline.chain(named.map(|(_, target)| target))
    })
}

/// A target as a path from the root, where it is one.
fn resolved(page: &Path, target: &str) -> Option<PathBuf> {
    let path = target.split('#').next().unwrap_or_default().trim();
    if path.is_empty() || path.contains("://") || path.starts_with("mailto:") {
        return None;
    }
    let mut found = PathBuf::new();
    for part in page.parent().unwrap_or(Path::new("")).join(path).components() {
        match part {
            Component::ParentDir => {
                found.pop();
            }
            Component::CurDir => {}
            other => found.push(other),
        }
    }
    Some(found)
}

#[test]
fn every_link_leads_to_a_file_of_the_repository() {
    let Some(tracked) = tracked() else { return };
    let is_page = |path: &&PathBuf| path.extension().is_some_and(|it| it == "md");
    let mut pages: Vec<&PathBuf> = tracked.iter().filter(is_page).collect();
    pages.sort();
    assert!(pages.len() > 4, "{pages:?}");
    let (mut links, mut dead) = (0, Vec::new());
    for page in pages {
        // A page that is about to be removed leads nowhere.
        let Ok(text) = fs::read_to_string(root().join(page)) else { continue };
        for target in targets(&text) {
            let Some(path) = resolved(page, target) else { continue };
            links += 1;
            if !tracked.contains(&path) {
                dead.push(format!("{}: {target}", page.display()));
            }
        }
    }
    assert!(links > 100, "only {links} links were found");
    assert!(dead.is_empty(), "expected files that git tracks, found:\n{}", dead.join("\n"));
}

#[test]
fn links_are_found_and_followed() {
    let page = "[a](b.md#c) and [![d](e.png)](../f) [g]\n[g]: /h\n[i]: <https://j>\n";
    let found: Vec<&str> = targets(page).collect();
    assert_eq!(found, ["b.md#c", "e.png", "../f", "/h", "<https://j>"]);
    let at = |target| resolved(Path::new("results/x/README.md"), target);
    assert_eq!(at("b.md#c"), Some("results/x/b.md".into()));
    assert_eq!(at("../../README.md"), Some("README.md".into()));
    assert_eq!(at("#c").or(at("https://j")), None);
}

/// The paths that pages name between backticks, from the repository's root.
#[test]
fn every_path_named_in_the_guides_is_there() {
    let (mut named, mut missing) = (0, Vec::new());
    for page in ["README.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(page)).unwrap();
        for path in text.split('`').skip(1).step_by(2) {
            let is_path = ["engine/", "harness/", "scripts/", "results/", "openings/"]
                .iter()
                .any(|top| path.starts_with(top));
            if is_path
                && !path.contains([' ', '*'])
                && !path.contains("NAME")
                && !path.contains("AREA")
            {
                named += 1;
                if !root().join(path).exists() {
                    missing.push(format!("{page}: {path}"));
                }
            }
        }
    }
    assert!(named > 30, "only {named} paths were found");
    assert!(missing.is_empty(), "expected files of the repository, found:\n{}", missing.join("\n"));
}

/// A run that is committed is the one that was played: a changed path in its description needs a new seal.
#[test]
fn committed_runs_are_as_sealed() {
    let Some(tracked) = tracked() else { return };
    let is_run = |path: &&PathBuf| path.starts_with("results") && path.ends_with("run.json");
    let runs: Vec<&PathBuf> = tracked.iter().filter(is_run).collect();
    let reason = |path: &&PathBuf| {
        let dir = root().join(path.parent()?);
        arena::record::RunFile::read(&dir).err().map(|error| error.to_string())
    };
    let mut reasons: Vec<String> = runs.iter().filter_map(reason).collect();
    reasons.retain(|reason| reason.contains("seal"));
    assert!(reasons.is_empty() && runs.len() > 20, "{} runs, {reasons:#?}", runs.len());
}
