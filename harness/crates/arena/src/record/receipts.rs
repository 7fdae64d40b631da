//! Who waits for games to be on the disk.

use std::collections::HashMap;

use tokio::sync::oneshot::Sender;

/// So many written games that are waited for are synced before it is due.
const SYNC_FROM: usize = 512;

/// What is dropped without being told was not recorded.
#[derive(Debug, Default)]
pub(super) struct Receipts {
    /// Of games that have not been written, by number.
    expected: HashMap<u64, Sender<()>>,
    /// Of games that are written and may not be on the disk yet.
    written: Vec<Sender<()>>,
}

impl Receipts {
    pub(super) fn expect(&mut self, game: u64, synced: Sender<()>) {
        self.expected.insert(game, synced);
    }

    pub(super) fn write(&mut self, games: impl Iterator<Item = u64>) {
        if !self.expected.is_empty() {
            self.written.extend(games.filter_map(|game| self.expected.remove(&game)));
        }
    }

    /// Whether so many wait that syncing pays.
    pub(super) fn are_many(&self) -> bool {
        self.written.len() >= SYNC_FROM
    }

    pub(super) fn sync(&mut self) {
        for waiting in self.written.drain(..) {
            // Who no longer waits need not be told.
            let _ = waiting.send(());
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot::{self, error::TryRecvError};

    use crate::record::{Journal, sample};

    #[test]
    fn who_waits_is_told_when_the_game_is_on_the_disk_and_not_before() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = Journal::create(dir.path()).unwrap();
        let [mut first, mut third] = [0, 2].map(|game| {
            let (synced, told) = oneshot::channel();
            journal.expect(game, synced);
            told
        });
        journal.append(&[&sample(0), &sample(1)]).unwrap();
        // Written, but what is written is synced after some seconds.
        assert_eq!(first.try_recv(), Err(TryRecvError::Empty));
        journal.close().unwrap();
        assert_eq!(first.try_recv(), Ok(()));
        assert_eq!(third.try_recv(), Err(TryRecvError::Closed));
    }

    #[test]
    fn many_who_wait_are_not_left_to_wait() {
        let dir = tempfile::tempdir().unwrap();
        let mut journal = Journal::create(dir.path()).unwrap();
        let count = super::SYNC_FROM as u64;
        let mut told: Vec<_> = (0..count)
            .map(|game| {
                let (synced, told) = oneshot::channel();
                journal.expect(game, synced);
                told
            })
            .collect();
        (0..count).for_each(|game| journal.append(&[&sample(game)]).unwrap());
        assert!(told.iter_mut().all(|told| told.try_recv() == Ok(())));
    }
}
