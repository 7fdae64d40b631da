//! A long sequence as a few hundred points.

/// At most so many points are kept, and of longer sequences at least half as many.
const MOST: usize = 400;

/// Keeps items at even distances, and the last one. Memory does not grow with the sequence.
#[derive(Debug)]
pub(super) struct Thinned<T> {
    items: Vec<T>,
    last: Option<T>,
    stride: u64,
    seen: u64,
}

impl<T> Default for Thinned<T> {
    fn default() -> Thinned<T> {
        Thinned { items: Vec::new(), last: None, stride: 1, seen: 0 }
    }
}

impl<T> Thinned<T> {
    pub(super) fn push(&mut self, item: T) {
        self.seen += 1;
        if !self.seen.is_multiple_of(self.stride) {
            self.last = Some(item);
            return;
        }
        self.last = None;
        self.items.push(item);
        if self.items.len() > MOST {
            // MOST is even, so this one is between two points of the new stride.
            self.last = self.items.pop();
            self.stride *= 2;
            let mut odd = false;
            self.items.retain(|_| {
                odd = !odd;
                !odd
            });
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &T> {
        self.items.iter().chain(&self.last)
    }

    pub(super) fn last(&self) -> Option<&T> {
        self.last.as_ref().or(self.items.last())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn few_points_at_even_distances_and_the_last() {
        for length in [0_usize, 1, 2, 399, 400, 401, 402, 800, 801, 803, 12_345, 100_000] {
            let mut thinned = Thinned::default();
            (1..=length).for_each(|item| thinned.push(item));
            let kept: Vec<usize> = thinned.iter().copied().collect();
            assert_eq!(kept.last(), thinned.last());
            assert_eq!(kept.last().copied().unwrap_or(0), length);
            assert!(kept.len() <= MOST + 1, "{length}: {}", kept.len());
            assert!(kept.len() >= length.min(MOST / 2), "{length}: {}", kept.len());
            let gaps = kept.windows(2).map(|pair| pair[1] - pair[0]);
            let distance = kept.first().copied().unwrap_or(1);
            let uneven = gaps.filter(|&gap| gap != distance).count();
            assert!(uneven <= 1, "{length}: {kept:?}");
        }
    }
}
