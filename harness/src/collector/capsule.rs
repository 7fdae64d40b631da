//! What is kept of a fault: `faults/GAME/`.

use std::{fmt::Write as _, fs, io, path::Path};

use crate::{
    player::program::{Capsule, Protocol},
    record::GameRecord,
};

/// So many faults of one sitting are kept; more would tell nothing new and fill the disk.
pub(super) const MOST: u32 = 100;

/// Writes the folder of a game's fault: `fault.txt` says what happened and how to replay it; the
/// rest is what the program wrote and was told.
///
/// # Errors
/// When it cannot be written.
pub(super) fn write(run: &Path, game: &GameRecord, capsule: Option<&Capsule>) -> io::Result<()> {
    let dir = run.join("faults").join(game.game.to_string());
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
    if let Some(capsule) = capsule {
        let ending = capsule.exit_status.as_deref().unwrap_or("still running");
        // Writing to a string cannot fail.
        let _ = writeln!(text, "process: {ending}\nreplay: {}", replay(capsule));
        fs::write(dir.join("input.txt"), &capsule.input)?;
        fs::write(dir.join("transcript.txt"), &capsule.transcript)?;
        fs::write(dir.join("stderr.txt"), &capsule.stderr)?;
    }
    fs::write(dir.join("fault.txt"), text)
}

/// How to bring the fault about again, for a shell in the folder.
fn replay(capsule: &Capsule) -> String {
    let command = &capsule.command;
    match capsule.protocol {
        Protocol::Uci => format!("({command}) < input.txt"),
        Protocol::Xboard => format!(
            "while IFS= read -r line; do printf '%s\\n' \"$line\"; sleep 1; done < input.txt | \
             ({command})\n(a move that comes too early is another one: sleep longer than it thinks)"
        ),
    }
}
