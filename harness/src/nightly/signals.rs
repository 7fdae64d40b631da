//! What the user asks of a night while it is played.

use std::{io, time::Duration};

use process::signals::{Asked, Listener, hear};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Signals, heard from the beginning of a night to its end: none is lost between two entries.
pub(super) struct Signals {
    heard: UnboundedReceiver<Asked>,
    _listener: Listener,
}

/// How long to wait for a signal that was already sent; a later one is handled by the next entry.
const HEARD: Duration = Duration::from_millis(5);

impl Signals {
    pub(super) fn listen() -> io::Result<Signals> {
        let (told, heard) = unbounded_channel();
        let listener = hear(move |asked| _ = told.send(asked))?;
        Ok(Signals { heard, _listener: listener })
    }

    pub(super) async fn next(&mut self) -> Asked {
        // The channel is never closed: the sender lives as long as the listener.
        self.heard.recv().await.unwrap_or(Asked::End)
    }

    /// Whether one has come since the last was heard.
    pub(super) async fn asked_meanwhile(&mut self) -> bool {
        tokio::time::timeout(HEARD, self.next()).await.is_ok()
    }
}
