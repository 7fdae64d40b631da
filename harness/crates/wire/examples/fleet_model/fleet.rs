//! Time, and what is sent when.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::rc::Rc;
use std::time::Duration;

use process::Error;
use wire::chunk::Chunk;
use wire::message::{Beat, ChunkMessage, encode};
use wire::names::RunId;

use crate::broker::{Broker, Delivery, PULL_WITHIN, Process};
use crate::cell::Cell;
use crate::chance::Chance;
use crate::coordinator::Coordinator;
use crate::network::Line;
use crate::tally::Tally;
use crate::worker::Worker;

/// Of a packed pair, with the times of its moves: what `zstd -3` makes of 4 to 16 pairs of
/// `results/2026-11-22-gauntlet-stockfish`.
const PAIR_BYTES: usize = 2100;
/// Of a beat without chunks, and for each: JSON of `wire::message::Beat`.
const BEAT_BYTES: usize = 260;
const HELD_BYTES: usize = 52;
/// The same for each game under way.
const PLAYING_BYTES: usize = 44;
/// Of answers and of requests without much content.
const SMALL: usize = 80;
/// Of a card, to all workers.
const CARD: usize = 4096;
/// A run that takes so much longer than its work is stuck.
const STUCK_AFTER: Duration = Duration::from_secs(2 * 60 * 60);

/// Pairs of one batch and one chunk.
pub(crate) struct Results {
    pub(crate) by: Process,
    pub(crate) pairs: Vec<u64>,
    /// When the broker had them.
    pub(crate) stored: Duration,
}

/// What the broker is asked for.
pub(crate) enum Request {
    Pull,
    Results(Vec<u64>, usize),
    /// Of a chunk's end. Nobody waits for an answer.
    Ack(u64),
    Nak(u64),
    Progress(u64),
    Beat(Beat),
    Need(Chunk, u64),
}

/// What a worker hears.
pub(crate) enum Told {
    Chunk(Delivery),
    NoChunk,
    Stored(usize),
    Missing(Vec<u64>, u64),
    Stop,
}

/// What the coordinator asks the broker for.
pub(crate) enum Order {
    Publish(Chunk),
    /// The first stored chunk from that number on.
    Look(u64),
    /// Something small that is answered.
    Ask,
    Answer(Process, Vec<u64>, u64),
    Stop,
}

/// What the coordinator hears.
pub(crate) enum Heard {
    Done,
    Looked(Option<(u64, u64)>),
    /// First pairs of all stored chunks.
    Queued(BTreeSet<u64>),
    Asked,
    Beat(Process, Beat),
    Need(Process, Chunk, u64),
    Results(Rc<Results>),
}

pub(crate) enum Event {
    Request(Process, Request),
    Order(Order),
    Told(Process, Told),
    Heard(Heard),
    GameEnded(Process, u64),
    BeatDue(Process),
    BatchDue(Process),
    QuestionOver(Process, u64),
    PullOver(Process),
    AckWait(u64),
    Looks,
    Refereed,
    Death,
    Leave,
    Join(usize),
}

struct Queued {
    at: Duration,
    /// What is equally late goes in order.
    number: u64,
    event: Event,
}

impl Ord for Queued {
    fn cmp(&self, other: &Queued) -> std::cmp::Ordering {
        (self.at, self.number).cmp(&(other.at, other.number))
    }
}

impl PartialOrd for Queued {
    fn partial_cmp(&self, other: &Queued) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Queued {
    fn eq(&self, other: &Queued) -> bool {
        self.number == other.number
    }
}

impl Eq for Queued {}

pub(crate) struct Fleet<'a> {
    pub(crate) cell: &'a Cell,
    pub(crate) run: RunId,
    pub(crate) now: Duration,
    queue: BinaryHeap<Reverse<Queued>>,
    count: u64,
    pub(crate) chance: Chance,
    pub(crate) broker: Broker,
    /// Between coordinator and broker, both ways.
    up: Line,
    down: Line,
    pub(crate) workers: Vec<Worker>,
    pub(crate) coordinator: Coordinator,
    pub(crate) tally: Tally,
    /// Chunks whose holder went, by their number in the stream: when, and whether it died.
    pub(crate) gone: BTreeMap<u64, (Duration, bool)>,
    chunk_bytes: usize,
    /// Chunks that were given to somebody.
    pub(crate) delivered: u64,
}

/// Plays a cell.
pub(crate) fn simulate(cell: &Cell) -> Result<Tally, Error> {
    let split = cell.split()?;
    let run: RunId = "0123456789abcdef".parse().map_err(Error::fault)?;
    let line = Line::new(cell.rtt, cell.loss);
    let count = cell.slots.div_ceil(cell.worker_slots);
    let worker = || Worker::new(cell.worker_slots, cell.design.batches, &line);
    let own = Line::new(cell.coordinator_rtt, 0.0);
    let last = Chunk { first: split.total(), pairs: split.each().get(), round: 0 };
    let mut fleet = Fleet {
        cell,
        run,
        now: Duration::ZERO,
        queue: BinaryHeap::new(),
        count: 0,
        chance: Chance::new(cell.seed),
        broker: Broker::default(),
        up: own.clone(),
        down: own,
        workers: (0..count).map(|_| worker()).collect(),
        coordinator: Coordinator::new(split, Duration::from_secs_f64(cell.pair_s)),
        tally: Tally::default(),
        gone: BTreeMap::new(),
        chunk_bytes: encode(&ChunkMessage::new(run, last))?.len(),
        delivered: 0,
    };
    fleet.play();
    Ok(fleet.tally)
}

impl Fleet<'_> {
    fn play(&mut self) {
        let work = self.cell.pairs as f64 * self.cell.pair_s / self.cell.slots as f64;
        let latest = Duration::from_secs_f64(2.0 * work) + STUCK_AFTER;
        (0..self.workers.len()).for_each(|worker| self.join(worker));
        self.at(Duration::ZERO, Event::Looks);
        self.next_death();
        self.next_leave();
        self.turn();
        while let Some(Reverse(Queued { at, event, .. })) = self.queue.pop() {
            self.now = at;
            self.happens(event);
            if self.is_over() || at > latest {
                break;
            }
        }
        self.finish();
    }

    fn happens(&mut self, event: Event) {
        match event {
            Event::Request(by, request) => self.requested(by, request),
            Event::Order(order) => self.ordered(order),
            Event::Told(to, told) => {
                if self.is_current(to) {
                    self.told(to, told);
                }
            }
            Event::Heard(heard) => self.heard(heard),
            Event::GameEnded(by, game) if self.is_current(by) => self.game_ended(by.worker, game),
            Event::BeatDue(by) if self.is_current(by) => self.beat_due(by),
            Event::BatchDue(by) if self.is_current(by) => self.batch_due(by.worker),
            Event::QuestionOver(by, question) if self.is_current(by) => {
                self.question_over(by.worker, question);
            }
            Event::GameEnded(..) | Event::BeatDue(_) | Event::BatchDue(_) => {}
            Event::QuestionOver(..) => {}
            Event::PullOver(by) => {
                if self.broker.expire(by, self.now) {
                    self.tell(by, Told::NoChunk, SMALL);
                }
            }
            Event::AckWait(number) => {
                match self.broker.look(number, self.now) {
                    Some(again) => self.at(again, Event::AckWait(number)),
                    None => self.deliver(),
                };
            }
            Event::Looks => self.looks(),
            Event::Refereed => self.refereed(),
            Event::Death => self.death(),
            Event::Leave => self.leave(),
            Event::Join(worker) => self.join(worker),
        }
    }

    /// Whether a process is still that of its worker.
    pub(crate) fn is_current(&self, process: Process) -> bool {
        let worker = &self.workers[process.worker];
        worker.is_alive && worker.epoch == process.epoch
    }

    pub(crate) fn at(&mut self, at: Duration, event: Event) {
        self.count += 1;
        self.queue.push(Reverse(Queued { at, number: self.count, event }));
    }

    pub(crate) fn after(&mut self, wait: Duration, event: Event) {
        self.at(self.now + wait, event);
    }

    /// A worker asks the broker.
    pub(crate) fn request(&mut self, worker: usize, request: Request) {
        let bytes = match &request {
            Request::Results(pairs, _) => pairs.len() * PAIR_BYTES,
            Request::Beat(beat) => beat_bytes(beat),
            Request::Nak(_) | Request::Progress(_) | Request::Ack(_) => 0,
            Request::Pull | Request::Need(..) => SMALL,
        };
        let process = self.workers[worker].process(worker);
        let at = self.workers[worker].up.arrives(bytes, self.now, &mut self.chance);
        self.at(at, Event::Request(process, request));
    }

    /// The broker tells a worker.
    pub(crate) fn tell(&mut self, to: Process, told: Told, bytes: usize) {
        let at = self.workers[to.worker].down.arrives(bytes, self.now, &mut self.chance);
        self.at(at, Event::Told(to, told));
    }

    /// The coordinator asks the broker.
    pub(crate) fn order(&mut self, order: Order) {
        let bytes = match &order {
            Order::Publish(_) => self.chunk_bytes,
            Order::Look(_) | Order::Ask | Order::Answer(..) => SMALL,
            Order::Stop => CARD,
        };
        let at = self.up.arrives(bytes, self.now, &mut self.chance);
        self.at(at, Event::Order(order));
    }

    /// The broker tells the coordinator.
    fn hear(&mut self, heard: Heard, bytes: usize) {
        let at = self.down.arrives(bytes, self.now, &mut self.chance);
        self.at(at, Event::Heard(heard));
    }

    fn requested(&mut self, by: Process, request: Request) {
        match request {
            Request::Pull => {
                self.broker.pull(by, self.now);
                self.after(PULL_WITHIN, Event::PullOver(by));
                self.deliver();
            }
            Request::Results(pairs, sender) => {
                let bytes = pairs.len() * PAIR_BYTES;
                let results = Results { by, pairs, stored: self.now };
                self.hear(Heard::Results(Rc::new(results)), bytes);
                self.tell(by, Told::Stored(sender), SMALL);
            }
            Request::Ack(number) => {
                self.broker.ack(number);
                self.gone.remove(&number);
            }
            Request::Nak(number) => {
                self.broker.nak(number);
                self.deliver();
            }
            Request::Progress(number) => self.broker.progress(number, self.now),
            Request::Beat(beat) => {
                let bytes = beat_bytes(&beat);
                self.hear(Heard::Beat(by, beat), bytes);
            }
            Request::Need(chunk, question) => self.hear(Heard::Need(by, chunk, question), SMALL),
        }
    }

    fn ordered(&mut self, order: Order) {
        match order {
            Order::Publish(chunk) => {
                self.broker.publish(chunk);
                self.hear(Heard::Done, SMALL);
                self.deliver();
            }
            Order::Look(from) => {
                let next = self.broker.next(from).map(|(number, chunk)| (number, chunk.first));
                self.hear(Heard::Looked(next), self.chunk_bytes);
            }
            // A worker's card, or how far the run is.
            Order::Ask => self.hear(Heard::Asked, 8 * SMALL),
            Order::Answer(to, pairs, question) => {
                self.tell(to, Told::Missing(pairs, question), SMALL);
            }
            Order::Stop => {
                self.broker.purge();
                for worker in 0..self.workers.len() {
                    let to = self.workers[worker].process(worker);
                    self.tell(to, Told::Stop, CARD);
                }
            }
        }
    }

    /// Chunks go to those who wait.
    fn deliver(&mut self) {
        while let Some(delivery) = self.broker.deliver(self.now) {
            self.after(crate::broker::ACK_WAIT, Event::AckWait(delivery.number));
            self.delivered += u64::from(delivery.is_first && delivery.chunk.round == 0);
            let bytes = self.chunk_bytes;
            self.tell(delivery.to, Told::Chunk(delivery), bytes);
            let is_last = self.delivered == self.coordinator.ledger.split().count();
            if is_last && self.tally.handed_out.is_none() {
                let (slot_time, busy) = self.times();
                self.tally.handed_out = Some((self.now, slot_time, busy));
            }
        }
    }

    fn times(&self) -> (Duration, Duration) {
        let so_far = (self.tally.slot_time, self.tally.busy);
        self.workers
            .iter()
            .map(|worker| worker.times(self.now))
            .fold(so_far, |sum, more| (sum.0 + more.0, sum.1 + more.1))
    }

    fn finish(&mut self) {
        let (slot_time, busy) = self.times();
        let lines = self.workers.iter().map(|worker| worker.up.bytes + worker.down.bytes);
        let ledger = &mut self.coordinator.ledger;
        self.tally = Tally {
            slot_time,
            busy,
            ended: ledger.is_exhausted().then_some(self.now),
            poisoned: ledger.poisoned().count() as u64,
            recorded_pairs: ledger.finished(),
            redrawn_by_code: ledger.redrawn(),
            worker_bytes: lines.sum(),
            coordinator_bytes: self.up.bytes + self.down.bytes,
            ..self.tally.clone()
        };
    }
}

fn beat_bytes(beat: &Beat) -> usize {
    BEAT_BYTES + beat.chunks.len() * HELD_BYTES + beat.playing.len() * PLAYING_BYTES
}
