//! What tuners by games share: settings are proposed, pairs played, results learned, until the end
//! or a stop.

use std::ops::Range;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::games::TuningGames;
use super::points::Points;
use crate::base;
use crate::confirm::Confirm;
use crate::preflight::TunableSpan;
use crate::report::{Circumstances, Report};
use crate::simulated_engine::PairSampler;
use crate::tunable::{Base, Tunable};
use arena::plan::{Plan, WidthOverrides};
use arena::record::{Manifest, RecordError};
use arena::runner::Stops;
use arena::session::{Resources, VariedOption, again};
use arena::varied::PairValues;
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
    fn turns(&self, base: &Base) -> Vec<TunableSpan<'_>>;

    /// Status in one line.
    fn status(&self) -> String;
}

/// A tuner's run, as its folder keeps it.
pub trait Tuner: Manifest {
    type Search: Optimizer;

    /// The match of the base against itself over all pairs of the run.
    fn plan(&self) -> &Plan;

    /// The values of the plan's base.
    fn base(&self) -> Result<Base, Error>;

    /// The options of a program that are tuned, with their values in the base.
    fn options(&self) -> &[VariedOption];

    /// What was found: values that can be played, in the order of the tunables.
    fn tuned(&self, search: &Self::Search) -> Vec<f64>;

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

/// The proposed values of each pair, as its players are told them.
fn values(search: &mut impl Optimizer, base: &Base) -> Vec<Arc<PairValues>> {
    let proposed = search.propose();
    let tunables = search.tunables();
    let mut values = Vec::new();
    for (pairs, [one, other]) in proposed {
        let [test, base] = [one, other].map(|values| base::values(&tunables, base, &values));
        values.extend(std::iter::repeat_n(Arc::new(PairValues { base, test }), pairs));
    }
    values
}

/// Goes on with the run in `dir` until it is over or stopped; with `changed_files` even though
/// files have changed that options of programs name, which is told.
pub async fn play<T: Tuner>(
    dir: &Path,
    file: &T,
    (width, changed_files): (&WidthOverrides, bool),
    resources: &mut Resources,
    stops: &Stops,
    listeners: Listeners<'_>,
) -> Result<TuningProgress<T::Search>, Error> {
    let plan = again(file.plan().clone(), width)?;
    let base = file.base()?;
    let mut search = file.begin(dir)?;
    let parameters = search.tunables().len();
    (listeners.line)(&format!("{parameters} parameters, {} pairs; {}", plan.pairs, dir.display()));
    let of = (T::KIND.file(), changed_files);
    let what = (plan, base::varied(search.tunables().into_iter()));
    let (mut games, hands) = TuningGames::open(dir, of, what, resources, stops.clone())?;
    let searching = async {
        let searched = search_by(&mut games, dir, file, (&mut search, &base), listeners).await;
        // What is wrong with the journal ends the search: it comes first.
        let closed = games.close(listeners.trouble).await;
        let searched = searched?;
        closed?;
        Ok::<_, Error>(searched)
    };
    let (played, searched) = tokio::join!(hands.play(), searching);
    let (is_over, faults) = searched?;
    played?;
    Ok(TuningProgress { search, is_over, faults })
}

/// Whether it is over, and faults that force it to stop.
async fn search_by<T: Tuner>(
    games: &mut TuningGames,
    dir: &Path,
    file: &T,
    (search, base): (&mut T::Search, &Base),
    listeners: Listeners<'_>,
) -> Result<(bool, Option<String>), Error> {
    let mut shown = Instant::now();
    loop {
        let pairs = search.next_pairs();
        if pairs.is_empty() {
            return Ok((true, None));
        }
        games.tell(search.status());
        let values = values(search, base);
        file.keep(dir, search)?;
        match games.play(pairs, values, listeners.trouble).await? {
            Some(results) => search.learn(&results),
            None => return Ok((false, None)),
        }
        if let Some(fault) = games.fault() {
            return Ok((false, Some(fault)));
        }
        if shown.elapsed() >= LINE_EVERY {
            shown = Instant::now();
            (listeners.line)(&search.status());
        }
    }
}
