//! The state of each chunk of a run: waiting, queued at the broker, held by a worker, or done. A
//! state machine: it is told events and their times, and does no input or output.
//!
//! Only recorded games are certain. All other states may be wrong for a while: a chunk that
//! seems lost is handed out again, and a game that comes twice is recorded once.

mod back;
mod lost;
mod open;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

use self::open::{Hold, Open, Place};
use crate::chunk::{Chunk, Split};
use crate::message::Beat;
use crate::names::WorkerName;

/// At least so many chunks are handed out beyond the gap-free prefix.
const WINDOW: u64 = 64;
/// At most so many: the limit of unacknowledged messages of a consumer.
const MOST_WINDOW: u64 = 4096;
/// A worker without a beat for this long counts as dead. The broker redelivers after the same time.
pub const SILENCE: Duration = Duration::from_secs(30);
/// A chunk that blocks the gap-free prefix for this long is given to a second worker.
const HEDGE: Duration = Duration::from_secs(60);
/// A worker that finishes no pair of a chunk for this long loses it; the default.
const PATIENCE: Duration = Duration::from_secs(600);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Not published yet; the coordinator's own slots may take it.
    Waiting,
    /// Published; no worker is known to hold it.
    Queued {
        since: Duration,
    },
    /// `seen`: when the worker's last beat came.
    Held {
        by: WorkerName,
        seen: Duration,
    },
    /// Played by the coordinator's own slots.
    Own,
    /// It is given to nobody.
    Poisoned,
    Done,
}

/// What [`Ledger::recorded`] says about a game.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Took {
    Fresh,
    /// Recorded before, or beyond the limit or the end of the run. Drop it.
    Copy,
}

#[derive(Debug)]
pub struct Ledger {
    split: Split,
    /// The round of chunks that are handed out for the first time.
    first_round: u32,
    /// In chunks.
    window: u64,
    /// Most published chunks that no worker holds.
    queue: usize,
    /// Number of the first chunk that is not known yet.
    limit: u64,
    patience: Duration,
    hedge_after: Duration,
    /// The gap-free prefix: all pairs below this number are recorded.
    prefix: u64,
    /// Recorded games beyond the prefix.
    beyond: BTreeSet<u64>,
    /// Recorded pairs.
    finished: u64,
    /// Number of the next chunk to hand out; all lower ones are open or done.
    next: u64,
    /// Every chunk with a lower number is done or poisoned.
    front: u64,
    /// By number.
    open: BTreeMap<u64, Open>,
    /// Pairs that were being played by a worker that was lost, until they are recorded.
    lost: BTreeMap<u64, WorkerName>,
    redrawn: u64,
    /// The chunk that the prefix waits for, and since when.
    stalled: Option<(u64, Duration)>,
    distrusted_until: Duration,
}

impl Ledger {
    /// `recorded`: numbers of the recorded games.
    pub fn new(split: Split, recorded: &HashSet<u64>) -> Ledger {
        let mut ledger = Ledger {
            split,
            first_round: 0,
            window: WINDOW,
            queue: usize::MAX,
            limit: u64::MAX,
            patience: PATIENCE,
            hedge_after: HEDGE,
            prefix: 0,
            beyond: BTreeSet::new(),
            finished: 0,
            next: 0,
            front: 0,
            open: BTreeMap::new(),
            lost: BTreeMap::new(),
            redrawn: 0,
            stalled: None,
            distrusted_until: Duration::ZERO,
        };
        recorded.iter().for_each(|game| _ = ledger.note(*game));
        ledger
    }

    /// For a coordinator that was restarted: chunks start in a round that was not used yet, because
    /// the broker drops messages whose id it has seen.
    pub fn from_round(self, first_round: u32) -> Ledger {
        Ledger { first_round, ..self }
    }

    /// Sets how many chunks may be handed out beyond the gap-free prefix: three for each slot. Returns
    /// whether that is another number than before.
    pub fn window(&mut self, slots_known: usize) -> bool {
        let wanted = u64::try_from(slots_known).unwrap_or(u64::MAX).saturating_mul(3);
        let window = wanted.clamp(WINDOW, MOST_WINDOW);
        std::mem::replace(&mut self.window, window) != window
    }

    /// Sets how many published chunks may wait for a worker at once. The coordinator's own slots play
    /// only what is not published. Without own slots there is no such limit. Returns whether that is
    /// another number than before.
    pub fn queue(&mut self, most: usize) -> bool {
        std::mem::replace(&mut self.queue, most) != most
    }

    /// Sets the first pair that is not known yet. Chunks from there on are not handed out, and games of
    /// them are not taken.
    pub fn limit(&mut self, pair: u64) {
        self.limit = self.split.number_of(pair);
    }

    /// How long a pair is expected to take on one slot. A chunk whose worker finishes no pair in ten
    /// times that, and in 10 min, is given to another; the prefix waits for four times a chunk.
    pub fn expect(&mut self, pair: Duration) {
        self.patience = pair.saturating_mul(10).max(PATIENCE);
        self.hedge_after = pair.saturating_mul(4 * self.split.each().get()).max(HEDGE);
    }

    /// The lowest waiting chunk inside the window. It then counts as published.
    pub fn publish_next(&mut self, now: Duration) -> Option<Chunk> {
        let queued = self.open.values().filter(|open| open.queued_since().is_some()).count();
        if queued >= self.queue {
            return None;
        }
        self.hand_out(Place::Published { since: now })
    }

    /// The same for the coordinator's own slots. It then counts as theirs. If there is none, they take a
    /// published chunk that no worker has held for 30 s, or any such chunk if there are no workers.
    pub fn take_local(&mut self, now: Duration) -> Option<Chunk> {
        if let Some(chunk) = self.hand_out(Place::Own) {
            return Some(chunk);
        }
        let grace = if self.queue == 0 { Duration::ZERO } else { SILENCE };
        let is_left = |open: &&mut Open| open.queued_since().is_some_and(|it| it + grace <= now);
        let open = self.open.values_mut().find(is_left)?;
        open.place = Place::Own;
        Some(open.chunk)
    }

    fn hand_out(&mut self, place: Place) -> Option<Chunk> {
        let end = self.window_end();
        let mut inside = self.open.range(..end);
        let back = inside.find(|(_, open)| open.place == Place::Waiting);
        let number = match back.map(|(number, _)| *number) {
            Some(number) => number,
            None => self.next_new()?,
        };
        let open = self.open_at(number, self.first_round)?;
        open.place = place;
        Some(open.chunk)
    }

    /// The number of the first chunk that may not be handed out yet.
    fn window_end(&mut self) -> u64 {
        self.front().saturating_add(self.window).min(self.limit)
    }

    /// The lowest chunk in the window that was never handed out.
    fn next_new(&mut self) -> Option<u64> {
        let first = self.front();
        self.next = self.next.max(first);
        let end = self.window_end();
        while self.next < end {
            let chunk = self.split.at(self.next)?;
            if !self.open.contains_key(&self.next) && !self.missing(chunk).is_empty() {
                return Some(self.next);
            }
            self.next += 1;
        }
        None
    }

    /// The chunk with this number, opened if it has missing pairs.
    fn open_at(&mut self, number: u64, round: u32) -> Option<&mut Open> {
        let chunk = Chunk { round, ..self.split.at(number)? };
        let is_open = self.open.contains_key(&number);
        if !is_open {
            let left = self.missing(chunk).len();
            if left == 0 {
                return None;
            }
            let (holders, returned) = (BTreeMap::new(), BTreeSet::new());
            let place = Place::Waiting;
            let open = Open { chunk, place, holders, left, returned, hedged: false };
            self.open.insert(number, open);
        }
        self.open.get_mut(&number)
    }

    /// Takes a hand-out back: the chunk could not be published, or the own slots gave it up. It
    /// waits again, in the same round.
    pub fn put_back(&mut self, first: u64) {
        if let Some(open) = self.open.get_mut(&self.split.number_of(first)) {
            open.place = Place::Waiting;
        }
    }

    /// The broker has seen this chunk's message before, from an earlier coordinator: returns the
    /// chunk in the next round.
    pub fn next_round(&mut self, first: u64) -> Option<Chunk> {
        let open = self.open.get_mut(&self.split.number_of(first))?;
        open.chunk.round = open.chunk.round.saturating_add(1);
        Some(open.chunk)
    }

    /// Notes what a worker holds now. Chunks that it no longer names are finished or given back. Returns
    /// whether it holds others than before.
    pub fn beat(&mut self, worker: &WorkerName, beat: &Beat, now: Duration) -> bool {
        let most = self.split.number_of(self.prefix).saturating_add(MOST_WINDOW);
        let (mut held, mut has_changed) = (BTreeSet::new(), false);
        for it in &beat.chunks {
            // Ignores chunks that do not exist or cannot have been handed out yet.
            let number = self.split.number(it.first, it.pairs).filter(|number| *number < most);
            let Some(number) = number else { continue };
            let is_new = !self.open.contains_key(&number);
            // An earlier coordinator may have used higher rounds. The limit keeps a false round
            // from using up the numbers.
            let highest = self.first_round.saturating_add(1000);
            let round = it.round.clamp(self.first_round, highest);
            let Some(open) = self.open_at(number, round) else { continue };
            if is_new {
                open.place = Place::Published { since: now };
            }
            let hold = open.holders.entry(worker.clone()).or_insert_with(|| {
                has_changed = true;
                Hold { moved: now, seen: now, done: 0, playing: Vec::new() }
            });
            if it.done > hold.done {
                (hold.done, hold.moved) = (it.done, now);
            }
            hold.seen = now;
            let playing = beat.playing.iter().map(|playing| playing.game / 2);
            hold.playing = playing.filter(|pair| open.chunk.range().contains(pair)).collect();
            held.insert(number);
        }
        for (number, open) in &mut self.open {
            if !held.contains(number) && open.holders.remove(worker).is_some() {
                open.unheld(now);
                has_changed = true;
            }
        }
        has_changed
    }

    /// Whether any worker holds a chunk.
    pub fn is_held(&self) -> bool {
        self.open.values().any(|open| !open.holders.is_empty())
    }

    /// The worker has left in good order. Returns the chunks that it gave back.
    pub fn left(&mut self, worker: &WorkerName, now: Duration) -> Vec<Chunk> {
        let mut lost = self.lose(now, |_, holder, _| holder == worker);
        lost.remove(worker).unwrap_or_default()
    }

    /// Takes their chunks from workers that have been silent for 30 s, and returns them.
    pub fn silent(&mut self, now: Duration) -> BTreeMap<WorkerName, Vec<Chunk>> {
        self.lose(now, |_, _, hold| now.saturating_sub(hold.seen) > SILENCE)
    }

    /// Takes from their holders all chunks for which `is_lost` (number, holder, hold) is true.
    fn lose(
        &mut self,
        now: Duration,
        is_lost: impl Fn(u64, &WorkerName, &Hold) -> bool,
    ) -> BTreeMap<WorkerName, Vec<Chunk>> {
        let mut lost: BTreeMap<WorkerName, Vec<Chunk>> = BTreeMap::new();
        for (number, open) in &mut self.open {
            let holders = open.holders.len();
            open.holders.retain(|worker, hold| {
                let stays = !is_lost(*number, worker, hold);
                if !stays {
                    lost.entry(worker.clone()).or_default().push(open.chunk);
                    let pairs = hold.playing.iter().map(|pair| (*pair, worker.clone()));
                    self.lost.extend(pairs);
                }
                stays
            });
            if open.holders.len() < holders {
                open.unheld(now);
            }
        }
        let (prefix, beyond) = (self.prefix, &self.beyond);
        self.lost.retain(|pair, _| !is_recorded(prefix, beyond, *pair));
        lost
    }

    /// Notes a valid game that came in. `by`: the worker that played it.
    pub fn recorded(&mut self, game: u64, by: &WorkerName) -> Took {
        let took = self.note(game);
        let pair = game / 2;
        if took == Took::Copy || self.is_missing(pair) {
            return took;
        }
        let number = self.split.number_of(pair);
        // A chunk may come to the next worker before the last one counts as silent.
        let is_elsewhere = |open: &Open| {
            open.holders.iter().any(|(worker, hold)| worker != by && hold.playing.contains(&pair))
        };
        let was_lost = self.lost.remove(&pair).is_some_and(|worker| worker != *by);
        if was_lost || self.open.get(&number).is_some_and(is_elsewhere) {
            self.redrawn += 1;
        }
        if let Some(open) = self.open.get_mut(&number) {
            open.returned.remove(&pair);
            open.left -= 1;
            open.wait_if_all_returned();
            if open.left == 0 {
                self.open.remove(&number);
            }
        }
        took
    }

    fn note(&mut self, game: u64) -> Took {
        let pair = game / 2;
        let is_beyond = pair >= self.split.total() || self.split.number_of(pair) >= self.limit;
        if is_beyond || pair < self.prefix || !self.beyond.insert(game) {
            return Took::Copy;
        }
        self.finished += u64::from(!self.is_missing(pair));
        while self.prefix < self.split.total() && !self.is_missing(self.prefix) {
            self.beyond.remove(&(2 * self.prefix));
            self.beyond.remove(&(2 * self.prefix + 1));
            self.prefix += 1;
        }
        Took::Fresh
    }

    /// The games of this pair are not recorded, because they were void. The pair is played again.
    pub fn returned(&mut self, pair: u64) {
        if !self.is_missing(pair) {
            return;
        }
        if let Some(open) = self.open.get_mut(&self.split.number_of(pair)) {
            self.redrawn += u64::from(open.returned.insert(pair));
            self.lost.remove(&pair);
            open.wait_if_all_returned();
        }
    }

    pub fn is_missing(&self, pair: u64) -> bool {
        !is_recorded(self.prefix, &self.beyond, pair)
    }

    /// The pairs of a chunk that are not recorded, ascending: what its holder has to play.
    pub fn missing(&self, chunk: Chunk) -> Vec<u64> {
        let run = chunk.range().take_while(|pair| *pair < self.split.total());
        run.filter(|pair| self.is_missing(*pair)).collect()
    }

    /// The chunk that the gap-free prefix waits for, and its holder.
    pub fn waits_for(&self) -> Option<(Chunk, Option<&WorkerName>)> {
        let chunk = self.split.of_pair(self.prefix)?;
        let open = self.open.get(&self.split.number_of(self.prefix));
        match open {
            Some(open) => Some((open.chunk, open.holders.keys().next())),
            None => Some((Chunk { round: self.first_round, ..chunk }, None)),
        }
    }

    /// State of the chunk with this pair; `None` beyond the end of the run.
    pub fn state(&self, pair: u64) -> Option<State> {
        let chunk = self.split.of_pair(pair)?;
        let Some(open) = self.open.get(&self.split.number_of(pair)) else {
            let is_done = self.missing(chunk).is_empty();
            return Some(if is_done { State::Done } else { State::Waiting });
        };
        let last = open.holders.iter().max_by_key(|(_, hold)| hold.seen);
        Some(match (open.place, last) {
            (Place::Waiting, _) => State::Waiting,
            (Place::Own, _) => State::Own,
            (Place::Poisoned, _) => State::Poisoned,
            (_, Some((by, hold))) => State::Held { by: by.clone(), seen: hold.seen },
            (Place::Published { since }, None) => State::Queued { since },
        })
    }

    /// Round of the latest hand-out of the chunk with this pair; `None` if it is not open.
    pub fn round(&self, pair: u64) -> Option<u32> {
        self.open.get(&self.split.number_of(pair)).map(|open| open.chunk.round)
    }

    /// Length of the gap-free prefix, in pairs.
    pub fn prefix(&self) -> u64 {
        self.prefix
    }

    /// Recorded pairs.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// Pairs that were begun by one worker, were lost or void, and were then played by another.
    /// With a clock, the replay is a different game.
    pub fn redrawn(&self) -> u64 {
        self.redrawn
    }

    pub fn split(&self) -> Split {
        self.split
    }

    pub fn is_done(&self) -> bool {
        self.prefix == self.split.total()
    }
}

/// Whether both games of a pair are recorded.
fn is_recorded(prefix: u64, beyond: &BTreeSet<u64>, pair: u64) -> bool {
    pair < prefix || [2 * pair, 2 * pair + 1].iter().all(|game| beyond.contains(game))
}

#[cfg(test)]
mod limit_tests;
#[cfg(test)]
mod model_tests;
#[cfg(test)]
mod tests;
