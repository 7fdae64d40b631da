//! Ctrl-C and its kin where no games are under way: work that needs little care to be ended.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread;

use tokio::signal::unix::{SignalKind, signal};

use super::{BROKEN_OFF, UNDECIDED};
use crate::hangup::Hangup;

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
        let mut interrupt = signal(SignalKind::interrupt())?;
        let mut terminate = signal(SignalKind::terminate())?;
        let mut hangup = Hangup::listen()?;
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
            () = hangup.recv() => {}
        }
        Ok::<(), std::io::Error>(())
    };
    thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        if runtime.and_then(|runtime| runtime.block_on(wait())).is_ok() {
            act();
        }
    });
}
