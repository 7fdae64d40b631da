//! Which chunks of a run are to be played a second time, who may, and what comes of it. It is told what
//! happens, and when; it asks nobody.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::time::Duration;

use super::{AuditChoice, Finding, GameDigest, decide, may_check};
use crate::chunk::{Chunk, Split};
use crate::names::{Label, WorkerName};

/// How often a chunk is given to others before the coordinator plays it.
const TRIES: u32 = 5;
/// How long its holder may be unheard of.
const UNHEARD: Duration = Duration::from_secs(60);
/// How long it may wait to be taken, and how long its holder may take.
const HELD: Duration = Duration::from_secs(600);

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
    /// A worker has sent a pair that is not what its players play, in words.
    Convicted {
        worker: WorkerName,
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
    /// First pairs of those that were clean.
    clean: BTreeSet<u64>,
    /// Invitations: whoever has one can give its process another name.
    convicted: BTreeSet<Label>,
    /// Pairs of which a recorded game is false, until they are struck.
    proven: BTreeSet<u64>,
    lapsed: bool,
    found: VecDeque<Found>,
}

#[derive(Debug, Clone, Copy)]
struct Played {
    /// Index of the worker.
    by: usize,
    order: u64,
    digest: GameDigest,
}

/// A chunk that is compared.
#[derive(Debug)]
struct Open {
    chunk: Chunk,
    place: Place,
    tries: u32,
    /// Games that were the same at another.
    same: BTreeSet<u64>,
    /// Pairs that were not, the worker and its games.
    disputed: BTreeMap<u64, Dispute>,
    /// Pairs that the coordinator plays.
    here: BTreeSet<u64>,
}

#[derive(Debug)]
struct Dispute {
    second: WorkerName,
    games: BTreeMap<u64, GameDigest>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Place {
    Waiting,
    Published { since: Duration },
    Held { by: WorkerName, since: Duration, seen: Duration },
    Here,
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
            clean: BTreeSet::new(),
            convicted: BTreeSet::new(),
            proven: BTreeSet::new(),
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
    }

    /// A game is about to be recorded. Returns the chunk that is to be compared from now on by it.
    pub fn recorded(&mut self, game: u64, by: &WorkerName, digest: GameDigest) -> Option<Chunk> {
        let worker = self.index(by);
        self.games.insert(game, Played { by: worker, order: self.order, digest });
        self.order += 1;
        let chunk = self.split.of_pair(game / 2)?;
        let is_chosen = *by != self.own && self.choice.takes(chunk.first);
        (is_chosen && self.open_at(chunk)).then_some(chunk)
    }

    fn open_at(&mut self, chunk: Chunk) -> bool {
        let is_new = !self.lapsed
            && !self.clean.contains(&chunk.first)
            && !self.open.contains_key(&chunk.first);
        if is_new {
            let (same, disputed, here) = (BTreeSet::new(), BTreeMap::new(), BTreeSet::new());
            let place = Place::Waiting;
            let open = Open { chunk, place, tries: 0, same, disputed, here };
            self.open.insert(chunk.first, open);
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

    /// A game came in that is recorded already. Equal or not, that is worth something if another worker
    /// has played it.
    pub fn copy(&mut self, game: u64, by: &WorkerName, digest: GameDigest) {
        let Some(played) = self.games.get(&game).copied().filter(|_| !self.lapsed) else { return };
        let (first, pair) = (self.workers[played.by].0.clone(), game / 2);
        if first == *by || first == self.own {
            return;
        }
        let Some(chunk) = self.split.of_pair(pair) else { return };
        if played.digest != digest {
            // It is proof, audited or not.
            self.open_at(chunk);
        }
        let is_asked = |open: &Open| match &open.place {
            Place::Held { by: holder, .. } => holder == by,
            _ => may_check(&first, by),
        };
        let is_same = played.digest == digest;
        for open in self.open.values_mut().filter(|it| it.chunk.range().contains(&pair)) {
            if !is_same {
                let games = BTreeMap::new();
                let second = by.clone();
                let dispute = open.disputed.entry(pair).or_insert(Dispute { second, games });
                if dispute.second == *by {
                    dispute.games.insert(game, digest);
                }
            } else if is_asked(open) {
                open.same.insert(game);
            }
        }
        self.settle();
    }

    /// The coordinator has played a pair for an audit.
    pub fn played_here(&mut self, pair: u64, games: [GameDigest; 2]) {
        for (game, own) in [(2 * pair, games[0]), (2 * pair + 1, games[1])] {
            let Some(Played { by, digest, .. }) = self.games.get(&game).copied() else { continue };
            let first = self.workers[by].0.clone();
            let mut verdict = None;
            for open in self.open.values_mut().filter(|it| it.chunk.range().contains(&pair)) {
                open.here.remove(&pair);
                let second = open
                    .disputed
                    .get(&pair)
                    .and_then(|dispute| Some((dispute.second.clone(), *dispute.games.get(&game)?)));
                match second {
                    // Played here once more, to see whether the players repeat themselves.
                    None if own != digest && first != self.own => {
                        let (second, games) = (self.own.clone(), [(game, own)].into());
                        open.disputed.entry(pair).or_insert(Dispute { second, games });
                    }
                    None => _ = open.same.insert(game),
                    Some((second, second_game)) => {
                        let found = decide(own, (&first, digest), (&second, second_game));
                        if own == digest {
                            open.same.insert(game);
                        }
                        verdict = Some((found, second));
                    }
                }
            }
            match verdict {
                Some((Finding::Convicted(worker), second)) => {
                    let is_recorded = worker == first;
                    let other = if worker == first { second } else { first };
                    let who =
                        if other == self.own { String::new() } else { format!(" and by {other}") };
                    let why = format!(
                        "it has sent game {game} otherwise than its players play it here{who}"
                    );
                    if is_recorded {
                        self.proven.insert(pair);
                    }
                    let is_of = |found: &Found| matches!(found, Found::Convicted { worker: other, .. } if other.name == worker.name);
                    let is_told = self.found.iter().any(is_of);
                    if self.convicted.insert(worker.name.clone()) || is_recorded && !is_told {
                        self.found.push_back(Found::Convicted { worker, why });
                    }
                }
                Some((Finding::NotRepeating, second)) => {
                    self.lapse();
                    self.found.push_back(Found::Lapsed(format!(
                        "game {game} is another one each time, at {first}, at {second} and here: the players \
                         do not repeat themselves"
                    )));
                    return;
                }
                Some((Finding::Same, _)) | None => {}
            }
        }
        let convicted = &self.convicted;
        for open in self.open.values_mut() {
            let settled = |game: u64| open.same.contains(&game);
            let is_over = |pair: &u64, dispute: &Dispute| {
                settled(2 * pair) && settled(2 * pair + 1)
                    || convicted.contains(&dispute.second.name)
            };
            open.disputed.retain(|pair, dispute| !is_over(pair, dispute));
        }
        self.settle();
    }

    /// Ends the audits of which all games were the same.
    fn settle(&mut self) {
        let firsts: Vec<u64> = self.open.keys().copied().collect();
        for first in firsts {
            let is_clean = self.open.get(&first).is_some_and(|open| {
                open.disputed.is_empty()
                    && self.is_whole(open)
                    && self.to_compare(open).next().is_none()
            });
            if is_clean && let Some(open) = self.open.remove(&first) {
                self.clear(open.chunk);
                self.found.push_back(Found::Clean(open.chunk));
            }
        }
    }

    /// Whoever has played of a clean chunk was right until then.
    fn clear(&mut self, chunk: Chunk) {
        self.clean.insert(chunk.first);
        for game in 2 * chunk.first..2 * chunk.range().end {
            if let Some(Played { by, order, .. }) = self.games.get(&game) {
                let until = &mut self.workers[*by].1;
                *until = (*until).max(order + 1);
            }
        }
    }

    /// Whether all of its games are recorded.
    fn is_whole(&self, open: &Open) -> bool {
        let end = open.chunk.range().end.min(self.split.total());
        (2 * open.chunk.first..2 * end).all(|game| self.games.contains_key(&game))
    }

    /// Its games that nobody else has played yet.
    fn to_compare<'a>(&'a self, open: &'a Open) -> impl Iterator<Item = u64> + 'a {
        let own = |played: &Played| self.workers[played.by].0 == self.own;
        let games = self.games.range(2 * open.chunk.first..2 * open.chunk.range().end);
        games
            .filter(move |(game, played)| !own(played) && !open.same.contains(game))
            .map(|(game, _)| *game)
    }

    fn pairs_to_compare(&self, open: &Open) -> Vec<u64> {
        self.to_compare(open).map(|game| game / 2).collect::<BTreeSet<u64>>().into_iter().collect()
    }

    /// Those of the games that are to be compared.
    fn players(&self, open: &Open) -> BTreeSet<&WorkerName> {
        self.to_compare(open)
            .filter_map(|game| self.games.get(&game))
            .map(|it| &self.workers[it.by].0)
            .collect()
    }

    /// Whether a worker may play a chunk that others have played: only one of another invitation, since
    /// whoever has an invitation can start two workers that confirm each other.
    fn may_play(&self, open: &Open, worker: &WorkerName) -> bool {
        let is_other = |first: &WorkerName| may_check(first, worker);
        !self.is_convicted(worker) && self.players(open).into_iter().all(is_other)
    }

    /// What is to be played next; `present`: workers that play this run. To be asked every second.
    pub fn next(&mut self, now: Duration, present: &BTreeSet<WorkerName>) -> Option<ToPlay> {
        self.settle();
        let firsts: Vec<u64> = self.open.keys().copied().collect();
        firsts.into_iter().find_map(|first| self.next_of(first, now, present))
    }

    fn next_of(
        &mut self,
        first: u64,
        now: Duration,
        present: &BTreeSet<WorkerName>,
    ) -> Option<ToPlay> {
        let open = self.open.get(&first)?;
        let disputed = open.disputed.keys().filter(|pair| !open.here.contains(pair)).copied();
        let mut here: Vec<u64> = disputed.collect();
        let mut place = open.place.clone();
        if let Place::Held { by, seen, .. } = &mut place
            && present.contains(by)
        {
            *seen = now;
        }
        let may = present.iter().any(|worker| self.may_play(open, worker));
        let is_late = match &place {
            Place::Published { since } => now.saturating_sub(*since) > HELD || !may,
            Place::Held { since, seen, .. } => {
                now.saturating_sub(*since) > HELD || now.saturating_sub(*seen) > UNHEARD
            }
            Place::Waiting => self.is_whole(open) && (!may || open.tries >= TRIES),
            Place::Here => false,
        };
        let is_next = place == Place::Waiting && self.is_whole(open) && !is_late;
        if is_late {
            place = Place::Here;
        }
        if place == Place::Here {
            let compared = self.pairs_to_compare(open).into_iter();
            here.extend(
                compared
                    .filter(|pair| !open.here.contains(pair) && !open.disputed.contains_key(pair)),
            );
        }
        let open = self.open.get_mut(&first)?;
        open.place = place;
        if !here.is_empty() {
            open.here.extend(&here);
            return Some(ToPlay::Here(here));
        }
        if !is_next {
            return None;
        }
        open.tries += 1;
        open.chunk.round += 1;
        open.place = Place::Published { since: now };
        Some(ToPlay::Others(open.chunk))
    }

    /// The broker has seen the chunk's message before: what is to be published instead.
    pub fn next_round(&mut self, first: u64) -> Option<Chunk> {
        let open = self.open.get_mut(&first)?;
        open.chunk.round += 1;
        Some(open.chunk)
    }

    /// It could not be published.
    pub fn put_back(&mut self, first: u64) {
        if let Some(open) = self.open.get_mut(&first) {
            open.place = Place::Waiting;
        }
    }

    /// A worker has a chunk and asks what to play of it. `None`: it is no audit. One that may not play it
    /// has to play nothing, and it is given to others.
    pub fn need(&mut self, chunk: Chunk, worker: &WorkerName, now: Duration) -> Option<Vec<u64>> {
        let open = self.open.get(&chunk.first).filter(|open| open.chunk == chunk)?;
        if !matches!(open.place, Place::Published { .. } | Place::Held { .. }) {
            return None;
        }
        let may = self.may_play(open, worker);
        let pairs = if may { self.pairs_to_compare(open) } else { Vec::new() };
        let open = self.open.get_mut(&chunk.first)?;
        open.place = match may {
            true => Place::Held { by: worker.clone(), since: now, seen: now },
            false => Place::Waiting,
        };
        Some(pairs)
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
            for game in [2 * pair, 2 * pair + 1] {
                self.games.remove(&game);
                self.open.values_mut().for_each(|open| _ = open.same.remove(&game));
            }
            for open in self.open.values_mut().filter(|it| it.chunk.range().contains(pair)) {
                open.disputed.remove(pair);
                open.here.remove(pair);
                (open.place, open.tries) = (Place::Waiting, 0);
            }
        }
        let firsts: Vec<u64> = self.open.keys().copied().collect();
        for first in firsts {
            // Of those that play it anew it may be chosen again.
            let is_empty =
                |open: &Open| open.disputed.is_empty() && self.to_compare(open).next().is_none();
            if self.open.get(&first).is_some_and(is_empty) {
                self.open.remove(&first);
            }
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
