//! Ctrl-C and its kin where no games are under way.

use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use process::signals::{Listener, hear};
use process::terminal::tell_within;

use super::{BROKEN_OFF, UNDECIDED};

/// Words that nobody reads are waited for so long.
pub(super) const LAST_WORDS: Duration = Duration::from_millis(200);

/// From here on SIGINT, SIGTERM and SIGHUP say `words` and end the process: what is measured is recorded.
/// Where signals cannot be listened to, the system's own way stays.
pub(super) fn end_with(words: String) -> Option<Listener> {
    let end = move |_| {
        tell_within(words.clone(), LAST_WORDS);
        std::process::exit(UNDECIDED.into());
    };
    hear(end).ok()
}

/// As long as the listener lives, these signals remove a file that is not finished, and end the process.
pub(super) fn remove(unfinished: PathBuf) -> Option<Listener> {
    let end = move |_| {
        // It may be finished, and have its own name, by now.
        let _ = fs::remove_file(&unfinished);
        std::process::exit(BROKEN_OFF.into());
    };
    hear(end).ok()
}

/// What says whether one of these signals has come. The second one ends the process.
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
