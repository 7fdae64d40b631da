//! Ctrl-C and its kin where no games are under way: work that needs little care to be ended.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::{fs, io, thread};

use tokio::signal::unix::{Signal, SignalKind, signal};

use super::{BROKEN_OFF, UNDECIDED};
use process::hangup::Hangup;

/// SIGINT, SIGTERM and SIGHUP, where it does not matter which of them comes.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Hangup,
}

impl Signals {
    /// Begins to listen; to SIGINT last, so that who sees it caught may send any.
    pub(super) fn listen() -> io::Result<Signals> {
        let (terminate, hangup) = (signal(SignalKind::terminate())?, Hangup::listen()?);
        Ok(Signals { interrupt: signal(SignalKind::interrupt())?, terminate, hangup })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) {
        tokio::select! {
            _ = self.interrupt.recv() => {}
            _ = self.terminate.recv() => {}
            () = self.hangup.recv() => {}
        }
    }
}

/// From here on SIGINT, SIGTERM and SIGHUP say `words` and end the process: what is measured is recorded.
pub(super) fn end_with(words: String) {
    on_signal(move || {
        tell!("{words}");
        std::process::exit(UNDECIDED.into());
    });
}

/// From here on these signals remove a file that is not finished, and end the process.
pub(super) fn remove(unfinished: PathBuf) {
    on_signal(move || {
        // It may be finished, and have its own name, by now.
        let _ = fs::remove_file(unfinished);
        std::process::exit(BROKEN_OFF.into());
    });
}

/// What says whether one of these signals has come.
pub(super) fn flag() -> Arc<AtomicBool> {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    on_signal(move || raised.store(true, Ordering::Relaxed));
    flag
}

/// Does it at the first signal. Where signals cannot be listened to, the system's own way stays.
fn on_signal(act: impl FnOnce() + Send + 'static) {
    let wait = async || {
        Signals::listen()?.next().await;
        Ok::<(), io::Error>(())
    };
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if runtime.and_then(|runtime| runtime.block_on(wait())).is_ok() {
            act();
        }
    });
}
