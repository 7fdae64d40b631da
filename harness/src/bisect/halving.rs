//! Plain halving: the version in the middle plays a match, whose verdict is believed. The last one plays
//! first: without a loss there is nothing to search.

use std::ops::RangeInclusive;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HalvingStep {
    Match(usize),
    /// One of these changes.
    Found(RangeInclusive<usize>),
    /// The last version has lost nothing.
    NoLoss,
    /// The last version cannot play.
    Stuck,
}

/// The loss is in a change above `low` and up to `high`.
#[derive(Debug, Clone)]
pub(super) struct Halving {
    low: usize,
    high: usize,
    is_passed_over: Vec<bool>,
    /// Versions that are the same: neither of two is played if the other is judged.
    same: Vec<(usize, usize)>,
    last: usize,
    /// Whether the last version has lost Elo, once it has played.
    has_lost: Option<bool>,
}

impl Halving {
    pub(super) fn new(changes: usize) -> Halving {
        Halving {
            low: 0,
            high: changes,
            is_passed_over: vec![false; changes + 1],
            same: Vec::new(),
            last: changes,
            has_lost: None,
        }
    }

    pub(super) fn pass_over(&mut self, version: usize) {
        if let Some(is_passed_over) = self.is_passed_over.get_mut(version) {
            *is_passed_over = true;
        }
    }

    /// Versions `after` and `version` are the same.
    pub(super) fn same(&mut self, after: usize, version: usize) {
        self.same.push((after, version));
        self.narrow();
    }

    pub(super) fn judge(&mut self, version: usize, lost: bool) {
        if version == self.last {
            self.has_lost = Some(lost);
        }
        if version > self.low && version < self.high {
            *if lost { &mut self.high } else { &mut self.low } = version;
        }
        self.narrow();
    }

    fn narrow(&mut self) {
        for _ in 0..self.same.len() {
            for &(after, version) in &self.same {
                if after <= self.low && version > self.low && version < self.high {
                    self.low = version;
                }
                if version >= self.high && after > self.low && after < self.high {
                    self.high = after;
                }
            }
        }
    }

    pub(super) fn next(&self) -> HalvingStep {
        match self.has_lost {
            None if self.is_passed_over[self.last] => return HalvingStep::Stuck,
            None => return HalvingStep::Match(self.last),
            Some(false) => return HalvingStep::NoLoss,
            Some(true) => (),
        }
        let middle = usize::midpoint(self.low, self.high);
        let inside = (self.low + 1..self.high).filter(|version| !self.is_passed_over[*version]);
        match inside.min_by_key(|version| version.abs_diff(middle)) {
            Some(version) => HalvingStep::Match(version),
            None => HalvingStep::Found(self.low + 1..=self.high),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn halved(changes: usize, culprit: usize, passed: &[usize]) -> (HalvingStep, usize) {
        let mut halving = Halving::new(changes);
        let mut matches = 0;
        loop {
            match halving.next() {
                HalvingStep::Match(version) if passed.contains(&version) => {
                    halving.pass_over(version);
                }
                HalvingStep::Match(version) => {
                    matches += 1;
                    halving.judge(version, version >= culprit);
                }
                found => return (found, matches),
            }
        }
    }

    #[test]
    fn each_match_halves_what_is_left() {
        for culprit in 1..=64 {
            assert_eq!(halved(64, culprit, &[]), (HalvingStep::Found(culprit..=culprit), 7));
        }
        assert_eq!(halved(1, 1, &[]), (HalvingStep::Found(1..=1), 1));
        assert_eq!(halved(8, 5, &[4, 5]).0, HalvingStep::Found(4..=6));
    }

    #[test]
    fn the_last_one_plays_first() {
        assert_eq!(halved(64, 65, &[]), (HalvingStep::NoLoss, 1));
        assert_eq!(halved(8, 5, &[8]), (HalvingStep::Stuck, 0));
    }

    #[test]
    fn the_same_is_judged_once() {
        let mut halving = Halving::new(8);
        halving.same(1, 4);
        halving.same(5, 8);
        assert_eq!(halving.next(), HalvingStep::Match(8));
        halving.judge(8, true);
        assert_eq!(halving.next(), HalvingStep::Match(2));
        halving.judge(1, false);
        assert_eq!(halving.next(), HalvingStep::Found(5..=5));
    }
}
