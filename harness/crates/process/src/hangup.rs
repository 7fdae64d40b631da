//! The signal of a terminal that is closed.

use std::{future, io};

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Listens to SIGHUP, unless whoever started us wants it to be passed over, as nohup does.
pub struct Hangup(Option<Signal>);

impl Hangup {
    /// Begins to listen.
    pub fn listen() -> io::Result<Hangup> {
        let heard = if is_ignored() { None } else { Some(signal(SignalKind::hangup())?) };
        Ok(Hangup(heard))
    }

    /// Waits for the next one; for ever where it is passed over.
    pub async fn recv(&mut self) {
        match &mut self.0 {
            Some(heard) => _ = heard.recv().await,
            None => future::pending().await,
        }
    }
}

/// Whether it is to be passed over. Once it is listened to, it is not.
pub fn is_ignored() -> bool {
    // SAFETY: the struct is plain numbers, and the call only fills it in.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        let known = libc::sigaction(libc::SIGHUP, std::ptr::null(), &raw mut action) == 0;
        known && action.sa_sigaction == libc::SIG_IGN
    }
}
