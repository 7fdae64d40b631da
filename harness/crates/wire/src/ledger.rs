//! Which chunks of a run wait, are queued at the broker, are held by workers, and are done: the
//! state machine of hand-out and gather. It is told what happens, and when; it asks nobody.
//!
//! Only what is recorded is sure. Everything else is a guess that may be wrong for a while: a chunk
//! that seems lost is handed out again, and a game that comes twice is recorded once.

mod open;

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::time::Duration;

use self::open::{Hold, Open, Place};
use crate::chunk::{Chunk, Split};
use crate::message::Beat;
use crate::names::WorkerName;

/// Chunks beyond the gap-free prefix that are handed out at least, and at most.
const WINDOW: u64 = 64;
/// As many as a consumer may have unacknowledged.
const MOST_WINDOW: u64 = 4096;
/// After this time without a beat a worker is taken for dead. The broker redelivers then.
pub const SILENCE: Duration = Duration::from_secs(30);
/// How long a chunk that nobody holds may be on its way: results not yet gathered, or a message not
/// yet in the list of queued ones.
const GRACE: Duration = Duration::from_secs(30);
/// The same when the broker has just lost everything, and how long that is just now.
const SHORT_GRACE: Duration = Duration::from_secs(3);
const DISTRUST: Duration = Duration::from_secs(60);
/// How long the gap-free prefix may wait for one chunk before that is played twice.
const HEDGE: Duration = Duration::from_secs(60);
/// How long a worker may hold a chunk without finishing a pair, if nothing else is said.
const PATIENCE: Duration = Duration::from_secs(600);

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// To be published, or to be taken by the coordinator's own slots.
    Waiting,
    /// Published; nobody is known to have it.
    Queued {
        since: Duration,
    },
    /// `seen`: its last beat.
    Held {
        by: WorkerName,
        seen: Duration,
    },
    /// The coordinator's own slots play it.
    Own,
    Done,
}

/// What a game is that came in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Took {
    Fresh,
    /// Recorded already, or beyond the run: to be dropped.
    Copy,
}

#[derive(Debug)]
pub struct Ledger {
    split: Split,
    /// Of chunks that are handed out for the first time.
    first_round: u32,
    /// In chunks.
    window: u64,
    patience: Duration,
    /// Pairs that are recorded without a gap.
    prefix: u64,
    /// Recorded games of later pairs.
    beyond: BTreeSet<u64>,
    /// Pairs that are recorded.
    finished: u64,
    /// Every chunk with a lower number is open or done.
    next: u64,
    /// By number.
    open: BTreeMap<u64, Open>,
    /// Pairs that were under way at a worker that was lost, until they are recorded.
    lost: BTreeMap<u64, WorkerName>,
    redrawn: u64,
    /// The number of the chunk that the prefix waits for, and since when.
    stalled: Option<(u64, Duration)>,
    distrusted_until: Duration,
}

impl Ledger {
    /// `recorded`: numbers of games.
    pub fn new(split: Split, recorded: &HashSet<u64>) -> Ledger {
        let mut ledger = Ledger {
            split,
            first_round: 0,
            window: WINDOW,
            patience: PATIENCE,
            prefix: 0,
            beyond: BTreeSet::new(),
            finished: 0,
            next: 0,
            open: BTreeMap::new(),
            lost: BTreeMap::new(),
            redrawn: 0,
            stalled: None,
            distrusted_until: Duration::ZERO,
        };
        recorded.iter().for_each(|game| _ = ledger.note(*game));
        ledger
    }

    /// Of a coordinator that is started again: a round that no chunk has had yet, since the broker
    /// drops messages whose id it has seen.
    pub fn from_round(self, first_round: u32) -> Ledger {
        Ledger { first_round, ..self }
    }

    /// As many chunks beyond the gap-free prefix are handed out as keep so many slots busy.
    pub fn window(&mut self, slots_known: usize) {
        let wanted = u64::try_from(slots_known).unwrap_or(u64::MAX).saturating_mul(3);
        self.window = wanted.clamp(WINDOW, MOST_WINDOW);
    }

    /// How long a pair may take: a worker that finishes none for so long does not keep its chunk
    /// from others. At least 10 min.
    pub fn patience(&mut self, longest_pair: Duration) {
        self.patience = longest_pair.max(PATIENCE);
    }

    /// The lowest chunk that waits, inside the window. It counts as published.
    pub fn publish_next(&mut self, now: Duration) -> Option<Chunk> {
        self.hand_out(Place::Published { since: now })
    }

    /// The same for the coordinator's own slots. It is not published.
    pub fn take_local(&mut self) -> Option<Chunk> {
        self.hand_out(Place::Own)
    }

    fn hand_out(&mut self, place: Place) -> Option<Chunk> {
        let end = self.split.number_of(self.prefix).saturating_add(self.window);
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

    /// The lowest chunk that was never handed out, inside the window.
    fn next_new(&mut self) -> Option<u64> {
        let first = self.split.number_of(self.prefix);
        self.next = self.next.max(first);
        while self.next < first.saturating_add(self.window) {
            let chunk = self.split.at(self.next)?;
            if !self.open.contains_key(&self.next) && !self.missing(chunk).is_empty() {
                return Some(self.next);
            }
            self.next += 1;
        }
        None
    }

    /// The chunk of that number, opened where it has missing pairs.
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

    /// A chunk was not handed out after all: it could not be published, or the own slots gave it
    /// up. It waits again, in the same round.
    pub fn put_back(&mut self, first: u64) {
        if let Some(open) = self.open.get_mut(&self.split.number_of(first)) {
            open.place = Place::Waiting;
        }
    }

    /// The broker has seen the chunk's message before, from an earlier coordinator: what is to be
    /// published instead.
    pub fn next_round(&mut self, first: u64) -> Option<Chunk> {
        let open = self.open.get_mut(&self.split.number_of(first))?;
        open.chunk.round = open.chunk.round.saturating_add(1);
        Some(open.chunk)
    }

    /// The coordinator plays a chunk itself, whoever has it: it is poison for others.
    pub fn take_over(&mut self, first: u64, now: Duration) -> Option<Chunk> {
        let number = self.split.number_of(first);
        self.lose(now, |at, _, _| at == number);
        let open = self.open_at(number, self.first_round)?;
        open.place = Place::Own;
        Some(open.chunk)
    }

    /// What a worker has at the moment. What it no longer has it has ended or given back.
    pub fn beat(&mut self, worker: &WorkerName, beat: &Beat, now: Duration) {
        let most = self.split.number_of(self.prefix).saturating_add(MOST_WINDOW);
        let mut held = BTreeSet::new();
        for it in &beat.chunks {
            // A chunk that there is not, or that nobody can have been given, is not kept in mind.
            let number = self.split.number(it.first, it.pairs).filter(|number| *number < most);
            let Some(number) = number else { continue };
            let is_new = !self.open.contains_key(&number);
            // Of an earlier coordinator. A made-up round does not use up the higher ones.
            let highest = self.first_round.saturating_add(1000);
            let round = it.round.clamp(self.first_round, highest);
            let Some(open) = self.open_at(number, round) else { continue };
            if is_new {
                open.place = Place::Published { since: now };
            }
            let fresh = || Hold { moved: now, seen: now, done: 0, playing: Vec::new() };
            let hold = open.holders.entry(worker.clone()).or_insert_with(fresh);
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
            }
        }
    }

    /// Whether any worker has a chunk.
    pub fn is_held(&self) -> bool {
        self.open.values().any(|open| !open.holders.is_empty())
    }

    /// A worker has left in good order and given back what it had. Returns that.
    pub fn left(&mut self, worker: &WorkerName, now: Duration) -> Vec<Chunk> {
        let mut lost = self.lose(now, |_, holder, _| holder == worker);
        lost.remove(worker).unwrap_or_default()
    }

    /// Workers that have not been heard of for 30 s, with what they had. They have it no longer.
    pub fn silent(&mut self, now: Duration) -> BTreeMap<WorkerName, Vec<Chunk>> {
        self.lose(now, |_, _, hold| now.saturating_sub(hold.seen) > SILENCE)
    }

    /// Takes chunks from their holders, by number, holder and hold.
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

    /// A game that came in and is in order is about to be recorded, unless it is a copy. `by`: who
    /// played it.
    pub fn recorded(&mut self, game: u64, by: &WorkerName) -> Took {
        let took = self.note(game);
        let pair = game / 2;
        if took == Took::Copy || self.is_missing(pair) {
            return took;
        }
        if self.lost.remove(&pair).is_some_and(|worker| worker != *by) {
            self.redrawn += 1;
        }
        let number = self.split.number_of(pair);
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
        if pair >= self.split.total() || pair < self.prefix || !self.beyond.insert(game) {
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

    /// A pair was played and may not be recorded: the games were void. It is played again.
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

    fn is_missing(&self, pair: u64) -> bool {
        !is_recorded(self.prefix, &self.beyond, pair)
    }

    /// Pairs of a chunk that are not recorded, ascending: what its holder has to play.
    pub fn missing(&self, chunk: Chunk) -> Vec<u64> {
        let run = chunk.range().take_while(|pair| *pair < self.split.total());
        run.filter(|pair| self.is_missing(*pair)).collect()
    }

    /// What has to be published again, in a higher round: what is neither done, nor queued, nor
    /// held by a worker that is heard of and gets on. `queued`: the first pairs of the chunks that
    /// the broker has.
    pub fn reconcile(&mut self, queued: &BTreeSet<u64>, now: Duration) -> Vec<Chunk> {
        let mut again = Vec::new();
        let grace = if now < self.distrusted_until { SHORT_GRACE } else { GRACE };
        for open in self.open.values_mut() {
            let Place::Published { since } = open.place else { continue };
            let gets_on = |hold: &Hold| {
                now.saturating_sub(hold.seen) <= SILENCE
                    && now.saturating_sub(hold.moved) <= self.patience
            };
            let is_safe = queued.contains(&open.chunk.first)
                || now.saturating_sub(since) <= grace
                || open.holders.values().any(gets_on);
            if !is_safe {
                again.push(open.publish_again(now));
            }
        }
        again
    }

    /// The broker has lost everything: for a while neither what was published nor results that workers
    /// think they have sent are waited for.
    pub fn distrust(&mut self, now: Duration) {
        self.distrusted_until = now + DISTRUST;
    }

    /// The chunk that the gap-free prefix has waited for since 60 s while others got ahead, once: it
    /// is to be published in a higher round. Only where a game that is played again is the same.
    pub fn hedge(&mut self, now: Duration) -> Option<Chunk> {
        let number = self.split.number_of(self.prefix);
        let since = match self.stalled {
            Some((stalled, since)) if stalled == number => since,
            _ => {
                self.stalled = Some((number, now));
                return None;
            }
        };
        let open = self.open.get_mut(&number)?;
        let is_overtaken =
            self.beyond.last().is_some_and(|game| *game / 2 >= open.chunk.range().end);
        let is_held = matches!(open.place, Place::Published { .. }) && !open.holders.is_empty();
        if !is_held || !is_overtaken || open.hedged || now.saturating_sub(since) <= HEDGE {
            return None;
        }
        open.hedged = true;
        Some(open.publish_again(now))
    }

    /// The chunk that the gap-free prefix waits for, and who has it.
    pub fn waits_for(&self) -> Option<(Chunk, Option<&WorkerName>)> {
        let chunk = self.split.of_pair(self.prefix)?;
        let open = self.open.get(&self.split.number_of(self.prefix));
        match open {
            Some(open) => Some((open.chunk, open.holders.keys().next())),
            None => Some((Chunk { round: self.first_round, ..chunk }, None)),
        }
    }

    /// Of the chunk with that pair; `None` beyond the run.
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
            (_, Some((by, hold))) => State::Held { by: by.clone(), seen: hold.seen },
            (Place::Published { since }, None) => State::Queued { since },
        })
    }

    /// The round in which the chunk with that pair was handed out last; `None` where it is not
    /// under way.
    pub fn round(&self, pair: u64) -> Option<u32> {
        self.open.get(&self.split.number_of(pair)).map(|open| open.chunk.round)
    }

    /// Pairs that are recorded without a gap.
    pub fn prefix(&self) -> u64 {
        self.prefix
    }

    /// Pairs that are recorded.
    pub fn finished(&self) -> u64 {
        self.finished
    }

    /// Pairs that were begun at one worker, were lost or void there, and were played anew by
    /// another. On a clock those are other games.
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
mod tests;
