//! Audits: some chunks are played twice, by workers of two invitations or by the
//! coordinator, and compared byte for byte.
//! At node and depth limits the same game always has the same moves. Where two results differ, the
//! coordinator plays the game itself; whoever disagrees with it did not play the game.

mod course;
#[cfg(test)]
mod course_tests;
#[cfg(test)]
mod dispute_tests;
#[cfg(test)]
mod testing;

pub use course::{Audits, Found, ToPlay};

use arena::record::{GameRecord, Termination};
use sha2::{Digest as _, Sha256};

use crate::names::WorkerName;

/// Of the pairs that another worker has confirmed, the share that the coordinator plays, too: two that
/// conspire could confirm each other.
const LOOKED_AT: f64 = 0.125;

/// Chooses the chunks that are played twice.
#[derive(Clone)]
pub struct AuditChoice {
    share: f64,
    key: [u8; 32],
}

impl AuditChoice {
    /// `share`: share of the chunks, 0 to 1. `key`: a random secret of the coordinator. Whoever
    /// knows it knows which chunks and pairs are not checked.
    pub fn new(share: f64, key: [u8; 32]) -> AuditChoice {
        AuditChoice { share, key }
    }

    /// Whether the chunk whose first pair is `first` is played twice.
    pub fn takes(&self, first: u64) -> bool {
        self.draws(b"audit", first, self.share)
    }

    /// Whether the coordinator plays this pair though another worker has confirmed it.
    pub fn looks_at(&self, pair: u64) -> bool {
        self.draws(b"looked at", pair, LOOKED_AT)
    }

    fn draws(&self, what: &[u8], number: u64, share: f64) -> bool {
        let hash = Sha256::new()
            .chain_update(what)
            .chain_update(self.key)
            .chain_update(number.to_le_bytes())
            .finalize();
        let number = hash.iter().take(8).fold(0, |number, byte| number << 8 | u64::from(*byte));
        // The top 53 bits: an f64 holds them exactly.
        ((number >> 11) as f64) < share * (1_u64 << 53) as f64
    }
}

/// Whether `second` may check the games of `first`. Two workers of one invitation do not check each
/// other.
pub fn may_check(first: &WorkerName, second: &WorkerName) -> bool {
    first.name != second.name
}

/// Hash of a game's record without its times: equal games have equal digests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct GameDigest {
    hash: [u8; 16],
    is_fault: bool,
}

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
        let mut hash = [0; 16];
        hash.copy_from_slice(&Sha256::digest(line)[..16]);
        Some(GameDigest { hash, is_fault })
    }

    /// Whether it ended by a fault or is void. That may be the machine's doing, so that it proves nothing
    /// against another result.
    pub fn is_fault(self) -> bool {
        self.is_fault
    }
}

/// What the coordinator's own play of a game says about the results of workers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Finding {
    /// The recorded game is what the players play.
    Right,
    /// It is not: whoever has sent it did not play it.
    Wrong,
    /// It ended by a fault that does not happen here. That is no proof.
    NoFault,
    /// The coordinator is to play it again: its own play ended by a fault.
    Spoilt,
    /// The coordinator is to play it again, to see whether the players repeat themselves.
    Again,
    /// The coordinator's own plays differ. Nothing can be compared.
    NotRepeating,
}

/// Compares a recorded game with the coordinator's plays of it. `other`: what another worker has sent
/// instead. `before`: the coordinator's last play but this that was no fault. Nobody is convicted by
/// one play: an engine that keeps something of one game in the next plays otherwise in a process that
/// has played before, and so does the second play here.
pub fn judge(
    recorded: GameDigest,
    other: Option<GameDigest>,
    own: GameDigest,
    before: Option<GameDigest>,
) -> Finding {
    if !own.is_fault && before.is_some_and(|before| before != own) {
        Finding::NotRepeating
    } else if own == recorded {
        let convicts = !own.is_fault && other.is_some_and(|other| other != own);
        if convicts && before.is_none() { Finding::Again } else { Finding::Right }
    } else if own.is_fault {
        Finding::Spoilt
    } else if recorded.is_fault {
        Finding::NoFault
    } else if before == Some(own) {
        Finding::Wrong
    } else {
        Finding::Again
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
        use Finding::{Again, NoFault, NotRepeating, Right, Spoilt, Wrong};
        let [a, b, c] = [0, 2, 4].map(|number| digest(&sample(number)));
        let crash = |number| GameRecord { termination: Termination::Crash, ..sample(number) };
        let [f, g] = [0, 2].map(|number| digest(&crash(number)));
        // Recorded, of another worker, the coordinator's, its last one, what follows.
        for (recorded, other, own, before, expected) in [
            (a, None, a, None, Right),
            // Before it convicts anybody, it plays the game twice.
            (a, Some(b), a, None, Again),
            (a, Some(b), a, Some(a), Right),
            (a, Some(a), a, None, Right),
            (b, Some(a), a, None, Again),
            (b, Some(a), a, Some(a), Wrong),
            (b, Some(a), a, Some(b), NotRepeating),
            (b, None, a, None, Again),
            (b, Some(b), a, None, Again),
            (b, Some(c), a, None, Again),
            (b, None, a, Some(a), Wrong),
            (b, Some(c), a, Some(a), Wrong),
            (b, Some(c), a, Some(c), NotRepeating),
            (a, None, a, Some(b), NotRepeating),
            // A fault is no proof, whosever it is.
            (a, None, f, None, Spoilt),
            (a, None, f, Some(b), Spoilt),
            (f, None, a, None, NoFault),
            (f, Some(a), a, None, NoFault),
            (f, None, g, None, Spoilt),
            (f, Some(a), f, None, Right),
        ] {
            let found = judge(recorded, other, own, before);
            assert_eq!(found, expected, "{recorded:?} {other:?} {own:?} {before:?}");
        }
    }
}
