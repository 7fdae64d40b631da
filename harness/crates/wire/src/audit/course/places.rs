//! Where a chunk that is compared is: who plays it, and what of it.

use std::collections::BTreeSet;
use std::time::Duration;

use super::{Audits, Open, ToPlay};
use crate::audit::may_check;
use crate::chunk::Chunk;
use crate::names::WorkerName;

/// How often a chunk is given to others before the coordinator plays it.
const TRIES: u32 = 5;
/// How long its holder may be unheard of.
const UNHEARD: Duration = Duration::from_secs(60);
/// How long it may wait to be taken, and how long its holder may take.
const HELD: Duration = Duration::from_secs(600);

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Place {
    Waiting,
    Published { since: Duration },
    Held { by: WorkerName, since: Duration, seen: Duration },
    Here,
}

impl Audits {
    /// Whether a worker may play a chunk that others have played: only one of another invitation, since
    /// whoever has an invitation can start two workers that confirm each other.
    fn may_play(&self, chunk: Chunk, worker: &WorkerName) -> bool {
        let is_other = |by: usize| may_check(&self.workers[by].0, worker);
        let players: BTreeSet<usize> = self.to_compare(chunk).map(|(_, it)| it.by).collect();
        !self.is_convicted(worker) && players.into_iter().all(is_other)
    }

    /// What is to be played next; `present`: workers that play this run. To be asked every second.
    pub fn next(&mut self, now: Duration, present: &BTreeSet<WorkerName>) -> Option<ToPlay> {
        self.settle();
        let disputed = self.disputes.keys().filter(|pair| !self.here.contains(pair)).copied();
        let disputed: Vec<u64> = disputed.collect();
        if !disputed.is_empty() {
            self.here.extend(&disputed);
            return Some(ToPlay::Here(disputed));
        }
        let firsts: Vec<u64> = self.open.keys().copied().collect();
        firsts.into_iter().find_map(|first| self.next_of(first, now, present))
    }

    fn next_of(
        &mut self,
        first: u64,
        now: Duration,
        present: &BTreeSet<WorkerName>,
    ) -> Option<ToPlay> {
        let &Open { chunk, tries, ref place } = self.open.get(&first)?;
        let mut place = place.clone();
        if let Place::Held { by, seen, .. } = &mut place
            && present.contains(by)
        {
            *seen = now;
        }
        let may = present.iter().any(|worker| self.may_play(chunk, worker));
        let is_late = match &place {
            Place::Published { since } => now.saturating_sub(*since) > HELD || !may,
            Place::Held { since, seen, .. } => {
                now.saturating_sub(*since) > HELD || now.saturating_sub(*seen) > UNHEARD
            }
            Place::Waiting => self.is_whole(chunk) && (!may || tries >= TRIES),
            Place::Here => false,
        };
        let is_next = place == Place::Waiting && self.is_whole(chunk) && !is_late;
        if is_late {
            place = Place::Here;
        }
        if place == Place::Here {
            let mut pairs = self.pairs_to_compare(chunk);
            pairs.retain(|pair| self.here.insert(*pair));
            self.open.get_mut(&first)?.place = place;
            return (!pairs.is_empty()).then_some(ToPlay::Here(pairs));
        }
        let open = self.open.get_mut(&first)?;
        open.place = place;
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
        let may = self.may_play(chunk, worker);
        let pairs = if may { self.pairs_to_compare(chunk) } else { Vec::new() };
        self.open.get_mut(&chunk.first)?.place = match may {
            true => Place::Held { by: worker.clone(), since: now, seen: now },
            false => Place::Waiting,
        };
        Some(pairs)
    }
}
