//! Which chunks of a run are to be played a second time, who may, and what comes of it. It is told what
//! happens, and when; it asks nobody.

mod disputes;
mod places;

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use self::disputes::Dispute;
use self::places::Place;
use super::{AuditChoice, GameDigest, may_check};
use crate::chunk::{Chunk, Split};
use crate::names::{Label, WorkerName};

/// What is to be done for audits.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ToPlay {
    /// By whoever takes it: it looks like any other chunk.
    Others(Chunk),
    /// These pairs by the coordinator.
    Here(Vec<u64>),
}

/// What came of an audit.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Found {
    Clean(Chunk),
    /// Nothing of it is left to be compared, but not all of it was.
    Closed(Chunk),
    /// A worker has sent a pair that is not what its players play, in words.
    Convicted {
        worker: WorkerName,
        why: String,
    },
    /// A fault in this pair does not happen here, in words. The pair is to be struck; nobody is to blame.
    NoFault {
        worker: WorkerName,
        pair: u64,
        why: String,
    },
    /// Audits are of no use in this run, in words.
    Lapsed(String),
}

pub struct Audits {
    choice: AuditChoice,
    split: Split,
    own: WorkerName,
    /// Everybody who has played, and until when its games are beyond doubt.
    workers: Vec<(WorkerName, u64)>,
    /// Recorded games by number.
    games: BTreeMap<u64, Played>,
    /// Games that were recorded.
    order: u64,
    /// By first pair.
    open: BTreeMap<u64, Open>,
    /// Pairs that the coordinator is to judge.
    disputes: BTreeMap<u64, Dispute>,
    /// Pairs that the coordinator plays, or that are about to be struck.
    here: BTreeSet<u64>,
    /// First pairs of chunks that were clean.
    clean: BTreeSet<u64>,
    /// First pairs of chunks of which not all will be played.
    given_up: BTreeSet<u64>,
    /// Invitations: whoever has one can give its process another name.
    convicted: BTreeSet<Label>,
    /// Pairs of which a recorded game is false, until they are struck.
    proven: BTreeSet<u64>,
    /// Pairs that were struck for a fault. If that comes again, it stands.
    faulty: BTreeSet<u64>,
    lapsed: bool,
    found: VecDeque<Found>,
}

#[derive(Debug, Clone, Copy)]
struct Played {
    /// Index of the worker.
    by: usize,
    order: u64,
    digest: GameDigest,
    /// Whether it was the same at another.
    is_same: bool,
}

/// A chunk that is compared.
#[derive(Debug)]
struct Open {
    chunk: Chunk,
    place: Place,
    tries: u32,
}

impl Audits {
    /// `own`: the coordinator, whose games need no audit.
    pub fn new(choice: AuditChoice, split: Split, own: WorkerName) -> Audits {
        Audits {
            choice,
            split,
            own,
            workers: Vec::new(),
            games: BTreeMap::new(),
            order: 0,
            open: BTreeMap::new(),
            disputes: BTreeMap::new(),
            here: BTreeSet::new(),
            clean: BTreeSet::new(),
            given_up: BTreeSet::new(),
            convicted: BTreeSet::new(),
            proven: BTreeSet::new(),
            faulty: BTreeSet::new(),
            lapsed: false,
            found: VecDeque::new(),
        }
    }

    /// An earlier session has found these pairs clean. To be told after its games.
    pub fn was_clean(&mut self, first: u64, pairs: u32) {
        self.open.remove(&first);
        self.clear(Chunk { first, pairs, round: 0 });
    }

    /// An earlier session has left these pairs to be compared. To be told after its games.
    pub fn was_due(&mut self, first: u64, pairs: u32) {
        self.open_at(Chunk { first, pairs, round: 0 });
    }

    pub fn was_convicted(&mut self, worker: WorkerName) {
        self.convicted.insert(worker.name);
    }

    /// Nothing is compared any more.
    pub fn lapse(&mut self) {
        self.lapsed = true;
        self.open.clear();
        self.disputes.clear();
        self.here.clear();
    }

    /// What is missing of the chunk that begins at `first` will not be played: what is recorded of it is
    /// compared.
    pub fn give_up(&mut self, first: u64) {
        self.given_up.insert(first);
        self.settle();
    }

    /// A game is about to be recorded. Returns the chunk that is to be compared from now on by it.
    pub fn recorded(&mut self, game: u64, by: &WorkerName, digest: GameDigest) -> Option<Chunk> {
        let worker = self.index(by);
        let played = Played { by: worker, order: self.order, digest, is_same: false };
        self.games.insert(game, played);
        self.order += 1;
        let chunk = self.split.of_pair(game / 2)?;
        let is_chosen = *by != self.own && self.choice.takes(chunk.first);
        (is_chosen && self.open_at(chunk)).then_some(chunk)
    }

    /// Whether it was neither open nor clean.
    fn open_at(&mut self, chunk: Chunk) -> bool {
        let is_new = !self.lapsed
            && !self.clean.contains(&chunk.first)
            && !self.open.contains_key(&chunk.first);
        if is_new {
            self.open.insert(chunk.first, Open { chunk, place: Place::Waiting, tries: 0 });
            let is_of = |found: &Found| matches!(found, Found::Clean(it) | Found::Closed(it) if it.first == chunk.first);
            self.found.retain(|found| !is_of(found));
        }
        is_new
    }

    fn index(&mut self, worker: &WorkerName) -> usize {
        let known = self.workers.iter().position(|(known, _)| known == worker);
        known.unwrap_or_else(|| {
            self.workers.push((worker.clone(), 0));
            self.workers.len() - 1
        })
    }

    /// A game came in that is recorded already. Another one is proof against somebody, whoever sends it;
    /// the same one is worth something if its sender was asked for it. Returns the chunk that is to be
    /// compared from now on.
    pub fn copy(&mut self, game: u64, by: &WorkerName, digest: GameDigest) -> Option<Chunk> {
        let played = self.games.get(&game).copied().filter(|_| !self.lapsed)?;
        let first = &self.workers[played.by].0;
        if *first == self.own {
            return None;
        }
        let pair = game / 2;
        let is_other = may_check(first, by);
        let is_holder = |open: &Open| {
            open.chunk.range().contains(&pair)
                && matches!(&open.place, Place::Held { by: holder, .. } if holder == by)
        };
        let is_asked = self.open.values().any(is_holder);
        if played.digest == digest {
            if *by == self.own || is_asked && is_other && !self.choice.looks_at(pair) {
                self.same(game);
            } else if is_asked && is_other {
                self.disputed(game, by, digest);
            }
        } else if digest.is_fault() {
            if is_asked {
                self.disputes.entry(pair).or_default();
            }
        } else {
            let chunk = self.split.of_pair(pair)?;
            self.disputed(game, by, digest);
            self.clean.remove(&chunk.first);
            return self.open_at(chunk).then_some(chunk);
        }
        self.settle();
        None
    }

    fn disputed(&mut self, game: u64, by: &WorkerName, digest: GameDigest) {
        let dispute = self.disputes.entry(game / 2).or_default();
        if *by == self.own {
            dispute.own.insert(game, digest);
        } else {
            dispute.others.entry(game).or_insert_with(|| (by.clone(), digest));
        }
    }

    fn same(&mut self, game: u64) {
        if let Some(played) = self.games.get_mut(&game) {
            played.is_same = true;
        }
    }

    /// Ends the audits of which nothing is left to be compared.
    fn settle(&mut self) {
        let over = |open: &&Open| self.is_whole(open.chunk) && self.is_compared(open.chunk);
        let over: Vec<Chunk> = self.open.values().filter(over).map(|open| open.chunk).collect();
        for chunk in over {
            self.open.remove(&chunk.first);
            let is_clean = self.pairs(chunk).all(|pair| self.is_recorded(pair));
            if is_clean {
                self.clear(chunk);
            }
            self.found.push_back(if is_clean { Found::Clean(chunk) } else { Found::Closed(chunk) });
        }
    }

    /// Whoever has played of a clean chunk was right until then.
    fn clear(&mut self, chunk: Chunk) {
        self.clean.insert(chunk.first);
        for (_, played) in self.games.range_mut(2 * chunk.first..2 * chunk.range().end) {
            played.is_same = true;
            let until = &mut self.workers[played.by].1;
            *until = (*until).max(played.order + 1);
        }
    }

    fn pairs(&self, chunk: Chunk) -> impl Iterator<Item = u64> {
        chunk.first..chunk.range().end.min(self.split.total())
    }

    fn is_recorded(&self, pair: u64) -> bool {
        [2 * pair, 2 * pair + 1].iter().all(|game| self.games.contains_key(game))
    }

    /// Whether all of it is recorded that will be.
    fn is_whole(&self, chunk: Chunk) -> bool {
        let is_given_up = |pair| {
            self.split.of_pair(pair).is_some_and(|chunk| self.given_up.contains(&chunk.first))
        };
        self.pairs(chunk).all(|pair| self.is_recorded(pair) || is_given_up(pair))
    }

    /// Whether all of it is compared that is recorded.
    fn is_compared(&self, chunk: Chunk) -> bool {
        self.disputes.range(chunk.range()).next().is_none()
            && self.to_compare(chunk).next().is_none()
    }

    /// Its games that nobody else has played yet.
    fn to_compare(&self, chunk: Chunk) -> impl Iterator<Item = (u64, &Played)> {
        let games = self.games.range(2 * chunk.first..2 * chunk.range().end);
        let is_left = |played: &Played| !played.is_same && self.workers[played.by].0 != self.own;
        games.filter(move |(_, played)| is_left(played)).map(|(game, played)| (*game, played))
    }

    fn pairs_to_compare(&self, chunk: Chunk) -> Vec<u64> {
        let pairs = self.to_compare(chunk).map(|(game, _)| game / 2);
        pairs.collect::<BTreeSet<u64>>().into_iter().collect()
    }

    /// The next thing that was found out and not yet [`Audits::told`].
    pub fn found(&self) -> Option<Found> {
        self.found.front().cloned()
    }

    /// What was found is dealt with.
    pub fn told(&mut self) {
        self.found.pop_front();
    }

    /// Pairs of the workers of a convicted invitation, each since it was last found to be right, and those
    /// that are proven to be false.
    pub fn suspect(&self, invitation: &Label) -> Vec<u64> {
        let is_suspect = |(game, played): &(&u64, &Played)| {
            let (worker, since) = &self.workers[played.by];
            worker.name == *invitation
                && (played.order >= *since || self.proven.contains(&(*game / 2)))
        };
        let theirs = self.games.iter().filter(is_suspect);
        theirs.map(|(game, _)| game / 2).collect::<BTreeSet<u64>>().into_iter().collect()
    }

    /// These pairs count for nothing any more.
    pub fn strike(&mut self, pairs: &[u64]) {
        for pair in pairs {
            self.proven.remove(pair);
            self.disputes.remove(pair);
            self.here.remove(pair);
            for game in [2 * pair, 2 * pair + 1] {
                self.games.remove(&game);
            }
            for open in self.open.values_mut().filter(|it| it.chunk.range().contains(pair)) {
                (open.place, open.tries) = (Place::Waiting, 0);
            }
        }
        // Of those that play it anew it may be chosen again.
        let is_empty = |open: &&Open| self.is_compared(open.chunk);
        let empty: Vec<Chunk> =
            self.open.values().filter(is_empty).map(|open| open.chunk).collect();
        for chunk in empty {
            self.open.remove(&chunk.first);
            self.found.push_back(Found::Closed(chunk));
        }
    }

    /// Whether its invitation is barred.
    pub fn is_convicted(&self, worker: &WorkerName) -> bool {
        self.convicted.contains(&worker.name)
    }

    /// The first pair of which anything is still to be compared.
    pub fn doubted_from(&self) -> Option<u64> {
        self.open.keys().next().copied()
    }

    /// Whether nothing is to be done or told.
    pub fn is_settled(&self) -> bool {
        self.open.is_empty() && self.found.is_empty()
    }
}
