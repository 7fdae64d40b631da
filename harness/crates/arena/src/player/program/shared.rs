//! One engine process as its player, its supervisor and the watch see it.

use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::pin::Pin;
use std::process::ExitStatus;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};

use tokio::io::{AsyncRead as _, ReadBuf};
use tokio::process::ChildStderr;

use super::transcript::OutputTail;
use ::process::children::{self, Signal};
use ::process::{lock, pipe};

/// So much of the end of stderr is kept, in bytes.
const STDERR_TAIL: usize = 64 * 1024;

/// What the player waits for, and how far the watch has gone because it does not come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wait {
    Idle,
    /// For an answer until `due`; `search`: telling it to move now may bring it.
    Answer {
        due: Instant,
        search: bool,
    },
    /// It was told to move now; until `due`.
    Stopping {
        due: Instant,
    },
    /// Killed because the answer never came.
    Killed,
}

#[derive(Debug)]
pub(super) struct SharedProcess {
    /// The process, and its process group.
    pub(super) pid: i32,
    stdin: Mutex<Option<PipeWriter>>,
    stdout: PipeReader,
    move_now: &'static str,
    wait: Mutex<Wait>,
    /// When the watch wrote that line, until it is asked for.
    forced: Mutex<Option<Instant>>,
    fate: Mutex<Fate>,
    ended: Condvar,
    /// Set with `fate.ended`; a reader looks here before it blocks.
    gone: AtomicBool,
}

#[derive(Debug)]
struct Fate {
    /// Its number may be another process's by now.
    reaped: bool,
    /// Reaped, and all of stderr read.
    ended: bool,
    status: Option<ExitStatus>,
    stderr: OutputTail,
    /// When the last of it came.
    complained: Option<Instant>,
    /// The pipe that `stderr` is read from, while the process lives.
    unread: Option<File>,
}

impl SharedProcess {
    /// Neither `stdin` nor `stderr` must block.
    pub(super) fn new(
        pid: i32,
        stdin: PipeWriter,
        stdout: PipeReader,
        stderr: Option<File>,
        move_now: &'static str,
    ) -> SharedProcess {
        SharedProcess {
            pid,
            stdin: Mutex::new(Some(stdin)),
            stdout,
            move_now,
            wait: Mutex::new(Wait::Idle),
            forced: Mutex::new(None),
            fate: Mutex::new(Fate {
                reaped: false,
                ended: false,
                status: None,
                stderr: OutputTail::new(STDERR_TAIL),
                complained: None,
                unread: stderr,
            }),
            ended: Condvar::new(),
            gone: AtomicBool::new(false),
        }
    }

    /// Writes as much as the pipe takes at once.
    pub(super) fn write(&self, bytes: &[u8]) -> io::Result<usize> {
        match lock(&self.stdin).as_mut() {
            Some(stdin) => stdin.write(bytes),
            None => Err(io::ErrorKind::BrokenPipe.into()),
        }
    }

    pub(super) fn wait_writable(&self, limit: Duration) {
        if let Some(stdin) = lock(&self.stdin).as_ref() {
            pipe::wait_writable(stdin, limit);
        }
    }

    pub(super) fn has_read_all(&self) -> bool {
        lock(&self.stdin).as_ref().is_none_or(|stdin| pipe::unread(stdin) == 0)
    }

    pub(super) fn close_stdin(&self) {
        *lock(&self.stdin) = None;
    }

    /// Waits for output; 0 bytes at its end, and when the process has ended though something
    /// else still holds the pipe.
    pub(super) fn read(&self, space: &mut [u8]) -> io::Result<usize> {
        loop {
            if self.is_gone() && self.readable() == 0 {
                return Ok(0);
            }
            match (&self.stdout).read(space) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    pub(super) fn is_gone(&self) -> bool {
        self.gone.load(Ordering::Acquire)
    }

    /// Bytes that can be read without waiting.
    pub(super) fn readable(&self) -> usize {
        pipe::unread(&self.stdout)
    }

    /// Ends a read that blocks on a pipe which outlives the process; false if that takes what is
    /// lacking now.
    pub(super) fn wake_reader(&self) -> bool {
        pipe::wake_reader(&self.stdout)
    }

    pub(super) fn set_wait(&self, wait: Wait) -> Wait {
        std::mem::replace(&mut *lock(&self.wait), wait)
    }

    pub(super) fn postpone(&self, by: Duration) {
        if let Wait::Answer { due, .. } | Wait::Stopping { due } = &mut *lock(&self.wait) {
            *due += by;
        }
    }

    /// Called by the watch again and again: does what an overdue answer calls for.
    pub(super) fn check(&self, grace: Duration) {
        let mut wait = lock(&self.wait);
        let now = Instant::now();
        match *wait {
            Wait::Answer { due, search: true } if now >= due => {
                // If a command is still being written, or the pipe is full, the engine does not
                // listen, and the next step will come.
                if let Ok(mut stdin) = self.stdin.try_lock()
                    && let Some(stdin) = stdin.as_mut()
                {
                    // Who reads the answer to it is to find it here.
                    let mut forced = lock(&self.forced);
                    let _ = stdin.write(self.move_now.as_bytes());
                    *forced = Some(now);
                }
                *wait = Wait::Stopping { due: now + grace };
            }
            Wait::Answer { due, search: false } | Wait::Stopping { due } if now >= due => {
                *wait = Wait::Killed;
                self.signal(Signal::Kill);
            }
            _ => {}
        }
    }

    /// When the watch told the engine to move now, if it did since this was asked last.
    pub(super) fn take_forced(&self) -> Option<Instant> {
        lock(&self.forced).take()
    }

    /// Kills the process if somebody waits for its answer.
    pub(super) fn end_wait(&self) {
        let wait = lock(&self.wait);
        if matches!(*wait, Wait::Answer { .. } | Wait::Stopping { .. }) {
            self.signal(Signal::Kill);
        }
    }

    /// Sends a signal to the process and its group, unless it has ended.
    pub(super) fn signal(&self, signal: Signal) {
        let fate = lock(&self.fate);
        if !fate.reaped {
            signal.send_to_group(self.pid);
        }
    }

    /// Kills what the ended process leaves behind in its group. To be called just after it was
    /// reaped, while its number cannot have been given to another group yet.
    pub(super) fn kill_rest_of_group(&self) {
        lock(&self.fate).reaped = true;
        Signal::Kill.send_to_group(self.pid);
    }

    /// Reads more of `stderr`, the pipe that was given; how many bytes. What is read is kept under
    /// one lock, as others may read there, too.
    pub(super) fn poll_stderr(
        &self,
        cx: &mut Context<'_>,
        stderr: &mut ChildStderr,
    ) -> Poll<io::Result<usize>> {
        let mut bytes = [0; 1024];
        let mut bytes = ReadBuf::new(&mut bytes);
        let mut fate = lock(&self.fate);
        ready!(Pin::new(stderr).poll_read(cx, &mut bytes))?;
        fate.heard(bytes.filled());
        Poll::Ready(Ok(bytes.filled().len()))
    }

    pub(super) fn set_ended(&self, status: Option<ExitStatus>) {
        let mut fate = lock(&self.fate);
        fate.ended = true;
        fate.status = status;
        fate.unread = None;
        self.gone.store(true, Ordering::Release);
        self.ended.notify_all();
    }

    /// Waits at most `limit` for the end of the process; whether it has ended.
    pub(super) fn wait_ended(&self, limit: Duration) -> bool {
        let fate = lock(&self.fate);
        let waited = self.ended.wait_timeout_while(fate, limit, |fate| !fate.ended);
        waited.unwrap_or_else(PoisonError::into_inner).0.ended
    }

    /// How the process ended, in words; `None` while it runs.
    pub(super) fn ending(&self) -> Option<String> {
        let fate = lock(&self.fate);
        fate.ended.then(|| fate.status.map_or("ended, unknown how".to_owned(), children::ending))
    }

    /// How the process ended, once it is known.
    pub(super) fn status(&self) -> Option<ExitStatus> {
        lock(&self.fate).status
    }

    pub(super) fn stderr(&self) -> String {
        lock(&self.fate).whole_stderr().render()
    }

    pub(super) fn last_stderr_message(&self) -> Option<String> {
        lock(&self.fate).whole_stderr().last_message()
    }

    /// The same, unless all of stderr came before a time.
    pub(super) fn last_stderr_since(&self, time: Instant) -> Option<String> {
        let mut fate = lock(&self.fate);
        let message = fate.whole_stderr().last_message();
        message.filter(|_| fate.complained.is_some_and(|last| last >= time))
    }
}

impl Fate {
    /// With all that the process has written by now, even what the supervisor has not read yet.
    fn whole_stderr(&mut self) -> &OutputTail {
        if let Some(pipe) = &mut self.unread {
            // No more than there is at this moment: it may be written to without end.
            let mut bytes = vec![0; pipe::unread(pipe)];
            let read = pipe.read(&mut bytes).unwrap_or(0);
            self.heard(&bytes[..read]);
        }
        &self.stderr
    }

    fn heard(&mut self, bytes: &[u8]) {
        if !bytes.is_empty() {
            self.stderr.push(bytes);
            self.complained = Some(Instant::now());
        }
    }
}
