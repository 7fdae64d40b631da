//! Threads that help a search ("lazy SMP"): each searches the same moves with a memory of its own, and what it
//! finds the others find in the hash table.
//!
//! The leader is the thread that was asked to search: the result is its own.

use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::super::statistics::{NoStatistics, SearchStatistics, Statistics};
use super::super::team::Seat;
use super::super::worker::Worker;
use super::super::{Buffers, HashTable, Heuristics, Limits, Setup};
use super::moves::RootMove;
use crate::position::Position;

/// The threads that help one engine. They live as long as it does and sleep between searches.
#[derive(Debug, Default)]
pub(crate) struct Helpers(Vec<Helper>);

impl Helpers {
    /// So many threads, or as many as the system has, each with so many bytes for evaluations.
    pub(crate) fn start(count: usize, evaluations: usize) -> Helpers {
        Helpers((0..count).map_while(|_| Helper::start(evaluations)).collect())
    }

    /// How many there are.
    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    /// They forget what they have learned.
    pub(crate) fn forget(&self) {
        for helper in &self.0 {
            helper.order(Order::Forget);
        }
    }
}

#[derive(Debug)]
struct Helper {
    orders: Sender<Order>,
    thread: Option<JoinHandle<()>>,
}

/// What a helper is told; it obeys in turn.
enum Order {
    Forget,
    Help(Box<Task>),
    End,
}

impl Helper {
    /// `None` if the system has no more threads.
    fn start(evaluations: usize) -> Option<Helper> {
        let (orders, inbox) = mpsc::channel();
        let thread = thread::Builder::new().name("helper".to_owned());
        let thread = thread.spawn(move || work(&inbox, evaluations)).ok()?;
        Some(Helper { orders, thread: Some(thread) })
    }

    fn order(&self, order: Order) {
        // A thread that has failed helps no more: the search goes on without it.
        let _ = self.orders.send(order);
    }
}

impl Drop for Helper {
    fn drop(&mut self) {
        self.order(Order::End);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(inbox: &Receiver<Order>, evaluations: usize) {
    let (mut heuristics, mut buffers) = (Heuristics::new(), Buffers::new(evaluations));
    while let Ok(order) = inbox.recv() {
        match order {
            Order::Forget => {
                heuristics.clear();
                buffers.clear();
            }
            Order::Help(task) => task.help(&mut heuristics, &mut buffers),
            Order::End => return,
        }
    }
}

/// One search.
struct Task {
    setup: Arc<Setup>,
    hash: Arc<HashTable>,
    /// With the leader's square table.
    position: Position,
    /// What the leader searches.
    moves: Vec<RootMove>,
    limits: Limits,
    /// Of the tablebases, as the leader asks them.
    table_men: u32,
    seat: Seat,
    /// The leader's searches are counted (TST-09).
    counted: bool,
    done: Sender<SearchStatistics>,
}

impl Task {
    fn help(self, heuristics: &mut Heuristics, buffers: &mut Buffers) {
        let mut statistics = SearchStatistics::default();
        if self.counted {
            self.search(heuristics, buffers, &mut statistics);
        } else {
            self.search(heuristics, buffers, &mut NoStatistics);
        }
        let done = self.done.clone();
        // Once the leader hears that this is done, nobody else has the hash table.
        drop(self);
        let _ = done.send(statistics);
    }

    fn search(
        &self,
        heuristics: &mut Heuristics,
        buffers: &mut Buffers,
        statistics: &mut impl Statistics,
    ) {
        let Task { setup, hash, position, moves, limits, table_men, seat, .. } = self;
        let memory = (&**hash, heuristics, buffers);
        let mut worker = Worker::at(setup, position.clone(), memory, limits, seat, statistics);
        worker.table_men = *table_men;
        worker.help(seat, moves.clone());
    }
}

/// What the leader needs to have its helpers search: see [`Worker::with_crew`].
#[derive(Clone, Copy)]
pub(crate) struct Crew<'a> {
    pub(crate) helpers: &'a Helpers,
    pub(crate) setup: &'a Arc<Setup>,
    pub(crate) hash: &'a Arc<HashTable>,
}

/// Helpers at work; they are stopped when it is dropped.
pub(super) struct AtWork {
    leader: Seat,
    /// It closes when the last of them has told its end, or has failed.
    ends: Receiver<SearchStatistics>,
}

impl Drop for AtWork {
    fn drop(&mut self) {
        self.leader.stop_all();
    }
}

impl<S: Statistics> Worker<'_, S> {
    /// Has the helpers, if there are any, search the moves too. The leader goes on with its own search and calls
    /// [`Worker::dismiss`] at its end.
    pub(super) fn call_helpers(&mut self, moves: &[RootMove]) -> Option<AtWork> {
        let alone = self.limits.strength.is_some();
        let crew = self.crew.filter(|crew| !alone && crew.helpers.count() > 0);
        let Crew { helpers, setup, hash } = crew?;
        let (done, ends) = mpsc::channel();
        let Limits { nodes, depth, multipv, .. } = *self.limits;
        let mut seats = Seat::of_team(helpers.count(), nodes);
        let leader = seats.next()?;
        self.take_seat(leader.clone());
        for (helper, seat) in helpers.0.iter().zip(seats) {
            helper.order(Order::Help(Box::new(Task {
                setup: Arc::clone(setup),
                hash: Arc::clone(hash),
                position: self.position.clone(),
                moves: moves.to_vec(),
                limits: Limits { nodes, depth, multipv, ..Limits::default() },
                table_men: self.table_men,
                seat,
                counted: S::ON,
                done: done.clone(),
            })));
        }
        Some(AtWork { leader, ends })
    }

    /// Stops the helpers and waits until they have stopped.
    pub(super) fn dismiss(&mut self, helpers: Option<AtWork>) {
        let Some(AtWork { leader, ends }) = &helpers else { return };
        leader.stop_all();
        for statistics in ends {
            self.stats.join(&statistics);
        }
    }

    /// Searches the leader's moves until it is stopped.
    fn help(mut self, seat: &Seat, mut moves: Vec<RootMove>) {
        self.take_seat(seat.clone());
        self.iterations(&mut moves);
        seat.tell(self.nodes, self.tbhits);
    }

    /// Whether a helper leaves an iteration out, so that not all do the same: the first two every second one, the
    /// next four two of four, and so on.
    pub(super) fn leaves_out(&self, depth: u32) -> bool {
        let helper = self.seat.as_ref().and_then(Seat::helper);
        helper.is_some_and(|number| leaves_out(number, depth))
    }
}

fn leaves_out(helper: usize, depth: u32) -> bool {
    /// Helpers with patterns of their own: 2, 4, 6 and 8.
    const PATTERNS: usize = 20;
    let (mut length, mut phase) = (1, (helper - 1) % PATTERNS);
    while phase >= 2 * length {
        phase -= 2 * length;
        length += 1;
    }
    (depth as usize + phase) / length % 2 == 1
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use super::*;
    use crate::search::HashSize;

    /// Of nodes that stand for time (`nodestime`) those of all threads are charged; time needs no count.
    #[test]
    fn a_clock_of_nodes_is_charged_for_all_threads() {
        let (setup, hash) = (Setup::new(&Arc::default()), HashTable::new(HashSize::MIN));
        let (mut heuristics, mut buffers) = (Heuristics::new(), Buffers::new(0));
        let mut charged = |nodes_per_ms| {
            let limits = Limits { nodes_per_ms, ..Limits::default() };
            let memory = (&hash, &mut heuristics, &mut buffers);
            let start = Position::startpos();
            let mut statistics = NoStatistics;
            let mut worker = Worker::new(&setup, &start, memory, &limits, &(), &mut statistics);
            let mut seats = Seat::of_team(1, None);
            worker.take_seat(seats.next().expect("the leader's"));
            seats.next().expect("a helper's").tell(1000, 0);
            worker.nodes = 20;
            (worker.nodes_charged(), worker.nodes_of_all())
        };
        assert_eq!(charged(NonZeroU64::new(10)), (1020, 1020));
        assert_eq!(charged(None), (20, 1020));
    }

    /// Each depth is searched by half of the helpers, and each helper searches half of the depths.
    #[test]
    fn helpers_share_the_depths() {
        let pattern = |helper| (1..=8).map(|depth| leaves_out(helper, depth)).collect::<Vec<_>>();
        assert_eq!(pattern(1)[..4], [true, false, true, false]);
        assert_eq!(pattern(2)[..4], [false, true, false, true]);
        assert_eq!(pattern(3), [false, true, true, false, false, true, true, false]);
        assert_eq!(pattern(4), [true, true, false, false, true, true, false, false]);
        for depth in 1..64 {
            let out = (1..=20).filter(|&helper| leaves_out(helper, depth)).count();
            assert_eq!(out, 10, "depth {depth}");
        }
        for helper in 1..=40 {
            let out = (24..48).filter(|&depth| leaves_out(helper, depth)).count();
            assert_eq!(out, 12, "helper {helper}");
        }
    }
}
