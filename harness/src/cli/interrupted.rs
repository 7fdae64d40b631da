//! SIGINT, SIGTERM and SIGHUP while no games are played.

use std::fs;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use process::children::adopted::Orphans;
use process::lock;
use process::signals::{Listener, hear};
use process::terminal::print_status_within;

use super::{BROKEN_OFF, UNDECIDED};

/// How long to wait for a reader of the last message.
pub(super) const LAST_WORDS: Duration = Duration::from_millis(200);

/// From here on a signal prints `words` and ends the process; what is measured so far is recorded.
/// If no handler can be installed, signals keep their default effect.
pub(super) fn end_with(words: String) -> Option<Listener> {
    let end = move |_| {
        print_status_within(words.clone(), LAST_WORDS);
        std::process::exit(UNDECIDED.into());
    };
    hear(end).ok()
}

/// While it lives, a signal prints some words and ends the engines and the process, of whose work
/// nothing is left. Dropped while that goes on, it waits for the end of the process: an engine that
/// is ended so must not be reported as crashed.
#[must_use = "dropping it unregisters the handler"]
pub(super) struct EndingWithEngines {
    listener: Option<Listener>,
    /// Held by the handler until the process has ended.
    ending: Arc<Mutex<()>>,
}

impl Drop for EndingWithEngines {
    fn drop(&mut self) {
        drop(self.listener.take());
        drop(lock(&self.ending));
    }
}

/// From here on a signal prints `words`, and ends the engines and the process.
pub(super) fn end_with_engines(words: &'static str) -> EndingWithEngines {
    let ending = Arc::new(Mutex::new(()));
    let begun = Arc::clone(&ending);
    let end = move |_| {
        let _ending = lock(&begun);
        print_status_within(words.to_owned(), LAST_WORDS);
        Orphans::end();
        std::process::exit(BROKEN_OFF.into());
    };
    EndingWithEngines { listener: hear(end).ok(), ending }
}

/// Until the listener is dropped, a signal removes the unfinished file and ends the process.
pub(super) fn remove(unfinished: PathBuf) -> Option<Listener> {
    let end = move |_| {
        // The file may be finished and renamed by now.
        let _ = fs::remove_file(&unfinished);
        std::process::exit(BROKEN_OFF.into());
    };
    hear(end).ok()
}

/// A flag that the first signal sets. The second one ends the process.
pub(super) fn flag() -> (Arc<AtomicBool>, Option<Listener>) {
    let flag = Arc::new(AtomicBool::new(false));
    let raised = Arc::clone(&flag);
    let raise = move |_| {
        if raised.swap(true, Ordering::Relaxed) {
            std::process::exit(UNDECIDED.into());
        }
    };
    (flag, hear(raise).ok())
}
