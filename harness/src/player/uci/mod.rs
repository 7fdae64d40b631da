//! Programs that speak UCI.
//!
//! `handshake` and `go`: what they are told; `report`: what they say; `retell`: a capsule's input
//! told again.

#[cfg(any(test, fuzzing))]
pub(super) mod fuzzing;
mod go;
mod handshake;
mod report;
mod retell;

use std::sync::Arc;
use std::time::Duration;

use shakmaty::Color;

use self::handshake::Handshake;
use self::report::{best_move, info};
pub(in crate::player) use self::retell::retell;
use super::program::{
    self, Expected, Identity, Process, ProgramHost, ProgramSpec, Report, START_FEN, Search,
    StartError,
};
use super::{Fault, GoLimit, Thought};

/// Between the start position and the moves.
const MOVES: &str = " moves ";

/// An engine process that plays.
pub(super) struct UciPlayer {
    pub(super) process: Process,
    handshake: Handshake,
    chess960: bool,
    /// `position … moves …` as last told, reused for every move of the game.
    command: String,
    /// The length of its part before `moves`.
    start: usize,
}

impl UciPlayer {
    /// Starts the program and sets its options; returns when it is ready.
    pub(super) fn start(
        spec: &ProgramSpec,
        host: &Arc<ProgramHost>,
    ) -> Result<UciPlayer, StartError> {
        let (process, handshake) = program::start(spec, host, handshake::perform)?;
        Ok(UciPlayer { process, handshake, chess960: false, command: String::new(), start: 0 })
    }

    /// Who the engine says it is.
    pub(super) fn identity(&self) -> &Identity {
        &self.handshake.identity
    }

    /// Prepares for a game that starts at `fen`; with `chess960`, castling moves are written as
    /// the king taking his rook.
    pub(super) fn new_game(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        self.process.new_game();
        let mut text = String::new();
        if chess960 != self.chess960 {
            let line = self.handshake.set_chess960(chess960);
            text = line.ok_or_else(|| {
                let reason = "has no option UCI_Chess960, which this start position needs";
                self.process.not_started(reason)
            })?;
            self.chess960 = chess960;
        }
        text.push_str("ucinewgame\nisready\n");
        let expected = Expected {
            command: "ucinewgame, isready",
            answer: "readyok",
            patience: self.process.settings().ready,
            search: false,
        };
        self.process.send(&text, &expected)?;
        self.process.read_until(&expected, handshake::is_readyok)?;

        self.command.clear();
        self.command.push_str("position ");
        if fen == START_FEN {
            self.command.push_str("startpos");
        } else {
            self.command.push_str("fen ");
            self.command.push_str(fen);
        }
        self.start = self.command.len();
        Ok(())
    }

    /// Asks for a move after `moves`, with `turn` to move. Blocks until it comes.
    pub(super) fn think(
        &mut self,
        turn: Color,
        moves: &str,
        limit: &GoLimit,
    ) -> Result<Thought, Fault> {
        self.tell(moves);
        let base_length = self.command.len();
        self.command.push('\n');
        go::push(&mut self.command, limit);
        let thought = ask(&mut self.process, &self.command, limit.time(turn));
        self.command.truncate(base_length);
        thought
    }

    /// Brings the `position` command up to date; as a rule by adding the last moves.
    fn tell(&mut self, moves: &str) {
        let told = self.command[self.start..].strip_prefix(MOVES).unwrap_or_default();
        match moves.strip_prefix(told) {
            Some("") => {}
            Some(fresh) if !told.is_empty() => self.command.push_str(fresh),
            _ => {
                self.command.truncate(self.start);
                if !moves.is_empty() {
                    self.command.push_str(MOVES);
                    self.command.push_str(moves);
                }
            }
        }
    }
}

/// Sends `command`, whose last line is `go`, and waits for the answer; `time`: how long it may
/// take, where a clock runs.
pub(super) fn ask(
    process: &mut Process,
    command: &str,
    time: Option<Duration>,
) -> Result<Thought, Fault> {
    let mut search = Search::begin(process, command, "bestmove", time, |_| ())?;
    let mut report = Report::default();
    loop {
        search.read(process, |lines| report = report.then(lines, info))?;
        let lines = process.lines();
        while let Some(line) = lines.next() {
            let Some(best) = best_move(lines.get(line)) else { continue };
            let best = best.map_err(<[u8]>::to_vec);
            let report = report.then(lines.handed_out(), info);
            lines.forget();
            return search.thought(process, best, &report);
        }
    }
}
