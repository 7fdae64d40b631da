//! SIGINT, SIGTERM and SIGHUP. One thread hears them for the whole process, so that nothing that blocks
//! elsewhere, such as a write to a full pipe, delays what they ask for.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, mpsc};
use std::{future, io, panic, panic::AssertUnwindSafe, thread};

use crate::lock;
use tokio::signal::unix::{Signal, SignalKind, signal};

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Asked {
    /// SIGINT, as Ctrl-C sends it.
    Interrupt,
    /// SIGTERM, or the SIGHUP of a terminal that is closed: an end at once.
    End,
}

type Act = Arc<dyn Fn(Asked) + Send + Sync>;

/// Who hears them; the last one does. Where there is nobody, a signal has the system's own effect.
static LISTENERS: Mutex<Vec<(u64, Act)>> = Mutex::new(Vec::new());

/// Hears signals until it is dropped.
#[derive(Debug)]
#[must_use = "it hears signals until it is dropped"]
pub struct Listener(u64);

impl Drop for Listener {
    fn drop(&mut self) {
        listeners().retain(|(number, _)| *number != self.0);
    }
}

/// Has `act` done at each signal, on a thread of its own, until the listener is dropped. It should not
/// block: the next signal is heard when it returns. SIGHUP is passed over where whoever started the
/// process wants it to be, as nohup does.
///
/// # Errors
/// When the signals cannot be listened to; they keep the system's own effect.
pub fn hear(act: impl Fn(Asked) + Send + Sync + 'static) -> io::Result<Listener> {
    static WATCH: OnceLock<Result<(), io::ErrorKind>> = OnceLock::new();
    let number = {
        let mut listeners = listeners();
        let number = listeners.last().map_or(0, |(last, _)| last + 1);
        listeners.push((number, Arc::new(act)));
        number
    };
    let listener = Listener(number);
    WATCH.get_or_init(|| begin().map_err(|error| error.kind())).map_err(io::Error::from)?;
    Ok(listener)
}

fn listeners() -> MutexGuard<'static, Vec<(u64, Act)>> {
    lock(&LISTENERS)
}

/// Starts the thread; returns when it listens.
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
    loop {
        let (asked, number) = tokio::select! {
            () = next(&mut interrupt) => (Asked::Interrupt, libc::SIGINT),
            () = next(&mut terminate) => (Asked::End, libc::SIGTERM),
            () = next(&mut hangup) => (Asked::End, libc::SIGHUP),
        };
        let act = listeners().last().map(|(_, act)| Arc::clone(act));
        match act {
            // One that panics ends nothing but itself.
            Some(act) => _ = panic::catch_unwind(AssertUnwindSafe(|| act(asked))),
            None => end_by(number),
        }
    }
}

/// To SIGINT last, so that who sees it caught may send any.
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

/// Ends the process as if the signal had not been listened to.
fn end_by(number: libc::c_int) {
    // SAFETY: plain system calls; nothing depends on the handler that is replaced.
    unsafe {
        libc::signal(number, libc::SIG_DFL);
        libc::raise(number);
        // The first process of a container is not ended by a signal.
        libc::_exit(128 + number);
    }
}

/// Whether a signal is passed over. Once it is listened to, it is not.
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
            hear(move |asked| told.send((name, asked)).unwrap()).unwrap()
        };
        let raise = |number| {
            // SAFETY: the signal is listened to, so that it ends nothing.
            unsafe { libc::raise(number) };
            heard.recv_timeout(Duration::from_secs(20)).unwrap()
        };
        let _first = listen("first");
        assert_eq!(raise(libc::SIGINT), ("first", Asked::Interrupt));
        let second = listen("second");
        assert_eq!(raise(libc::SIGTERM), ("second", Asked::End));
        drop(second);
        assert_eq!(raise(libc::SIGTERM), ("first", Asked::End));
        if hears_hangup {
            assert_eq!(raise(libc::SIGHUP), ("first", Asked::End));
        }
    }
}
