//! What each command of the protocol does.

use std::collections::VecDeque;
use std::mem;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::time::{Duration, Instant};

use super::SessionEvent;
use super::clock::{Level, XboardClock};
use super::game::{Game, move_text};
use super::output::{Progress, features};
use crate::position::Position;
use crate::protocol::Listing;
use crate::protocol::console::say;
use crate::protocol::moves::is_a_move;
use crate::protocol::options::{Change, Options};
use crate::protocol::thinker::{Job, Thinker};
use crate::types::{Color, Move};

/// What moves that come mean to the engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum XboardMode {
    /// It only follows the game, until `go` or `new` (UCI-03).
    Force,
    /// It answers them.
    Play,
    /// It analyses the position after them.
    Analyze,
}

/// What the thinking thread is used for.
#[derive(Debug, Clone, Copy)]
pub(super) enum Task {
    /// Nothing.
    Idle,
    /// The engine's move.
    Thinking {
        /// When its clock began to run.
        since: Instant,
    },
    /// The reply to the move it expects, on the opponent's time.
    Pondering {
        /// That move.
        expected: Move,
        /// What its clock has to show by then, or the search was begun with too much.
        least: Duration,
    },
    /// The position on the board, until told otherwise.
    Analyzing,
}

/// One talk with a program.
pub(super) struct XboardSession {
    pub(super) options: Options,
    pub(super) thinker: Thinker,
    pub(super) events: Sender<SessionEvent>,
    pub(super) game: Game,
    pub(super) clock: XboardClock,
    pub(super) mode: XboardMode,
    pub(super) task: Task,
    /// The number of the last search, or of the last one abandoned.
    pub(super) search: u64,
    pub(super) progress: Arc<Progress>,
    /// The reply to the engine's last move that it expects.
    pub(super) expected: Option<Move>,
    /// Whether to print thinking lines.
    pub(super) post: Arc<AtomicBool>,
    /// Whether to ponder.
    pub(super) hard: bool,
    /// The variant is `fischerandom`.
    chess960: bool,
    /// The last position told could not be: there is none until another is.
    lost: bool,
    /// Commands that came too early: the engine was still thinking.
    waiting: VecDeque<String>,
}

impl XboardSession {
    /// A session before the first command; `events` lead back to it.
    pub(super) fn new(events: Sender<SessionEvent>, listing: Listing) -> XboardSession {
        let options = Options::new(listing);
        let remark = |text: &str| say(&format!("# {text}"));
        let thinker = Thinker::start(Arc::clone(options.params()), options.hash, remark);
        XboardSession {
            options,
            thinker,
            events,
            game: Game::new(Position::startpos()),
            clock: XboardClock::new(),
            mode: XboardMode::Play,
            task: Task::Idle,
            search: 0,
            progress: Arc::new(Progress::new()),
            expected: None,
            post: Arc::default(),
            hard: false,
            chess960: false,
            lost: false,
            waiting: VecDeque::new(),
        }
    }

    /// Takes an event in; false ends the session.
    pub(super) fn handle(&mut self, event: SessionEvent) -> bool {
        match event {
            SessionEvent::Line(line) => return self.command(&line),
            SessionEvent::Found(number, report) => {
                self.found(number, &report);
                while !self.is_thinking() {
                    let Some(line) = self.waiting.pop_front() else { break };
                    if !self.command(&line) {
                        return false;
                    }
                }
            }
            SessionEvent::End if self.is_thinking() => {
                self.waiting = VecDeque::from(["quit".to_owned()]);
                self.thinker.stop();
            }
            SessionEvent::End => return false,
        }
        true
    }

    /// Obeys one line; false ends the session.
    fn command(&mut self, line: &str) -> bool {
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        let rest = rest.trim();
        if self.is_thinking() && (matches!(word, "usermove" | "ping") || is_a_move(word)) {
            self.waiting.push_back(line.to_owned());
            return true;
        }
        let done = match word {
            "quit" => return false,
            "usermove" => {
                self.usermove(rest);
                Ok(())
            }
            _ if is_a_move(word) => {
                self.usermove(word);
                Ok(())
            }
            "new" | "force" | "go" | "playother" | "white" | "black" | "undo" | "remove"
            | "setboard" | "variant" | "result" | "analyze" | "exit" => self.steer(word, rest),
            "level" | "st" | "sd" | "nps" | "time" => self.time(word, rest),
            "option" | "memory" | "cores" | "egtpath" => self.set(word, rest),
            _ => self.other(word, rest),
        };
        if let Err(reason) = done {
            say(&format!("Error ({reason}): {line}"));
        }
        true
    }

    /// Commands that change the game, or the engine's part in it.
    fn steer(&mut self, word: &str, rest: &str) -> Result<(), String> {
        if word == "go" && self.is_thinking() || word == "exit" && self.mode != XboardMode::Analyze
        {
            return Ok(());
        }
        self.change_game(word, rest)?;
        self.interrupt();
        match word {
            "new" => {
                self.set_game(Position::startpos());
                self.clock.new_game();
                self.chess960 = false;
                self.thinker.send(Job::NewGame);
                // UCI-03: `new` leaves force mode.
                if self.mode == XboardMode::Force {
                    self.mode = XboardMode::Play;
                }
            }
            "force" | "result" | "exit" => self.mode = XboardMode::Force,
            "go" => {
                self.on_the_board()?;
                self.mode = XboardMode::Play;
                self.think();
            }
            "playother" | "white" | "black" => self.mode = XboardMode::Play,
            "setboard" => match Position::from_fen(rest) {
                Ok(position) => self.set_game(position),
                Err(error) => {
                    self.lost = true;
                    self.expected = None;
                    say(&format!("tellusererror Illegal position: {error}"));
                }
            },
            "analyze" => self.mode = XboardMode::Analyze,
            _ => {}
        }
        self.go_on();
        Ok(())
    }

    /// What of such a command may be impossible, while the engine may still be thinking: then it goes
    /// on as if nothing had been said.
    fn change_game(&mut self, word: &str, rest: &str) -> Result<(), String> {
        if matches!(word, "white" | "black" | "undo" | "remove") {
            self.on_the_board()?;
        }
        match word {
            "white" | "black" => {
                let turn = if word == "white" { Color::White } else { Color::Black };
                if self.game.set_turn(turn).map_err(|error| error.to_string())? {
                    self.clock.restart_count();
                }
                self.expected = None;
            }
            "undo" | "remove" => {
                let count = if word == "undo" { 1 } else { 2 };
                if !self.game.take_back(count) {
                    return Err("command not legal now".to_owned());
                }
                self.expected = None;
            }
            "variant" => match rest {
                "normal" => self.chess960 = false,
                "fischerandom" => self.chess960 = true,
                _ => return Err("unknown variant".to_owned()),
            },
            _ => {}
        }
        Ok(())
    }

    /// A move of the opponent, or of a game that is only followed.
    fn usermove(&mut self, text: &str) {
        if self.lost {
            say(&format!("Illegal move (there is no legal position): {text}"));
            return;
        }
        let Some(mv) = self.game.parse(text) else {
            say(&format!("Illegal move: {text}"));
            return;
        };
        self.game.play(mv);
        self.expected = None;
        let task = self.task;
        if let Task::Pondering { expected, least } = task
            && mv == expected
            && self.ponderhit(least)
        {
            return;
        }
        self.abandon();
        match self.mode {
            XboardMode::Force => {}
            XboardMode::Play => self.think(),
            XboardMode::Analyze => self.analyze(),
        }
    }

    /// Commands about time. They hold from the next search on.
    fn time(&mut self, word: &str, rest: &str) -> Result<(), String> {
        match word {
            "level" => {
                let words: Vec<&str> = rest.split_whitespace().collect();
                self.clock.set_level(Level::parse(&words)?, self.game.ply());
                Ok(())
            }
            "st" => self.clock.set_each_move(rest),
            "sd" => self.clock.set_depth(rest),
            "nps" => self.clock.set_nps(rest),
            _ => self.clock.set_left(rest),
        }
    }

    /// `option NAME[=VALUE]`, `memory MIB`, `cores N` and `egtpath syzygy PATH`. During the engine's move they wait for its end.
    fn set(&mut self, word: &str, rest: &str) -> Result<(), String> {
        let (name, value) = match word {
            "memory" => ("Hash", rest),
            "cores" => ("Threads", rest),
            "egtpath" => match rest.split_once(char::is_whitespace) {
                Some(("syzygy", path)) => ("SyzygyPath", path),
                _ => return Err("expected: egtpath syzygy PATH".to_owned()),
            },
            _ => rest.split_once('=').unwrap_or((rest, "")),
        };
        if name.is_empty() {
            return Err("expected: option NAME[=VALUE]".to_owned());
        }
        let change = self.options.set(name, value)?;
        if change != Change::Nothing && !self.is_thinking() {
            self.abandon();
        }
        if let Some(job) = self.options.job(change) {
            self.thinker.send(job);
        }
        if let Some(remark) = self.options.remark(change) {
            say(&format!("# {remark}"));
        }
        self.go_on();
        Ok(())
    }

    /// Everything else.
    fn other(&mut self, word: &str, rest: &str) -> Result<(), String> {
        match word {
            "protover" => say(&features(&self.options)),
            "ping" => self.pong(rest),
            "?" => {
                if self.is_thinking() {
                    self.thinker.stop();
                }
            }
            "." => {
                if matches!(self.task, Task::Thinking { .. } | Task::Analyzing) {
                    let moves = self.game.legal_moves().as_slice().len();
                    say(&self.progress.line(moves, self.chess960()));
                }
            }
            "post" | "nopost" => self.post.store(word == "post", Ordering::Relaxed),
            "hard" => self.hard = true,
            "easy" => {
                self.hard = false;
                if matches!(self.task, Task::Pondering { .. }) {
                    self.abandon();
                }
            }
            "hint" => {
                if let Some(mv) = self.expected {
                    say(&format!("Hint: {}", self.text(mv)));
                }
            }
            // Nothing here depends on the opponent, nor on chance.
            "xboard" | "accepted" | "rejected" | "otim" | "random" | "computer" | "name"
            | "rating" | "ics" | "draw" => {}
            _ => return Err("unknown command".to_owned()),
        }
        Ok(())
    }

    /// Answers `ping` when all before it is done; pondering does not count.
    fn pong(&mut self, number: &str) {
        let text = format!("pong {number}");
        match self.task {
            Task::Idle => {
                self.prepare();
                self.thinker.send(Job::Say(text));
            }
            _ => say(&text),
        }
    }

    /// Ends whatever is searched. What waited for the engine's move waits in vain.
    fn interrupt(&mut self) {
        self.abandon();
        for line in mem::take(&mut self.waiting) {
            let answer = match line.strip_prefix("ping") {
                Some(number) => format!("pong {}", number.trim()),
                None => format!("Error (command not legal now): {line}"),
            };
            self.thinker.send(Job::Say(answer));
        }
    }

    /// Goes on analysing after a change.
    fn go_on(&mut self) {
        if self.mode == XboardMode::Analyze && !self.lost {
            self.analyze();
        }
    }

    fn set_game(&mut self, start: Position) {
        self.game = Game::new(start);
        self.clock.restart_count();
        self.expected = None;
        self.lost = false;
    }

    fn on_the_board(&self) -> Result<(), String> {
        if self.lost { Err("there is no legal position".to_owned()) } else { Ok(()) }
    }

    fn is_thinking(&self) -> bool {
        matches!(self.task, Task::Thinking { .. })
    }

    pub(super) fn posts(&self) -> bool {
        self.post.load(Ordering::Relaxed)
    }

    pub(super) fn chess960(&self) -> bool {
        self.chess960 || self.options.chess960 || self.game.position().is_chess960()
    }

    pub(super) fn text(&self, mv: Move) -> String {
        move_text(mv, self.chess960())
    }
}
