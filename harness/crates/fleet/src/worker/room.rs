//! How much a worker takes at once. Of a match chunks wait, so that no slot is ever idle. Of a tuner
//! nothing waits: what comes next depends on these pairs, and another worker may have nothing to do.

use tokio::sync::watch;

pub(super) struct Room {
    /// Under way or queued.
    games: watch::Sender<usize>,
    /// With so many no chunk is taken.
    most: usize,
}

impl Room {
    /// `most`: games at once of a tuner; `None`: of a match.
    pub(super) fn new(most: Option<usize>) -> Room {
        Room { games: watch::Sender::new(0), most: most.unwrap_or(usize::MAX) }
    }

    /// Whether nothing may wait, results included.
    pub(super) fn is_tight(&self) -> bool {
        self.most < usize::MAX
    }

    /// Waits until another chunk may be taken.
    pub(super) async fn wait(&self) {
        // It fails when the sender has gone, which is here.
        let _ = self.games.subscribe().wait_for(|games| *games < self.most).await;
    }

    pub(super) fn queued(&self) {
        self.games.send_modify(|games| *games += 1);
    }

    pub(super) fn finished(&self) {
        self.games.send_modify(|games| *games = games.saturating_sub(1));
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt as _;

    use super::*;

    #[test]
    fn a_slot_must_be_free_in_a_tuner() {
        let room = Room::new(Some(2));
        for (queued, waits) in [(false, false), (true, false), (true, true), (true, true)] {
            if queued {
                room.queued();
            }
            assert_eq!(room.wait().now_or_never().is_none(), waits);
        }
        room.finished();
        assert!(room.wait().now_or_never().is_none());
        room.finished();
        assert!(room.wait().now_or_never().is_some());
        let of_match = Room::new(None);
        of_match.queued();
        assert!(!of_match.is_tight() && of_match.wait().now_or_never().is_some());
    }
}
