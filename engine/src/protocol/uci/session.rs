//! The loop over input lines: each command changes the session or asks the thinking thread.

use std::sync::Arc;
use std::time::Instant;

use super::go::Go;
use super::output::{UciReporter, option_line};
use crate::position::Position;
use crate::protocol::Listing;
use crate::protocol::console::say;
use crate::protocol::count::{self, CountJob};
use crate::protocol::line::{self, Answer};
use crate::protocol::moves::{is_a_move, move_of};
use crate::protocol::options::{Change, Options};
use crate::protocol::thinker::{Job, SearchJob, Thinker};

/// Whom the session talks to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Peer {
    /// Nothing has been said yet.
    Unknown,
    Program,
    Person,
}

/// How a session ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::protocol) enum Ending {
    /// By `quit` or the end of input.
    Quit,
    /// A person asked for the other protocol.
    Xboard,
}

struct UciSession {
    peer: Peer,
    options: Options,
    /// The last one told, or why it was refused.
    position: Result<Position, String>,
    thinker: Thinker,
    /// What was told of parameters that are not the personality's.
    deviation: Option<String>,
}

/// Reads commands until `quit` or the end of input. A search under way is stopped then, and its
/// move printed.
pub(in crate::protocol) fn run(
    lines: &mut impl Iterator<Item = String>,
    listing: Listing,
) -> Ending {
    let options = Options::new(listing);
    let remark = |text: &str| say(&format!("info string {text}"));
    let thinker = Thinker::start(Arc::clone(options.params()), options.hash, remark);
    let position = Ok(Position::startpos());
    let mut session =
        UciSession { peer: Peer::Unknown, options, position, thinker, deviation: None };
    lines.find_map(|line| session.command(&line)).unwrap_or(Ending::Quit)
}

/// What programs may send.
const COMMANDS: [&str; 11] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
];

/// A line from its first command on, and what stands before it; a line without commands is whole.
fn from_command(line: &str) -> (&str, &str) {
    let mut rest = line;
    while let Some(word) = rest.split_whitespace().next() {
        if COMMANDS.contains(&word) {
            let (before, command) = line.split_at(line.len() - rest.len());
            return (before.trim(), command);
        }
        rest = rest[word.len()..].trim_start();
    }
    ("", line)
}

impl UciSession {
    /// Obeys one line, which may end the session.
    fn command(&mut self, mut line: &str) -> Option<Ending> {
        if self.peer == Peer::Program && !line::knows(line) {
            // The protocol has unknown words passed over.
            let (unknown, command) = from_command(line);
            if !unknown.is_empty() {
                self.complain(&format!("unknown: '{unknown}'"));
            }
            line = command;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        let (&word, rest) = words.split_first()?;
        if self.peer == Peer::Unknown {
            self.peer = if word == "uci" { Peer::Program } else { Peer::Person };
        }
        let answer = match word {
            "quit" => return Some(Ending::Quit),
            "xboard" if self.peer == Peer::Person => return Some(Ending::Xboard),
            "uci" => {
                self.peer = Peer::Program;
                self.identify();
                Ok(())
            }
            "isready" => {
                self.ready();
                Ok(())
            }
            "ucinewgame" => self.idle(word).map(|()| {
                self.position = Ok(Position::startpos());
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
            _ if self.peer == Peer::Person && is_a_move(word) => self.play(word, rest),
            _ => self.answer(word, rest),
        };
        if let Err(reason) = answer {
            self.complain(&reason);
        }
        None
    }

    /// Plays a person's move.
    fn play(&mut self, text: &str, rest: &[&str]) -> Result<(), String> {
        if !rest.is_empty() {
            return Err(format!("expected one move a line, found '{text} {}'", rest.join(" ")));
        }
        let position = self.position.as_mut().map_err(|reason| no_position(reason))?;
        let mv = move_of(position, text)
            .ok_or_else(|| format!("illegal move '{text}' in {}", position.fen()))?;
        position.play(mv);
        say(&line::board(position));
        Ok(())
    }

    /// Answers a word of people.
    fn answer(&mut self, word: &str, rest: &[&str]) -> Result<(), String> {
        match line::answer(word, rest, self.position(), &self.options)? {
            Answer::Text(text) => say(&text),
            Answer::Count(count) => {
                self.idle(word)?;
                self.count(count);
            }
        }
        Ok(())
    }

    /// Makes a count. A program is heard meanwhile; what people type, or a file of commands, waits for it.
    fn count(&mut self, count: CountJob) {
        if self.peer == Peer::Program {
            self.thinker.count(count);
        } else {
            say(&count(&()));
        }
    }

    fn complain(&self, reason: &str) {
        match self.peer {
            Peer::Program => say(&format!("info string {reason}")),
            Peer::Person | Peer::Unknown => say(&format!("{reason} (help lists the commands)")),
        }
    }

    fn inform(&self, text: &str) {
        let prefix = if self.peer == Peer::Program { "info string " } else { "" };
        say(&format!("{prefix}{text}"));
    }

    fn identify(&self) {
        let options: Vec<String> = self.options.offers().iter().map(option_line).collect();
        say(&format!(
            "id name {}\nid author the mutineer authors, after Ed Schröder\n{}\nuciok",
            crate::NAME,
            options.join("\n")
        ));
    }

    /// During a search the answer is immediate, otherwise after all that was asked before.
    fn ready(&mut self) {
        if self.thinker.is_searching() {
            say("readyok");
        } else {
            self.prepare();
            self.thinker.send(Job::Say("readyok".to_owned()));
        }
    }

    /// Hands over what has been set since the last search.
    fn prepare(&mut self) {
        let Some(job) = self.options.player() else { return };
        self.thinker.send(job);
        // What was set on top of a personality is easily forgotten.
        if self.peer == Peer::Program {
            let deviation = self.options.deviation();
            if let Some(told) = deviation.as_ref().filter(|_| deviation != self.deviation) {
                self.inform(&format!("playing as {told}"));
            }
            self.deviation = deviation;
        }
    }

    /// Refuses what may not come during a search. After `stop` it may: a program need not read
    /// `bestmove` before it goes on.
    fn idle(&self, word: &str) -> Result<(), String> {
        if self.thinker.is_searching() {
            return Err(format!("{word} is ignored during a search"));
        }
        Ok(())
    }

    fn set_option(&mut self, line: &str) -> Result<(), String> {
        let usage = || "expected: setoption name NAME [value VALUE]".to_owned();
        let rest = line.strip_prefix("setoption").map(str::trim).ok_or_else(usage)?;
        let rest = rest.strip_prefix("name").filter(|rest| rest.starts_with(char::is_whitespace));
        let (name, value) = name_and_value(rest.ok_or_else(usage)?);
        let change = self.options.set(&name, value)?;
        if let Some(job) = self.options.job(change) {
            self.thinker.send(job);
        }
        if let Some(remark) = self.options.remark(change) {
            self.inform(&remark);
        }
        if change == Change::Params && self.peer == Peer::Person {
            say(&format!("playing as {}", self.options.describe()));
        }
        Ok(())
    }

    fn set_position(&mut self, words: &[&str]) -> Result<(), String> {
        self.position = position(words);
        self.position.as_ref().map(|_| ()).map_err(String::clone)
    }

    fn position(&self) -> Result<&Position, String> {
        self.position.as_ref().map_err(|reason| no_position(reason))
    }

    /// Begins a search. Whoever asked for one waits for a move, and where there is no position gets none,
    /// but no earlier than a move could have come.
    fn go(&mut self, words: &[&str]) -> Result<(), String> {
        let since = Instant::now();
        let (position, refused) = match self.position() {
            Ok(position) => (position.clone(), None),
            Err(reason) => (Position::startpos(), Some(reason)),
        };
        let Go { mut limits, infinite, perft, ignored } = Go::parse(words, &position);
        if let Some(reason) = refused {
            self.complain(&reason);
            if perft.is_none() {
                self.thinker.answer("bestmove 0000", infinite, limits.ponder);
            }
            return Ok(());
        }
        if !ignored.is_empty() {
            self.complain(&format!("go: ignored {}", ignored.join(", ")));
        }
        let chess960 = self.options.chess960 || position.is_chess960();
        if let Some(depth) = perft {
            self.count(count::perft(position, depth, chess960)?);
            return Ok(());
        }
        self.prepare();
        limits.since = Some(since);
        limits.overhead = self.options.overhead;
        limits.nodes_per_ms = self.options.nodes_per_ms;
        limits.multipv = self.options.multipv;
        limits.strength = self.options.strength();
        let voice = Box::new(UciReporter { chess960 });
        self.thinker.search(SearchJob {
            position,
            limits,
            infinite,
            counted: self.options.statistics,
            voice,
        });
        Ok(())
    }
}

/// `position startpos|fen … [moves …]`.
fn position(words: &[&str]) -> Result<Position, String> {
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
    Ok(position)
}

/// What is told when a position is needed and the last one was refused.
fn no_position(reason: &str) -> String {
    format!("there is no position, the last was refused: {reason}")
}

/// Name and value of an option, from what follows the word `name`. Any white space parts words, and is kept
/// within a value only, which may be a path.
fn name_and_value(text: &str) -> (String, &str) {
    let mut name: Vec<&str> = Vec::new();
    let mut rest = text.trim();
    while !rest.is_empty() {
        let (word, behind) = rest.split_at(rest.find(char::is_whitespace).unwrap_or(rest.len()));
        rest = behind.trim_start();
        if word == "value" && !name.is_empty() {
            return (name.join(" "), rest);
        }
        name.push(word);
    }
    (name.join(" "), "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_white_space_parts_the_words_of_an_option() {
        for (text, expected) in [
            (" Hash value 32", ("Hash", "32")),
            ("\tHash\tvalue\t32 ", ("Hash", "32")),
            ("  Move   Overhead value 30", ("Move Overhead", "30")),
            (" Clear  Hash", ("Clear Hash", "")),
            (" MIT File value /a  b/value c", ("MIT File", "/a  b/value c")),
            (" MIT File value", ("MIT File", "")),
            (" value value 1", ("value", "1")),
            ("", ("", "")),
        ] {
            let (name, value) = name_and_value(text);
            assert_eq!((name.as_str(), value), expected, "{text:?}");
        }
    }

    #[test]
    fn unknown_words_are_passed_over() {
        for (line, expected) in [
            ("joho isready", ("joho", "isready")),
            ("a  b go depth 3", ("a  b", "go depth 3")),
            ("go depth 3", ("", "go depth 3")),
            ("joho", ("", "joho")),
        ] {
            assert_eq!(from_command(line), expected, "{line}");
        }
    }
}
