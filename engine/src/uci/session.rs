//! The loop over input lines: each command changes the session or asks the thinking thread.

use std::io::BufRead;
use std::sync::Arc;

use super::go::Go;
use super::options::{Change, Options};
use super::output::say;
use super::thinker::{Job, SearchJob, Thinker};
use super::{HELP, board, line};
use crate::bench;
use crate::params;
use crate::position::Position;

/// Whom the session talks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mode {
    /// Nothing has been said yet.
    Unknown,
    /// A program.
    Uci,
    /// A person.
    Line,
}

struct Session {
    mode: Mode,
    options: Options,
    position: Position,
    thinker: Thinker,
}

/// Reads commands until `quit` or the end of input. A search under way is stopped then, and its
/// move printed.
pub fn run(input: impl BufRead) {
    let options = Options::default();
    let thinker = Thinker::start(Arc::clone(&options.params), options.hash);
    let position = Position::startpos();
    let mut session = Session { mode: Mode::Unknown, options, position, thinker };
    for line in input.split(b'\n') {
        let Ok(line) = line else { break };
        let line = String::from_utf8_lossy(&line);
        if !session.command(line.trim()) {
            break;
        }
    }
}

impl Session {
    /// Obeys one line; false ends the session.
    fn command(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let Some((&word, rest)) = words.split_first() else { return true };
        if self.mode == Mode::Unknown {
            self.mode = if word == "uci" { Mode::Uci } else { Mode::Line };
        }
        let answer = match word {
            "quit" => return false,
            "uci" => {
                self.mode = Mode::Uci;
                self.identify();
                Ok(())
            }
            "isready" => {
                self.ready();
                Ok(())
            }
            "ucinewgame" => self.idle(word).map(|()| {
                self.position = Position::startpos();
                self.thinker.send(Job::NewGame);
            }),
            "setoption" => self.idle(word).and_then(|()| self.set_option(line)),
            "position" => self.set_position(rest),
            "go" => self.idle(word).and_then(|()| self.go(rest)),
            "stop" => {
                self.thinker.stop();
                Ok(())
            }
            "ponderhit" => {
                self.thinker.ponderhit();
                Ok(())
            }
            "debug" | "register" => Ok(()),
            _ => self.line_command(word, rest),
        };
        if let Err(reason) = answer {
            self.complain(&reason);
        }
        true
    }

    /// The words of people, understood in every mode.
    fn line_command(&mut self, word: &str, rest: &[&str]) -> Result<(), String> {
        let text = match (word, rest) {
            ("d", []) => board(&self.position),
            ("eval", []) => line::explain(&self.position, &self.options),
            ("perft", [depth]) => {
                let depth = depth.parse().map_err(|_| format!("'{depth}' is no depth"))?;
                self.perft(depth)
            }
            ("see", [mv]) => line::see(&self.position, mv, &self.options.params)?,
            ("bench", depth) => {
                let depth = depth.first().map_or(Ok(bench::DEPTH), |text| text.parse());
                let depth = depth.map_err(|_| "bench wants a depth in plies".to_owned())?;
                let report = bench::bench(&self.options.params, depth, |_, _, _| ());
                report.map_err(|error| error.to_string())?.to_string()
            }
            ("params", [] | ["json"]) => params::json(&self.options.params).to_string(),
            ("params", ["markdown"]) => params::markdown(&self.options.params),
            ("params", ["spsa"]) => params::spsa(&self.options.params),
            ("help", _) => HELP.to_owned(),
            ("d" | "eval" | "perft" | "see" | "params", _) => {
                return Err(format!("'{word}' does not go with '{}'", rest.join(" ")));
            }
            _ => return Err(format!("unknown command '{word}'")),
        };
        say(&text);
        Ok(())
    }

    fn complain(&self, reason: &str) {
        match self.mode {
            Mode::Uci => say(&format!("info string {reason}")),
            Mode::Line | Mode::Unknown => say(&format!("{reason} (help lists the commands)")),
        }
    }

    fn inform(&self, text: &str) {
        let prefix = if self.mode == Mode::Uci { "info string " } else { "" };
        say(&format!("{prefix}{text}"));
    }

    fn identify(&self) {
        say(&format!(
            "id name {}\nid author the mutineer authors, after Ed Schröder\n{}\nuciok",
            crate::NAME,
            Options::list()
        ));
    }

    /// During a search the answer is immediate, otherwise after all that was asked before.
    fn ready(&self) {
        if self.thinker.is_searching() {
            say("readyok");
        } else {
            self.thinker.send(Job::Ready);
        }
    }

    /// Refuses what may not come during a search. A search that was told to stop is waited for: a
    /// program need not read `bestmove` before it goes on.
    fn idle(&self, word: &str) -> Result<(), String> {
        if self.thinker.is_searching() && !self.thinker.finish_if_stopped() {
            return Err(format!("{word} is ignored during a search"));
        }
        Ok(())
    }

    fn set_option(&mut self, line: &str) -> Result<(), String> {
        let usage = || "expected: setoption name NAME [value VALUE]".to_owned();
        let rest = line.strip_prefix("setoption").map(str::trim).ok_or_else(usage)?;
        let rest = rest.strip_prefix("name ").ok_or_else(usage)?;
        let (name, value) = match rest.split_once(" value ") {
            Some((name, value)) => (name, value.trim()),
            None => (rest.strip_suffix(" value").unwrap_or(rest), ""),
        };
        match self.options.set(name, value)? {
            Change::Nothing => {}
            Change::Hash => self.thinker.send(Job::Hash(self.options.hash)),
            Change::Imbalance => {
                self.thinker.send(Job::Imbalance(self.options.imbalance.clone()));
                let table = self.options.imbalance.as_ref();
                let told = table.map_or("none".to_owned(), |table| table.statistics().to_string());
                self.inform(&format!("MaterialTable: {told}"));
            }
            Change::Opening => {
                self.thinker.send(Job::Opening(self.options.opening.clone()));
                let table = self.options.opening.as_ref();
                let told = table.map_or("none".to_owned(), |t| format!("{} positions", t.len()));
                self.inform(&format!("OpeningTable: {told}"));
            }
            Change::Clear => self.thinker.send(Job::NewGame),
            Change::Params => {
                self.thinker.send(Job::Params(Arc::clone(&self.options.params)));
                if self.mode == Mode::Line {
                    say(&format!("playing as {}", self.options.describe()));
                }
            }
        }
        Ok(())
    }

    /// `position startpos|fen … [moves …]`. On any mistake the position stays what it was.
    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        let moves_at = words.iter().position(|word| *word == "moves").unwrap_or(words.len());
        let (start, moves) = words.split_at(moves_at);
        let mut position = match start {
            ["startpos"] => Position::startpos(),
            ["fen", fields @ ..] => {
                Position::from_fen(&fields.join(" ")).map_err(|error| error.to_string())?
            }
            _ => return Err("expected: position startpos|fen FEN [moves …]".to_owned()),
        };
        for text in moves.iter().skip(1) {
            let mv = position.parse_uci(text).map_err(|error| error.to_string())?;
            position.play(mv);
        }
        self.position = position;
        Ok(())
    }

    fn go(&mut self, words: &[&str]) -> Result<(), String> {
        let Go { mut limits, infinite, perft, ignored } = Go::parse(words, &self.position);
        if !ignored.is_empty() {
            self.complain(&format!("go: ignored {}", ignored.join(", ")));
        }
        if let Some(depth) = perft {
            let text = self.perft(depth);
            say(&text);
            return Ok(());
        }
        limits.overhead = self.options.overhead;
        limits.multipv = self.options.multipv;
        self.thinker.search(SearchJob {
            position: self.position.clone(),
            limits,
            chess960: self.chess960(),
            infinite,
        });
        Ok(())
    }

    fn perft(&mut self, depth: u32) -> String {
        let chess960 = self.chess960();
        line::perft(&mut self.position, depth, chess960)
    }

    fn chess960(&self) -> bool {
        self.options.chess960 || self.position.is_chess960()
    }
}
