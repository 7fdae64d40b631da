//! Tells the program which commit it is built from, and whether with changes that are not committed,
//! so that a run's record can say it.

use std::process::Command;

#[path = "src/build/repository.rs"]
mod repository;

fn git(arguments: &[&str]) -> Option<String> {
    let output = repository::forget(&mut Command::new("git")).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// What makes the players.
const SOURCES: [&str; 4] =
    ["..", "../../src", "../../../engine/src", "../../../engine/personalities"];

fn main() {
    println!("cargo::rerun-if-env-changed=VERDICT_COMMIT");
    println!("cargo::rerun-if-changed=build.rs");
    for path in SOURCES {
        println!("cargo::rerun-if-changed={path}");
    }
    // HEAD names a branch; its log grows with every commit and checkout.
    for file in ["HEAD", "logs/HEAD"] {
        if let Some(path) = git(&["rev-parse", "--git-path", file]) {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    let given = std::env::var("VERDICT_COMMIT").ok();
    let head = || {
        let commit = git(&["rev-parse", "HEAD"])?;
        let changes = git(&[&["status", "--porcelain", "--"], &SOURCES[..]].concat())?;
        Some(if changes.is_empty() { commit } else { commit + "+dirty" })
    };
    if let Some(commit) = given.or_else(head) {
        println!("cargo::rustc-env=VERDICT_COMMIT={commit}");
    }
}
