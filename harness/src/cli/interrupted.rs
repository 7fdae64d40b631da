//! SIGINT, SIGTERM and SIGHUP while no games are played.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use process::children::adopted::Orphans;
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

/// Until the listener is dropped, a signal prints `words` and ends the engines and the process, of
/// whose work nothing is left.
pub(super) fn end_with_engines(words: &'static str) -> Option<Listener> {
    let end = move |_| {
        print_status_within(words.to_owned(), LAST_WORDS);
        Orphans::end();
        std::process::exit(BROKEN_OFF.into());
    };
    hear(end).ok()
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
