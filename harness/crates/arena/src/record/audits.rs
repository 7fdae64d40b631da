//! Audits of adjudicated games: how often the result would have been another, and what that is
//! worth in Elo.

use serde::{Deserialize, Serialize};

use super::{Audit, GameRecord, Side, Termination};
use stats::wilson;

/// Audited games among those that count.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct AuditCounts {
    /// Adjudicated games, audited or not.
    pub adjudicated: u64,
    /// Those that came to an end by the rules or by giving up.
    pub resolved: u64,
    /// Those that a fault or the agreed length ended, which says nothing.
    pub unresolved: u64,
    /// Resolved games with another result.
    pub wrong: u64,
    /// Half points that adjudication took from test, summed over the resolved games.
    pub taken: i64,
    /// Their squares, summed.
    pub squares: u64,
}

/// The audit in a summary. Shares are 0 to 1; Elo is test minus base.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct AuditSummary {
    pub adjudicated: u64,
    pub resolved: u64,
    pub unresolved: u64,
    pub wrong: u64,
    /// Absent when nothing was resolved.
    pub wrong_share: Option<f64>,
    /// At most this share is wrong, with 95 % confidence.
    pub wrong_share_most95: Option<f64>,
    /// Test's Elo if every game were played out, less what it is.
    pub elo_effect: Option<f64>,
    /// Half the width of its 95 % interval; absent when no game was wrong.
    pub elo_effect_error95: Option<f64>,
}

/// What a tally keeps of a game's adjudication.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct AuditBrief {
    adjudicated: bool,
    /// Half points that adjudication took from test; `None`: nothing is known.
    taken: Option<i64>,
    audited: bool,
}

impl AuditBrief {
    pub(super) fn of(game: &GameRecord) -> AuditBrief {
        let white = game.white == Side::Test;
        let resolved = |audit: &Audit| {
            !(audit.termination.is_fault() || audit.termination == Termination::LengthAdjudication)
        };
        let taken = game.audit.filter(resolved).map(|audit| {
            i64::from(audit.result.half_points(white)) - i64::from(game.test_half_points())
        });
        AuditBrief {
            adjudicated: game.termination.is_adjudication(),
            taken,
            audited: game.audit.is_some(),
        }
    }
}

impl AuditCounts {
    pub(super) fn add(&mut self, game: AuditBrief) {
        self.adjudicated += u64::from(game.adjudicated);
        match game.taken {
            Some(taken) => {
                self.resolved += 1;
                self.wrong += u64::from(taken != 0);
                self.taken += taken;
                self.squares += taken.unsigned_abs().pow(2);
            }
            None => self.unresolved += u64::from(game.audited),
        }
    }

    /// `games` are those that count; `score` is test's a game, 0 to 1.
    pub fn summary(&self, games: u64, score: f64) -> AuditSummary {
        let AuditCounts { adjudicated, resolved, unresolved, wrong, taken, squares } = *self;
        let n = resolved as f64;
        let known = resolved > 0;
        // The Elo that a point a game is worth at this score.
        let slope = 400.0 / (std::f64::consts::LN_10 * score * (1.0 - score));
        let scale = slope * adjudicated as f64 / games.max(1) as f64 / 2.0;
        let mean = taken as f64 / n;
        let variance = (squares as f64 / n - mean * mean).max(0.0);
        let finite = |value: f64| value.is_finite().then_some(value);
        AuditSummary {
            adjudicated,
            resolved,
            unresolved,
            wrong,
            wrong_share: known.then(|| wrong as f64 / n),
            wrong_share_most95: known.then(|| most95(wrong, resolved)),
            elo_effect: finite(mean * scale).filter(|_| known),
            elo_effect_error95: finite(1.96 * (variance / n).sqrt() * scale).filter(|_| wrong > 0),
        }
    }
}

/// The share that is exceeded with 5 % probability when `wrong` of `n` were found (Wilson's score
/// interval, one-sided; with none wrong, exactly).
fn most95(wrong: u64, n: u64) -> f64 {
    /// One-sided 5 %, in standard errors.
    const Z: f64 = 1.645;
    if wrong == 0 {
        return 1.0 - 0.05_f64.powf(1.0 / n as f64);
    }
    wilson(wrong as f64 / n as f64, n, Z).map_or(1.0, |(_, most)| most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::sample;
    use pgn::Outcome;

    fn game(termination: Termination, audit: Option<(Outcome, Termination)>) -> GameRecord {
        let audit = audit.map(|(result, termination)| Audit { result, termination, plies: 9 });
        GameRecord { termination, audit, ..sample(0) }
    }

    #[test]
    fn wrong_adjudications_are_counted() {
        use Termination::{Checkmate, Crash, DrawAdjudication, Repetition, ResignAdjudication};
        let mut counts = AuditCounts::default();
        // Test has White, and the sample is won by White.
        for (termination, audit) in [
            (Checkmate, None),
            (DrawAdjudication, None),
            (ResignAdjudication, Some((Outcome::White, Checkmate))),
            (ResignAdjudication, Some((Outcome::Draw, Repetition))),
            (ResignAdjudication, Some((Outcome::Black, Crash))),
        ] {
            counts.add(AuditBrief::of(&game(termination, audit)));
        }
        let expected = AuditCounts {
            adjudicated: 4,
            resolved: 2,
            unresolved: 1,
            wrong: 1,
            taken: -1,
            squares: 1,
        };
        assert_eq!(counts, expected);
        let summary = counts.summary(5, 0.5);
        assert_eq!(summary.wrong_share, Some(0.5));
        // Half a point of two games, on four games of five: 0.2 points a game.
        let elo = summary.elo_effect.unwrap();
        assert!((elo - -0.2 * 400.0 / (std::f64::consts::LN_10 * 0.25)).abs() < 1e-9, "{elo}");
        assert!(summary.elo_effect_error95.unwrap() > 0.0);
    }

    #[test]
    fn nothing_known_is_not_a_number() {
        let none = AuditCounts::default().summary(0, 0.0);
        assert_eq!(none, AuditSummary::default());
        let sure = AuditCounts { adjudicated: 50, resolved: 50, ..AuditCounts::default() };
        let summary = sure.summary(50, 1.0);
        assert_eq!((summary.elo_effect, summary.elo_effect_error95), (None, None));
        assert!((summary.wrong_share_most95.unwrap() - 0.058).abs() < 0.001);
        assert!((most95(5, 100) - 0.0998).abs() < 0.001);
    }
}
