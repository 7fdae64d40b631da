use std::num::{NonZeroU64, NonZeroUsize};

use super::*;
use crate::counts::Pentanomial;

const TERMS: CulpritTerms = CulpritTerms { alpha: 0.05, least_elo: 5.0, drift: Some(0.0) };

/// Searches where versions from `culprit` on lose every pair by half a point, and versions before it
/// draw; `passed` versions cannot play.
fn exact(
    changes: usize,
    culprit: usize,
    passed: &[usize],
    drift: Option<f64>,
) -> (NextStep, usize) {
    let mut search = CulpritSearch::new(changes, CulpritTerms { drift, ..TERMS });
    let mut played = Vec::new();
    for _ in 0..1000 {
        match search.next() {
            NextStep::Play { version, .. } if passed.contains(&version) => {
                search.pass_over(version)
            }
            NextStep::Play { version, pairs } => {
                played.push(version);
                (0..pairs).for_each(|_| search.add(version, if version < culprit { 2 } else { 1 }));
            }
            ended => {
                played.sort_unstable();
                played.dedup();
                return (ended, played.len());
            }
        }
    }
    panic!("no end");
}

#[test]
fn a_clear_loss_is_found_in_few_versions() {
    for drift in [Some(0.0), Some(1.0), None] {
        for culprit in [1, 2, 17, 63, 64] {
            let (ended, played) = exact(64, culprit, &[], drift);
            assert_eq!(ended, NextStep::Found(culprit..=culprit));
            assert!(played <= 12, "{played} versions");
        }
        assert_eq!(exact(1, 1, &[], drift).0, NextStep::Found(1..=1));
        assert_eq!(exact(64, 65, &[], drift).0, NextStep::NoLoss);
    }
}

/// What cannot play leaves several changes that nothing tells apart.
#[test]
fn versions_that_cannot_play_make_a_range() {
    assert_eq!(exact(16, 9, &[8, 9], Some(0.0)).0, NextStep::Found(8..=10));
    assert_eq!(exact(16, 10, &[8, 9], Some(0.0)).0, NextStep::Found(8..=10));
    assert_eq!(exact(16, 11, &[8, 9], Some(0.0)).0, NextStep::Found(11..=11));
    let all: Vec<usize> = (1..16).collect();
    assert_eq!(exact(16, 3, &all, Some(0.0)).0, NextStep::Found(1..=16));
}

/// Between versions that are the same nothing can have been lost.
#[test]
fn same_versions_are_no_candidates() {
    let mut search = CulpritSearch::new(8, TERMS);
    search.same(2, 7);
    let posterior = search.posterior();
    let ninth = 1.0 / 4.0;
    assert_eq!(posterior.changes, [ninth, ninth, 0.0, 0.0, 0.0, 0.0, 0.0, ninth]);
    assert!(!search.is_candidate(5) && search.is_candidate(8));
    search.same(0, 8);
    assert_eq!(search.next(), NextStep::NoLoss);
}

/// By hand: one version of three, 100 pairs.
#[test]
fn the_posterior_follows_from_the_likelihoods() {
    let mut search = CulpritSearch::new(3, TERMS);
    for half_points in [0, 1, 2, 3, 4].into_iter().cycle().take(100) {
        search.add(2, half_points);
    }
    // Mean 0: the evidence for a loss before it is below 1, the other changes are as likely as none.
    let posterior = search.posterior();
    let [first, second, third] = posterior.changes[..] else { panic!("three") };
    assert!((first - second).abs() < 1e-12 && (third - posterior.none).abs() < 1e-12);
    assert!(first < third && posterior.up_to(3) + posterior.none > 1.0 - 1e-12);
    let variance = (100.0 * 0.125 + 8.0 * 0.06875) / 108.0;
    let size = |at: f64| 5.0 * 0.7 * ((40.0_f64 / 0.7).ln() / 31.0 * at).exp();
    let likelihood = |elo: f64| {
        let lead = 0.5 - crate::score_of_elo(-elo);
        (-lead * lead * 100.0 / (2.0 * variance)).exp()
    };
    let mean = (0..32).map(|at| likelihood(size(f64::from(at)))).sum::<f64>() / 32.0;
    assert!((first / third - mean).abs() < 1e-9, "{first} {third} {mean}");
}

#[test]
fn where_nothing_can_play_it_says_so() {
    let mut search = CulpritSearch::new(4, TERMS);
    (1..=4).for_each(|version| search.exhaust(version));
    assert_eq!(search.next(), NextStep::Stuck);
}

fn truth(loss: f64) -> CulpritTruth {
    let shape = Pentanomial::from([10, 15, 50, 15, 10]);
    CulpritTruth { changes: NonZeroUsize::new(32).unwrap(), loss, drift: 0.0, shape }
}

/// At most one in twenty is wrong; 120 searches have more than 12 wrong by a chance of 0.8 %.
#[test]
fn errors_are_rare_and_pairs_few() {
    let searches = NonZeroU64::new(120).unwrap();
    let threads = NonZeroUsize::new(2).unwrap();
    // As the command has it where nothing is said of other changes.
    let terms = CulpritTerms { drift: Some(CulpritTerms::little_drift(5.0)), ..TERMS };
    let found = simulate(terms, &truth(40.0), searches, 100_000, 3, threads).unwrap();
    assert!(found.wrong + found.no_loss + found.undecided <= 0.1, "{found:?}");
    let alone = simulate(terms, &truth(40.0), searches, 100_000, 3, NonZeroUsize::MIN).unwrap();
    assert_eq!(found, alone);
    let terms =
        HalvingTerms { rule: "los=95".parse().unwrap(), pairs: NonZeroU64::new(450).unwrap() };
    let halved = halve(terms, &truth(40.0), searches, 3, threads).unwrap();
    assert!(halved.wrong > found.wrong && halved.pairs > found.pairs, "{halved:?} {found:?}");
}

#[test]
fn without_a_loss_none_is_found() {
    let searches = NonZeroU64::new(40).unwrap();
    let found = simulate(TERMS, &truth(0.0), searches, 1_000_000, 5, NonZeroUsize::MIN).unwrap();
    assert!(found.no_loss >= 0.85, "{found:?}");
}

/// Where each of the other changes does something of its own, the results tell how much.
#[test]
fn the_walk_of_the_other_changes_is_learned() {
    let searches = NonZeroU64::new(60).unwrap();
    let threads = NonZeroUsize::new(2).unwrap();
    let truth = CulpritTruth { drift: 2.0, ..truth(20.0) };
    let errors = |drift| {
        let terms = CulpritTerms { drift, ..TERMS };
        let found = simulate(terms, &truth, searches, 200_000, 7, threads).unwrap();
        found.wrong + found.no_loss
    };
    let (learned, unaware) = (errors(None), errors(Some(0.15)));
    assert!(learned <= 0.15 && unaware > learned + 0.05, "{learned} {unaware}");
    // Of versions that stray from each other a walk is likelier than a loss.
    let mut search = CulpritSearch::new(64, CulpritTerms { drift: None, ..TERMS });
    let before = search.posterior().drift;
    for (version, wins) in [(8, 540), (16, 500), (24, 550), (32, 510), (40, 560), (48, 520)] {
        for pair in 0..1000 {
            let half_points = if pair < wins { 3 } else { 1 };
            search.add(version, half_points);
        }
    }
    assert!(search.posterior().drift > before, "{:?}", search.posterior());
}
