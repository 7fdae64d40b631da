//! Where a run keeps what is known of its faults: `faults/GAME/`; an earlier attempt at a game that
//! was played again has `faults/GAME.ATTEMPT/`.

use process::terminal::shell_path;
use std::fs;
use std::path::{Path, PathBuf};

pub const FAULTS_FOLDER: &str = "faults";

/// How many faults the run in `dir` has kept, where, and how to replay the first.
pub fn faults_line(dir: &Path) -> Option<String> {
    let folder = dir.join(FAULTS_FOLDER);
    let entries = fs::read_dir(&folder).into_iter().flatten().flatten();
    let mut capsules: Vec<(u64, u64, PathBuf)> = entries
        .filter_map(|entry| {
            let (game, attempt) = numbers(entry.file_name().to_str()?)?;
            Some((game, attempt, entry.path()))
        })
        .collect();
    capsules.sort();
    let (_, _, first) = capsules.first()?;
    Some(format!(
        "faults: {} ({}); verdict replay {}",
        shell_path(&folder),
        capsules.len(),
        shell_path(first)
    ))
}

/// The game and the attempt in the name of a fault's folder; the last attempt, whose result is the
/// game's, has no number.
fn numbers(name: &str) -> Option<(u64, u64)> {
    match name.split_once('.') {
        Some((game, attempt)) => Some((game.parse().ok()?, attempt.parse().ok()?)),
        None => Some((name.parse().ok()?, u64::MAX)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_that_is_kept_is_named() {
        let dir = tempfile::tempdir().unwrap();
        let run = dir.path().join("a run");
        assert_eq!(faults_line(&run), None);
        fs::create_dir_all(run.join("faults/notes")).unwrap();
        assert_eq!(faults_line(&run), None);
        for name in ["10", "9", "9.2"] {
            fs::create_dir(run.join("faults").join(name)).unwrap();
        }
        let faults = run.join("faults").display().to_string();
        let expected = format!("faults: '{faults}' (3); verdict replay '{faults}/9.2'");
        assert_eq!(faults_line(&run), Some(expected));
    }
}
