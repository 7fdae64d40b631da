//! Auditing adjudications: a share of the adjudicated games is played on to its end, to see how
//! often the adjudication was wrong. The record is that of the adjudicated game all the same, so
//! an audit changes no result.

use super::adjudication::Tracker;
use super::{Adjudication, Game, GameEnd};
use crate::record::Audit;
use pgn::RandomWords;

/// The games whose adjudication is audited: a share of all, chosen by seed and number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AuditShare {
    /// The share, 0 to 1.
    pub share: f64,
    pub seed: u64,
}

impl AuditShare {
    pub fn takes(self, number: u64) -> bool {
        const PARTS: u32 = 1_000_000;
        let drawn = RandomWords::new(b"audited games v1", self.seed, number).below(PARTS);
        f64::from(drawn) < self.share * f64::from(PARTS)
    }
}

/// A game as it was adjudicated.
#[derive(Debug, Clone)]
pub(super) struct Audited {
    end: GameEnd,
    plies: usize,
    /// The length of the moves' text.
    text: usize,
    nodes: [u64; 2],
}

impl Game {
    /// Puts the adjudication aside and goes on; only the agreed length still ends the game early.
    pub(super) fn begin_audit(&mut self) {
        let Some(end) = self.end.take() else { return };
        let rules = self.tracker.rules();
        self.audited = Some(Audited {
            end,
            plies: self.moves.len(),
            text: self.moves_text.len(),
            nodes: self.nodes,
        });
        self.audit = false;
        self.tablebases = None;
        self.tracker = Tracker::new(Adjudication { draw: None, resign: None, ..rules });
    }

    /// If the game was audited: makes it the adjudicated one again, and says how it went on.
    pub(super) fn end_audit(&mut self, end: &mut GameEnd) -> Option<Audit> {
        let Audited { end: adjudicated, plies, text, nodes } = self.audited.take()?;
        let audit = Audit {
            result: end.outcome,
            termination: end.termination,
            plies: u32::try_from(self.moves.len()).unwrap_or(u32::MAX),
        };
        *end = adjudicated;
        self.moves.truncate(plies);
        self.moves_text.truncate(text);
        let played = plies.saturating_sub(self.book_plies);
        self.notes.truncate(played);
        self.details.truncate(played);
        self.times.truncate(played);
        self.nodes = nodes;
        Some(audit)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_share_is_taken_and_the_seed_decides() {
        let taken = |share, seed| {
            let share = AuditShare { share, seed };
            (0..10_000).filter(|&game| share.takes(game)).collect::<Vec<u64>>()
        };
        // Standard deviation of the count: 14.
        assert!(taken(0.02, 1).len().abs_diff(200) < 80);
        assert_eq!((taken(0.0, 1).len(), taken(1.0, 1).len()), (0, 10_000));
        assert_eq!(taken(0.02, 5), taken(0.02, 5));
        assert_ne!(taken(0.02, 5), taken(0.02, 6));
    }
}
