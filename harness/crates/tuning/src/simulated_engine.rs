//! A simulated engine: its Elo is a known function of its parameters, its results are random. It
//! shows what sweeps and tuners would find and how many pairs that takes.

use std::str::FromStr;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng as _;

use process::Error;
use stats::{PairModel, Pentanomial};

/// Elo that a parameter costs at its width from the optimum, if not given.
const COST: f64 = 20.0;
/// How pairs of equal engines end, in per cent, as in short games at fixed nodes.
const SHAPE: [u64; 5] = [10, 15, 50, 15, 10];

/// A parameter's best value and what it costs to miss it: `NAME=OPTIMUM:WIDTH[:ELO]`, so much Elo
/// at this width from it, four times that at twice the width.
#[derive(Debug, Clone)]
pub struct Peak {
    pub name: String,
    pub optimum: f64,
    /// The distance from the optimum that costs `elo`.
    pub width: f64,
    /// Above 0.
    pub elo: f64,
}

impl Peak {
    pub fn words(&self) -> String {
        let Peak { name, optimum, width, elo } = self;
        format!("{name} is best at {optimum}, {elo} Elo worse at {width} from it")
    }
}

impl FromStr for Peak {
    type Err = Error;

    fn from_str(text: &str) -> Result<Peak, Error> {
        let form = || {
            Error::usage(format!(
                "expected NAME=OPTIMUM:WIDTH[:ELO], numbers above 0, found '{text}'"
            ))
        };
        let (name, numbers) = text.split_once('=').ok_or_else(form)?;
        let name = name.trim().to_owned();
        let numbers: Vec<f64> = numbers
            .split(':')
            .map(|number| number.trim().parse().ok().filter(|n: &f64| n.is_finite()))
            .collect::<Option<_>>()
            .ok_or_else(form)?;
        let (optimum, width, elo) = match numbers[..] {
            [optimum, width] => (optimum, width, COST),
            [optimum, width, elo] => (optimum, width, elo),
            _ => return Err(form()),
        };
        let fits = width > 0.0 && elo > 0.0;
        if fits { Ok(Peak { name, optimum, width, elo }) } else { Err(form()) }
    }
}

/// The strength of an engine with these parameters, in their order; those without a peak do not
/// matter.
#[derive(Debug, Clone)]
pub struct SimulatedEngine(Vec<Option<Peak>>);

impl SimulatedEngine {
    /// Fails when a peak is of no parameter in `names`.
    pub fn new<'a>(
        names: impl Iterator<Item = &'a str>,
        peaks: &[Peak],
    ) -> Result<SimulatedEngine, Error> {
        let names: Vec<&str> = names.collect();
        let is_of = |peak: &Peak, name: &str| peak.name.eq_ignore_ascii_case(name);
        let is_unknown = |peak: &&Peak| !names.iter().any(|name| is_of(peak, name));
        if let Some(peak) = peaks.iter().find(is_unknown) {
            return Err(Error::usage(format!(
                "--truth: '{}' is not varied: expected one of {}",
                peak.name,
                names.join(", ")
            )));
        }
        let peak = |name: &&str| peaks.iter().find(|peak| is_of(peak, name)).cloned();
        Ok(SimulatedEngine(names.iter().map(peak).collect()))
    }
}

impl SimulatedEngine {
    /// Elo of an engine with these values; only differences matter.
    pub fn elo(&self, values: &[f64]) -> f64 {
        let peaks =
            self.0.iter().zip(values).filter_map(|(peak, value)| Some((peak.as_ref()?, value)));
        peaks.map(|(peak, value)| -peak.elo * ((value - peak.optimum) / peak.width).powi(2)).sum()
    }
}

#[derive(Debug, Clone)]
pub struct PairSampler {
    rng: ChaCha8Rng,
}

impl PairSampler {
    pub fn new(seed: u64) -> PairSampler {
        PairSampler { rng: ChaCha8Rng::seed_from_u64(seed) }
    }

    /// The distribution of pairs between engines `elo` apart, clamped to ±1000; `None` where no
    /// distribution has that Elo.
    pub fn model(elo: f64) -> Option<PairModel> {
        PairModel::new(&Pentanomial::from(SHAPE), elo.clamp(-1000.0, 1000.0)).ok()
    }

    /// One pair: half points of the first engine, 0 to 4.
    pub fn pair(&mut self, model: Option<&PairModel>) -> u8 {
        model.map_or(2, |model| model.draw(&mut self.rng))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn truths_are_read() {
        let peak: Peak = "lazy.margin=128:64".parse().expect("a peak");
        assert_eq!((peak.optimum, peak.width, peak.elo), (128.0, 64.0, 20.0));
        let peaks = [peak, "lmr.min_move=3:1:5".parse().expect("a peak")];
        let truth =
            SimulatedEngine::new(["lmr.min_move", "lazy.on", "lazy.margin"].into_iter(), &peaks);
        let truth = truth.expect("all are varied");
        assert_eq!(truth.elo(&[3.0, 0.0, 128.0]), 0.0);
        assert_eq!(truth.elo(&[5.0, 1.0, 192.0]), -40.0);
        assert!(SimulatedEngine::new(["lmr.min_move"].into_iter(), &peaks).is_err());
        for text in ["lazy.margin", "lazy.margin=1", "lazy.margin=1:0", "lazy.margin=1:2:x"] {
            assert!(text.parse::<Peak>().is_err(), "{text}");
        }
    }

    #[test]
    fn lots_have_the_mean_of_their_elo() {
        let model = PairSampler::model(30.0);
        let mut sampler = PairSampler::new(3);
        let sum: u64 = (0..40_000).map(|_| u64::from(sampler.pair(model.as_ref()))).sum();
        let score = sum as f64 / 160_000.0;
        assert!((score - stats::score_of_elo(30.0)).abs() < 0.006, "{score}");
    }
}
