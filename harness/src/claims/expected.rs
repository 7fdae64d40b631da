//! How long what is not yet run will take, by what is.

use super::{Conditions, EloClaim, MeasureKind, Speedup};
use arena::game::{Limit, TimeControl};
use arena::plan::read_limit;
use arena::record::Summary;

/// Moves of each player in a game.
const MOVES: f64 = 60.0;

/// Nodes a second of the machine where nothing was played yet: two processors.
const NODES_A_SECOND: f64 = 1e6;

/// Games at a time where a clock is asked for.
const AT_A_TIME: f64 = 2.0;

/// What matches by nodes have cost so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct NodeCost {
    nodes: f64,
    hours: f64,
}

impl NodeCost {
    pub(super) fn add(&mut self, elo: &EloClaim, conditions: &Conditions, summary: &Summary) {
        if elo.tc.is_none() && elo.depth.is_none() {
            self.nodes += summary.games as f64 * game_nodes(elo, conditions);
            self.hours += summary.details.active_s / 3_600.0;
        }
    }

    /// The hours that a match will take. One to a depth, whose nodes nobody knows, counts by nodes.
    pub(super) fn hours(&self, elo: &EloClaim, pairs: u64, conditions: &Conditions) -> f64 {
        let games = 2.0 * pairs as f64;
        if let Some(clock) = elo.clock() {
            return games * game_seconds(clock) / AT_A_TIME / 3_600.0;
        }
        let measured = (self.hours > 0.0).then(|| self.nodes / self.hours);
        games * game_nodes(elo, conditions) / measured.unwrap_or(3_600.0 * NODES_A_SECOND)
    }
}

/// What measurements of speed in one personality have cost so far.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct SpeedPace {
    seconds: f64,
    measured: u32,
}

impl SpeedPace {
    pub(super) fn add(&mut self, speedup: &Speedup) {
        self.seconds += speedup.seconds();
        self.measured += 1;
    }

    /// The hours that one more will take, to the usual depth, or one of a share, in which one
    /// player searches the positions once. `None` before the first.
    pub(super) fn hours(&self, measure: MeasureKind, conditions: &Conditions) -> Option<f64> {
        let searches = match measure {
            MeasureKind::Speed => 1.0,
            MeasureKind::Share => 1.0 / (2.0 * f64::from(conditions.rounds.max(1))),
            MeasureKind::Match | MeasureKind::More | MeasureKind::Mates | MeasureKind::Micro => {
                return None;
            }
        };
        (self.measured > 0).then(|| searches * self.seconds / f64::from(self.measured) / 3_600.0)
    }
}

impl EloClaim {
    pub(super) fn clock(&self) -> Option<TimeControl> {
        read_limit(&format!("tc={}", self.tc.as_ref()?)).ok().and_then(Limit::control)
    }
}

/// The nodes of a game's moves, both players together.
fn game_nodes(elo: &EloClaim, conditions: &Conditions) -> f64 {
    let nodes = elo.nodes.unwrap_or(conditions.nodes) as f64;
    MOVES * nodes * (1.0 + elo.odds.unwrap_or(1) as f64)
}

/// The seconds of a game of which each player uses nearly all it has.
fn game_seconds(clock: TimeControl) -> f64 {
    let controls = clock.moves.map_or(1.0, |moves| (MOVES / f64::from(moves)).max(1.0));
    let base = clock.base_ms as f64 * controls;
    2.0 * (base + MOVES * clock.increment_ms as f64) / 1_000.0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::claims::ClaimsFile;

    /// 1,000 games of 2 × (1 + 60 × 0.01) seconds, two at a time; twice the nodes on one side are
    /// half as much again.
    #[test]
    fn clocks_and_odds() {
        let mut conditions = ClaimsFile::read(None).unwrap().conditions;
        conditions.nodes = 5_000;
        let elo = |tc: Option<&str>, odds| EloClaim {
            elo: [None, None],
            depth: None,
            nodes: None,
            tc: tc.map(str::to_owned),
            odds,
            openings: None,
        };
        let hours = |elo: &EloClaim| NodeCost::default().hours(elo, 500, &conditions);
        assert!((hours(&elo(Some("1+0.01"), None)) - 1_600.0 / 3_600.0).abs() < 1e-9);
        let (even, odds) = (hours(&elo(None, None)), hours(&elo(None, Some(2))));
        assert!((even - 600.0 / 3_600.0).abs() < 1e-9 && (odds / even - 1.5).abs() < 1e-9);
    }
}
