//! What the user asks of a night while it is played.

use std::io;
use std::time::Duration;

use process::signals::{Listener, StopRequest, hear};
use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

/// Signals, heard from the beginning of a night to its end: none is lost between two entries.
pub(super) struct Signals {
    heard: UnboundedReceiver<StopRequest>,
    _listener: Listener,
}

/// How long to wait for a signal that was already sent; a later one is handled by the next entry.
const HEARD: Duration = Duration::from_millis(5);

impl Signals {
    pub(super) fn listen() -> io::Result<Signals> {
        let (sender, heard) = unbounded_channel();
        let listener = hear(move |request| _ = sender.send(request))?;
        Ok(Signals { heard, _listener: listener })
    }

    pub(super) async fn next(&mut self) -> StopRequest {
        // The channel is never closed: the sender lives as long as the listener.
        self.heard.recv().await.unwrap_or(StopRequest::End)
    }

    /// Whether one has come since the last was heard.
    pub(super) async fn stop_requested(&mut self) -> bool {
        tokio::time::timeout(HEARD, self.next()).await.is_ok()
    }
}
