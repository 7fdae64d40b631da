//! The effective branching factor (TST-09, EXT-17, CLM-28): how many times more nodes each iteration
//! takes than the one before.

use std::cell::RefCell;
use std::time::Duration;

use super::limits::{IterationInfo, Observer};
use crate::types::Move;

/// Listens to a search for another observer, and notes the nodes up to the end of each iteration.
pub(crate) struct Branching<'a> {
    observer: &'a dyn Observer,
    /// Depth and nodes.
    ends: RefCell<Vec<(u32, u64)>>,
}

impl<'a> Branching<'a> {
    pub(crate) fn new(observer: &'a dyn Observer) -> Branching<'a> {
        Branching { observer, ends: RefCell::default() }
    }

    /// The factor on the geometric mean over the iterations from the third on; `None` when there are
    /// too few, or one of them took no nodes.
    pub(crate) fn factor(&self) -> Option<f64> {
        let ends = self.ends.borrow();
        let nodes: Vec<u64> =
            ends.windows(2).map(|pair| pair[1].1.saturating_sub(pair[0].1)).skip(1).collect();
        let (first, last) = (*nodes.first()?, *nodes.last()?);
        let steps = nodes.len().checked_sub(1).filter(|&steps| steps > 0)?;
        let measurable = first > 0 && last > 0;
        measurable.then(|| (last as f64 / first as f64).powf(1.0 / steps as f64))
    }
}

impl Observer for Branching<'_> {
    fn stop(&self) -> bool {
        self.observer.stop()
    }

    fn pondering(&self) -> bool {
        self.observer.pondering()
    }

    fn iteration(&self, info: &IterationInfo<'_>) {
        let mut ends = self.ends.borrow_mut();
        match ends.last_mut() {
            Some(last) if last.0 == info.depth => last.1 = info.nodes,
            _ => ends.push((info.depth, info.nodes)),
        }
        self.observer.iteration(info);
    }

    fn root_fail(&self, info: &IterationInfo<'_>) {
        self.observer.root_fail(info);
    }

    fn root_move(&self, mv: Move, number: usize, time: Duration) {
        self.observer.root_move(mv, number, time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::tt::Bound;
    use crate::types::Value;

    fn factor(ends: &[(u32, u64)]) -> Option<f64> {
        let branching = Branching::new(&());
        for &(depth, nodes) in ends {
            branching.iteration(&IterationInfo {
                depth,
                nodes,
                seldepth: depth,
                multipv: 1,
                score: Value::ZERO,
                bound: Bound::Exact,
                time: Duration::ZERO,
                hashfull: 0,
                tbhits: 0,
                pv: &[],
            });
        }
        branching.factor()
    }

    /// TST-09, EXT-17: the first two iterations do not count, of several lines the last one does.
    #[test]
    fn from_the_third_iteration_on() {
        let grown = [(1, 10), (2, 30), (3, 90), (3, 130), (4, 430), (5, 1330)];
        assert!(factor(&grown).is_some_and(|factor| (factor - 3.0).abs() < 1e-9));
        assert_eq!(factor(&grown[..4]), None, "one iteration grows from nothing");
        assert_eq!(factor(&[(1, 10), (2, 30), (3, 30), (4, 430)]), None, "no nodes");
    }
}
