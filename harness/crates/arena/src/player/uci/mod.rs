//! Programs that speak UCI.
//!
//! `handshake` and `go`: what they are told; `report`: what they say; `ponder`: how they think in
//! the opponent's time; `replay`: a capsule's input told again.

#[cfg(any(test, fuzzing, feature = "testing"))]
pub(super) mod fuzzing;
mod go;
mod handshake;
mod ponder;
mod replay;
mod report;

use std::sync::Arc;
use std::time::Duration;

use shakmaty::Color;
use shakmaty::uci::UciMove;

use self::handshake::UciHandshake;
use self::ponder::Pondering;
pub(in crate::player) use self::replay::replay;
use self::report::{best_move, details_of, expected_reply, info};
use super::program::options::Declared;
use super::program::{
    self, EngineIdentity, Expected, Process, ProgramHost, ProgramReport, ProgramSpec, START_FEN,
    Search, StartError, renew,
};
use super::protocol::Program;
use super::{Fault, GoLimit, Thought};
use crate::record::MoveDetails;

/// Between the start position and the moves.
const MOVES: &str = " moves ";
const PONDER_HIT: &str = "ponderhit\n";
const NO_CHESS960: &str = "has no option UCI_Chess960, which this start position needs";

pub(super) struct UciPlayer {
    process: Process,
    handshake: UciHandshake,
    chess960: bool,
    /// `position … moves …` as last told, reused for every move of the game.
    command: String,
    /// The length of its part before `moves`.
    start: usize,
    pondering: Pondering,
}

impl UciPlayer {
    pub(super) fn start(
        spec: &ProgramSpec,
        host: &Arc<ProgramHost>,
    ) -> Result<UciPlayer, StartError> {
        let (process, handshake) = program::start(spec, host, handshake::perform)?;
        Ok(UciPlayer {
            process,
            handshake,
            chess960: false,
            command: String::new(),
            start: 0,
            pondering: Pondering::default(),
        })
    }

    /// The next `position` command is of a game that starts at `fen`.
    fn start_at(&mut self, fen: &str) {
        self.command.clear();
        self.command.push_str("position ");
        if fen == START_FEN {
            self.command.push_str("startpos");
        } else {
            self.command.push_str("fen ");
            self.command.push_str(fen);
        }
        self.start = self.command.len();
        self.pondering = Pondering::new(fen, self.chess960);
    }

    /// Sends `text`, ended by `isready`, and waits for the answer.
    fn until_ready(&mut self, text: &str, command: &str) -> Result<(), Fault> {
        let text = format!("{text}isready\n");
        let patience = self.process.host.settings.ready;
        let expected = Expected::new(command, "readyok", patience);
        self.process.ask(&text, &expected, handshake::is_readyok)
    }

    /// Brings the `position` command up to date; as a rule by adding the last moves.
    fn update_position(&mut self, moves: &str) {
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

impl Program for UciPlayer {
    fn process(&self) -> &Process {
        &self.process
    }

    fn process_mut(&mut self) -> &mut Process {
        &mut self.process
    }

    fn identity(&self) -> &EngineIdentity {
        &self.handshake.identity
    }

    fn refuses_limit(&self, limit: &GoLimit) -> Option<&'static str> {
        let counting = matches!(limit, GoLimit::Clock(clock) if clock.nodes_per_ms.is_some());
        (counting && !self.handshake.counts_nodes()).then_some(
            "cannot play on a clock of nodes (it has no option nodestime): expected an engine that \
             can, or a clock of time",
        )
    }

    fn refuses_start(&self, _fen: &str, chess960: bool) -> Option<&'static str> {
        (chess960 && self.handshake.set_chess960(true).is_none()).then_some(NO_CHESS960)
    }

    /// With `chess960`, castling moves are written as the king taking his rook.
    fn new_game(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        self.stop_pondering()?;
        self.process.new_game();
        let mut text = String::new();
        if chess960 != self.chess960 {
            let line = self.handshake.set_chess960(chess960);
            text = line.ok_or_else(|| self.process.not_started(NO_CHESS960))?;
            self.chess960 = chess960;
        }
        text.push_str("ucinewgame\n");
        self.until_ready(&text, "ucinewgame, isready")?;
        self.start_at(fen);
        Ok(())
    }

    fn declared(&self) -> &[Declared] {
        &self.handshake.options
    }

    fn set_options(&mut self, lines: &str) -> Result<(), Fault> {
        self.stop_pondering()?;
        self.until_ready(lines, "setoption, isready")
    }

    fn continue_from(&mut self, fen: &str) -> Result<bool, Fault> {
        self.stop_pondering()?;
        self.start_at(fen);
        Ok(true)
    }

    fn think(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault> {
        let (thought, reply) = if self.pondering.is_hit(moves) {
            self.pondering.end();
            ask(&mut self.process, PONDER_HIT, limit.time(turn), false)?
        } else {
            let excused = self.stop_pondering()?;
            self.update_position(moves);
            let mut command = std::mem::take(&mut self.command);
            let length = command.len();
            command.push('\n');
            go::push(&mut command, "go", limit);
            let answer = ask(&mut self.process, &command, limit.time(turn), excused);
            command.truncate(length);
            self.command = command;
            answer?
        };
        if let (Some(reply), true) = (reply, self.process.host.settings.ponder) {
            self.ponder(turn, moves, &thought, reply, limit);
        }
        Ok(thought)
    }

    fn end_game(&mut self) -> Result<(), Fault> {
        self.stop_pondering().map(drop)
    }

    fn second_answer(&mut self) -> Option<Fault> {
        self.process.second_answer(|line| best_move(line).is_some())
    }
}

/// Sends `command`, whose last line begins the search, and waits for the answer and the reply that
/// the engine expects to it. `time`: how long it may take, where a clock runs. A second answer to
/// the search before is a fault, unless it is `excused`.
pub(super) fn ask(
    process: &mut Process,
    command: &str,
    time: Option<Duration>,
    excused: bool,
) -> Result<(Thought, Option<UciMove>), Fault> {
    let mut report = ProgramReport::default();
    let mut details = process.host.settings.details.then(MoveDetails::default);
    // What was said while it pondered is of the same search.
    let same_search = command == PONDER_HIT;
    let mut answer = None;
    let unasked = |line: &[u8]| {
        if same_search {
            report = report.then(line, info);
            renew(&mut details, line, details_of);
        }
        if best_move(line).is_some() {
            answer.get_or_insert_with(|| line.to_owned());
        }
    };
    let mut search = Search::begin(process, command, "bestmove", time, unasked)?;
    if let Some(line) = answer.filter(|_| !excused) {
        // It will not answer again, or nobody could say to what it does.
        process.answered();
        return Err(match same_search {
            true => process.garbage("answered while pondering, before 'ponderhit'", &line),
            false => process.answered_twice(&line),
        });
    }
    loop {
        search.read(process, |lines| {
            report = report.then(lines, info);
            renew(&mut details, lines, details_of);
        })?;
        let lines = &mut process.lines;
        while let Some(line) = lines.next() {
            let best_line = lines.get(line);
            let Some(best) = best_move(best_line) else { continue };
            let best = best.map_err(<[u8]>::to_vec);
            let reply = expected_reply(best_line);
            let report = report.then(lines.handed_out(), info);
            renew(&mut details, lines.handed_out(), details_of);
            lines.forget();
            return search.thought(process, best, &report, details).map(|thought| (thought, reply));
        }
    }
}
