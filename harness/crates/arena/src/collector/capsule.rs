//! Writes `faults/GAME/`; an earlier attempt at a game that was played again gets
//! `faults/GAME.ATTEMPT/`.

use process::terminal::shell_path;
use std::collections::HashSet;
use std::path::Path;
use std::{fs, io};

use crate::player::program::Capsule;
use crate::record::{FAULTS_FOLDER, GameRecord, RUN_FILE};
use process::terminal::escape::lines;

/// The game's line of the journal.
pub const GAME_FILE: &str = "game.json";
/// What the program was told.
pub const INPUT_FILE: &str = "input.txt";
/// The traffic with times.
pub const TRANSCRIPT_FILE: &str = "transcript.txt";
/// Faults saved in one session; more would tell nothing new and fill the disk.
pub const KEPT_FAULTS: u64 = 100;
/// Ends the name of a folder that is being written.
const DRAFT: &str = ".tmp";

/// Writes the folder of a game's fault, or of the fault of an `attempt` (from 1) at it: `fault.txt`
/// says what happened and how to replay it, `game.json` is its record, `run.json` a copy of the
/// run's; the rest is what the program wrote and was told.
pub(super) fn write(
    run: &Path,
    game: &GameRecord,
    attempt: Option<u32>,
    capsule: Option<&Capsule>,
) -> io::Result<()> {
    let number = game.game;
    let name = attempt.map_or(number.to_string(), |attempt| format!("{number}.{attempt}"));
    let faults = run.join(FAULTS_FOLDER);
    make_itself(&faults)?;
    // A new folder has no links in it; it gets its name when it is whole.
    let draft = faults.join(format!(".{name}.{}{DRAFT}", std::process::id()));
    remove(&draft)?;
    fs::create_dir(&draft)?;
    let dir = faults.join(name);
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
    if let Some(attempt) = attempt {
        text += &format!("attempt {attempt} at this game; it was played again\n");
    }
    if let Some(capsule) = capsule {
        let ending = capsule.exit_status.as_deref().unwrap_or("still running");
        text += &format!("process: {ending}\nprogram: {}\n", capsule.command);
        fs::write(draft.join(INPUT_FILE), &capsule.input)?;
        fs::write(draft.join(TRANSCRIPT_FILE), &capsule.transcript)?;
        fs::write(draft.join("stderr.txt"), &capsule.stderr)?;
    }
    fs::copy(run.join(RUN_FILE), draft.join(RUN_FILE))?;
    // To be typed wherever its reader stands.
    let here = std::path::absolute(&dir).unwrap_or_else(|_| dir.clone());
    text += &format!("replay: verdict replay {}\n", shell_path(&here));
    if capsule.is_some() {
        text.push_str(
            "elsewhere: verdict replay FOLDER, this file's; it needs the program above\n",
        );
    }
    fs::write(draft.join(GAME_FILE), serde_json::to_string(game)? + "\n")?;
    fs::write(draft.join("fault.txt"), lines(&text).as_bytes())?;
    remove(&dir)?;
    fs::rename(draft, dir)
}

/// Fails where the folder around it is missing or a link has its name.
fn make_itself(dir: &Path) -> io::Result<()> {
    match fs::symlink_metadata(dir) {
        Ok(metadata) if metadata.is_dir() => Ok(()),
        Ok(_) => Err(io::Error::other(format!(
            "{}: expected a folder, found a file or a symbolic link",
            dir.display()
        ))),
        Err(_) => fs::create_dir(dir),
    }
}

/// Removes a folder with all in it, or a link and not what it leads to.
fn remove(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_dir() => fs::remove_dir_all(path),
        Ok(_) => fs::remove_file(path),
        Err(_) => Ok(()),
    }
}

/// Removes what an interrupted session saved of games that it did not record: they are played again,
/// and may end otherwise. What cannot be removed stays.
pub(super) fn remove_unrecorded(run: &Path, recorded: &HashSet<u64>) {
    remove_of(run, |game| !recorded.contains(&game));
}

/// Removes what was saved of some games, and unfinished folders.
pub(super) fn remove_of(run: &Path, is_of: impl Fn(u64) -> bool) {
    let faults = run.join(FAULTS_FOLDER);
    if fs::symlink_metadata(&faults).is_ok_and(|metadata| metadata.is_symlink()) {
        return;
    }
    for entry in fs::read_dir(faults).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let name = name.to_str().unwrap_or_default();
        let game = name.split('.').next().and_then(|number| number.parse().ok());
        let is_draft = name.starts_with('.') && name.ends_with(DRAFT);
        if is_draft || game.is_some_and(&is_of) {
            let _ = remove(&entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use process::files::symlink;

    use super::*;
    use crate::record::sample;

    #[test]
    fn only_recorded_games_keep_their_capsules() {
        let dir = tempfile::tempdir().unwrap();
        let folder = |name: &str| dir.path().join(FAULTS_FOLDER).join(name);
        for name in ["3", "4", "notes", "5.1", "6.2", ".3.17.tmp"] {
            fs::create_dir_all(folder(name)).unwrap();
            fs::write(folder(name).join("fault.txt"), "x").unwrap();
        }
        remove_unrecorded(dir.path(), &HashSet::from([3, 5]));
        let left = ["3", "4", "notes", "5.1", "6.2", ".3.17.tmp"].map(|name| folder(name).exists());
        assert_eq!(left, [true, false, true, true, false, false]);
        remove_unrecorded(&dir.path().join("elsewhere"), &HashSet::new());
        // Of struck games nothing counts.
        remove_of(dir.path(), |game| game == 5);
        assert_eq!(["3", "5.1"].map(|name| folder(name).exists()), [true, false]);
    }

    /// A tampered folder may lead anywhere.
    #[test]
    fn nothing_is_written_or_removed_through_a_link() {
        let dir = tempfile::tempdir().unwrap();
        let (run, elsewhere) = (dir.path().join("run"), dir.path().join("elsewhere"));
        fs::create_dir(&run).unwrap();
        fs::create_dir_all(elsewhere.join("4")).unwrap();
        fs::write(run.join(RUN_FILE), "{}").unwrap();
        let game = sample(7);
        symlink(&elsewhere, run.join(FAULTS_FOLDER)).unwrap();
        remove_unrecorded(&run, &HashSet::new());
        assert!(write(&run, &game, None, None).is_err());
        let names = |dir: &Path| fs::read_dir(dir).unwrap().count();
        assert_eq!((names(&elsewhere), elsewhere.join("4").exists()), (1, true));
        // So may one of its folders.
        fs::remove_file(run.join(FAULTS_FOLDER)).unwrap();
        fs::create_dir(run.join(FAULTS_FOLDER)).unwrap();
        symlink(&elsewhere, run.join(FAULTS_FOLDER).join("7")).unwrap();
        write(&run, &game, None, None).unwrap();
        assert_eq!(names(&elsewhere), 1);
        assert!(run.join(FAULTS_FOLDER).join("7/fault.txt").is_file());
        // Where the run is gone nothing is made again.
        fs::remove_dir_all(&run).unwrap();
        assert!(write(&run, &game, None, None).is_err());
        assert!(!run.exists());
    }
}
