//! The pairs that a tuner asks for, each with values of its own.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use arena::hands::{Asked, AskedPair};
use arena::runner::Contest;
use arena::session::VariedOption;
use arena::varied::PairValues;
use process::lock;
use tokio::sync::{mpsc, watch};

use super::desk::Desk;

/// What a tuner has asked for so far.
pub(super) struct Asking {
    pub(super) options: Vec<VariedOption>,
    status: watch::Receiver<String>,
    /// Those that may be missing.
    pairs: Mutex<BTreeMap<u64, AskedPair>>,
}

impl Asking {
    pub(super) fn values(&self, pair: u64) -> Option<PairValues> {
        Some(PairValues::clone(&lock(&self.pairs).get(&pair)?.values))
    }

    /// The players of a pair, here.
    pub(super) fn contest(&self, pair: u64) -> Option<Arc<Contest>> {
        Some(Arc::clone(&lock(&self.pairs).get(&pair)?.contest))
    }

    pub(super) fn status(&self) -> String {
        self.status.borrow().clone()
    }
}

/// What is asked for from now on.
pub(super) struct Further(mpsc::Receiver<Vec<AskedPair>>);

/// Waits for the first pairs; `None`: nothing is wanted.
pub(super) async fn begin(asked: Asked) -> Option<(Asking, Further)> {
    let Asked { options, mut pairs, status } = asked;
    let first = pairs.recv().await?;
    let first = first.into_iter().map(|asked| (asked.pair, asked)).collect();
    Some((Asking { options, status, pairs: Mutex::new(first) }, Further(pairs)))
}

impl Further {
    /// Passes what is asked for on to whoever plays, until nothing more may be played.
    pub(super) async fn pass_on(mut self, desk: Arc<Desk>) {
        let mut changed = desk.changes().hear();
        while !desk.is_over() {
            tokio::select! {
                () = desk.contest.stops.drained() => return,
                _ = changed.changed() => {}
                pairs = self.0.recv() => match pairs {
                    Some(pairs) => desk.ask(pairs),
                    None => return,
                },
            }
        }
    }
}

impl Desk {
    fn ask(&self, asked: Vec<AskedPair>) {
        let Some(asking) = &self.asking else { return };
        let prefix = self.ledger(|ledger, _| ledger.prefix());
        {
            let mut pairs = lock(&asking.pairs);
            // Their players are needed no longer.
            *pairs = pairs.split_off(&prefix);
            pairs.extend(asked.into_iter().map(|asked| (asked.pair, asked)));
        }
        self.limit();
        self.changes().tell();
    }

    /// Lets what was asked for be handed out, and nothing beyond.
    pub(super) fn limit(&self) {
        let Some(asking) = &self.asking else { return };
        let end = lock(&asking.pairs).last_key_value().map(|(pair, _)| pair + 1);
        if let Some(end) = end {
            self.ledger(|ledger, _| ledger.limit(end));
        }
    }
}
