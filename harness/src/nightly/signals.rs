//! What the user asks of a night while it is played.

use std::{io, time::Duration};

use tokio::signal::unix::{Signal, SignalKind, signal};

use process::hangup::Hangup;

/// What a signal asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Asked {
    /// Ctrl-C: that the games which have begun are finished.
    Finish,
    /// SIGTERM, or SIGHUP of a terminal that is closed: that all ends at once.
    AtOnce,
}

/// Signals, heard from the beginning of a night to its end: none is lost between two entries.
pub(super) struct Signals {
    interrupt: Signal,
    terminate: Signal,
    hangup: Hangup,
}

/// How long a signal takes from its arrival to being heard, at most.
const HEARD: Duration = Duration::from_millis(5);

impl Signals {
    /// Begins to listen.
    pub(super) fn listen() -> io::Result<Signals> {
        Ok(Signals {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hangup: Hangup::listen()?,
        })
    }

    /// Waits for the next one.
    pub(super) async fn next(&mut self) -> Asked {
        tokio::select! {
            _ = self.interrupt.recv() => Asked::Finish,
            _ = self.terminate.recv() => Asked::AtOnce,
            () = self.hangup.recv() => Asked::AtOnce,
        }
    }

    /// Whether one has come since the last was heard.
    pub(super) async fn asked_meanwhile(&mut self) -> bool {
        tokio::time::timeout(HEARD, self.next()).await.is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use process::hangup::is_ignored;

    #[test]
    fn what_comes_while_nobody_waits_is_heard() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        // Whoever runs the tests may want it to be passed over.
        let hears_hangup = !is_ignored();
        runtime.block_on(async {
            let mut signals = Signals::listen().unwrap();
            assert!(!signals.asked_meanwhile().await);
            for number in [libc::SIGINT, libc::SIGHUP, libc::SIGTERM] {
                // SAFETY: the signal is listened to, so that it ends nothing.
                unsafe { libc::raise(number) };
                let is_heard = number != libc::SIGHUP || hears_hangup;
                assert_eq!(signals.asked_meanwhile().await, is_heard, "{number}");
                assert!(!signals.asked_meanwhile().await, "{number}");
            }
        });
    }
}
