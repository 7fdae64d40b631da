//! Games that others have played may turn out to be false after they were recorded. Whoever finds out
//! has the collector strike them, and keeps it from deciding by games that are still doubted.

use tokio::sync::{mpsc, oneshot, watch};

use crate::record::Strike;

/// For whoever doubts games. Once it is dropped nothing is doubted any more.
#[derive(Debug)]
pub struct Court {
    strikes: mpsc::Sender<(Strike, oneshot::Sender<()>)>,
    doubted_from: watch::Sender<u64>,
}

/// For the collector.
#[derive(Debug)]
pub struct Bench {
    strikes: mpsc::Receiver<(Strike, oneshot::Sender<()>)>,
    doubted_from: watch::Receiver<u64>,
    /// Whether anybody may still doubt.
    is_open: bool,
}

pub(super) enum Call {
    /// Games are to be struck; told when that is done.
    Strike(Strike, oneshot::Sender<()>),
    /// Other pairs than before are doubted, or none any more.
    Doubts,
}

impl Court {
    /// `doubted_from`: the first pair of an earlier session that is still doubted.
    pub fn new(doubted_from: Option<u64>) -> (Court, Bench) {
        let (strike, strikes) = mpsc::channel(1);
        let (tell, doubted_from) = watch::channel(doubted_from.unwrap_or(u64::MAX));
        let court = Court { strikes: strike, doubted_from: tell };
        (court, Bench { strikes, doubted_from, is_open: true })
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

impl Bench {
    /// Whether none of the first so many pairs is doubted.
    pub(super) fn trusts(&self, pairs: u64) -> bool {
        !self.is_open || *self.doubted_from.borrow() >= pairs
    }

    /// For ever, once nobody doubts any more.
    pub(super) async fn call(&mut self) -> Call {
        let Bench { strikes, doubted_from, is_open } = self;
        tokio::select! {
            Some((strike, done)) = strikes.recv() => Call::Strike(strike, done),
            changed = doubted_from.changed(), if *is_open => {
                *is_open = changed.is_ok();
                Call::Doubts
            }
            else => std::future::pending().await,
        }
    }
}
