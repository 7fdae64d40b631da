//! A capsule's input told again, over xboard.

use shakmaty::fen::Fen;
use shakmaty::uci::UciMove;
use shakmaty::{CastlingMode, Chess, Position as _};

use super::engine_view::OwnMove;
use super::handshake::{introduce, ping};
use super::{Commands, answer, ask, moves, refused};
use crate::player::Fault;
use crate::player::program::{Expected, Process};
use crate::player::recorded_game::{RecordedGame, ReplayProgress, pieces, word};

/// All that engines are told but moves.
const COMMANDS: [&str; 24] = [
    "xboard", "protover", "accepted", "rejected", "new", "variant", "force", "setboard", "easy",
    "post", "time", "otim", "go", "white", "black", "st", "sd", "depth", "nps", "level", "memory",
    "cores", "option", "ping",
];

/// Those that set the limit, which an engine may not refuse.
const MATTERS: [&str; 5] = ["st", "sd", "depth", "nps", "level"];

/// Tells it; false if the engine made another move than the game's, after which what it was told
/// makes no sense.
pub(in crate::player) fn replay(
    process: &mut Process,
    game: &RecordedGame<'_>,
    progress: &mut ReplayProgress,
) -> Result<bool, Fault> {
    let mut board = ReplayedBoard::default();
    let mut own = None;
    let mut forced = true;
    let waits = |line: &str| match word(line) {
        "force" | "new" => {
            forced = true;
            false
        }
        "go" => {
            forced = false;
            true
        }
        "protover" | "ping" => true,
        command => !forced && is_move(command),
    };
    // An engine that knows `depth` in place of `sd` was asked for the latter first.
    let old_depth = game.input.lines().any(|line| word(line) == "depth");
    for piece in pieces(game.input, waits) {
        progress.playing = progress.new_game_sent;
        let mut matters = Vec::new();
        for line in piece.lines() {
            match word(line) {
                "quit" => return Ok(true),
                "new" => {
                    progress.new_game_sent = true;
                    own = None;
                    process.new_game();
                }
                "sd" if old_depth => {}
                "setboard" => matters.extend(["setboard".to_owned(), "position".to_owned()]),
                command if MATTERS.contains(&command) => matters.push(command.to_owned()),
                _ => {}
            }
            if let Some(text) = board.take_line(line) {
                matters.push(text.to_owned());
            }
        }
        progress.ply = board.plies;
        let last = piece.lines().next_back().unwrap_or_default();
        match word(last) {
            "protover" => drop(introduce(process, &piece)?),
            "ping" => {
                let pong = last.trim().replacen("ping", "pong", 1);
                let refuses = |line: &[u8]| answer::refuses(line, &matters);
                let refusal = ping(process, &piece, &pong, refuses)?;
                refusal.map_or(Ok(()), |line| Err(refused(process, &line)))?;
            }
            command if command == "go" || is_move(command) => {
                let commands = Commands { text: piece.clone(), matters };
                let time = game.time(board.plies);
                let thought = ask(process, &board.position, &commands, time, own.as_ref())?;
                let (ply, best) = (board.plies, thought.best);
                progress.take(game, ply, thought);
                if progress.strayed.is_some() {
                    return Ok(false);
                }
                own = Some(OwnMove::new(&board.position, best));
                board.play(best);
            }
            _ => {
                let patience = process.host.settings.ready;
                process.send(&piece, &Expected::new(word(last), "", patience))?;
                process.answered();
            }
        }
    }
    Ok(true)
}

#[derive(Default)]
struct ReplayedBoard {
    position: Chess,
    mode: Option<CastlingMode>,
    plies: usize,
}

impl ReplayedBoard {
    /// Takes a line in; the move's text if it is one.
    fn take_line<'a>(&mut self, line: &'a str) -> Option<&'a str> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        match command {
            "new" => *self = ReplayedBoard::default(),
            "variant" => {
                self.mode = (rest.trim() == "fischerandom").then_some(CastlingMode::Chess960);
            }
            "setboard" => {
                let mode = self.mode.unwrap_or(CastlingMode::Standard);
                let fen = rest.parse::<Fen>().ok();
                let position = fen.and_then(|fen| fen.into_position(mode).ok());
                self.position = position.unwrap_or_default();
            }
            "usermove" => return self.opponent(rest.trim()),
            _ if is_move(command) => return self.opponent(command),
            _ => {}
        }
        None
    }

    fn opponent<'a>(&mut self, text: &'a str) -> Option<&'a str> {
        let best = moves::read(&self.position, text)?;
        self.play(best);
        Some(text)
    }

    fn play(&mut self, best: UciMove) {
        if let Ok(m) = best.to_move(&self.position) {
            self.position.play_unchecked(m);
            self.plies += 1;
        }
    }
}

fn is_move(command: &str) -> bool {
    command == "usermove"
        || !(command.is_empty() || COMMANDS.contains(&command) || command == "quit")
}
