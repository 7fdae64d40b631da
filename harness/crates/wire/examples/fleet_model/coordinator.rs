//! The coordinator, as `fleet::coordinator` has it: one part hands chunks out and hears of workers,
//! one thing after another; another gathers the results. The ledger is that of the code.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use wire::chunk::{Chunk, Split};
use wire::ledger::{Ledger, Took};
use wire::message::Beat;
use wire::names::WorkerName;

use crate::broker::Process;
use crate::fleet::{Event, Fleet, Heard, Order, Results};

/// `LOOK_EVERY` and `RECONCILE_EVERY` of `fleet::coordinator::hand_out`.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const RECONCILE_EVERY: Duration = Duration::from_secs(60);
/// To unpack and referee a pair and to write it: what the fleet's design allows the coordinator.
const PAIR_WORK: Duration = Duration::from_micros(150);
/// `SYNC_EVERY` of `arena::record::journal`.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// What the part that hands out waits for.
enum Busy {
    No,
    Publishing,
    /// It reads one stored chunk after another.
    Looking(BTreeSet<u64>),
    Stopping,
    Over,
}

pub(crate) struct Coordinator {
    pub(crate) ledger: Ledger,
    busy: Busy,
    inbox: VecDeque<Heard>,
    /// Slots by worker, of its last beat.
    slots: BTreeMap<WorkerName, u32>,
    reconciled: Duration,
    /// To be published again.
    again: VecDeque<Chunk>,
    /// Requests under way at once, where that is allowed.
    looks: bool,
    /// Results that came; the first is being refereed.
    results: VecDeque<Rc<Results>>,
    synced: Duration,
    /// When the rule decided.
    pub(crate) decided: Option<Duration>,
}

impl Coordinator {
    pub(crate) fn new(split: Split) -> Coordinator {
        Coordinator {
            ledger: Ledger::new(split, &HashSet::new()),
            busy: Busy::No,
            inbox: VecDeque::new(),
            slots: BTreeMap::new(),
            reconciled: Duration::ZERO,
            again: VecDeque::new(),
            looks: false,
            results: VecDeque::new(),
            synced: Duration::ZERO,
            decided: None,
        }
    }
}

impl Process {
    /// As the ledger knows it.
    fn name(self) -> Option<WorkerName> {
        format!("w{}.p{}", self.worker, self.epoch).parse().ok()
    }
}

impl Fleet<'_> {
    /// Whether nothing more is of interest.
    pub(crate) fn is_over(&self) -> bool {
        let coordinator = &self.coordinator;
        match coordinator.decided {
            Some(_) => self.workers.iter().all(|worker| worker.is_stopped || !worker.is_alive),
            None => coordinator.ledger.is_done(),
        }
    }

    pub(crate) fn heard(&mut self, heard: Heard) {
        let coordinator = &mut self.coordinator;
        match heard {
            Heard::Results(results) => {
                coordinator.results.push_back(results);
                if coordinator.results.len() == 1 {
                    self.referee();
                }
                return;
            }
            Heard::Beat(..) | Heard::Need(..) => coordinator.inbox.push_back(heard),
            Heard::Done => match coordinator.busy {
                Busy::Publishing => coordinator.busy = Busy::No,
                Busy::Stopping => coordinator.busy = Busy::Over,
                Busy::No | Busy::Looking(_) | Busy::Over => {}
            },
            Heard::Looked(found) => {
                let Busy::Looking(queued) = &mut coordinator.busy else { return };
                if let Some((number, first)) = found {
                    queued.insert(first);
                    return self.order(Order::Look(number + 1));
                }
                let queued = std::mem::take(queued);
                coordinator.busy = Busy::No;
                self.reconcile(&queued);
            }
            Heard::LookedAll(queued) => {
                coordinator.looks = false;
                self.reconcile(&queued);
            }
        }
        self.turn();
    }

    fn reconcile(&mut self, queued: &BTreeSet<u64>) {
        let again = self.coordinator.ledger.reconcile(queued, self.now);
        self.coordinator.again.extend(again);
    }

    /// What it does next, until it has to wait.
    pub(crate) fn turn(&mut self) {
        while matches!(self.coordinator.busy, Busy::No) {
            let is_stopped = self.coordinator.decided.is_some();
            let next = self.coordinator.again.pop_front();
            let next = match next {
                None if !is_stopped => self.coordinator.ledger.publish_next(self.now),
                next => next,
            };
            if let Some(chunk) = next {
                if !self.cell.design.pipelined {
                    self.coordinator.busy = Busy::Publishing;
                }
                self.order(Order::Publish(chunk));
            } else if is_stopped {
                self.coordinator.busy = Busy::Stopping;
                self.order(Order::Stop);
            } else if let Some(heard) = self.coordinator.inbox.pop_front() {
                self.attend(heard);
            } else {
                return;
            }
        }
    }

    fn attend(&mut self, heard: Heard) {
        let ledger = &mut self.coordinator.ledger;
        match heard {
            Heard::Beat(by, beat) => {
                if let Some(name) = by.name() {
                    self.beaten(name, &beat);
                }
            }
            Heard::Need(by, chunk, question) => {
                let missing = ledger.missing(chunk);
                self.order(Order::Answer(by, missing, question));
            }
            Heard::Done | Heard::Looked(_) | Heard::LookedAll(_) | Heard::Results(_) => {}
        }
    }

    fn beaten(&mut self, worker: WorkerName, beat: &Beat) {
        let coordinator = &mut self.coordinator;
        if beat.leaving {
            coordinator.slots.remove(&worker);
            let _ = coordinator.ledger.left(&worker, self.now);
        } else {
            coordinator.ledger.beat(&worker, beat, self.now);
            coordinator.slots.insert(worker, beat.slots);
        }
        self.widen();
    }

    fn widen(&mut self) {
        let coordinator = &mut self.coordinator;
        let slots = coordinator.slots.values().map(|slots| *slots as usize).sum();
        let each = coordinator.ledger.split().each();
        coordinator.ledger.window(self.cell.window_slots(slots, each));
    }

    /// Each second.
    pub(crate) fn looks(&mut self) {
        self.after(LOOK_EVERY, Event::Looks);
        // Who is busy looks later; a second more or less does not matter.
        if !matches!(self.coordinator.busy, Busy::No) || self.coordinator.looks {
            return;
        }
        let lost = self.coordinator.ledger.silent(self.now);
        for worker in lost.keys() {
            self.coordinator.slots.remove(worker);
        }
        self.widen();
        if self.now.saturating_sub(self.coordinator.reconciled) >= RECONCILE_EVERY {
            self.coordinator.reconciled = self.now;
            if self.cell.design.pipelined {
                self.coordinator.looks = true;
                self.order(Order::LookAll);
            } else {
                self.coordinator.busy = Busy::Looking(BTreeSet::new());
                self.order(Order::Look(1));
            }
        }
        self.turn();
    }

    fn referee(&mut self) {
        if let Some(results) = self.coordinator.results.front() {
            let pairs = u32::try_from(results.pairs.len()).unwrap_or(u32::MAX);
            self.after(PAIR_WORK * pairs, Event::Refereed);
        }
    }

    /// The first results that came are in order.
    pub(crate) fn refereed(&mut self) {
        let Some(results) = self.coordinator.results.pop_front() else { return };
        let Some(by) = results.by.name() else { return };
        let ledger = &mut self.coordinator.ledger;
        for game in results.pairs.iter().flat_map(|pair| [2 * pair, 2 * pair + 1]) {
            if ledger.recorded(game, &by) == Took::Copy {
                self.tally.duplicates += 1;
            }
        }
        if self.now.saturating_sub(self.coordinator.synced) >= SYNC_EVERY {
            self.coordinator.synced = self.now;
        }
        // With the next sync, which this pair or a later one makes.
        let acknowledged = match self.coordinator.synced == self.now {
            true => self.now,
            false => self.coordinator.synced + SYNC_EVERY,
        };
        let waited = acknowledged.saturating_sub(results.stored);
        self.tally.longest_ack = self.tally.longest_ack.max(waited);
        let prefix = self.coordinator.ledger.prefix();
        let decides = self.cell.decides_at.is_some_and(|at| prefix >= at);
        if decides && self.coordinator.decided.is_none() {
            self.coordinator.decided = Some(self.now);
            self.tally.vain += self.coordinator.ledger.finished() - prefix;
        }
        self.referee();
        self.turn();
    }
}
