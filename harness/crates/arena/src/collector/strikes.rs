//! Strikes: recorded games that were found to be false. The one who finds out tells the collector to
//! strike them. Until then it keeps the collector from deciding by games that are still audited.

use tokio::sync::{mpsc, oneshot, watch};

use crate::record::Strike;

/// The end of the auditor. Once it is dropped, no game is doubted any more.
#[derive(Debug)]
pub struct StrikeSender {
    strikes: mpsc::Sender<(Strike, oneshot::Sender<()>)>,
    doubted_from: watch::Sender<u64>,
}

/// The end of the collector.
#[derive(Debug)]
pub struct StrikeReceiver {
    strikes: mpsc::Receiver<(Strike, oneshot::Sender<()>)>,
    doubted_from: watch::Receiver<u64>,
    /// Whether anybody may still doubt.
    is_open: bool,
}

pub(super) enum StrikeEvent {
    /// Games are to be struck; told when that is done.
    Strike(Strike, oneshot::Sender<()>),
    /// Other pairs than before are doubted, or none any more.
    Doubts,
}

impl StrikeSender {
    /// `doubted_from`: the first pair of an earlier session that is still doubted.
    pub fn new(doubted_from: Option<u64>) -> (StrikeSender, StrikeReceiver) {
        let (strike, strikes) = mpsc::channel(1);
        let (tell, doubted_from) = watch::channel(doubted_from.unwrap_or(u64::MAX));
        let sender = StrikeSender { strikes: strike, doubted_from: tell };
        (sender, StrikeReceiver { strikes, doubted_from, is_open: true })
    }

    /// Nothing is decided by this pair or later ones; `None`: no pair is doubted. To be called before
    /// the pair's games reach the collector.
    pub fn doubt_from(&self, pair: Option<u64>) {
        let pair = pair.unwrap_or(u64::MAX);
        self.doubted_from.send_if_modified(|now| std::mem::replace(now, pair) != pair);
    }

    /// Strikes games that have reached the collector, and waits until that is on the disk. `false`: the
    /// collector has gone, and they stand.
    pub async fn strike(&self, strike: Strike) -> bool {
        let (done, struck) = oneshot::channel();
        self.strikes.send((strike, done)).await.is_ok() && struck.await.is_ok()
    }
}

impl StrikeReceiver {
    /// Whether none of the first so many pairs is doubted.
    pub(super) fn trusts(&self, pairs: u64) -> bool {
        !self.is_open || *self.doubted_from.borrow() >= pairs
    }

    /// The next event. Waits for ever once the sender is gone.
    pub(super) async fn next(&mut self) -> StrikeEvent {
        let StrikeReceiver { strikes, doubted_from, is_open } = self;
        tokio::select! {
            Some((strike, done)) = strikes.recv() => StrikeEvent::Strike(strike, done),
            changed = doubted_from.changed(), if *is_open => {
                *is_open = changed.is_ok();
                StrikeEvent::Doubts
            }
            else => std::future::pending().await,
        }
    }
}
