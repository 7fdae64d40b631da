//! Strength on demand: how many nodes a move, how many mistakes, and which. Pure: candidates in, a choice out.
//!
//! A mistake is the move that looks best at first glance among those that lose no more than a level may.

use crate::types::{Value, cp};

/// Moves of which some are mistakes.
const ALL: u64 = 1_000;

/// Of obvious captures that a turn for a mistake meets, one in so many is overlooked.
const OBVIOUS: u64 = 4;

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
const LEVELS: [Level; 10] = [
    level(800, 193, 910, 1008),
    level(1000, 238, 785, 748),
    level(1200, 297, 612, 566),
    level(1400, 366, 458, 429),
    level(1600, 466, 322, 303),
    level(1800, 708, 199, 199),
    level(2000, 1_262, 126, 146),
    level(2200, 2_340, 80, 111),
    level(2400, 4_250, 49, 87),
    level(2600, 6_900, 31, 66),
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
        chance.up_to(ALL - 1) < self.level.mistakes as i32
    }

    /// The move that is played when it is the turn for a mistake, which may happen to be the best: the place
    /// among the candidates; `None` if there are none.
    pub(super) fn choose(&self, candidates: &[Candidate], chance: &mut Chance) -> Option<usize> {
        let (place, best) = candidates.iter().enumerate().rev().max_by_key(|(_, c)| c.score)?;
        let mates = best.score.mate() == Some(1) && self.level.elo >= SEES_MATE_IN_ONE;
        if mates || (best.obvious && chance.up_to(OBVIOUS - 1) > 0) {
            return Some(place);
        }
        let most = cp(self.level.loss) as u64;
        let least = worth(best.score) - chance.up_to(most);
        // How sure the first glance is.
        let glances = candidates.iter().enumerate().map(|(place, candidate)| {
            let glance = candidate.glance.binary() + chance.up_to(most / 2);
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

    /// From 0 to a small number.
    fn up_to(&mut self, most: u64) -> i32 {
        (self.next() % (most + 1)) as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn candidate(score: i32, glance: i32) -> Candidate {
        Candidate { score: Value::new(score), glance: Value::new(glance), obvious: false }
    }

    /// The places chosen by many seeds.
    fn chosen(elo: u32, candidates: &[Candidate]) -> Vec<usize> {
        let choose = |seed| {
            let strength = Strength::new(elo, seed);
            strength.choose(candidates, &mut strength.chance(99)).expect("a move")
        };
        (0..500).map(choose).collect()
    }

    fn elos() -> impl Iterator<Item = u32> {
        (Strength::MIN_ELO..=Strength::MAX_ELO).step_by(20)
    }

    /// More Elo, more nodes, fewer and smaller mistakes.
    #[test]
    fn levels_rise() {
        let levels: Vec<Level> = elos().map(|elo| Strength::new(elo, 0).level).collect();
        for pair in levels.windows(2) {
            let [below, above] = [pair[0], pair[1]];
            assert!(below.nodes <= above.nodes && below.mistakes >= above.mistakes, "{above:?}");
            assert!(below.loss >= above.loss && below != above, "{above:?}");
        }
        for own in LEVELS {
            assert_eq!(Strength::new(own.elo, 0).level, own);
        }
        assert_eq!(Strength::new(0, 0), Strength::new(Strength::MIN_ELO, 0));
        assert_eq!(Strength::new(u32::MAX, 0), Strength::new(Strength::MAX_ELO, 0));
    }

    /// Chance decides as often as the level says, and the same by the same seed.
    #[test]
    fn as_many_mistakes_as_the_level_says() {
        for elo in [800, 1500, 2400] {
            let strength = Strength::new(elo, 3);
            let errs = |key| strength.errs(&mut strength.chance(key));
            let count = (0..10_000).filter(|&key| errs(key)).count() as i32;
            assert!((count - 10 * strength.level.mistakes as i32).abs() < 200, "{elo}: {count}");
            assert_eq!(errs(5), errs(5));
        }
        let draw = |seed, key| Strength::new(800, seed).chance(key).up_to(1_000_000);
        assert!(draw(1, 5) != draw(2, 5) && draw(1, 5) != draw(1, 6));
    }

    /// However good it looks, no move is played that loses more than the level may; and all others are.
    #[test]
    fn no_more_is_lost_than_the_level_may() {
        let candidates: Vec<Candidate> =
            (0..100).map(|n| candidate(100 - 32 * n, 3_000 * n)).collect();
        for elo in elos() {
            let lost: Vec<i32> = chosen(elo, &candidates).iter().map(|n| 32 * *n as i32).collect();
            let most = cp(Strength::new(elo, 0).level.loss);
            assert!(lost.iter().all(|lost| *lost <= most), "{elo}: {lost:?}");
            assert!(lost.iter().any(|lost| lost + 64 > most), "{elo}: {lost:?}");
        }
        let hangs_a_queen = [candidate(0, 0), candidate(-9 * 256, 9 * 256)];
        assert!((1500..=Strength::MAX_ELO).all(|elo| !chosen(elo, &hangs_a_queen).contains(&1)));
    }

    #[test]
    fn a_mistake_looks_good() {
        let candidates = [candidate(10, 0), candidate(10, -2000), candidate(9, 40)];
        assert!(!chosen(1500, &candidates).contains(&1));
        assert!(chosen(1500, &candidates).contains(&2));
    }

    /// A beginner who is far ahead may miss a mate in one.
    #[test]
    fn a_mate_in_one_is_seen() {
        let mate = Candidate { score: Value::mate_in(1), ..candidate(0, 0) };
        let (ahead, even) = (candidate(19 * 256, 3_000), candidate(0, 3_000));
        let misses = |elo, other| chosen(elo, &[other, mate]).contains(&0);
        assert!(misses(800, ahead) && misses(SEES_MATE_IN_ONE - 1, ahead) && !misses(800, even));
        assert!(elos().filter(|elo| *elo >= SEES_MATE_IN_ONE).all(|elo| !misses(elo, ahead)));
    }

    /// What can be taken back is rarely overlooked.
    #[test]
    fn obvious_captures_are_rarely_missed() {
        let hard = candidate(300, 0);
        let easy = Candidate { obvious: true, ..hard };
        let missed =
            |best| chosen(1000, &[best, candidate(299, 3_000)]).iter().filter(|n| **n == 1).count();
        assert!(missed(hard) > 490, "{}", missed(hard));
        assert!((80..170).contains(&missed(easy)), "{}", missed(easy));
    }

    #[test]
    fn without_moves_there_is_no_choice() {
        let strength = Strength::new(800, 0);
        assert_eq!(strength.choose(&[], &mut strength.chance(0)), None);
    }
}
