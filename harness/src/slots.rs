//! The processors of a match, handed to the game that is due.
//!
//! A slot is the right to keep one processor busy. Two kinds of work wait for slots: whole jobs
//! that search threads carry on (a game between embedded engines, ply by ply, see
//! [`Slots::turn`]), and permits for tasks whose player thinks elsewhere (an external process).
//! Both wait in one queue, so that a match of both kinds keeps its order.

use std::{
    collections::{BinaryHeap, VecDeque},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
};

use tokio::sync::oneshot;

/// Who is due when several wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The lowest game number: early games end first, and little is wasted when a verdict falls.
    LowestFirst,
    /// Who has waited longest: all games in flight advance together.
    Fair,
}

/// The slots of a match; `J` is a job that a search thread carries on.
pub struct Slots<J> {
    state: Mutex<State<J>>,
    /// Rung when a job was granted a slot and needs a thread.
    granted: Condvar,
    order: Order,
}

struct State<J> {
    free: usize,
    waiting: BinaryHeap<Waiting<J>>,
    /// Jobs that have their slot and wait for a thread to take them up.
    ready: VecDeque<Turn<J>>,
    arrivals: u64,
    closed: bool,
}

struct Waiting<J> {
    /// Lowest first: game number or arrival, by the order of the match.
    due: (u64, u64),
    game: u64,
    work: Work<J>,
}

enum Work<J> {
    Job(J),
    Permit(oneshot::Sender<Permit<J>>),
}

impl<J> PartialEq for Waiting<J> {
    fn eq(&self, other: &Self) -> bool {
        self.due == other.due
    }
}
impl<J> Eq for Waiting<J> {}
impl<J> PartialOrd for Waiting<J> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<J> Ord for Waiting<J> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.due.cmp(&self.due) // reversed: BinaryHeap gives the greatest first
    }
}

/// A job that holds a slot. Give it back with [`Slots::turn`] or [`Slots::done`].
#[must_use = "a turn holds a slot until it is given back"]
pub struct Turn<J> {
    /// The number of the game.
    pub game: u64,
    /// The job.
    pub job: J,
}

/// A slot held by a task; dropped, it goes to who is due next.
pub struct Permit<J> {
    slots: Option<Arc<Slots<J>>>,
}

impl<J> Drop for Permit<J> {
    fn drop(&mut self) {
        if let Some(slots) = self.slots.take() {
            let mut state = slots.lock();
            state.free += 1;
            slots.hand_out(&mut state);
        }
    }
}

impl<J> Slots<J> {
    /// `count` slots, handed out in `order`.
    #[must_use]
    pub fn new(count: usize, order: Order) -> Arc<Slots<J>> {
        Arc::new(Slots {
            state: Mutex::new(State {
                free: count,
                waiting: BinaryHeap::new(),
                ready: VecDeque::new(),
                arrivals: 0,
                closed: false,
            }),
            granted: Condvar::new(),
            order,
        })
    }

    /// Queues a job of `game` for a search thread.
    pub fn submit(self: &Arc<Self>, game: u64, job: J) {
        let mut state = self.lock();
        self.enqueue(&mut state, game, Work::Job(job));
        self.hand_out(&mut state);
    }

    /// Waits for a slot for `game`. Dropping the future leaves the queue.
    pub async fn acquire(self: &Arc<Self>, game: u64) -> Permit<J> {
        let permit = {
            let mut state = self.lock();
            let (sender, receiver) = oneshot::channel();
            self.enqueue(&mut state, game, Work::Permit(sender));
            self.hand_out(&mut state);
            receiver
        };
        // The sender is dropped unsent only when the slots are closed: then nothing is limited.
        permit.await.unwrap_or(Permit { slots: None })
    }

    /// Blocks a search thread until a job is granted a slot; `None` when the slots are closed.
    pub fn wait(self: &Arc<Self>) -> Option<Turn<J>> {
        let mut state = self.lock();
        loop {
            if let Some(turn) = state.ready.pop_front() {
                return Some(turn);
            }
            if state.closed {
                return None;
            }
            state = self.granted.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// After a ply: gives the slot to whoever is due before this job, which then waits; else the
    /// job keeps it. The thread goes on with what is returned, or has to [`wait`](Self::wait).
    pub fn turn(self: &Arc<Self>, turn: Turn<J>) -> Option<Turn<J>> {
        let mut state = self.lock();
        let due = match self.order {
            Order::LowestFirst => (turn.game, 0),
            Order::Fair => (u64::MAX, 0),
        };
        if state.waiting.peek().is_none_or(|first| first.due > due) {
            return Some(turn);
        }
        self.enqueue(&mut state, turn.game, Work::Job(turn.job));
        state.free += 1;
        self.next(&mut state)
    }

    /// After a job's end: gives the slot on, as [`turn`](Self::turn) does.
    pub fn done(self: &Arc<Self>) -> Option<Turn<J>> {
        let mut state = self.lock();
        state.free += 1;
        self.next(&mut state)
    }

    /// Lets the search threads end when nothing is ready any more, and drops what waits.
    pub fn close(&self) {
        let mut state = self.lock();
        state.closed = true;
        state.waiting.clear();
        self.granted.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, State<J>> {
        // Nothing that can panic runs under the lock.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn enqueue(&self, state: &mut State<J>, game: u64, work: Work<J>) {
        if state.closed {
            return; // dropping the work tells who waits for it
        }
        state.arrivals += 1;
        let due = match self.order {
            Order::LowestFirst => (game, state.arrivals),
            Order::Fair => (state.arrivals, game),
        };
        state.waiting.push(Waiting { due, game, work });
    }

    /// Grants free slots; a job that comes first is returned to the calling thread.
    fn next(self: &Arc<Self>, state: &mut State<J>) -> Option<Turn<J>> {
        let mine = self.grant(state);
        self.hand_out(state);
        mine
    }

    /// Grants all free slots, jobs to the waiting threads.
    fn hand_out(self: &Arc<Self>, state: &mut State<J>) {
        while let Some(turn) = self.grant(state) {
            state.ready.push_back(turn);
            self.granted.notify_one();
        }
    }

    /// Grants free slots to permits, in order, until a job comes up.
    fn grant(self: &Arc<Self>, state: &mut State<J>) -> Option<Turn<J>> {
        while state.free > 0 {
            let Waiting { game, work, .. } = state.waiting.pop()?;
            match work {
                Work::Job(job) => {
                    state.free -= 1;
                    return Some(Turn { game, job });
                }
                Work::Permit(sender) => {
                    match sender.send(Permit { slots: Some(Arc::clone(self)) }) {
                        Ok(()) => state.free -= 1,
                        // The task is gone. Its permit must not come back through `drop`: the
                        // lock is held, and the slot was never taken.
                        Err(mut unused) => unused.slots = None,
                    }
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(order: Order, games: &[u64]) -> Arc<Slots<char>> {
        let slots = Slots::new(1, order);
        for &game in games {
            slots.submit(game, 'x');
        }
        slots
    }

    #[test]
    fn lowest_game_first() {
        let slots = queue(Order::LowestFirst, &[5, 3, 9, 1]);
        let mut turn = slots.wait(); // 5 came first and found the slot free
        let mut order = Vec::new();
        while let Some(Turn { game, .. }) = turn {
            order.push(game);
            turn = slots.done();
        }
        assert_eq!(order, [5, 1, 3, 9]);
    }

    #[test]
    fn a_lower_game_takes_over_and_a_higher_one_does_not() {
        let slots = queue(Order::LowestFirst, &[4, 7]);
        let four = slots.turn(slots.wait().unwrap()).unwrap();
        assert_eq!(four.game, 4);
        slots.submit(2, 'x');
        let two = slots.turn(four).unwrap();
        assert_eq!(two.game, 2);
        assert_eq!(slots.turn(two).map(|turn| turn.game), Some(2));
        assert_eq!(slots.done().map(|turn| turn.game), Some(4));
    }

    #[test]
    fn fair_goes_round() {
        let slots = queue(Order::Fair, &[8, 2, 5]);
        let mut turn = slots.wait().unwrap();
        let mut order = Vec::new();
        for _ in 0..7 {
            order.push(turn.game);
            turn = slots.turn(turn).unwrap();
        }
        assert_eq!(order, [8, 2, 5, 8, 2, 5, 8]);
    }

    #[tokio::test]
    async fn permits_and_jobs_share_the_slots() {
        let slots = queue(Order::LowestFirst, &[]);
        let permit = slots.acquire(6).await;
        slots.submit(3, 'j');
        let later = tokio::spawn({
            let slots = Arc::clone(&slots);
            async move { slots.acquire(4).await }
        });
        tokio::task::yield_now().await;
        drop(permit); // to the job: 3 is due before 4
        let job = slots.wait().unwrap();
        assert_eq!(job.game, 3);
        assert!(!later.is_finished());
        assert!(slots.done().is_none(), "the slot went to the permit");
        let permit = later.await.unwrap();
        drop(permit);
        assert_eq!(slots.lock().free, 1);
    }

    #[tokio::test]
    async fn a_task_that_went_away_costs_no_slot() {
        let slots = queue(Order::Fair, &[]);
        let permit = slots.acquire(0).await;
        let waiting = tokio::spawn({
            let slots = Arc::clone(&slots);
            async move { slots.acquire(1).await }
        });
        tokio::task::yield_now().await;
        waiting.abort();
        assert!(waiting.await.is_err());
        drop(permit);
        assert_eq!(slots.lock().free, 1);
        drop(slots.acquire(2).await);
    }

    #[test]
    fn closing_ends_the_threads() {
        let slots = queue(Order::Fair, &[]);
        let thread = std::thread::spawn({
            let slots = Arc::clone(&slots);
            move || slots.wait().is_none()
        });
        slots.close();
        assert!(thread.join().unwrap());
    }
}
