//! SIGINT, SIGTERM and SIGHUP while games are played.

use std::thread;
use std::time::Duration;

use process::signals::{Listener, StopRequest, hear};
use process::terminal::print_status_within;

use super::interrupted::LAST_WORDS;
use crate::screen::StatusLine;
use arena::record::FinalVerdict;
use arena::runner::Stops;
use process::children::adopted::Orphans;

/// A run that was told to end at once has this long to do so; then the process exits. That is safe:
/// the journal is complete at every moment, and engines end with this process.
const AT_ONCE: Duration = Duration::from_millis(1500);

/// Handles signals while games are played, until the listener is dropped. The first Ctrl-C finishes
/// the running games. A second one, SIGTERM or SIGHUP stops at once.
pub(super) fn listen(stops: Stops, status_line: StatusLine) -> std::io::Result<Listener> {
    hear(move |request| match request {
        StopRequest::Interrupt if !stops.no_new_games() => {
            stops.drain();
            let status_line = status_line.clone();
            // Printing may block on a full pipe; the next signal must not wait for it.
            beside(move || {
                status_line.print("finishing the running games; Ctrl-C again stops at once");
            });
        }
        StopRequest::Interrupt | StopRequest::End => {
            stops.stop_now();
            beside(end_at_last);
        }
    })
}

/// Runs `work` on a new thread, or here if no thread can be started.
fn beside(work: impl FnOnce() + Send + Clone + 'static) {
    if thread::Builder::new().spawn(work.clone()).is_err() {
        work();
    }
}

/// Ends the process if the run has not ended by itself in time.
fn end_at_last() {
    thread::sleep(AT_ONCE);
    let words = "stopped before the summary was written; the games are recorded, resume the run";
    print_status_within(words.to_owned(), LAST_WORDS);
    Orphans::end();
    std::process::exit(FinalVerdict::Undecided.exit_code().into());
}
