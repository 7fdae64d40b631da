//! SIGINT, SIGTERM and SIGHUP. One thread receives them for the whole process. So a thread that
//! blocks, as in a write to a full pipe, does not delay the reaction.
//!
//! A signal that comes again at once is the same request: timeout(1) sends each to the process and to its
//! group, which the process is in.

use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use std::sync::{Arc, Mutex, OnceLock, mpsc};
use std::time::{Duration, Instant};
use std::{future, io, panic, thread};

use crate::lock;
use tokio::signal::unix::{Signal, SignalKind, signal};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopRequest {
    /// SIGINT, as Ctrl-C sends it.
    Interrupt,
    /// SIGTERM, or SIGHUP when the terminal is closed: end at once.
    End,
}

/// Ctrl-C again within this time is the same Ctrl-C. Nobody types it twice so fast.
const SAME_INTERRUPT: Duration = Duration::from_millis(50);

/// SIGTERM or SIGHUP again within this time asks for nothing new: the end has begun.
const SAME_END: Duration = Duration::from_secs(1);

/// When each signal was last heeded.
#[derive(Debug, Default)]
struct Heeded(HashMap<libc::c_int, Instant>);

impl Heeded {
    /// Whether this signal, received `now`, is a new request.
    fn is_new(&mut self, request: StopRequest, number: libc::c_int, now: Instant) -> bool {
        let same = match request {
            StopRequest::Interrupt => SAME_INTERRUPT,
            StopRequest::End => SAME_END,
        };
        let is_new = self.0.get(&number).is_none_or(|last| now.duration_since(*last) >= same);
        if is_new {
            self.0.insert(number, now);
        }
        is_new
    }
}

type Act = Arc<dyn Fn(StopRequest) + Send + Sync>;

/// The handlers. A signal goes to the newest; without one it has its default effect.
static LISTENERS: Mutex<Vec<(u64, Act)>> = Mutex::new(Vec::new());

/// A registered handler; dropping it unregisters.
#[derive(Debug)]
#[must_use = "dropping it unregisters the handler"]
pub struct Listener(u64);

impl Drop for Listener {
    fn drop(&mut self) {
        lock(&LISTENERS).retain(|(number, _)| *number != self.0);
    }
}

/// Calls `act` for each signal, on the signal thread, until the listener is dropped. `act` should
/// not block: the next signal is handled when it returns. A repetition within 50 ms (SIGTERM and SIGHUP:
/// one second) is ignored, whoever listens by then. SIGHUP stays ignored if the process was
/// started with it ignored, as by nohup. On an error the signals keep their default effect.
pub fn hear(act: impl Fn(StopRequest) + Send + Sync + 'static) -> io::Result<Listener> {
    static WATCH: OnceLock<Result<(), io::ErrorKind>> = OnceLock::new();
    let number = {
        let mut listeners = lock(&LISTENERS);
        let number = listeners.last().map_or(0, |(last, _)| last + 1);
        listeners.push((number, Arc::new(act)));
        number
    };
    let listener = Listener(number);
    WATCH.get_or_init(|| begin().map_err(|error| error.kind())).map_err(io::Error::from)?;
    Ok(listener)
}

/// Starts the thread, and returns when the handlers are installed.
fn begin() -> io::Result<()> {
    let (ready, is_ready) = mpsc::channel();
    thread::Builder::new().name("signals".to_owned()).spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        match runtime {
            Ok(runtime) => runtime.block_on(watch(&ready)),
            Err(error) => _ = ready.send(Err(error)),
        }
    })?;
    is_ready.recv().unwrap_or_else(|_| Err(io::ErrorKind::BrokenPipe.into()))
}

async fn watch(ready: &mpsc::Sender<io::Result<()>>) {
    let [mut interrupt, mut terminate, mut hangup] = match streams() {
        Ok(streams) => streams,
        Err(error) => {
            _ = ready.send(Err(error));
            return;
        }
    };
    _ = ready.send(Ok(()));
    let mut heeded = Heeded::default();
    loop {
        let (request, number) = tokio::select! {
            () = next(&mut interrupt) => (StopRequest::Interrupt, libc::SIGINT),
            () = next(&mut terminate) => (StopRequest::End, libc::SIGTERM),
            () = next(&mut hangup) => (StopRequest::End, libc::SIGHUP),
        };
        if !heeded.is_new(request, number, Instant::now()) {
            continue;
        }
        let act = lock(&LISTENERS).last().map(|(_, act)| Arc::clone(act));
        match act {
            // A panic in a handler must not end the signal thread.
            Some(act) => _ = panic::catch_unwind(AssertUnwindSafe(|| act(request))),
            None => end_by(number),
        }
    }
}

/// SIGINT is installed last: a process that sees SIGINT handled may send any of the three.
fn streams() -> io::Result<[Option<Signal>; 3]> {
    let terminate = signal(SignalKind::terminate())?;
    let hangup = if is_ignored(libc::SIGHUP) { None } else { Some(signal(SignalKind::hangup())?) };
    Ok([Some(signal(SignalKind::interrupt())?), Some(terminate), hangup])
}

async fn next(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => _ = signal.recv().await,
        None => future::pending().await,
    }
}

/// Ends the process as the signal does by default.
fn end_by(number: libc::c_int) {
    // SAFETY: plain system calls; nothing depends on the handler that is replaced.
    unsafe {
        libc::signal(number, libc::SIG_DFL);
        libc::raise(number);
        // PID 1 of a container survives the default action.
        libc::_exit(128 + number);
    }
}

/// Whether a signal is ignored. False once we have installed a handler.
fn is_ignored(number: libc::c_int) -> bool {
    // SAFETY: the struct is plain numbers, and the call only fills it in.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let known = libc::sigaction(number, std::ptr::null(), &raw mut action) == 0;
        known && action.sa_sigaction == libc::SIG_IGN
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_last_who_listens_hears_them() {
        let hears_hangup = !is_ignored(libc::SIGHUP);
        let (told, heard) = mpsc::channel();
        let listen = |name: &'static str| {
            let told = told.clone();
            hear(move |request| told.send((name, request)).unwrap()).unwrap()
        };
        let raise = |number| {
            // SAFETY: a handler is installed, so the signal does not end the process.
            unsafe { libc::raise(number) };
            heard.recv_timeout(Duration::from_secs(20)).unwrap()
        };
        let _first = listen("first");
        assert_eq!(raise(libc::SIGINT), ("first", StopRequest::Interrupt));
        let second = listen("second");
        assert_eq!(raise(libc::SIGTERM), ("second", StopRequest::End));
        drop(second);
        if hears_hangup {
            assert_eq!(raise(libc::SIGHUP), ("first", StopRequest::End));
        }
        thread::sleep(SAME_INTERRUPT);
        assert_eq!(raise(libc::SIGINT), ("first", StopRequest::Interrupt));
    }

    #[test]
    fn one_request_may_come_twice() {
        let (interrupt, end) = (StopRequest::Interrupt, StopRequest::End);
        let begun = Instant::now();
        let mut heeded = Heeded::default();
        for (at_ms, request, number, is_new) in [
            (0, interrupt, libc::SIGINT, true),
            (3, interrupt, libc::SIGINT, false),
            (4, end, libc::SIGTERM, true),
            // Held down, it is heard now and then.
            (40, interrupt, libc::SIGINT, false),
            (60, interrupt, libc::SIGINT, true),
            (300, interrupt, libc::SIGINT, true),
            (900, end, libc::SIGTERM, false),
            (901, end, libc::SIGHUP, true),
            (1100, end, libc::SIGTERM, true),
        ] {
            let now = begun + Duration::from_millis(at_ms);
            assert_eq!(heeded.is_new(request, number, now), is_new, "{at_ms} ms");
        }
    }
}
