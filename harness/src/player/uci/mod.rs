//! Engines in processes of their own, played over UCI.
//!
//! A [`UciPlayer`] blocks the thread that asks it: waiting in a plain `read` costs the kernel and
//! us a fraction of what an event loop costs (the figures: `harness/benches/uci_cost.rs`). So a
//! game with such a player belongs on a thread of its own, not on tokio's workers. What does not
//! happen on every ply is tokio's: starting, reaping, stderr, the watch over hanging engines.
//!
//! - `spec`: what to start; `host`: what all processes share; `sched`: the waiting thread.
//! - `process`, `shared`: one process; `handshake`, `options`, `go`: what it is told.
//! - `lines`, `report`: what it says; `transcript`: what of it is kept for a [`Capsule`].
//!
//! The xboard protocol is not spoken yet; [`UciSpec::parse`] says so.

mod go;
mod handshake;
mod host;
mod identity;
mod lines;
mod options;
mod process;
mod report;
mod sched;
mod shared;
mod spec;
mod transcript;

use std::sync::Arc;
use std::time::Duration;

use shakmaty::Color;

pub use host::{UciHost, UciSettings};
pub use identity::{Identity, program_sha256};
pub use spec::{SpecError, UciSpec};

use self::handshake::Handshake;
use self::process::{Expected, Process};
use self::report::{Report, best_move};
use self::shared::Wait;
use super::{Fault, GoLimit, Thought};

/// Between the start position and the moves.
const MOVES: &str = " moves ";

/// An engine process that plays.
///
/// After a [`Fault`] take the [`UciPlayer::capsule`] and [`UciPlayer::quit`]; another game needs
/// another player. Dropping a player kills its process without waiting.
pub struct UciPlayer {
    spec: UciSpec,
    process: Process,
    handshake: Handshake,
    chess960: bool,
    /// `position … moves …` as last told, reused for every move of the game.
    command: String,
    /// The length of its part before `moves`.
    start: usize,
}

/// What is kept of a fault: enough to understand it and to bring it about again.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Capsule {
    /// The command that starts the engine, for a shell.
    pub command: String,
    /// What was written to the engine since its start (of the games only the last); fed to
    /// `command` it replays the fault.
    pub input: String,
    /// The traffic, with times and directions.
    pub transcript: String,
    /// The end of what came on stderr.
    pub stderr: String,
    /// How the process ended, in words; `None` while it runs.
    pub exit_status: Option<String>,
}

/// An engine that did not start, and what there is to know about it.
#[derive(Debug, thiserror::Error)]
#[error("{fault}")]
pub struct StartError {
    /// Always [`Fault::NotStarted`].
    pub fault: Fault,
    /// Empty of traffic if there was no process at all.
    pub capsule: Box<Capsule>,
}

impl From<StartError> for Fault {
    fn from(error: StartError) -> Fault {
        error.fault
    }
}

impl UciPlayer {
    /// Starts the program and sets its options; returns when it is ready.
    ///
    /// # Errors
    /// The program cannot be started, ends or does not answer, or has no such option; the text
    /// names the program and what was expected.
    pub fn start(spec: &UciSpec, host: &Arc<UciHost>) -> Result<UciPlayer, StartError> {
        let named = |fault: &str| Fault::NotStarted(format!("{}: {fault}", spec.path.display()));
        let mut process = Process::start(spec, host).map_err(|error| {
            let text = error.to_string();
            let capsule = Capsule {
                command: spec.command_line(),
                input: String::new(),
                transcript: String::new(),
                stderr: String::new(),
                exit_status: None,
            };
            StartError { fault: named(&text), capsule: Box::new(capsule) }
        })?;
        match handshake::perform(&mut process, spec) {
            Ok(handshake) => Ok(UciPlayer {
                spec: spec.clone(),
                process,
                handshake,
                chess960: false,
                command: String::new(),
                start: 0,
            }),
            Err(text) => {
                process.end();
                let capsule = Box::new(capsule(spec, &process));
                Err(StartError { fault: named(&text), capsule })
            }
        }
    }

    /// Who the engine says it is.
    #[must_use]
    pub fn identity(&self) -> &Identity {
        &self.handshake.identity
    }

    /// The process's number, which is also its group's.
    #[must_use]
    pub fn pid(&self) -> i32 {
        self.process.shared().pid()
    }

    /// Prepares for a game that starts at `fen`; with `chess960`, castling moves are written as
    /// the king taking his rook.
    ///
    /// # Errors
    /// The engine ends or does not answer, or cannot play Chess960.
    pub fn new_game(&mut self, fen: &str, chess960: bool) -> Result<(), Fault> {
        self.process.transcript().new_game();
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
            patience: self.process.host().settings.ready,
            search: false,
        };
        self.process.send(&text, &expected)?;
        self.process.read_until(&expected, handshake::is_readyok)?;

        self.command.clear();
        self.command.push_str("position ");
        if fen == go::START_FEN {
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
    /// The time charged runs from just before `go` is written until the read that brings
    /// `bestmove` returns. Where a clock runs, [`Thought::late`] is an upper bound of what of it
    /// was our own lateness: how long the waiting thread was ready to run and had to wait for a
    /// processor, by the kernel's count (Linux), between its last two reads, because `bestmove`
    /// may have come at any moment of that; or, if that is longer, how long this whole program
    /// was stopped or starved, by its heartbeat. It is zero where neither can be measured, and
    /// with limits of nodes and depth.
    ///
    /// # Errors
    /// The engine ends, does not answer in time (plus [`UciSettings::margin`], or
    /// [`UciSettings::hang`]), or answers what is no move.
    pub fn think(&mut self, turn: Color, moves: &str, limit: &GoLimit) -> Result<Thought, Fault> {
        self.tell(moves);
        let timed = go::time_limit(limit, turn);
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
        capsule(&self.spec, &self.process)
    }

    /// Ends the process: by `quit`, then SIGTERM, then SIGKILL to its group, with a
    /// [`UciSettings::grace`] between them. Returns when it has ended.
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
        let settings = &self.process.host().settings;
        let patience = timed.map_or(settings.hang, |limit| limit + settings.margin);
        let expected = Expected {
            command: self.command[go..].trim_end(),
            answer: "bestmove",
            patience,
            search: true,
        };
        sched::set_patience(timed.is_none());
        let delay = || if timed.is_some() { sched::run_delay() } else { None };
        let mut delayed = delay();
        let mut late = Duration::ZERO;
        let mut report = Report::default();

        let began = self.process.send(&self.command, &expected)?;
        loop {
            let came = self.process.read(&expected, |lines| report = report.then(lines))?;
            if let (Some(before), Some(now)) = (delayed, delay()) {
                late = Duration::from_nanos(now.saturating_sub(before));
                delayed = Some(now);
            }
            let lines = self.process.lines();
            while let Some(line) = lines.next() {
                let Some(best) = best_move(lines.get(line)) else { continue };
                let best = best.map_err(<[u8]>::to_vec);
                let report = report.then(lines.handed_out());
                lines.forget();
                let stopped = self.process.shared().set_wait(Wait::Idle);
                let best = best.map_err(|text| {
                    self.process.garbage("expected a move after 'bestmove'", &text)
                })?;
                if timed.is_none() && matches!(stopped, Wait::Stopping { .. }) {
                    let text = format!("no 'bestmove' in {patience:?}, until 'stop' was sent");
                    return Err(Fault::Hang(self.process.with_last_words(text)));
                }
                if timed.is_some() {
                    late = late.max(self.process.host().stalled(began));
                }
                let time = came.duration_since(began);
                return Ok(Thought {
                    best,
                    score: report.score(),
                    depth: report.depth(),
                    seldepth: report.seldepth(),
                    nodes: report.nodes(),
                    time,
                    late: late.min(time),
                });
            }
        }
    }
}

fn capsule(spec: &UciSpec, process: &Process) -> Capsule {
    let (transcript, input) = process.render();
    Capsule {
        command: spec.command_line(),
        input,
        transcript,
        stderr: process.shared().stderr(),
        exit_status: process.shared().ending(),
    }
}
