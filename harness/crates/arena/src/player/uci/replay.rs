//! A capsule's input told again, over UCI.

use super::handshake::is_readyok;
use super::report::best_move;
use super::{MOVES, ask};
use crate::player::Fault;
use crate::player::program::{Expected, Process};
use crate::player::recorded_game::{RecordedGame, ReplayProgress, pieces, word};

/// Tells it. After another move than the game's the next `position` says all over.
pub(in crate::player) fn replay(
    process: &mut Process,
    game: &RecordedGame<'_>,
    progress: &mut ReplayProgress,
) -> Result<(), Fault> {
    let (startup, ready) = (process.host.settings.startup, process.host.settings.ready);
    for piece in pieces(game.input, waits) {
        progress.playing = progress.new_game_sent;
        for line in piece.lines() {
            match word(line) {
                "quit" => return Ok(()),
                "ucinewgame" => {
                    progress.new_game_sent = true;
                    process.new_game();
                }
                "position" => progress.ply = plies(line),
                _ => {}
            }
        }
        match piece.lines().next_back().map(word) {
            Some("uci") => {
                let is_uciok = |line: &[u8]| (line.trim_ascii() == b"uciok").then_some(());
                process.ask(&piece, &Expected::new("uci", "uciok", startup), is_uciok)?;
            }
            Some("go" | "ponderhit") => {
                let (thought, _) = ask(process, &piece, game.time(progress.ply), false)?;
                progress.take(game, progress.ply, thought);
            }
            Some("stop") => {
                let is_answer = |line: &[u8]| best_move(line).map(drop);
                process.ask(&piece, &Expected::new("stop", "bestmove", ready), is_answer)?;
            }
            Some("isready") => {
                process.ask(&piece, &Expected::new("isready", "readyok", ready), is_readyok)?;
            }
            _ => {
                process.send(&piece, &Expected::new("isready", "readyok", ready))?;
            }
        }
    }
    Ok(())
}

/// Whether the engine answers a line; pondering it answers when that ends.
fn waits(line: &str) -> bool {
    match word(line) {
        "uci" | "isready" | "ponderhit" | "stop" => true,
        "go" => line.split_ascii_whitespace().nth(1) != Some("ponder"),
        _ => false,
    }
}

/// How many moves a `position` command tells.
fn plies(line: &str) -> usize {
    line.split_once(MOVES).map_or(0, |(_, moves)| moves.split_ascii_whitespace().count())
}
