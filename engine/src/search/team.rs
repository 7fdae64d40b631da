//! What the threads of one search share besides the hash table: the word to stop, their nodes and their
//! finds in tablebases.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::limits::Observer;

/// Nodes that a thread is granted at once where their number is limited.
const GRANT: u64 = 64;

#[derive(Debug)]
struct Team {
    stop: AtomicBool,
    /// Nodes that nobody has been granted yet, where their number is limited.
    left: AtomicU64,
    /// What each thread has counted, as it last told.
    counts: Box<[Counts]>,
}

/// In a cache line of its own, with the line that processors fetch beside it: each thread writes only
/// its own count.
#[derive(Debug, Default)]
#[repr(align(128))]
struct Counts {
    nodes: AtomicU64,
    tbhits: AtomicU64,
}

/// A thread's place in the team. The first place is the leader's: it keeps the clock, tells of the search, and
/// stops the others.
#[derive(Debug, Clone)]
pub(super) struct Seat {
    team: Arc<Team>,
    /// The leader's is 0.
    number: usize,
}

impl Seat {
    /// Seats for a leader and some helpers, who may search so many nodes together.
    pub(super) fn of_team(helpers: usize, nodes: Option<u64>) -> impl Iterator<Item = Seat> {
        let counts = (0..=helpers).map(|_| Counts::default()).collect();
        let left = AtomicU64::new(nodes.unwrap_or(u64::MAX));
        let team = Arc::new(Team { stop: AtomicBool::new(false), left, counts });
        (0..=helpers).map(move |number| Seat { team: Arc::clone(&team), number })
    }

    /// The number of a helper, from 1; `None` for the leader.
    pub(super) fn helper(&self) -> Option<usize> {
        (self.number > 0).then_some(self.number)
    }

    /// Grants some of the nodes that are left, none where all are taken.
    pub(super) fn more_nodes(&self) -> u64 {
        let take = |left: u64| Some(left.saturating_sub(GRANT));
        self.team.left.fetch_update(Relaxed, Relaxed, take).map_or(0, |before| before.min(GRANT))
    }

    /// Tells the others how many nodes this thread has searched, and how many positions it has found in
    /// tablebases.
    pub(super) fn tell(&self, nodes: u64, tbhits: u64) {
        let counts = &self.team.counts[self.number];
        counts.nodes.store(nodes, Relaxed);
        counts.tbhits.store(tbhits, Relaxed);
    }

    /// The nodes of the others, as they last told.
    pub(super) fn nodes_of_others(&self) -> u64 {
        self.sum_of_others(|counts| &counts.nodes)
    }

    /// The positions that the others have found in tablebases, as they last told.
    pub(super) fn tbhits_of_others(&self) -> u64 {
        self.sum_of_others(|counts| &counts.tbhits)
    }

    fn sum_of_others(&self, count: impl Fn(&Counts) -> &AtomicU64) -> u64 {
        let counts = self.team.counts.iter().enumerate();
        let others = counts.filter(|(number, _)| *number != self.number);
        others.map(|(_, counts)| count(counts).load(Relaxed)).sum()
    }

    /// Stops all.
    pub(super) fn stop_all(&self) {
        self.team.stop.store(true, Relaxed);
    }
}

/// A helper searches until the leader stops it.
impl Observer for Seat {
    fn stop(&self) -> bool {
        self.team.stop.load(Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nodes_granted_are_all_there_are() {
        let seats: Vec<Seat> = Seat::of_team(2, Some(2 * GRANT + 3)).collect();
        let granted = [0, 2, 1, 0, 1].map(|seat: usize| seats[seat].more_nodes());
        assert_eq!(granted, [GRANT, GRANT, 3, 0, 0]);
    }

    #[test]
    fn each_hears_of_the_others() {
        let seats: Vec<Seat> = Seat::of_team(2, None).collect();
        for (nodes, seat) in [1, 10, 100].into_iter().zip(&seats) {
            seat.tell(nodes, 2 * nodes);
        }
        let others: Vec<u64> = seats.iter().map(Seat::nodes_of_others).collect();
        assert_eq!(others, [110, 101, 11]);
        let others: Vec<u64> = seats.iter().map(Seat::tbhits_of_others).collect();
        assert_eq!(others, [220, 202, 22]);
        let helpers: Vec<Option<usize>> = seats.iter().map(Seat::helper).collect();
        assert_eq!(helpers, [None, Some(1), Some(2)]);
        assert!(!seats[1].stop());
        seats[0].stop_all();
        assert!(seats.iter().all(Observer::stop));
    }
}
