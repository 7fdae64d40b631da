//! What tuners by games share: settings are proposed, pairs played, results learned, until the end
//! or a stop.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use engine::Params;
use serde_json::Value;

use super::games::{self, Duel};
use super::points::Points;
use crate::base::params_of;
use crate::confirm::Confirm;
use crate::preflight::TunableSpan;
use crate::report::{Circumstances, Report};
use crate::simulated_engine::PairSampler;
use crate::tunable::Tunable;
use arena::plan::{Plan, WidthOverrides};
use arena::record::{Manifest, RecordError};
use arena::runner::Stops;
use arena::session::Resources;
use charts::page::Page;
use process::Error;

/// Between two status lines.
const LINE_EVERY: Duration = Duration::from_secs(15);
/// Parameters in the status line, at most.
pub(super) const SHOWN: usize = 6;

/// A search for better values, as a pure value: results of pairs in, values to try out.
pub trait Optimizer {
    /// Pairs learned from.
    fn pairs(&self) -> u64;

    /// Numbers of the next pairs; empty at the end.
    fn next_pairs(&self) -> Range<u64>;

    /// The next pairs in order, those of equal values together: how many, the values of the player
    /// whose points are counted, and those of its opponent.
    fn propose(&mut self) -> Vec<(usize, [Vec<f64>; 2])>;

    /// Learns from the proposed pairs: half points of each, 0 to 4.
    fn learn(&mut self, half_points: &[u8]);

    fn tunables(&self) -> Vec<&Tunable>;

    /// What the preflight moves.
    fn turns(&self, base: &Params) -> Vec<TunableSpan<'_>>;

    /// Status in one line.
    fn status(&self) -> String;
}

/// A tuner's run, as its folder keeps it.
pub trait Tuner: Manifest {
    type Search: Optimizer;

    /// The match of the base against itself over all pairs of the run.
    fn plan(&self) -> &Plan;

    /// The confirmation match.
    fn confirm(&self) -> Option<Confirm>;

    /// Drops parameters that are not wanted.
    fn retain(&mut self, wanted: &[bool]);

    /// The run in `dir` before its first game. Fails when the engine no longer has a parameter, or
    /// the folder is damaged.
    fn begin(&self, dir: &Path) -> Result<Self::Search, Error>;

    /// Saves the proposal in `dir` before it is played.
    fn keep(&self, _dir: &Path, _search: &Self::Search) -> Result<(), RecordError> {
        Ok(())
    }

    fn report(
        &self,
        search: &Self::Search,
        is_over: bool,
        circumstances: Circumstances<'_>,
    ) -> Result<Report, Error>;

    /// Writes all files made from the run; returns the summary for people and for programs.
    fn render(
        &self,
        dir: &Path,
        TuningProgress { search, is_over, .. }: &TuningProgress<Self::Search>,
        circumstances: Circumstances<'_>,
    ) -> Result<(Page, Value), Error> {
        Ok(self.report(search, *is_over, circumstances)?.write(dir)?)
    }
}

pub(super) fn retain<T>(list: &mut Vec<T>, wanted: &[bool]) {
    let mut wanted = wanted.iter();
    list.retain(|_| wanted.next() == Some(&true));
}

/// Callbacks while a run is played.
#[derive(Clone, Copy)]
pub struct Listeners<'a> {
    /// Hears the status line now and then.
    pub line: &'a dyn Fn(&str),
    /// Hears what goes wrong without stopping the run.
    pub trouble: &'a dyn Fn(&str),
}

/// The state of a run after a session.
#[derive(Debug)]
pub struct TuningProgress<S> {
    pub search: S,
    pub is_over: bool,
    /// Faults that force the run to stop.
    pub faults: Option<String>,
}

/// Replays the journal of `dir`, without playing on.
pub fn replay<T: Tuner>(dir: &Path, file: &T) -> Result<TuningProgress<T::Search>, Error> {
    let mut search = file.begin(dir)?;
    let points = Points::recorded(dir)?;
    loop {
        let pairs = search.next_pairs();
        let is_over = pairs.is_empty();
        let results: Option<Vec<u8>> = pairs.map(|pair| points.of_pair(pair)).collect();
        let Some(results) = results.filter(|_| !is_over) else {
            return Ok(TuningProgress { search, is_over, faults: None });
        };
        search.propose();
        search.learn(&results);
    }
}

/// Runs a search to its end with random results of a known truth.
pub fn simulate(search: &mut impl Optimizer, elo: impl Fn(&[f64]) -> f64, seed: u64) {
    let mut sampler = PairSampler::new(seed);
    while !search.next_pairs().is_empty() {
        let mut results = Vec::new();
        for (pairs, [one, other]) in search.propose() {
            let model = PairSampler::model(elo(&one) - elo(&other));
            results.extend((0..pairs).map(|_| sampler.pair(model.as_ref())));
        }
        search.learn(&results);
    }
}

/// The players with the proposed values, for each pair. Pairs of equal values share theirs; values
/// equal to the base's use the base.
fn duels(base: &Arc<Params>, search: &mut impl Optimizer) -> Vec<Duel> {
    let proposed = search.propose();
    let tunables = search.tunables();
    let player = |values: Vec<f64>| {
        let params = Tunable::turned(base, tunables.iter().copied().zip(values));
        if params == **base { Arc::clone(base) } else { Arc::new(params) }
    };
    let each = proposed.into_iter();
    each.flat_map(|(pairs, values)| std::iter::repeat_n(values.map(player), pairs)).collect()
}

/// Goes on with the run in `dir` until it is over or stopped.
pub async fn play<T: Tuner>(
    dir: &Path,
    file: &T,
    width: &WidthOverrides,
    resources: &mut Resources,
    stops: &Stops,
    listeners: Listeners<'_>,
) -> Result<TuningProgress<T::Search>, Error> {
    let plan = file.plan().clone().with_width(width).recheck()?;
    let base = Arc::new(params_of(&plan.base)?);
    let mut search = file.begin(dir)?;
    let parameters = search.tunables().len();
    (listeners.line)(&format!("{parameters} parameters, {} pairs; {}", plan.pairs, dir.display()));
    let mut table = games::TuningGames::open(dir, T::KIND.file(), &plan, resources, stops.clone())?;
    let mut shown = Instant::now();
    let mut faults = None;
    let is_over = loop {
        if search.next_pairs().is_empty() {
            break true;
        }
        let duels = duels(&base, &mut search);
        file.keep(dir, &search)?;
        match table.play(&duels, listeners.trouble).await? {
            Some(results) => search.learn(&results),
            None => break false,
        }
        if let Some(fault) = table.fault() {
            faults = Some(fault);
            break false;
        }
        if shown.elapsed() >= LINE_EVERY {
            shown = Instant::now();
            (listeners.line)(&search.status());
        }
    };
    table.close()?;
    Ok(TuningProgress { search, is_over, faults })
}
