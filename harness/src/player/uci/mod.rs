//! Programs that speak UCI.
//!
//! `handshake` and `go`: what they are told; `report`: what they say.

mod go;
mod handshake;
mod report;

use std::sync::Arc;
use std::time::Duration;

use shakmaty::Color;

use self::handshake::Handshake;
use self::report::{Report, best_move};
use super::program::{
    self, Capsule, Expected, Identity, Process, ProgramHost, ProgramSpec, START_FEN, StartError,
    Timing,
};
use super::{Fault, GoLimit, Thought};

/// Between the start position and the moves.
const MOVES: &str = " moves ";

/// An engine process that plays.
///
/// After a [`Fault`] take the [`UciPlayer::capsule`] and [`UciPlayer::quit`]; another game needs
/// another player. Dropping a player kills its process without waiting.
pub struct UciPlayer {
    spec: ProgramSpec,
    process: Process,
    handshake: Handshake,
    chess960: bool,
    /// `position … moves …` as last told, reused for every move of the game.
    command: String,
    /// The length of its part before `moves`.
    start: usize,
}

impl UciPlayer {
    /// Starts the program and sets its options; returns when it is ready.
    ///
    /// # Errors
    /// The program cannot be started, ends or does not answer, or has no such option; the text
    /// names the program and what was expected.
    pub fn start(spec: &ProgramSpec, host: &Arc<ProgramHost>) -> Result<UciPlayer, StartError> {
        let (process, handshake) = program::start(spec, host, handshake::perform)?;
        Ok(UciPlayer {
            spec: spec.clone(),
            process,
            handshake,
            chess960: false,
            command: String::new(),
            start: 0,
        })
    }

    /// Who the engine says it is.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.handshake.identity
    }

    /// The process's number, which is also its group's.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.process.pid()
    }

    /// Prepares for a game that starts at `fen`; with `chess960`, castling moves are written as
    /// the king taking his rook.
    ///
    /// # Errors
    /// The engine ends or does not answer, or cannot play Chess960.
    pub fn new_game(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        self.process.new_game();
        let mut text = String::new();
        if chess960 != self.chess960 {
            let line = self.handshake.set_chess960(chess960);
            text = line.ok_or_else(|| {
                let text = "has no option UCI_Chess960, which this start position needs";
                Fault::NotStarted(format!("{}: {text}", self.spec.path.display()))
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

    /// Asks for a move after `moves` (UCI, parted by single spaces, from the game's start
    /// position), with `turn` to move. Blocks until it comes.
    ///
    /// # Errors
    /// The engine ends, does not answer in time (plus [`super::program::ProgramSettings::margin`], or
    /// [`super::program::ProgramSettings::hang`]), or answers what is no move.
    pub fn think(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault> {
        self.tell(moves);
        let timed = limit.time(turn);
        let base_length = self.command.len();
        self.command.push('\n');
        go::push(&mut self.command, limit);
        let thought = self.ask(base_length + 1, timed);
        self.command.truncate(base_length);
        thought
    }

    /// Everything worth keeping after a fault.
    #[must_use]
    pub fn capsule(&self) -> Capsule {
        self.process.capsule(&self.spec)
    }

    /// Ends the process: by `quit`, then SIGTERM, then SIGKILL to its group, with a
    /// [`super::program::ProgramSettings::grace`] between them. Returns when it has ended.
    pub fn quit(mut self) {
        self.process.end();
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

    /// Sends the command, whose `go` line starts at `go`, and waits for the answer.
    fn ask(&mut self, go: usize, timed: Option<Duration>) -> Result<Thought, Fault> {
        let settings = self.process.settings();
        let patience = timed.map_or(settings.hang, |limit| limit + settings.margin);
        let expected = Expected {
            command: self.command[go..].trim_end(),
            answer: "bestmove",
            patience,
            search: true,
        };
        let mut report = Report::default();
        let mut timing =
            Timing::send(&mut self.process, &self.command, &expected, timed.is_some(), |_| ())?;
        loop {
            timing.read(&mut self.process, &expected, |lines| report = report.then(lines))?;
            let lines = self.process.lines();
            while let Some(line) = lines.next() {
                let Some(best) = best_move(lines.get(line)) else { continue };
                let best = best.map_err(<[u8]>::to_vec);
                let report = report.then(lines.handed_out());
                lines.forget();
                let stopped = self.process.answered();
                let best = best.map_err(|text| {
                    self.process.garbage("expected a move after 'bestmove'", &text)
                })?;
                if timed.is_none() && stopped {
                    let text = format!("no 'bestmove' in {patience:?}, until 'stop' was sent");
                    return Err(Fault::Hang(self.process.with_last_words(text)));
                }
                let (time, late) = timing.charged(&self.process);
                return Ok(Thought {
                    best,
                    score: report.score(),
                    depth: report.depth(),
                    seldepth: report.seldepth(),
                    nodes: report.nodes(),
                    time,
                    late,
                });
            }
        }
    }
}
