//! The coordinator, as `fleet::coordinator` has it: one part hands chunks out and hears of workers,
//! one thing after another; another gathers the results. The ledger is that of the code.

use std::collections::{BTreeMap, BTreeSet, HashSet, VecDeque};
use std::rc::Rc;
use std::time::Duration;

use wire::chunk::{Chunk, Split};
use wire::ledger::{Ledger, Took};
use wire::message::Beat;
use wire::names::WorkerName;
use wire::poison::Poison;

use crate::broker::Process;
use crate::fleet::{Event, Fleet, Heard, Order, Results};

/// `LOOK_EVERY` and `RECONCILE_EVERY` of `fleet::coordinator::hand_out`.
const LOOK_EVERY: Duration = Duration::from_secs(1);
const RECONCILE_EVERY: Duration = Duration::from_secs(60);
/// `AT_ONCE`, `MARK_EVERY` and `END_WITHIN` of the same.
const AT_ONCE: usize = 32;
const MARK_EVERY: Duration = Duration::from_secs(10);
const END_WITHIN: Duration = Duration::from_secs(1);
/// `SYNC_EVERY` of `arena::record::journal`.
const SYNC_EVERY: Duration = Duration::from_secs(5);

/// What the part that hands out waits for.
enum Busy {
    No,
    /// So many chunks are on their way.
    Publishing(usize),
    /// So many questions are on their way, and so many will follow.
    Asking(usize, usize),
    Over,
}

pub(crate) struct Coordinator {
    pub(crate) ledger: Ledger,
    busy: Busy,
    inbox: VecDeque<Heard>,
    /// Slots by worker, of its last beat.
    slots: BTreeMap<WorkerName, u32>,
    /// Whose cards it has not read.
    unknown: BTreeSet<WorkerName>,
    reconciled: Duration,
    /// It reads one stored chunk after another: those so far.
    queued: Option<BTreeSet<u64>>,
    /// When, and the prefix that it told.
    marked: (Duration, u64),
    /// To be published.
    waiting: VecDeque<Chunk>,
    /// Whether it has read the cards of the last who came before it tells them to stop.
    has_enrolled: bool,
    /// Results that came; the first is being refereed.
    results: VecDeque<Rc<Results>>,
    synced: Duration,
    /// When the rule decided.
    pub(crate) decided: Option<Duration>,
    poison: Poison,
}

impl Coordinator {
    /// `pair`: how long a pair is expected to take.
    pub(crate) fn new(split: Split, pair: Duration) -> Coordinator {
        let mut ledger = Ledger::new(split, &HashSet::new());
        ledger.expect(pair);
        Coordinator {
            ledger,
            busy: Busy::No,
            inbox: VecDeque::new(),
            slots: BTreeMap::new(),
            unknown: BTreeSet::new(),
            reconciled: Duration::ZERO,
            queued: None,
            marked: (Duration::ZERO, 0),
            waiting: VecDeque::new(),
            has_enrolled: false,
            results: VecDeque::new(),
            synced: Duration::ZERO,
            decided: None,
            poison: Poison::default(),
        }
    }

    /// As `Desk::died`: the chunks that a worker played may have killed it.
    fn died(&mut self, worker: &WorkerName, chunks: &[Chunk]) {
        let slots = self.slots.remove(worker).unwrap_or(1);
        for chunk in chunks.iter().take(slots as usize) {
            if self.poison.died(chunk.first, worker, self.slots.keys()) {
                self.ledger.poison(chunk.first);
            }
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
    pub(crate) fn is_over(&mut self) -> bool {
        let coordinator = &mut self.coordinator;
        match coordinator.decided {
            Some(_) => self.workers.iter().all(|worker| worker.is_stopped || !worker.is_alive),
            None => coordinator.ledger.is_exhausted(),
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
            Heard::Beat(..) | Heard::Need(..) | Heard::Queued(_) => {
                coordinator.inbox.push_back(heard);
            }
            Heard::Done => {
                if let Busy::Publishing(under_way) = &mut coordinator.busy {
                    *under_way -= 1;
                    return self.publish();
                }
            }
            Heard::Asked => {
                if let Busy::Asking(under_way, _) = &mut coordinator.busy {
                    *under_way -= 1;
                    return self.ask();
                }
            }
            Heard::Looked(found) => {
                let mut queued = coordinator.queued.take().unwrap_or_default();
                match found {
                    Some((number, first)) => {
                        queued.insert(first);
                        coordinator.queued = Some(queued);
                        return self.order(Order::Look(number + 1));
                    }
                    None => coordinator.inbox.push_back(Heard::Queued(queued)),
                }
            }
        }
        self.turn();
    }

    fn reconcile(&mut self, queued: &BTreeSet<u64>) {
        let again = self.coordinator.ledger.reconcile(queued, self.now);
        self.coordinator.waiting.extend(again);
        self.coordinator.busy = Busy::Publishing(0);
        self.publish();
    }

    /// Several at once, until all are published.
    fn publish(&mut self) {
        let coordinator = &mut self.coordinator;
        let Busy::Publishing(under_way) = &mut coordinator.busy else { return };
        let more = (AT_ONCE - *under_way).min(coordinator.waiting.len());
        *under_way += more;
        let is_done = *under_way == 0;
        let chunks: Vec<Chunk> = coordinator.waiting.drain(..more).collect();
        chunks.into_iter().for_each(|chunk| self.order(Order::Publish(chunk)));
        self.free_if(is_done);
    }

    fn ask(&mut self) {
        let Busy::Asking(under_way, left) = &mut self.coordinator.busy else { return };
        let more = (AT_ONCE - *under_way).min(*left);
        (*under_way, *left) = (*under_way + more, *left - more);
        let is_done = *under_way == 0;
        (0..more).for_each(|_| self.order(Order::Ask));
        self.free_if(is_done);
    }

    fn free_if(&mut self, is_done: bool) {
        if is_done {
            self.coordinator.busy = Busy::No;
            self.turn();
        }
    }

    /// What it does next, until it has to wait.
    pub(crate) fn turn(&mut self) {
        let is_stopped = self.coordinator.decided.is_some();
        while matches!(self.coordinator.busy, Busy::No) {
            if is_stopped {
                return self.end();
            }
            let (coordinator, now) = (&mut self.coordinator, self.now);
            let more = std::iter::from_fn(|| coordinator.ledger.publish_next(now));
            coordinator.waiting.extend(more);
            if !coordinator.waiting.is_empty() {
                coordinator.busy = Busy::Publishing(0);
                return self.publish();
            }
            let Some(heard) = coordinator.inbox.pop_front() else { return };
            self.attend(heard);
        }
    }

    fn end(&mut self) {
        let coordinator = &mut self.coordinator;
        if std::mem::replace(&mut coordinator.has_enrolled, true) {
            coordinator.busy = Busy::Over;
            return self.order(Order::Stop);
        }
        let answers = END_WITHIN.as_nanos() / self.cell.coordinator_rtt.as_nanos().max(1);
        let answers = usize::try_from(answers).unwrap_or(usize::MAX).saturating_mul(AT_ONCE);
        let unknown = std::mem::take(&mut coordinator.unknown).len();
        coordinator.busy = Busy::Asking(0, unknown.min(answers));
        self.ask();
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
                let missing = match ledger.is_poisoned(chunk.first) {
                    true => Vec::new(),
                    false => ledger.missing(chunk),
                };
                self.order(Order::Answer(by, missing, question));
            }
            Heard::Queued(queued) => self.reconcile(&queued),
            Heard::Done | Heard::Asked | Heard::Results(_) | Heard::Looked(_) => {}
        }
    }

    fn beaten(&mut self, worker: WorkerName, beat: &Beat) {
        let coordinator = &mut self.coordinator;
        if beat.leaving {
            coordinator.slots.remove(&worker);
            let _ = coordinator.ledger.left(&worker, self.now);
        } else {
            coordinator.ledger.beat(&worker, beat, self.now);
            if !coordinator.slots.contains_key(&worker) {
                coordinator.unknown.insert(worker.clone());
            }
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
        if !matches!(self.coordinator.busy, Busy::No) {
            return;
        }
        let lost = self.coordinator.ledger.silent(self.now);
        for (worker, chunks) in lost {
            self.coordinator.died(&worker, &chunks);
        }
        self.widen();
        let coordinator = &mut self.coordinator;
        let prefix = coordinator.ledger.prefix();
        let is_due = self.now.saturating_sub(coordinator.reconciled) >= RECONCILE_EVERY;
        if is_due && coordinator.queued.is_none() {
            coordinator.reconciled = self.now;
            coordinator.queued = Some(BTreeSet::new());
            self.order(Order::Look(1));
        }
        let coordinator = &mut self.coordinator;
        if self.now.saturating_sub(coordinator.marked.0) >= MARK_EVERY
            && coordinator.marked.1 != prefix
        {
            // Tells how far the run is; then it reads the cards of those who are new.
            coordinator.marked = (self.now, prefix);
            let unknown = std::mem::take(&mut coordinator.unknown).len();
            coordinator.busy = Busy::Asking(1, unknown);
            self.order(Order::Ask);
        } else {
            self.turn();
        }
    }

    fn referee(&mut self) {
        if let Some(results) = self.coordinator.results.front() {
            let pairs = u32::try_from(results.pairs.len()).unwrap_or(u32::MAX);
            self.after(self.cell.design.pair_work * pairs, Event::Refereed);
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
