//! What knows the operating system stands in one crate, so that a port is one crate.

use std::fs;
use std::path::{Path, PathBuf};

/// The folders of sources that may ask the system: `process`, and the engine's memory.
const SYSTEM: [&str; 2] = ["harness/crates/process/src", "engine/src/memory"];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

#[test]
fn only_one_crate_knows_the_operating_system() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
    let mut files = Vec::new();
    for folder in ["engine/src", "harness/src", "harness/crates"] {
        sources(&root.join(folder), &mut files);
    }
    files.retain(|path| !SYSTEM.iter().any(|system| path.starts_with(root.join(system))));
    assert!(files.len() > 300, "only {} files", files.len());
    let mut found = Vec::new();
    for path in files {
        for (line, number) in fs::read_to_string(&path).unwrap().lines().zip(1..) {
            if ["libc::", "\"/proc", "os::unix", "os::fd", "os::linux"]
                .iter()
                .any(|it| line.contains(it))
            {
                found.push(format!("{}:{number}: {}", path.display(), line.trim()));
            }
        }
    }
    assert!(found.is_empty(), "expected in crates/process only:\n{}", found.join("\n"));
}
