//! The binary as a process, for the tests of its protocols.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A position to search.
pub(crate) const MIDDLEGAME: &str =
    "position fen r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10";

/// The word behind `name` in a line.
pub(crate) fn field<'a>(line: &'a str, name: &str) -> Option<&'a str> {
    line.split(' ').skip_while(|word| *word != name).nth(1)
}

/// A running engine.
pub(crate) struct Session {
    child: Child,
    pub(crate) input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    pub(crate) fn start() -> Session {
        Session::start_with(&[])
    }

    pub(crate) fn start_with(arguments: &[&str]) -> Session {
        let mut command = Command::new(env!("CARGO_BIN_EXE_mutineer"));
        command.args(arguments);
        Session::of(command)
    }

    pub(crate) fn of(mut command: Command) -> Session {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the engine starts");
        let input = child.stdin.take().expect("piped");
        let output = BufReader::new(child.stdout.take().expect("piped"));
        Session { child, input, output }
    }

    pub(crate) fn send(&mut self, text: &str) {
        writeln!(self.input, "{text}").expect("the engine listens");
    }

    /// Reads until a line begins with `start`; that line is the last.
    pub(crate) fn read_to(&mut self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            let mut line = String::new();
            let length = self.output.read_line(&mut line).expect("text");
            assert!(length > 0, "the output ended before '{start}': {lines:?}");
            lines.push(line.trim_end().to_owned());
            if line.starts_with(start) {
                return lines;
            }
        }
    }

    pub(crate) fn ask(&mut self, text: &str, start: &str) -> Vec<String> {
        self.send(text);
        self.read_to(start)
    }

    pub(crate) fn last(&mut self, text: &str, start: &str) -> String {
        self.ask(text, start).pop().expect("a line")
    }

    /// Sets options, searches a position to a depth, and gives the number of nodes.
    pub(crate) fn nodes(&mut self, options: &[&str]) -> u64 {
        for option in options {
            self.send(&format!("setoption name {option}"));
        }
        self.send(MIDDLEGAME);
        let lines = self.ask("go depth 7", "bestmove");
        let nodes = lines.iter().rev().find_map(|line| field(line, "nodes")).expect("nodes");
        nodes.parse().expect("a number")
    }

    pub(crate) fn quit(mut self) {
        self.send("quit");
        assert!(self.child.wait().expect("it ends").success());
    }

    /// Says no more, and gives what the engine still says until it has ended.
    pub(crate) fn end_of_input(self) -> String {
        let Session { mut child, input, mut output } = self;
        drop(input);
        let mut rest = String::new();
        output.read_to_string(&mut rest).expect("text");
        assert!(child.wait().expect("it ends").success());
        rest
    }
}
