//! Made-up years of tests, where the true effects are known.

use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore as _, SeedableRng as _};
use serde::Serialize;

use super::online::OnlineFdr;
use super::shrunk::{Measured, Shrunk};
use crate::Z95;
use crate::anytime::{Anytime, Bets, Course, Evidence};
use crate::counts::Pentanomial;
use crate::display::display_elo;
use crate::pair_model::PairModel;
use crate::pair_source::TwinPairs;
use crate::rule::{Rule, Verdict};
use crate::simulate::{Judge, Simulation, play};
use crate::why::Defined;
use process::parallel;

/// What the changes of a year are like.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum World {
    /// Effects are normal, mean 0, deviation 3 Elo.
    Ordinary,
    /// Seven changes of ten do nothing, the others have a deviation of 5 Elo.
    Spiked,
    /// Effects of Student's t with three degrees of freedom, times 2 Elo: a few large ones.
    Heavy,
    /// Most changes lose: mean −3, deviation 3 Elo.
    Harmful,
    /// Of twenty changes one gains 10 ± 3 Elo, the others lose 1 ± 1.
    Lucky,
}

impl fmt::Display for World {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            World::Ordinary => "ordinary",
            World::Spiked => "spiked",
            World::Heavy => "heavy",
            World::Harmful => "harmful",
            World::Lucky => "lucky",
        })
    }
}

impl FromStr for World {
    type Err = String;

    fn from_str(text: &str) -> Result<World, String> {
        let mut all = <World as strum::VariantArray>::VARIANTS.iter();
        all.find(|world| world.to_string() == text)
            .copied()
            .ok_or_else(|| "expected ordinary, spiked, heavy, harmful or lucky".to_owned())
    }
}

impl World {
    pub const ALL: &[World] = <World as strum::VariantArray>::VARIANTS;

    /// A change's true effect in Elo.
    fn draw(self, rng: &mut ChaCha8Rng) -> f64 {
        match self {
            World::Ordinary => 3.0 * normal(rng),
            World::Spiked if uniform(rng) < 0.7 => 0.0,
            World::Spiked => 5.0 * normal(rng),
            World::Heavy => {
                let squares: f64 = (0..3).map(|_| normal(rng).powi(2)).sum();
                // No shape of pairs is bent further.
                (2.0 * normal(rng) / (squares / 3.0).sqrt()).clamp(-200.0, 200.0)
            }
            World::Harmful => 3.0 * normal(rng) - 3.0,
            World::Lucky if uniform(rng) < 0.05 => 3.0 * normal(rng) + 10.0,
            World::Lucky => normal(rng) - 1.0,
        }
    }
}

/// Above 0, below 1.
fn uniform(rng: &mut ChaCha8Rng) -> f64 {
    (f64::from(rng.next_u32()) + 0.5) / (f64::from(u32::MAX) + 1.0)
}

fn normal(rng: &mut ChaCha8Rng) -> f64 {
    let (radius, angle) = (uniform(rng), uniform(rng));
    (-2.0 * radius.ln()).sqrt() * (std::f64::consts::TAU * angle).cos()
}

/// How the tests of a year are judged.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum YearRule {
    Same(Rule),
    /// `anytime` at the level that the ledger leaves to each test.
    Ledger,
}

#[derive(Debug, Clone, Copy)]
pub struct Years {
    pub world: World,
    pub years: NonZeroU64,
    /// Tests a year.
    pub tests: NonZeroU64,
    pub rule: YearRule,
    pub max_pairs: NonZeroU64,
    /// Pairs between two looks.
    pub every: NonZeroU64,
    /// Of equal engines.
    pub shape: Pentanomial,
    /// The false-discovery rate that is allowed, 0 to 1.
    pub fdr: f64,
    pub seed: u64,
}

/// Means over years; Elo where nothing else is said.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct YearsFound {
    pub accepted: f64,
    /// Accepted changes that are no gains.
    pub false_accepts: f64,
    /// The same as the ledger expects it.
    pub false_accepts_expected: f64,
    /// True gain of the accepted changes.
    pub truth: f64,
    pub measured: f64,
    pub shrunk: f64,
    /// Share of years whose 95 % interval holds the truth.
    pub covered: f64,
    /// The same of the measured sum with its error.
    pub measured_covered: f64,
    /// Half the interval's width.
    pub half_width: f64,
    /// Accepted by e-LOND.
    pub discoveries: f64,
    /// Mean share of these that are no gains.
    pub false_discovery_rate: f64,
}

impl YearsFound {
    fn fields(&mut self) -> [&mut f64; 11] {
        [
            &mut self.accepted,
            &mut self.false_accepts,
            &mut self.false_accepts_expected,
            &mut self.truth,
            &mut self.measured,
            &mut self.shrunk,
            &mut self.covered,
            &mut self.measured_covered,
            &mut self.half_width,
            &mut self.discoveries,
            &mut self.false_discovery_rate,
        ]
    }
}

/// Years kept at a time.
const BLOCK: u64 = 4096;

/// Undefined where the shape cannot be bent to an effect of this world. Does not depend on the number of
/// threads. Memory does not grow with the number of years.
pub fn simulate_years(years: &Years, threads: NonZeroUsize) -> Defined<YearsFound> {
    let count = years.years.get();
    let mut means = YearsFound::default();
    for begin in (0..count).step_by(BLOCK as usize) {
        let numbers: Vec<u64> = (begin..count.min(begin + BLOCK)).collect();
        for year in parallel::map(&numbers, threads, || (), |(), &number| year(years, number)) {
            let mut year = year?;
            for (sum, value) in means.fields().into_iter().zip(year.fields()) {
                *sum += *value;
            }
        }
    }
    means.fields().into_iter().for_each(|sum| *sum /= years.years.get() as f64);
    Ok(means)
}

fn simulation(years: &Years) -> Simulation {
    Simulation {
        matches: NonZeroU64::MIN,
        max_pairs: years.max_pairs,
        every: years.every,
        // Matches must not go the way of the effects.
        seed: years.seed.wrapping_add(0x9e37_79b9_7f4a_7c15),
        twins: TwinPairs::default(),
    }
}

fn year(years: &Years, number: u64) -> Defined<YearsFound> {
    let mut rng = ChaCha8Rng::seed_from_u64(years.seed);
    rng.set_stream(number);
    let simulation = simulation(years);
    let mut fdr = OnlineFdr::new(years.fdr, years.tests.get());
    let mut tests = Vec::with_capacity(years.tests.get() as usize);
    let mut found = YearsFound::default();
    let mut false_discoveries = 0.0;
    for test in 0..years.tests.get() {
        let effect = years.world.draw(&mut rng);
        let model = PairModel::new(&years.shape, effect)?;
        let rule = match years.rule {
            YearRule::Same(rule) => rule,
            // A level is above 0 and below ½, so that this rule is one.
            YearRule::Ledger => Anytime::new(fdr.level_for_a_rule(), Bets::Effects)
                .map_or_else(|_| Rule::default(), Rule::Anytime),
        };
        let match_number = number * years.tests.get() + test;
        let (verdict, course, _) = play(&Judge::Rule(rule), &model, &simulation, match_number);
        let is_accepted = verdict == Verdict::Accept;
        let is_no_gain = f64::from(effect <= 0.0);
        if fdr.add(e_value(&rule, &course)) {
            found.discoveries += 1.0;
            false_discoveries += is_no_gain;
        }
        let elo = display_elo(&course.counts);
        if is_accepted {
            found.accepted += 1.0;
            found.false_accepts += is_no_gain;
            found.truth += effect;
        }
        if let (Ok(elo), Ok(error95)) = (elo.elo, elo.error95) {
            tests.push(Measured { elo, error: error95 / Z95, is_accepted });
        }
    }
    found.false_discovery_rate = false_discoveries / found.discoveries.max(1.0);
    let accepted = || tests.iter().filter(|test| test.is_accepted);
    found.measured = accepted().map(|test| test.elo).sum();
    let error95 = Z95 * accepted().map(|test| test.error.powi(2)).sum::<f64>().sqrt();
    let distance = (found.measured - found.truth).abs();
    found.measured_covered = f64::from(distance <= error95);
    if let Some(shrunk) = Shrunk::of(&tests) {
        // A sum of nothing has an interval of no width, at 0, but for rounding.
        let [low, high] = shrunk.sum_ci95;
        found.shrunk = shrunk.sum;
        found.covered = f64::from(low - 1e-6 <= found.truth && found.truth <= high + 1e-6);
        found.half_width = (high - low) / 2.0;
        found.false_accepts_expected = shrunk.false_accepts;
    }
    Ok(found)
}

/// The logarithm of the e-value for "better" of a match that has ended.
fn e_value(rule: &Rule, course: &Course) -> f64 {
    rule.evidence(course).unwrap_or_else(|| Evidence::of(&course.counts)).better
}

#[cfg(test)]
mod tests {
    use super::*;

    fn years(world: World, rule: YearRule, count: u64) -> Years {
        Years {
            world,
            years: NonZeroU64::new(count).unwrap(),
            tests: NonZeroU64::new(30).unwrap(),
            rule,
            max_pairs: NonZeroU64::new(3000).unwrap(),
            every: NonZeroU64::new(10).unwrap(),
            shape: Pentanomial::from([10, 15, 50, 15, 10]),
            fdr: 0.05,
            seed: 4,
        }
    }

    #[test]
    fn worlds_are_as_they_are_called() {
        for &world in World::ALL {
            assert_eq!(world.to_string().parse(), Ok(world));
            let mut rng = ChaCha8Rng::seed_from_u64(1);
            let effects: Vec<f64> = (0..20_000).map(|_| world.draw(&mut rng)).collect();
            let mean = effects.iter().sum::<f64>() / 20_000.0;
            let neutral = effects.iter().filter(|effect| **effect == 0.0).count();
            let expected = match world {
                World::Harmful => -3.0,
                World::Lucky => -0.45,
                _ => 0.0,
            };
            assert!((mean - expected).abs() < 0.15, "{world}: {mean}");
            assert_eq!(neutral > 13_000, world == World::Spiked, "{world}: {neutral}");
        }
        assert!("calm".parse::<World>().is_err());
    }

    /// The measured sum of accepted gains is too high, the shrunk one is not, and its interval holds the
    /// truth.
    #[test]
    fn the_winners_curse_is_lifted() {
        let rule = YearRule::Same("los=95,pairs=500".parse().unwrap());
        let found = simulate_years(&years(World::Ordinary, rule, 60), NonZeroUsize::MIN).unwrap();
        assert!(found.measured > 2.0 * found.truth && found.accepted > 1.0, "{found:?}");
        assert!((found.shrunk - found.truth).abs() < 0.25 * found.measured, "{found:?}");
        // 95 % of 60 are 57.
        assert!(found.covered >= 0.85 && found.measured_covered < 0.8, "{found:?}");
        assert!((found.false_accepts - found.false_accepts_expected).abs() < 0.7, "{found:?}");
    }

    #[test]
    fn the_ledger_keeps_false_discoveries_rare() {
        let found =
            simulate_years(&years(World::Heavy, YearRule::Ledger, 40), NonZeroUsize::MIN).unwrap();
        assert!(found.false_discovery_rate <= 0.05 && found.discoveries > 0.2, "{found:?}");
        assert!((found.accepted - found.discoveries).abs() < 1e-9, "{found:?}");
    }

    #[test]
    fn threads_change_nothing() {
        let rule = YearRule::Same("sprt=0,10".parse().unwrap());
        let years = years(World::Spiked, rule, 4);
        let with = |threads| simulate_years(&years, NonZeroUsize::new(threads).unwrap());
        assert_eq!(with(1), with(3));
    }
}
