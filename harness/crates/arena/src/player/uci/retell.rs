//! A capsule's input told again, over UCI.

use super::handshake::is_readyok;
use super::report::best_move;
use super::{MOVES, ask};
use crate::player::Fault;
use crate::player::program::{Expected, Process};
use crate::player::retell::{Heard, Story, await_turn, pieces};

/// Tells it. After another move than the game's the next `position` says all over.
pub(in crate::player) fn retell(
    process: &mut Process,
    story: &Story<'_>,
    heard: &mut Heard,
) -> Result<(), Fault> {
    let settings = process.settings().clone();
    let pieces = pieces(story.input, waits);
    for (number, piece) in pieces.iter().enumerate() {
        await_turn(number, &pieces);
        heard.playing = heard.told_new;
        for line in piece.lines() {
            match word(line) {
                "quit" => return Ok(()),
                "ucinewgame" => {
                    heard.told_new = true;
                    process.new_game();
                }
                "position" => heard.ply = plies(line),
                _ => {}
            }
        }
        match piece.lines().next_back().map(word) {
            Some("uci") => {
                let (answer, patience) = ("uciok", settings.startup);
                let expected = Expected { command: "uci", answer, patience, search: false };
                process.send(piece, &expected)?;
                let is_uciok = |line: &[u8]| (line.trim_ascii() == b"uciok").then_some(());
                process.read_until(&expected, is_uciok)?;
            }
            Some("go" | "ponderhit") => {
                let (thought, _) = ask(process, piece, story.time(heard.ply), false)?;
                heard.take(story, heard.ply, thought);
            }
            Some("stop") => {
                let (answer, patience) = ("bestmove", settings.ready);
                let expected = Expected { command: "stop", answer, patience, search: false };
                process.send(piece, &expected)?;
                process.read_until(&expected, |line| best_move(line).map(drop))?;
            }
            _ => {
                let (answer, patience) = ("readyok", settings.ready);
                let expected = Expected { command: "isready", answer, patience, search: false };
                process.send(piece, &expected)?;
                if piece.lines().next_back().map(word) == Some("isready") {
                    process.read_until(&expected, is_readyok)?;
                }
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

fn word(line: &str) -> &str {
    line.split_ascii_whitespace().next().unwrap_or_default()
}

/// How many moves a `position` command tells.
fn plies(line: &str) -> usize {
    line.split_once(MOVES).map_or(0, |(_, moves)| moves.split_ascii_whitespace().count())
}
