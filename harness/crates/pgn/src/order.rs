//! Which opening the *k*-th pair of a match plays: a pure function of the plan.

use super::random::RandomWords;

/// How a match walks through its book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OrderKind {
    /// As the book has them, from the first, over and over.
    Sequential,
    /// Shuffled, each once before any comes again, with a new shuffle each time through.
    Random { seed: u64 },
}

/// The order of a book's openings: maps pair *k* to an index in the book as read.
///
/// Equal `(kind, len)` give equal orders on every machine and in every version. Memory: four
/// bytes an opening in random order, none in sequential order.
///
/// ```
/// use pgn::{OpeningOrder, OrderKind};
///
/// let mut order = OpeningOrder::new(OrderKind::Random { seed: 1 }, 3);
/// let mut once: Vec<usize> = (0..3).map(|k| order.at(k)).collect();
/// once.sort();
/// assert_eq!(once, [0, 1, 2]);
/// ```
#[derive(Debug, Clone)]
pub struct OpeningOrder {
    kind: OrderKind,
    len: u32,
    /// The shuffle of one time through the book, made when first asked for.
    epoch: Option<(u64, Vec<u32>)>,
}

impl OpeningOrder {
    /// The order of `len` openings. A length of 0 counts as 1; above `u32::MAX` (more than a
    /// [`Book`](super::Book) can hold) only the first `u32::MAX` openings come up.
    pub fn new(kind: OrderKind, len: usize) -> OpeningOrder {
        let len = u32::try_from(len).unwrap_or(u32::MAX).max(1);
        OpeningOrder { kind, len, epoch: None }
    }

    /// The index of pair `k`'s opening. Any `k` may be asked at any time; going back and forth
    /// between times through the book costs a shuffle each.
    pub fn at(&mut self, k: u64) -> usize {
        let (epoch, place) = (k / u64::from(self.len), (k % u64::from(self.len)) as usize);
        let OrderKind::Random { seed } = self.kind else { return place };
        if self.epoch.as_ref().is_none_or(|(known, _)| *known != epoch) {
            self.epoch = Some((epoch, permutation(seed, epoch, self.len)));
        }
        self.epoch.as_ref().map_or(place, |(_, shuffled)| shuffled[place] as usize)
    }
}

/// The shuffle of `0..len` for the `epoch`-th time through a book, from 0.
///
/// Fisher–Yates from the end: for *i* from `len − 1` down to 1, swap element *i* with element
/// *j*, *j* uniform in `0..=i`. The numbers come from ChaCha8 keyed by seed, epoch and the
/// text `opening order v1` (each `u64` little-endian), one or more 32-bit words a number by
/// Lemire's method. This must never change: a resumed match relies on it.
pub fn permutation(seed: u64, epoch: u64, len: u32) -> Vec<u32> {
    let mut words = RandomWords::new(b"opening order v1", seed, epoch);
    let mut shuffled: Vec<u32> = (0..len).collect();
    for i in (1..len).rev() {
        let j = words.below(i + 1);
        shuffled.swap(i as usize, j as usize);
    }
    shuffled
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequential_order_walks_and_wraps() {
        let mut order = OpeningOrder::new(OrderKind::Sequential, 3);
        assert_eq!([0, 1, 2, 3, 4, 300].map(|k| order.at(k)), [0, 1, 2, 0, 1, 0]);
    }

    #[test]
    fn every_opening_comes_once_in_each_epoch_and_epochs_differ() {
        let mut order = OpeningOrder::new(OrderKind::Random { seed: 9 }, 100);
        let mut epoch =
            |e: u64| -> Vec<usize> { (0..100).map(|i| order.at(e * 100 + i)).collect() };
        let (first, second) = (epoch(0), epoch(1));
        assert_ne!(first, second);
        for mut one in [first, second] {
            one.sort_unstable();
            assert_eq!(one, (0..100).collect::<Vec<_>>());
        }
    }

    #[test]
    fn any_pair_may_be_asked_at_any_time() {
        let walk = |ks: &mut dyn Iterator<Item = u64>| -> Vec<(u64, usize)> {
            let mut order = OpeningOrder::new(OrderKind::Random { seed: 5 }, 7);
            let mut seen: Vec<_> = ks.map(|k| (k, order.at(k))).collect();
            seen.sort_unstable();
            seen
        };
        assert_eq!(walk(&mut (0..50)), walk(&mut (0..50).rev()));
    }

    #[test]
    fn shuffles_never_change() {
        // From an independent ChaCha8 and Fisher–Yates, written after `permutation`'s comment.
        let known: [(u64, u64, &[u32]); 4] = [
            (1, 0, &[8, 3, 9, 7, 4, 2, 1, 6, 5, 0]),
            (1, 1, &[6, 9, 2, 4, 8, 5, 1, 3, 7, 0]),
            (2026, 0, &[11, 10, 6, 9, 7, 5, 8, 2, 4, 1, 0, 3]),
            (u64::MAX, 7, &[13, 4, 9, 0, 14, 10, 6, 7, 8, 2, 1, 3, 11, 5, 12, 15]),
        ];
        for (seed, epoch, shuffled) in known {
            assert_eq!(permutation(seed, epoch, shuffled.len() as u32), shuffled);
        }
        let large = permutation(1, 0, 5000);
        assert_eq!(large[..8], [3202, 1789, 920, 2387, 3871, 3012, 2440, 1559]);
        assert_eq!(large[4996..], [855, 4288, 3003, 484]);
    }

    #[test]
    fn shuffles_are_uniform() {
        // Where does element 0 of 5 go, over many epochs? Standard deviation of a count: 40.
        let mut counts = [0u32; 5];
        for epoch in 0..10_000 {
            let place = permutation(3, epoch, 5).iter().position(|&x| x == 0);
            counts[place.unwrap()] += 1;
        }
        assert!(counts.iter().all(|&n| n.abs_diff(2_000) < 200), "{counts:?}");
    }

    #[test]
    fn small_books_have_an_order_too() {
        assert!(permutation(1, 0, 0).is_empty());
        assert_eq!(permutation(1, 0, 1), [0]);
        assert_eq!(OpeningOrder::new(OrderKind::Random { seed: 1 }, 1).at(77), 0);
    }
}
