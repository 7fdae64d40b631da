//! The processors of a match, handed to the game that is due.
//!
//! A slot is the right to keep one processor busy, and there is one search thread for each. A
//! running game waits here as a job; a thread takes the one that is due, plays a ply of it, and
//! asks whether another is due before it ([`Slots::turn`]). While none is, the thread stays with
//! its game, and nothing crosses threads.

use process::lock;
use std::collections::BinaryHeap;
use std::sync::{Arc, Condvar, Mutex, PoisonError};

/// Who is due when several wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Order {
    /// The lowest game number: early games end first, and little is wasted when a verdict falls.
    LowestFirst,
    /// The game that has waited longest, for `FAIR_PLIES` plies: all games advance evenly.
    Fair,
}

/// Plies of a game's turn in fair order. With thousands of games at once an engine's first
/// search of a turn finds its tables outside the processor's caches, so turns must not be short.
const FAIR_PLIES: u32 = 32;

pub struct Slots<J> {
    state: Mutex<QueueState<J>>,
    /// Notified when a job is queued, and when the slots close.
    arrived: Condvar,
    order: Order,
}

struct QueueState<J> {
    waiting: BinaryHeap<WaitingTurn<J>>,
    arrivals: u64,
    closed: bool,
}

struct WaitingTurn<J> {
    /// Lowest first: game number or arrival.
    due: (u64, u64),
    turn: Turn<J>,
}

impl<J> PartialEq for WaitingTurn<J> {
    fn eq(&self, other: &Self) -> bool {
        self.due == other.due
    }
}
impl<J> Eq for WaitingTurn<J> {}
impl<J> PartialOrd for WaitingTurn<J> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}
impl<J> Ord for WaitingTurn<J> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        other.due.cmp(&self.due) // reversed: BinaryHeap gives the greatest first
    }
}

pub struct Turn<J> {
    pub game: u64,
    pub job: J,
    /// Plies since it was taken from the queue.
    held: u32,
}

impl<J> Turn<J> {
    /// Whether the turn has just begun: another game may have used the processor before.
    pub fn is_fresh(&self) -> bool {
        self.held == 0
    }
}

impl<J> Slots<J> {
    /// There are as many slots as threads that [`wait`](Self::wait).
    pub fn new(order: Order) -> Arc<Slots<J>> {
        let state = QueueState { waiting: BinaryHeap::new(), arrivals: 0, closed: false };
        Arc::new(Slots { state: Mutex::new(state), arrived: Condvar::new(), order })
    }

    /// Queues a job; drops it if the slots are closed.
    pub fn submit(&self, game: u64, job: J) {
        let mut state = lock(&self.state);
        if !state.closed {
            self.enqueue(&mut state, Turn { game, job, held: 0 });
            self.arrived.notify_one();
        }
    }

    /// Waits for the job that is due; `None` when the slots are closed.
    pub fn wait(&self) -> Option<Turn<J>> {
        let mut state = lock(&self.state);
        loop {
            if let Some(WaitingTurn { turn, .. }) = state.waiting.pop() {
                return Some(turn);
            }
            if state.closed {
                return None;
            }
            state = self.arrived.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// After a ply: the job that is due now, which is this one unless another is due before it.
    /// `None` when the slots are closed.
    pub fn turn(&self, mut turn: Turn<J>) -> Option<Turn<J>> {
        turn.held += 1;
        let mut state = lock(&self.state);
        if state.closed {
            return None;
        }
        let due = match self.order {
            Order::LowestFirst => (turn.game, 0),
            Order::Fair if turn.held < FAIR_PLIES => (0, 0),
            Order::Fair => (u64::MAX, 0),
        };
        if state.waiting.peek().is_none_or(|first| first.due > due) {
            return Some(turn);
        }
        turn.held = 0;
        self.enqueue(&mut state, turn);
        state.waiting.pop().map(|first| first.turn)
    }

    /// Ends the threads, and drops what waits.
    pub fn close(&self) {
        let mut state = lock(&self.state);
        state.closed = true;
        // Dropped outside the lock: a job may hold much.
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        drop(waiting);
        self.arrived.notify_all();
    }

    fn enqueue(&self, state: &mut QueueState<J>, turn: Turn<J>) {
        state.arrivals += 1;
        let due = match self.order {
            Order::LowestFirst => (turn.game, state.arrivals),
            Order::Fair => (state.arrivals, turn.game),
        };
        state.waiting.push(WaitingTurn { due, turn });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn queue(order: Order, games: &[u64]) -> Arc<Slots<char>> {
        let slots = Slots::new(order);
        games.iter().for_each(|&game| slots.submit(game, 'x'));
        slots
    }

    #[test]
    fn lowest_game_first() {
        let slots = queue(Order::LowestFirst, &[5, 3, 9, 1]);
        let order: Vec<u64> = (0..4).map(|_| slots.wait().unwrap().game).collect();
        assert_eq!(order, [1, 3, 5, 9]);
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
        assert_eq!(slots.wait().map(|turn| turn.game), Some(4));
    }

    #[test]
    fn fair_goes_round() {
        let slots = queue(Order::Fair, &[8, 2, 5]);
        let mut turn = slots.wait().unwrap();
        let mut order = Vec::new();
        for ply in 0..7 * FAIR_PLIES {
            if ply % FAIR_PLIES == 0 {
                order.push(turn.game);
            }
            turn = slots.turn(turn).unwrap();
        }
        assert_eq!(order, [8, 2, 5, 8, 2, 5, 8]);
    }

    #[test]
    fn closing_ends_the_threads_and_drops_the_jobs() {
        let slots: Arc<Slots<Arc<()>>> = Slots::new(Order::Fair);
        let thread = std::thread::spawn({
            let slots = Arc::clone(&slots);
            move || slots.wait().is_some() && slots.wait().is_none()
        });
        let job = Arc::new(());
        slots.submit(0, Arc::clone(&job));
        while Arc::strong_count(&job) > 1 {
            std::thread::yield_now();
        }
        slots.close();
        assert!(thread.join().unwrap());
        slots.submit(1, Arc::clone(&job));
        assert_eq!(Arc::strong_count(&job), 1);
    }
}
