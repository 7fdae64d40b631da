//! The binary as a process, for the tests of its protocols.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A running engine.
pub(crate) struct Session {
    child: Child,
    pub(crate) input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Session {
    pub(crate) fn start() -> Session {
        let mut child = Command::new(env!("CARGO_BIN_EXE_mutineer"))
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
