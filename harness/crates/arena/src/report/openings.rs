//! Results by opening.

use std::collections::BTreeMap;

/// An opening's pairs that do not repeat others.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct OpeningScore {
    /// In the book.
    pub(super) index: usize,
    /// FEN and the book's moves.
    pub(super) start: String,
    pub(super) pairs: u64,
    /// Test's, 0 to 4 a pair.
    pub(super) half_points: u64,
}

impl OpeningScore {
    /// Test's half points above one half of all.
    pub(super) fn lead(&self) -> i64 {
        (self.half_points as i64).saturating_sub_unsigned(2 * self.pairs)
    }
}

#[derive(Debug, Default)]
pub(super) struct OpeningResults {
    by_index: BTreeMap<usize, OpeningScore>,
    white: [u64; 5],
}

impl OpeningResults {
    /// Test's half points and White's, 0 to 4 a pair.
    pub(super) fn add(&mut self, index: usize, start: String, half_points: u8, white: u8) {
        let new = || OpeningScore { index, start, pairs: 0, half_points: 0 };
        let opening = self.by_index.entry(index).or_insert_with(new);
        opening.pairs += 1;
        opening.half_points += u64::from(half_points);
        if let Some(count) = self.white.get_mut(usize::from(white)) {
            *count += 1;
        }
    }

    /// By White's score 0, ½, 1, 1½, 2.
    pub(super) fn white(&self) -> [u64; 5] {
        self.white
    }

    pub(super) fn len(&self) -> usize {
        self.by_index.len()
    }

    /// Whether an opening had more than one pair.
    pub(super) fn any_again(&self) -> bool {
        self.by_index.values().any(|opening| opening.pairs > 1)
    }

    /// By test's mean score, in `bins` steps from 0 to 1.
    pub(super) fn by_score(&self, bins: usize) -> Vec<u64> {
        let mut counts = vec![0; bins];
        for OpeningScore { pairs, half_points, .. } in self.by_index.values() {
            let bin = *half_points as u128 * bins as u128 / (4 * u128::from(*pairs)).max(1);
            if let Some(count) = counts.get_mut((bin as usize).min(bins.saturating_sub(1))) {
                *count += 1;
            }
        }
        counts
    }

    /// By test's lead, the best first, of equals the lower index; of more than twice `most` only so
    /// many at either end.
    pub(super) fn extremes(&self, most: usize) -> Vec<&OpeningScore> {
        let mut all: Vec<&OpeningScore> = self.by_index.values().collect();
        all.sort_by_key(|opening| (-opening.lead(), opening.index));
        if all.len() > 2 * most {
            all.drain(most..all.len() - most);
        }
        all
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_furthest_first() {
        let mut openings = OpeningResults::default();
        for (index, half_points) in
            [(4, 4), (1, 4), (7, 0), (3, 2), (1, 3), (4, 2), (9, 1), (7, 1), (8, 3)]
        {
            openings.add(index, String::new(), half_points, 2);
        }
        let index = |most| openings.extremes(most).iter().map(|it| it.index).collect::<Vec<_>>();
        assert_eq!(index(3), [1, 4, 8, 3, 9, 7]);
        assert_eq!(index(2), [1, 4, 9, 7]);
        assert!(openings.any_again());
        assert_eq!(openings.len(), 6);
        assert_eq!(openings.white(), [0, 0, 9, 0, 0]);
        // Means 7/8, 2/4, 6/8, 1/8, 3/4, 1/4.
        assert_eq!(openings.by_score(4), [1, 1, 1, 3]);
        assert_eq!(openings.by_score(1), [6]);
    }
}
