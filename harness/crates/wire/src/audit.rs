//! Audits: some chunks are played twice, by workers of two invitations or by the
//! coordinator, and compared byte for byte.
//! At node and depth limits the same game always has the same moves. Where two results differ, the
//! coordinator plays the game itself; whoever disagrees with it did not play the game.

mod course;
#[cfg(test)]
mod course_tests;

pub use course::{Audits, Found, ToPlay};

use arena::record::{GameRecord, Termination};
use sha2::{Digest as _, Sha256};

use crate::names::WorkerName;

/// Chooses the chunks that are played twice.
#[derive(Clone)]
pub struct AuditChoice {
    share: f64,
    key: [u8; 32],
}

impl AuditChoice {
    /// `share`: share of the chunks, 0 to 1. `key`: a random secret of the coordinator. Whoever
    /// knows it knows which chunks are not checked.
    pub fn new(share: f64, key: [u8; 32]) -> AuditChoice {
        AuditChoice { share, key }
    }

    /// Whether the chunk whose first pair is `first` is played twice.
    pub fn takes(&self, first: u64) -> bool {
        let hash = Sha256::new()
            .chain_update(b"audit")
            .chain_update(self.key)
            .chain_update(first.to_le_bytes())
            .finalize();
        let number = hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        // The top 53 bits: an f64 holds them exactly.
        ((number >> 11) as f64) < self.share * (1_u64 << 53) as f64
    }
}

/// Whether `second` may check the games of `first`. Two workers of one invitation do not check each
/// other.
pub fn may_check(first: &WorkerName, second: &WorkerName) -> bool {
    first.name != second.name
}

/// Hash of a game's record without its times: equal games have equal digests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameDigest([u8; 16]);

impl GameDigest {
    /// `None` if the record cannot be written as JSON. Of a player's fault, its words do not count:
    /// they may name processes and addresses. Nor does its kind: an engine that closes its pipes has
    /// crashed, but in a sandbox, which holds them open, it hangs.
    pub fn of(game: &GameRecord) -> Option<GameDigest> {
        let is_fault = game.termination.is_fault();
        let termination = match is_fault && !game.termination.is_void() {
            true => Termination::Crash,
            false => game.termination,
        };
        let detail = game.detail.clone().filter(|_| !is_fault);
        let line = GameRecord { termination, detail, ..game.clone() }.canonical_line().ok()?;
        let mut digest = [0; 16];
        digest.copy_from_slice(&Sha256::digest(line)[..16]);
        Some(GameDigest(digest))
    }
}

/// What a third play of a game, by the coordinator, says about two workers' results.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Finding {
    /// All three results are equal.
    Same,
    /// This worker did not play the game.
    Convicted(WorkerName),
    /// No two results are equal, or the workers agree against the coordinator: the engines do not
    /// repeat themselves, or the machines differ. Nobody is convicted, and audits end.
    NotRepeating,
}

/// Compares two workers' results with the coordinator's own result of the same game.
pub fn decide(
    own: GameDigest,
    (first, first_game): (&WorkerName, GameDigest),
    (second, second_game): (&WorkerName, GameDigest),
) -> Finding {
    match (own == first_game, own == second_game) {
        (true, true) => Finding::Same,
        (true, false) => Finding::Convicted(second.clone()),
        (false, true) => Finding::Convicted(first.clone()),
        (false, false) => Finding::NotRepeating,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use arena::record::{TimeRecord, sample};

    fn choice(share: f64, number: u64) -> AuditChoice {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&number.to_le_bytes());
        AuditChoice::new(share, key)
    }

    #[test]
    fn nothing_and_all() {
        for first in 0..2_000 {
            assert!(!choice(0.0, 1).takes(first));
            assert!(choice(1.0, 1).takes(first));
        }
    }

    /// An audit with share a catches a liar with m forged chunks with probability 1 − (1 − a)^m.
    #[test]
    fn the_rate_of_convictions() {
        const RUNS: u64 = 4_000;
        for (share, forged) in [(0.02, 100), (0.02, 25), (0.1, 10), (0.5, 1)] {
            let caught = (0..RUNS).filter(|run| {
                let choice = choice(share, *run);
                // Every third chunk, of 32 pairs each, is this worker's.
                (0..forged).any(|chunk| choice.takes(chunk * 96))
            });
            let rate = caught.count() as f64 / RUNS as f64;
            let expected = 1.0 - (1.0_f64 - share).powi(forged as i32);
            assert!((rate - expected).abs() < 0.02, "{share} {forged}: {rate}, {expected}");
        }
    }

    #[test]
    fn two_processes_of_one_invitation_do_not_check_each_other() {
        let name = |text: &str| text.parse::<WorkerName>().unwrap();
        assert!(!may_check(&name("alice.1"), &name("alice.2")));
        assert!(may_check(&name("alice.1"), &name("bob.1")));
    }

    fn digest(game: &GameRecord) -> GameDigest {
        GameDigest::of(game).unwrap()
    }

    #[test]
    fn the_clock_is_no_difference_and_anything_else_is() {
        let game = sample(4);
        let time = TimeRecord { started_ms: 7, moves_us: vec![9], ..TimeRecord::default() };
        assert_eq!(digest(&GameRecord { time, ..game.clone() }), digest(&game));
        let mut other = game.clone();
        other.notes[0].nodes += 1;
        assert_ne!(digest(&other), digest(&game));
        let crash = |detail: &str| GameRecord {
            termination: Termination::Crash,
            detail: Some(detail.to_owned()),
            ..game.clone()
        };
        assert_eq!(digest(&crash("process 1")), digest(&crash("process 2")));
        let hang = GameRecord { termination: Termination::Hang, ..crash("process 1") };
        assert_eq!(digest(&hang), digest(&crash("process 1")));
        assert_ne!(digest(&hang), digest(&game));
    }

    #[test]
    fn the_coordinator_decides() {
        let [alice, bob] = ["alice.1", "bob.1"].map(|name| name.parse::<WorkerName>().unwrap());
        let [a, b, c] = [0, 2, 4].map(|number| digest(&sample(number)));
        let decide = |own, first, second| super::decide(own, (&alice, first), (&bob, second));
        assert_eq!(decide(a, a, a), Finding::Same);
        assert_eq!(decide(a, b, a), Finding::Convicted(alice.clone()));
        assert_eq!(decide(a, a, b), Finding::Convicted(bob.clone()));
        assert_eq!(decide(a, b, b), Finding::NotRepeating);
        assert_eq!(decide(a, b, c), Finding::NotRepeating);
    }
}
