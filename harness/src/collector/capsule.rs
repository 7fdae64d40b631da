//! What is kept of a fault: `faults/GAME/`; of an attempt at a game that was followed by another:
//! `faults/GAME.ATTEMPT/`.

use std::{collections::HashSet, fmt::Write as _, fs, io, path::Path};

use crate::{
    player::program::{Capsule, shell_word},
    record::{FAULTS_FOLDER, GameRecord, RUN_FILE},
};

/// The game, as its line in the journal.
pub(crate) const GAME_FILE: &str = "game.json";
/// What the program was told.
pub(crate) const INPUT_FILE: &str = "input.txt";
/// The traffic with times.
pub(crate) const TRANSCRIPT_FILE: &str = "transcript.txt";
/// So many faults of one sitting are kept; more would tell nothing new and fill the disk.
pub(super) const MOST: u64 = 100;

/// Writes the folder of a game's fault, or of the fault of an `attempt` (from 1) at it: `fault.txt`
/// says what happened and how to replay it, `game.json` is its record, `run.json` a copy of the run's,
/// so that the folder can be given to others; the rest is what the program wrote and was told.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(
    run: &Path,
    game: &GameRecord,
    attempt: Option<u32>,
    capsule: Option<&Capsule>,
) -> io::Result<()> {
    let number = game.game;
    let name = attempt.map_or(number.to_string(), |attempt| format!("{number}.{attempt}"));
    let dir = run.join(FAULTS_FOLDER).join(name);
    fs::create_dir_all(&dir)?;
    let moves =
        if game.moves.is_empty() { String::new() } else { format!(" moves {}", game.moves) };
    let position = format!("position fen {}{moves}", game.fen);
    let mut text = format!(
        "game {}, {}: {}\nwhite is {}, black is {}, {} plies were played\n{position}\n",
        game.game,
        game.termination.as_str(),
        game.detail.as_deref().unwrap_or("no details"),
        game.white,
        game.black,
        game.plies,
    );
    // Writing to a string cannot fail.
    if let Some(attempt) = attempt {
        let _ = writeln!(text, "attempt {attempt} at this game; it was played again");
    }
    if let Some(capsule) = capsule {
        let ending = capsule.exit_status.as_deref().unwrap_or("still running");
        let _ = writeln!(text, "process: {ending}\nprogram: {}", capsule.command);
        fs::write(dir.join(INPUT_FILE), &capsule.input)?;
        fs::write(dir.join(TRANSCRIPT_FILE), &capsule.transcript)?;
        fs::write(dir.join("stderr.txt"), &capsule.stderr)?;
    }
    fs::copy(run.join(RUN_FILE), dir.join(RUN_FILE))?;
    // To be typed wherever its reader stands.
    let here = std::path::absolute(&dir).unwrap_or_else(|_| dir.clone());
    let _ = writeln!(text, "replay: verdict replay {}", shell_word(&here.to_string_lossy()));
    if capsule.is_some() {
        text.push_str(
            "elsewhere: verdict replay FOLDER, this file's; it needs the program above\n",
        );
    }
    fs::write(dir.join(GAME_FILE), serde_json::to_string(game)? + "\n")?;
    fs::write(dir.join("fault.txt"), text)
}

/// Removes what an interrupted sitting kept of games that it did not record: they are played
/// again, and may end otherwise. What cannot be removed stays.
pub(super) fn remove_unrecorded(run: &Path, recorded: &HashSet<u64>) {
    for entry in fs::read_dir(run.join(FAULTS_FOLDER)).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let game = name.to_str().and_then(|name| name.split('.').next()?.parse().ok());
        if game.is_some_and(|game| !recorded.contains(&game)) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_recorded_games_keep_their_capsules() {
        let dir = tempfile::tempdir().unwrap();
        let folder = |name: &str| dir.path().join(FAULTS_FOLDER).join(name);
        for name in ["3", "4", "notes", "5.1", "6.2"] {
            fs::create_dir_all(folder(name)).unwrap();
            fs::write(folder(name).join("fault.txt"), "x").unwrap();
        }
        remove_unrecorded(dir.path(), &HashSet::from([3, 5]));
        let left = ["3", "4", "notes", "5.1", "6.2"].map(|name| folder(name).exists());
        assert_eq!(left, [true, false, true, true, false]);
        remove_unrecorded(&dir.path().join("elsewhere"), &HashSet::new());
    }
}
