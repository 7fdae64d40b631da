//! The unit of work: a chunk, which is consecutive pairs of one run. The split into chunks is fixed
//! when a run begins and depends on the plan alone.

use std::num::NonZeroU32;
use std::ops::Range;
use std::time::Duration;

use arena::game::{Limit, PlayerLimits, TimeControl};
use arena::plan::Plan;
use serde::{Deserialize, Serialize};

/// Most pairs in a chunk by default.
const MOST: u32 = 32;
/// Most pairs in a chunk if the user chooses the number.
pub const MOST_ASKED: u32 = 4096;
/// How long one slot should be busy with a chunk.
const WANTED: Duration = Duration::from_secs(30);
/// Nominal speed. A measured one would make the split depend on the machine.
const NODES_PER_S: f64 = 1e6;
/// Nominal moves of one player in a game of 120 plies.
const MOVES: f64 = 60.0;
/// Nominal nodes of a search to depth 0, and the factor for each further ply.
const DEPTH_NODES: f64 = 50.0;
const BRANCHING: f64 = 1.8;

/// Consecutive pairs of a run. The same pairs are handed out again with a higher round.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Chunk {
    pub first: u64,
    pub pairs: u32,
    pub round: u32,
}

impl Chunk {
    /// Numbers of its pairs.
    pub fn range(self) -> Range<u64> {
        self.first..self.first.saturating_add(u64::from(self.pairs))
    }
}

/// Nominal time of a pair on one slot, at 1 million nodes/s and 120 plies a game.
pub fn expected_pair_time(plan: &Plan) -> Duration {
    let PlayerLimits { base, test } = plan.limits();
    // Each player plays in both games.
    let seconds = 2.0 * (game_seconds(base) + game_seconds(test));
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

/// Thinking time of one player in a game, in seconds.
fn game_seconds(limit: Limit) -> f64 {
    match limit {
        Limit::Nodes(nodes) => MOVES * nodes as f64 / NODES_PER_S,
        Limit::Depth(plies) => MOVES * DEPTH_NODES * BRANCHING.powf(plies.into()) / NODES_PER_S,
        Limit::MovetimeMs(ms) => MOVES * ms as f64 / 1e3,
        Limit::Clock(TimeControl { moves, base_ms, increment_ms, nodes_per_ms }) => {
            let bases = moves.map_or(1.0, |moves| (MOVES / f64::from(moves.max(1))).max(1.0));
            let ms = bases * base_ms as f64 + MOVES * increment_ms as f64;
            // A clock that counts nodes has milliseconds of its own.
            ms / 1e3 * nodes_per_ms.map_or(1.0, |nodes| nodes.get() as f64 * 1e3 / NODES_PER_S)
        }
    }
}

/// As many pairs as take 30 s on one slot, 1 to 32.
pub fn pairs_per_chunk(plan: &Plan) -> NonZeroU32 {
    let pair = expected_pair_time(plan).as_secs_f64();
    // Rounded down. A time of 0 gives the maximum.
    let pairs = (WANTED.as_secs_f64() / pair).clamp(1.0, MOST.into()) as u32;
    NonZeroU32::MIN.saturating_add(pairs.saturating_sub(1))
}

/// The chunks of a run. All have the same size, except the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    total: u64,
    each: NonZeroU32,
}

impl Split {
    /// As many chunks as `wanted` pairs a chunk need, and as even as possible.
    pub fn new(total: u64, wanted: NonZeroU32) -> Split {
        let chunks = total.div_ceil(u64::from(wanted.get())).max(1);
        let each = u32::try_from(total.div_ceil(chunks)).unwrap_or(u32::MAX);
        Split { total, each: NonZeroU32::new(each).unwrap_or(NonZeroU32::MIN) }
    }

    /// Pairs of the run.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Pairs of each chunk except the last.
    pub fn each(&self) -> NonZeroU32 {
        self.each
    }

    /// Number of chunks.
    pub fn count(&self) -> u64 {
        self.total.div_ceil(u64::from(self.each.get()))
    }

    /// Number of the chunk with this pair.
    pub fn number_of(&self, pair: u64) -> u64 {
        pair / u64::from(self.each.get())
    }

    /// The chunk with this number, in round 0.
    pub fn at(&self, number: u64) -> Option<Chunk> {
        let each = self.each.get();
        let first = number.checked_mul(each.into()).filter(|first| *first < self.total)?;
        let pairs = u32::try_from(self.total - first).map_or(each, |rest| rest.min(each));
        Some(Chunk { first, pairs, round: 0 })
    }

    /// The chunk with this pair, in round 0; `None` beyond the end of the run.
    pub fn of_pair(&self, pair: u64) -> Option<Chunk> {
        self.at(self.number_of(pair)).filter(|_| pair < self.total)
    }

    /// The chunk's number; `None` if it is no chunk of this split.
    pub fn number(&self, first: u64, pairs: u32) -> Option<u64> {
        let chunk = self.of_pair(first)?;
        (chunk.first == first && chunk.pairs == pairs).then(|| self.number_of(first))
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU64;

    use proptest::prelude::*;
    use serde_json::Value;

    use super::*;

    fn clock(moves: Option<u32>, base_ms: u64, increment_ms: u64, nodes: u64) -> Limit {
        let nodes_per_ms = NonZeroU64::new(nodes);
        Limit::Clock(TimeControl { moves, base_ms, increment_ms, nodes_per_ms })
    }

    #[test]
    fn a_game_takes_what_its_limit_lets_it() {
        let close = |limit, expected: f64| {
            let found = game_seconds(limit);
            assert!((found - expected).abs() < 1e-9 * expected, "{limit}: {found}");
        };
        close(Limit::Nodes(20_000), 1.2);
        close(Limit::MovetimeMs(100), 6.0);
        close(clock(None, 1_000, 10, 0), 1.6);
        close(clock(Some(20), 10_000, 0, 0), 30.0);
        close(clock(Some(90), 10_000, 0, 0), 10.0);
        close(clock(None, 1_000, 0, 500), 0.5);
        assert!(game_seconds(Limit::Depth(20)) > 100.0 * game_seconds(Limit::Depth(10)));
    }

    #[test]
    fn a_chunk_keeps_a_slot_busy_for_half_a_minute() {
        let run: Value =
            serde_json::from_str(include_str!("../../../fuzz/corpus/plan/gauntlet-stockfish"))
                .unwrap();
        let pairs = |limit: Limit| {
            let mut plan = Plan { limit, ..serde_json::from_value(run["plan"].clone()).unwrap() };
            let pairs = pairs_per_chunk(&plan);
            plan.pairs *= 2;
            assert_eq!(pairs_per_chunk(&plan), pairs, "pairs of the run do not matter");
            pairs.get()
        };
        // 1+0.01 is 6.4 s a pair.
        assert_eq!(pairs(clock(None, 1_000, 10, 0)), 4);
        assert_eq!(pairs(Limit::Nodes(20_000)), 6);
        assert_eq!(pairs(Limit::Nodes(1)), 32);
        assert_eq!(pairs(Limit::MovetimeMs(0)), 32);
        assert_eq!(pairs(clock(Some(40), 60_000, 500, 0)), 1);
        assert_eq!(pairs(Limit::Depth(u32::MAX)), 1);
    }

    proptest! {
        #[test]
        fn a_split_has_every_pair_once(total in 0_u64..5_000, wanted in 1_u32..200) {
            let split = Split::new(total, NonZeroU32::new(wanted).unwrap());
            prop_assert!(split.each().get() <= wanted);
            let chunks: Vec<Chunk> = (0..split.count()).map_while(|it| split.at(it)).collect();
            prop_assert_eq!(chunks.len() as u64, split.count());
            prop_assert_eq!(split.count(), total.div_ceil(wanted.into()));
            let pairs: Vec<u64> = chunks.iter().flat_map(|chunk| chunk.range()).collect();
            prop_assert_eq!(pairs, (0..total).collect::<Vec<_>>());
            for (number, chunk) in (0..).zip(&chunks) {
                prop_assert_eq!(split.number(chunk.first, chunk.pairs), Some(number));
                prop_assert_eq!(split.number(chunk.first, chunk.pairs + 1), None);
                prop_assert!(chunk.range().all(|pair| split.of_pair(pair) == Some(*chunk)));
            }
            prop_assert_eq!(split.of_pair(total), None);
            // Even: the last chunk lacks less than one pair for each chunk.
            if let [.., last] = chunks.as_slice() {
                prop_assert!(u64::from(split.each().get() - last.pairs) < split.count());
            }
        }
    }

    #[test]
    fn a_split_of_more_pairs_than_can_be_played() {
        let split = Split::new(u64::MAX, NonZeroU32::MIN);
        assert_eq!(split.count(), u64::MAX);
        let last = Chunk { first: u64::MAX - 1, pairs: 1, round: 0 };
        assert_eq!(split.of_pair(u64::MAX - 1), Some(last));
        assert_eq!(split.of_pair(u64::MAX), None);
    }
}
