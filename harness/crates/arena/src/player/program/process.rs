//! An engine process: started, written to, read from, ended.

use std::ffi::OsString;
use std::io;
use std::process::Stdio;
use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::process::Command;

use super::Capsule;
use super::host::{Grave, ProgramHost, SPARE, supervise};
use super::lines::LineBuffer;
use super::shared::{SharedProcess, Wait};
use super::spec::ProgramSpec;
use super::traffic::Traffic;
use super::transcript::{Direction, Transcript, quote};
use crate::player::Fault;
use process::children::{Confinement, Mark, Signal, gave_up, is_killed};
use process::lack::Lack;
use process::{limits, oom, pipe};

/// An engine that writes more than this for one answer will not come to it, in bytes.
const FLOOD: usize = 64 << 20;

/// How long a process that closed its output may take to end, and its stderr to be read.
const LAST_WORDS: Duration = Duration::from_secs(1);

/// How often output that may not come is looked for.
const LOOK_AGAIN: Duration = Duration::from_millis(5);

/// What an answer is waited for and with which patience.
pub(crate) struct Expected<'a> {
    /// The command that asks for it, for messages.
    pub(crate) command: &'a str,
    /// The word that the answer begins with, for messages.
    pub(crate) answer: &'static str,
    /// So long it may take; much longer than it should.
    pub(crate) patience: Duration,
    /// Whether the protocol's word for "move now" may bring it.
    pub(crate) search: bool,
}

/// One running program.
pub struct Process {
    pub(crate) spec: ProgramSpec,
    pub(crate) host: Arc<ProgramHost>,
    shared: Arc<SharedProcess>,
    pub(crate) lines: LineBuffer,
    transcript: Transcript,
    traffic: Option<Traffic>,
    /// Bytes read since the last command.
    flood: usize,
    /// When the last command was written.
    last_request: Instant,
    /// How often the system had ended a process for want of memory when this one began.
    kills_before: Option<u64>,
}

/// What starts a program, with a variable more.
fn command(
    spec: &ProgramSpec,
    confinement: Option<&Confinement>,
    (name, value): (&str, &str),
) -> Command {
    let Some(confinement) = confinement else {
        let mut command = Command::new(&spec.path);
        command.args(&spec.args).env(name, value);
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        return command;
    };
    let args: Vec<OsString> = spec.args.iter().map(OsString::from).collect();
    confinement.command(&spec.path, &args, spec.dir.as_deref(), &[(name, value)]).into()
}

impl<'a> Expected<'a> {
    /// An answer that is not a move.
    pub(crate) fn new(command: &'a str, answer: &'static str, patience: Duration) -> Expected<'a> {
        Expected { command, answer, patience, search: false }
    }
}

impl Process {
    /// Starts the program in a process group of its own, to be killed when we end.
    pub(crate) fn start(spec: &ProgramSpec, host: &Arc<ProgramHost>) -> Result<Process, Fault> {
        Process::begin(spec, host).map_err(|error| {
            let lack = Lack::of(&format!("cannot start {}", spec.path.display()), &error);
            lack.map_or_else(|| Fault::NotStarted(error.to_string()), Fault::Lack)
        })
    }

    fn begin(spec: &ProgramSpec, host: &Arc<ProgramHost>) -> io::Result<Process> {
        // Our own pipes: tokio's are registered with epoll, and a pipe that was polled once
        // wakes its reader for every line.
        let (stdin_reader, stdin) = io::pipe()?;
        let (stdout, stdout_writer) = io::pipe()?;
        limits::leaves_room(&stdout_writer, SPARE)?;
        pipe::set_nonblocking(&stdin)?;
        let mark = Mark::of_one();
        let confinement = host.settings.confinement.as_deref();
        let mut command = command(spec, confinement, mark.variable());
        command.stdin(stdin_reader).stdout(stdout_writer).stderr(Stdio::piped());
        let (child, own) = match host.spawn(command) {
            Ok(started) => started,
            Err(error) => {
                // It may run, though nobody follows it.
                let _ = host.undertaker.send(Grave { mark, closed: None });
                return Err(error);
            }
        };
        let pid = own.pid();
        let stderr = child.stderr.as_ref().map(pipe::duplicate).transpose()?;
        let move_now = spec.protocol.move_now();
        let shared = Arc::new(SharedProcess::new(pid, stdin, stdout, stderr, move_now));
        let folder = host.settings.traffic.as_deref();
        let traffic = folder.and_then(|folder| Traffic::create(folder, &spec.path, pid));
        host.watch(&shared);
        let undertaker = host.undertaker.clone();
        let by_another = confinement.is_some_and(Confinement::hides_signals);
        let supervised = supervise((child, own), by_another, Arc::clone(&shared), mark, undertaker);
        host.runtime.spawn(supervised);
        Ok(Process {
            spec: spec.clone(),
            host: Arc::clone(host),
            shared,
            lines: LineBuffer::new(),
            transcript: Transcript::new(host.settings.transcript),
            traffic,
            flood: 0,
            last_request: Instant::now(),
            kills_before: oom::kills(),
        })
    }

    pub(super) fn move_now(&self) -> &'static str {
        self.spec.protocol.move_now().trim_end()
    }

    /// The process's number, which is also its group's.
    pub(crate) fn pid(&self) -> i32 {
        self.shared.pid
    }

    /// Ends the watch over an answer; whether it came only because it was overdue and the search
    /// was told to stop.
    pub(crate) fn answered(&self) -> bool {
        matches!(self.shared.set_wait(Wait::Idle), Wait::Stopping { .. })
    }

    /// Of the games only the new one is kept for a capsule.
    pub(crate) fn new_game(&mut self) {
        self.transcript.new_game();
    }

    /// For a capsule: the lines that set the options of the games to come.
    pub(crate) fn note_options(&mut self, lines: String) {
        self.transcript.set_options(lines);
    }

    /// Writes `text`, whole lines, and has the answer watched for. What the engine said unasked
    /// before is put aside. Gives back when the writing began.
    pub(crate) fn send(&mut self, text: &str, expected: &Expected) -> Result<Instant, Fault> {
        self.send_after(text, expected, |_| ())
    }

    /// As [`Process::send`]; each line that was said unasked is shown to `unasked`.
    pub(crate) fn send_after(
        &mut self,
        text: &str,
        expected: &Expected,
        unasked: impl FnMut(&[u8]),
    ) -> Result<Instant, Fault> {
        self.take_unasked(expected, unasked)?;
        let began = Instant::now();
        self.last_request = began;
        let due = began + expected.patience;
        self.shared.set_wait(Wait::Answer { due, search: expected.search });
        self.record(began, Direction::ToEngine, text.as_bytes());
        let mut rest = text.as_bytes();
        while !rest.is_empty() {
            match self.shared.write(rest) {
                Ok(count) => rest = &rest[count..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                    if Instant::now() >= due {
                        let fault = format!("does not read its input, '{}'", expected.command);
                        return Err(Fault::Hang(self.with_last_words(fault)));
                    }
                    self.shared.wait_writable(Duration::from_millis(50));
                }
                Err(error) => return Err(self.unwritable(expected, &error)),
            }
        }
        Ok(began)
    }

    /// Reads more output, waiting for it; lines that have to make room for it are shown to
    /// `retire`. Gives back when it came.
    pub(crate) fn read(
        &mut self,
        expected: &Expected,
        retire: impl FnOnce(&[u8]),
    ) -> Result<Instant, Fault> {
        let space = self.lines.space(retire);
        let count = match self.shared.read(space) {
            Ok(count) => count,
            Err(error) => match Lack::of(&self.what("cannot read from"), &error) {
                Some(lack) => return Err(lack.into()),
                None => 0,
            },
        };
        let now = Instant::now();
        if let Some(traffic) = &mut self.traffic
            && let Some(at) = self.shared.take_forced()
        {
            traffic.push(at, Direction::ToEngine, self.spec.protocol.move_now().as_bytes());
        }
        if count == 0 {
            return Err(self.silent(expected));
        }
        let bytes = self.lines.filled(count);
        self.transcript.push(now, Direction::FromEngine, bytes);
        if let Some(traffic) = &mut self.traffic {
            traffic.push(now, Direction::FromEngine, bytes);
        }
        self.flood += count;
        if self.flood > FLOOD {
            let fault = format!(
                "{} MiB of output after '{}' and no '{}'",
                FLOOD >> 20,
                expected.command,
                expected.answer
            );
            return Err(Fault::Garbage(self.with_last_words(fault)));
        }
        Ok(now)
    }

    /// Writes `text` and reads the lines until one is `wanted`.
    pub(crate) fn ask<T>(
        &mut self,
        text: &str,
        expected: &Expected,
        wanted: impl FnMut(&[u8]) -> Option<T>,
    ) -> Result<T, Fault> {
        self.send(text, expected)?;
        self.read_until(expected, wanted)
    }

    /// As [`Process::read`], for an answer that need not come: false if nothing comes within
    /// `limit`. Only for rare occasions, since it looks again and again.
    pub(crate) fn read_for(&mut self, expected: &Expected, limit: Duration) -> Result<bool, Fault> {
        let until = Instant::now() + limit;
        while self.shared.readable() == 0 && !self.shared.is_gone() {
            if Instant::now() >= until {
                return Ok(false);
            }
            std::thread::sleep(LOOK_AGAIN);
        }
        self.read(expected, |_| ()).map(|_| true)
    }

    pub(crate) fn read_until<T>(
        &mut self,
        expected: &Expected,
        mut wanted: impl FnMut(&[u8]) -> Option<T>,
    ) -> Result<T, Fault> {
        loop {
            while let Some(line) = self.lines.next() {
                if let Some(found) = wanted(self.lines.get(line)) {
                    self.shared.set_wait(Wait::Idle);
                    return Ok(found);
                }
            }
            self.read(expected, |_| ())?;
        }
    }

    /// Ends the process: by `quit`, then SIGTERM, then SIGKILL to its group, with a
    /// [`grace`](super::ProgramSettings::grace) between them. After this it has ended, or is stuck
    /// in the kernel with SIGKILL pending. Gives back what was wrong with its end: that it came before, took a
    /// signal, or was no success.
    pub(crate) fn end(&mut self) -> Option<String> {
        let grace = self.host.settings.grace;
        self.shared.set_wait(Wait::Idle);
        let is_early = self.shared.wait_ended(Duration::ZERO);
        let _ = self.shared.write(b"quit\n");
        self.record(Instant::now(), Direction::ToEngine, b"quit\n");
        self.shared.close_stdin();
        if self.shared.wait_ended(grace) {
            let is_wrong = is_early || !self.shared.status().is_some_and(|status| status.success());
            let when = if is_early { "before" } else { "after" };
            return is_wrong.then(|| format!("{} {when} 'quit'", self.ending()));
        }
        for (signal, limit) in [(Signal::Terminate, grace), (Signal::Kill, LAST_WORDS.max(grace))] {
            self.shared.signal(signal);
            if self.shared.wait_ended(limit) {
                break;
            }
        }
        Some(format!("does not end within {grace:?} of 'quit'; {}", self.ending()))
    }

    fn ending(&self) -> String {
        self.shared.ending().unwrap_or("does not end by SIGKILL".to_owned())
    }

    /// Puts aside what is left of earlier answers, showing each line to `see`: a second `bestmove`,
    /// say, must not be taken for the answer to the next command.
    fn take_unasked(
        &mut self,
        expected: &Expected,
        mut see: impl FnMut(&[u8]),
    ) -> Result<(), Fault> {
        self.flood = 0;
        loop {
            while let Some(line) = self.lines.next() {
                see(self.lines.get(line));
            }
            if self.shared.readable() == 0 {
                break;
            }
            self.read(expected, |_| ())?;
        }
        self.lines.forget();
        Ok(())
    }

    fn record(&mut self, at: Instant, way: Direction, bytes: &[u8]) {
        self.transcript.push(at, way, bytes);
        if let Some(traffic) = &mut self.traffic {
            traffic.push(at, way, bytes);
        }
    }

    /// The fault of a process whose output has ended.
    fn silent(&mut self, expected: &Expected) -> Fault {
        self.shared.wait_ended(LAST_WORDS);
        let Expected { command, answer, patience, .. } = expected;
        if self.shared.set_wait(Wait::Idle) == Wait::Killed {
            let fault = format!("no '{answer}' within {patience:?} of '{command}'; killed");
            return Fault::Hang(self.with_last_words(fault));
        }
        if let Some(lack) = self.lack() {
            return Fault::Lack(lack);
        }
        let ending = self.shared.ending().unwrap_or("closed its output".to_owned());
        Fault::Crash(self.with_last_words(format!("{ending} after '{command}'")))
    }

    fn lack(&self) -> Option<Lack> {
        let killed =
            self.shared.status().is_some_and(is_killed) && oom::kills() > self.kills_before;
        if killed {
            return Some(Lack::of_memory(&self.what("the system has killed")));
        }
        let what = self.what("not enough for");
        if !self.transcript.in_game {
            return Lack::from_words_at_start(&what, &self.shared.stderr());
        }
        // What it once met, and went on, is not what it died of.
        let reason = self
            .shared
            .last_stderr_since(self.last_request)
            .filter(|_| self.shared.status().is_some_and(gave_up));
        Lack::from_words_in_game(&what, &reason?)
    }

    fn what(&self, what: &str) -> String {
        format!("{what} {}", self.spec.path.display())
    }

    fn unwritable(&mut self, expected: &Expected, error: &io::Error) -> Fault {
        if let Some(lack) = Lack::of(&self.what("cannot write to"), error) {
            return lack.into();
        }
        if self.shared.wait_ended(LAST_WORDS) {
            return self.silent(expected);
        }
        let fault = format!("writing '{}': {error}", expected.command);
        Fault::BrokenPipe(self.with_last_words(fault))
    }

    pub(crate) fn with_last_words(&self, mut fault: String) -> String {
        if let Some(line) = self.transcript.last_answer() {
            fault.push_str(&format!("; last line: '{line}'"));
        }
        if let Some(line) = self.shared.last_stderr_message() {
            fault.push_str(&format!("; stderr: '{line}'"));
        }
        fault
    }

    pub(crate) fn not_started(&self, reason: &str) -> Fault {
        Fault::NotStarted(format!("{}: {reason}", self.spec.path.display()))
    }

    pub(crate) fn answered_twice(&self, line: &[u8]) -> Fault {
        let fault = format!("'{}' came after its answer", quote(line));
        Fault::AnsweredTwice(self.with_last_words(fault))
    }

    /// See [`Program::second_answer`](crate::player::protocol::Program::second_answer).
    pub(crate) fn second_answer(&mut self, is_answer: impl Fn(&[u8]) -> bool) -> Option<Fault> {
        let (command, patience) = (self.move_now(), self.host.settings.grace);
        let expected = Expected::new(command, "", patience);
        // Not part of the game, and no part of what is told again when it is replayed.
        let word = self.spec.protocol.move_now().as_bytes();
        let _ = self.shared.write(word);
        if let Some(traffic) = &mut self.traffic {
            traffic.push(Instant::now(), Direction::ToEngine, word);
        }
        let until = Instant::now() + patience;
        loop {
            while let Some(line) = self.lines.next() {
                let line = self.lines.get(line);
                if is_answer(line) {
                    let line = line.to_owned();
                    return Some(self.answered_twice(&line));
                }
            }
            let rest = until.saturating_duration_since(Instant::now());
            if rest.is_zero() || !self.read_for(&expected, rest).ok()? {
                return None;
            }
        }
    }

    pub(crate) fn has_read_all(&self) -> bool {
        self.shared.has_read_all()
    }

    pub(crate) fn garbage(&self, what: &str, found: &[u8]) -> Fault {
        Fault::Garbage(self.with_last_words(format!("{what}, found '{}'", quote(found))))
    }

    pub(crate) fn capsule(&self) -> Capsule {
        Capsule {
            protocol: self.spec.protocol,
            command: self.spec.command_line(),
            input: self.transcript.sent(),
            transcript: self.transcript.render(),
            stderr: self.shared.stderr(),
            exit_status: self.shared.ending(),
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // Does nothing when it has ended.
        self.shared.signal(Signal::Kill);
    }
}
