//! Strength on demand: how many nodes a move, how many mistakes, and which. Pure: candidates in, a choice out.
//!
//! A mistake is the move that looks best at first glance among those that lose no more than a level may.

use crate::types::Value;

/// Moves of which some are mistakes.
const ALL: u32 = 1_000;

/// Of obvious captures that a turn for a mistake meets, one in so many is overlooked.
const OBVIOUS: u64 = 4;

/// How far first glances of equal value may differ, 1/256 pawn.
const GLANCE: u64 = 256;

/// What a mate is worth where moves are compared, 1/256 pawn: who is far ahead may miss one.
const MATE_WORTH: i32 = 20 * 256;

/// Elo from which a mate in one is always played.
const SEES_MATE_IN_ONE: u32 = 1_000;

/// What makes an Elo.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Level {
    elo: u32,
    /// Nodes a move at most.
    nodes: u64,
    /// Turns for a mistake, of a thousand moves.
    mistakes: u32,
    /// What a mistake loses at most, centipawns.
    loss: i32,
}

/// The levels by Elo. Measured: `scripts/strength.sh`, results/strength-on-demand.
const LEVELS: [Level; 11] = [
    level(800, 200, 900, 900),
    level(1000, 250, 750, 700),
    level(1200, 300, 600, 550),
    level(1400, 350, 480, 450),
    level(1600, 400, 380, 350),
    level(1800, 500, 280, 270),
    level(2000, 700, 200, 200),
    level(2200, 1_100, 130, 150),
    level(2400, 2_200, 80, 110),
    level(2600, 5_000, 40, 80),
    level(2800, 12_000, 20, 50),
];

const fn level(elo: u32, nodes: u64, mistakes: u32, loss: i32) -> Level {
    Level { elo, nodes, mistakes, loss }
}

/// A strength below the full one ([`crate::Limits::strength`]).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Strength {
    level: Level,
    seed: u64,
}

/// A root move to choose from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Candidate {
    /// By search, side to move.
    pub(super) score: Value,
    /// The static value behind the move, of the same side.
    pub(super) glance: Value,
    /// A capture that wins material: the opponent's capture taken back, or a piece that hangs.
    pub(super) obvious: bool,
}

impl Strength {
    /// The least Elo there is.
    pub const MIN_ELO: u32 = LEVELS[0].elo;
    /// The greatest that is measured.
    pub const MAX_ELO: u32 = LEVELS[LEVELS.len() - 1].elo;

    /// The strength of an Elo, brought into the range from [`Strength::MIN_ELO`] to [`Strength::MAX_ELO`].
    /// With another seed other mistakes are made, with the same the same.
    #[must_use]
    pub fn new(elo: u32, seed: u64) -> Strength {
        let elo = elo.clamp(Strength::MIN_ELO, Strength::MAX_ELO);
        let above = LEVELS.partition_point(|level| level.elo < elo).max(1);
        Strength { level: between(LEVELS[above - 1], LEVELS[above], elo), seed }
    }

    /// Nodes a move at most.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.level.nodes
    }

    /// What is by chance in a position: always the same with the same seed.
    pub(super) fn chance(&self, key: u64) -> Chance {
        Chance(key ^ Chance(self.seed).next())
    }

    /// Whether it is the turn for a mistake.
    pub(super) fn errs(&self, chance: &mut Chance) -> bool {
        chance.below(u64::from(ALL)) < u64::from(self.level.mistakes)
    }

    /// The move that is played when it is the turn for a mistake, which may happen to be the best: the place
    /// among the candidates; `None` if there are none.
    pub(super) fn choose(&self, candidates: &[Candidate], chance: &mut Chance) -> Option<usize> {
        let (place, best) = candidates.iter().enumerate().rev().max_by_key(|(_, c)| c.score)?;
        let mates = best.score.mate() == Some(1) && self.level.elo >= SEES_MATE_IN_ONE;
        if mates || (best.obvious && chance.below(OBVIOUS) > 0) {
            return Some(place);
        }
        let most = i64::from(crate::types::cp(self.level.loss));
        let loss = chance.below(most as u64 + 1) as i32;
        let least = worth(best.score) - loss;
        let glances = candidates.iter().enumerate().map(|(place, candidate)| {
            let glance = candidate.glance.binary() + chance.below(GLANCE) as i32;
            (worth(candidate.score) >= least, glance, place)
        });
        glances.filter(|(allowed, ..)| *allowed).max().map(|(.., place)| place)
    }
}

fn worth(score: Value) -> i32 {
    score.binary().clamp(-MATE_WORTH, MATE_WORTH)
}

/// The level of an Elo between two levels: on straight lines.
fn between(below: Level, above: Level, elo: u32) -> Level {
    let part = |from: i64, to: i64| {
        let (steps, all) = (i64::from(elo - below.elo), i64::from(above.elo - below.elo));
        from + (to - from) * steps / all
    };
    Level {
        elo,
        nodes: part(below.nodes as i64, above.nodes as i64) as u64,
        mistakes: part(below.mistakes.into(), above.mistakes.into()) as u32,
        loss: part(below.loss.into(), above.loss.into()) as i32,
    }
}

/// Numbers as if by chance (SplitMix64).
#[derive(Debug)]
pub(super) struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to one less than the limit, which is small.
    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }
}
