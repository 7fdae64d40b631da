//! How many faults a run may have: while it is played, and when it is judged.

use crate::record::{GameRecord, Tally, Termination};
use stats::short;

/// The share of faults counts from this many games on.
const FAULTS_FROM: u64 = 20;
/// So many games in a row that could not begin stop the run.
const STARTS_FAILED: u64 = 5;

/// Why there are too many faults, as a message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TooManyFaults(pub String);

impl TooManyFaults {
    /// Too many, if more than `limit` (0 to 1) of these games ended by faults: the result then does
    /// not show who plays better.
    pub fn of_share(faults: u64, games: u64, limit: f64) -> Option<TooManyFaults> {
        let percent = short(100.0 * limit);
        (faults as f64 > limit * games as f64).then(|| {
            TooManyFaults(format!(
                "{faults} of {games} games ended by a fault, more than --max-faults {percent}%"
            ))
        })
    }

    /// Too many, if faults make the recorded run void. `limit` is `--max-faults`, 0 to 1. An
    /// undecided run is checked only from the same number of games on as a running one.
    pub fn of_run(tally: &Tally, limit: Option<f64>, decided: bool) -> Option<TooManyFaults> {
        // Games played again count by their last attempt: no player is to blame for the earlier
        // ones.
        let faults = tally.faults.total - tally.faults.replayed;
        let games = tally.recorded_games();
        let enough = decided || games >= FAULTS_FROM || (faults == games && games >= STARTS_FAILED);
        limit.filter(|_| enough).and_then(|limit| TooManyFaults::of_share(faults, games, limit))
    }
}

/// Counts faults of this session, so that a resumed run gets a new chance.
#[derive(Debug)]
pub(super) struct FaultWatch {
    /// `--max-faults`, 0 to 1.
    pub(super) limit: Option<f64>,
    games: u64,
    faults: u64,
    starts_failed: u64,
}

impl FaultWatch {
    pub(super) fn new(limit: Option<f64>) -> FaultWatch {
        FaultWatch { limit, games: 0, faults: 0, starts_failed: 0 }
    }

    /// Counts a game; the reason to stop, if there is one.
    pub(super) fn note(&mut self, game: &GameRecord) -> Option<TooManyFaults> {
        self.games += 1;
        self.faults += u64::from(game.termination.is_fault());
        let not_started = game.termination == Termination::NotStarted;
        self.starts_failed = if not_started { self.starts_failed + 1 } else { 0 };
        let limit = self.limit?;
        let last = game.detail.as_deref().unwrap_or_default();
        if self.starts_failed >= STARTS_FAILED {
            let count = self.starts_failed;
            return Some(TooManyFaults(format!("{count} games in a row could not start; {last}")));
        }
        let found = TooManyFaults::of_share(self.faults, self.games, limit);
        found
            .filter(|_| self.games >= FAULTS_FROM)
            .map(|TooManyFaults(text)| TooManyFaults(format!("{text}; the last: {last}")))
    }
}
