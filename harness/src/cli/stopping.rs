//! Ctrl-C and its kin while games are played.

use std::thread;
use std::time::Duration;

use process::signals::{Asked, Listener, hear};
use process::terminal::tell_within;

use super::interrupted::LAST_WORDS;
use crate::screen::StatusLine;
use arena::record::FinalVerdict;
use arena::runner::Stops;
use process::children::adopted::Orphans;

/// A run that was told to end at once is ended after this time, whatever it is at: the journal is safe at
/// every moment, and engines end with this process.
const AT_ONCE: Duration = Duration::from_millis(1500);

/// Has signals end a sitting, as long as the listener lives. Ctrl-C once: games that have begun are
/// finished. Twice, or SIGTERM, SIGHUP: all ends at once.
pub(super) fn listen(stops: Stops, voice: StatusLine) -> std::io::Result<Listener> {
    hear(move |asked| match asked {
        Asked::Interrupt if !stops.no_new_games() => {
            stops.drain();
            let voice = voice.clone();
            // Nobody may be reading: the next signal must not wait for that.
            beside(move || {
                voice.say("finishing the running games; Ctrl-C again stops at once");
            });
        }
        Asked::Interrupt | Asked::End => {
            stops.stop_now();
            beside(end_at_last);
        }
    })
}

/// Does it on a thread of its own, or here where there is none to be had.
fn beside(work: impl FnOnce() + Send + Clone + 'static) {
    if thread::Builder::new().spawn(work.clone()).is_err() {
        work();
    }
}

/// Ends the process where the run has not ended by itself.
fn end_at_last() {
    thread::sleep(AT_ONCE);
    let words = "stopped before the summary was written; the games are recorded, resume the run";
    tell_within(words.to_owned(), LAST_WORDS);
    Orphans::end();
    std::process::exit(FinalVerdict::Undecided.exit_code().into());
}
