//! The ledger against a model of broker, workers and coordinator that die, copy, delay and forget.

use proptest::prelude::*;

use super::tests::{beat, name, s, split};
use super::*;

#[derive(Debug, Clone, Copy)]
enum Step {
    Publish(usize),
    TakeLocal,
    Queue(usize),
    PlayLocal(usize),
    Deliver(usize),
    Play(usize, usize),
    Beat(usize),
    Kill(usize),
    Leave(usize),
    Gather(usize),
    Copy(usize),
    Void(usize),
    Tick(u64),
    Silent,
    Reconcile,
    Hedge,
    WipeStore,
    RestartBroker,
    RestartCoordinator(u32),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        8 => (1_usize..20).prop_map(Step::Publish),
        2 => Just(Step::TakeLocal),
        1 => (0_usize..4).prop_map(Step::Queue),
        2 => (0_usize..4).prop_map(Step::PlayLocal),
        16 => (0_usize..4).prop_map(Step::Deliver),
        16 => (0_usize..4, 1_usize..6).prop_map(|(worker, pairs)| Step::Play(worker, pairs)),
        8 => (0_usize..4).prop_map(Step::Beat),
        2 => (0_usize..4).prop_map(Step::Kill),
        1 => (0_usize..4).prop_map(Step::Leave),
        12 => (0_usize..50).prop_map(Step::Gather),
        2 => (0_usize..50).prop_map(Step::Copy),
        2 => (0_usize..50).prop_map(Step::Void),
        4 => (1_u64..40).prop_map(Step::Tick),
        2 => Just(Step::Silent),
        2 => Just(Step::Reconcile),
        1 => Just(Step::Hedge),
        1 => Just(Step::WipeStore),
        1 => Just(Step::RestartBroker),
        1 => (0_u32..3).prop_map(Step::RestartCoordinator),
    ];
    prop::collection::vec(step, 0..150)
}

struct Message {
    chunk: Chunk,
    /// To whom and when.
    delivered: Option<(WorkerName, Duration)>,
}

struct Worker {
    name: WorkerName,
    /// With the pairs still to be played.
    chunks: Vec<(Chunk, Vec<u64>)>,
}

struct World {
    ledger: Ledger,
    split: Split,
    now: Duration,
    messages: Vec<Message>,
    /// Message ids that the broker has seen.
    ids: HashSet<(u64, u32)>,
    workers: Vec<Worker>,
    born: usize,
    /// Results on their way, a pair each.
    results: Vec<(WorkerName, u64)>,
    local: Vec<u64>,
    truth: HashSet<u64>,
    prefix: u64,
}

impl World {
    fn new(split: Split) -> World {
        let mut world = World {
            ledger: Ledger::new(split, &HashSet::new()),
            split,
            now: Duration::ZERO,
            messages: Vec::new(),
            ids: HashSet::new(),
            workers: Vec::new(),
            born: 0,
            results: Vec::new(),
            local: Vec::new(),
            truth: HashSet::new(),
            prefix: 0,
        };
        world.workers = (0..4).map(|_| world.new_worker()).collect();
        world
    }

    fn new_worker(&mut self) -> Worker {
        self.born += 1;
        Worker { name: name(&format!("w.{}", self.born)), chunks: Vec::new() }
    }

    fn send(&mut self, mut chunk: Chunk) {
        let numbers = [chunk.first, self.ledger.prefix()].map(|pair| self.split.number_of(pair));
        assert!(numbers[0] < numbers[1] + WINDOW, "{chunk:?} is beyond the window");
        assert!(!self.ledger.missing(chunk).is_empty(), "{chunk:?} is done");
        while !self.ids.insert((chunk.first, chunk.round)) {
            let next = self.ledger.next_round(chunk.first).unwrap();
            assert!(next.round > chunk.round && next.first == chunk.first);
            chunk = next;
        }
        self.messages.push(Message { chunk, delivered: None });
    }

    fn deliver(&mut self, at: usize) {
        let now = self.now;
        let free = self.messages.iter_mut().find(|message| {
            message.delivered.as_ref().is_none_or(|(_, since)| now - *since > s(30))
        });
        let (Some(message), Worker { name, chunks }) = (free, &mut self.workers[at]) else {
            return;
        };
        message.delivered = Some((name.clone(), now));
        chunks.push((message.chunk, self.ledger.missing(message.chunk)));
    }

    fn play(&mut self, at: usize, pairs: usize) {
        let Worker { name, chunks } = &mut self.workers[at];
        let Some((chunk, left)) = chunks.first_mut() else { return };
        let played = left.drain(..pairs.min(left.len()));
        self.results.extend(played.map(|pair| (name.clone(), pair)));
        if left.is_empty() {
            let ended = *chunk;
            // Whoever acknowledges a message, it is gone.
            self.messages.retain(|message| message.chunk != ended);
            chunks.remove(0);
        }
    }

    fn beat(&mut self, at: usize) {
        let Worker { name, chunks } = &self.workers[at];
        let done = |(chunk, left): &(Chunk, Vec<u64>)| (*chunk, chunk.pairs - left.len() as u32);
        let held: Vec<(Chunk, u32)> = chunks.iter().map(done).collect();
        self.ledger.beat(name, &beat(&held), self.now);
    }

    fn gather(&mut self, pair: u64, by: &WorkerName) {
        for game in [2 * pair, 2 * pair + 1] {
            let took = self.ledger.recorded(game, by);
            assert_eq!(took == Took::Fresh, self.truth.insert(game), "{game}");
        }
    }

    fn reconcile(&mut self) {
        let queued = self.messages.iter().map(|message| message.chunk.first).collect();
        for chunk in self.ledger.reconcile(&queued, self.now) {
            assert!(!queued.contains(&chunk.first));
            // A chunk that an earlier coordinator handed out may be beyond the window of this one.
            if !self.ledger.missing(chunk).is_empty() && self.ids.insert((chunk.first, chunk.round))
            {
                self.messages.push(Message { chunk, delivered: None });
            }
        }
    }

    fn take(&mut self, step: Step) {
        match step {
            Step::Publish(most) => {
                for _ in 0..most {
                    let Some(chunk) = self.ledger.publish_next(self.now) else { break };
                    self.send(chunk);
                }
            }
            Step::TakeLocal => {
                let chunk = self.ledger.take_local(self.now);
                self.local.extend(chunk.map_or(Vec::new(), |chunk| self.ledger.missing(chunk)));
            }
            Step::Queue(most) => _ = self.ledger.queue(most),
            Step::PlayLocal(pairs) => {
                let pairs: Vec<u64> = self.local.drain(..pairs.min(self.local.len())).collect();
                pairs.into_iter().for_each(|pair| self.gather(pair, &name("home.1")));
            }
            Step::Deliver(at) => self.deliver(at),
            Step::Play(at, pairs) => self.play(at, pairs),
            Step::Beat(at) => self.beat(at),
            Step::Kill(at) => self.workers[at] = self.new_worker(),
            Step::Leave(at) => {
                let new = self.new_worker();
                let old = std::mem::replace(&mut self.workers[at], new);
                for message in &mut self.messages {
                    message.delivered.take_if(|(to, _)| *to == old.name);
                }
                self.ledger.left(&old.name, self.now);
            }
            Step::Gather(at) if at < self.results.len() => {
                let (by, pair) = self.results.remove(at);
                self.gather(pair, &by);
            }
            Step::Copy(at) if at < self.results.len() => {
                self.results.push(self.results[at].clone());
            }
            Step::Void(at) if at < self.results.len() => {
                let (_, pair) = self.results.remove(at);
                self.ledger.returned(pair);
            }
            Step::Gather(_) | Step::Copy(_) | Step::Void(_) => {}
            Step::Tick(seconds) => self.now += s(seconds),
            Step::Silent => _ = self.ledger.silent(self.now),
            Step::Reconcile => self.reconcile(),
            Step::Hedge => {
                let hedged = self.ledger.hedge(self.now);
                hedged.into_iter().for_each(|chunk| self.send(chunk));
            }
            Step::WipeStore => {
                self.messages.clear();
                self.ids.clear();
                self.results.clear();
            }
            Step::RestartBroker => {
                self.messages.iter_mut().for_each(|message| message.delivered = None);
            }
            Step::RestartCoordinator(first_round) => {
                let ledger = Ledger::new(self.split, &self.truth).from_round(first_round);
                assert_eq!(ledger.finished(), self.ledger.finished());
                self.ledger = ledger;
                self.messages.clear();
                self.local.clear();
                // Everybody is asked what they hold.
                (0..self.workers.len()).for_each(|at| self.beat(at));
            }
        }
    }

    fn check(&mut self) {
        let has = |pair: &u64| [2 * pair, 2 * pair + 1].iter().all(|it| self.truth.contains(it));
        let prefix = (0..self.split.total()).take_while(has).count() as u64;
        assert!(prefix >= self.prefix);
        self.prefix = prefix;
        assert_eq!(self.ledger.prefix(), prefix);
        let finished = (0..self.split.total()).filter(has).count() as u64;
        assert_eq!(self.ledger.finished(), finished);
        for number in 0..self.split.count() {
            let chunk = self.split.at(number).unwrap();
            let missing: Vec<u64> = chunk.range().filter(|pair| !has(pair)).collect();
            let is_done = self.ledger.state(chunk.first) == Some(State::Done);
            assert_eq!(is_done, missing.is_empty(), "{chunk:?}");
            assert_eq!(self.ledger.missing(chunk), missing);
        }
        assert_eq!(self.ledger.is_done(), self.ledger.waits_for().is_none());
    }

    /// Nothing goes wrong any more: the run ends, and soon.
    fn finish(&mut self) {
        self.ledger.queue(usize::MAX);
        for _ in 0..60 {
            if self.ledger.is_done() {
                return;
            }
            self.take(Step::Publish(usize::MAX));
            for at in 0..self.workers.len() {
                for _ in 0..20 {
                    self.deliver(at);
                }
                for _ in 0..self.workers[at].chunks.len() {
                    self.play(at, usize::MAX);
                }
            }
            self.take(Step::PlayLocal(usize::MAX));
            for (by, pair) in std::mem::take(&mut self.results) {
                self.gather(pair, &by);
            }
            self.now += s(10);
            (0..self.workers.len()).for_each(|at| self.beat(at));
            self.ledger.silent(self.now);
            self.reconcile();
        }
        panic!("the run does not end: {:?}", self.ledger.waits_for());
    }
}

proptest! {
    #[test]
    fn every_pair_is_recorded_once_whatever_happens(
        total in 1_u64..300, each in 1_u32..9, steps in steps(),
    ) {
        let mut world = World::new(split(total, each));
        for step in steps {
            world.take(step);
            world.check();
        }
        world.finish();
        world.check();
        prop_assert_eq!(world.truth.len() as u64, 2 * total);
    }
}
