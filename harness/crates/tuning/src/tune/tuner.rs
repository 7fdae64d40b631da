//! What tuners by games share: settings are proposed, pairs played, results learned, until the end
//! or a stop.

use std::{
    ops::Range,
    path::Path,
    sync::Arc,
    time::{Duration, Instant},
};

use engine::Params;
use serde_json::Value;

use super::{TuneError, games, points::Points};
use crate::sweep::Confirm;
use arena::plan::WidthOverrides;
use arena::{
    plan::Plan,
    record::{Manifest, Summary},
    runner::Stops,
    session::Resources,
};
use charts::page::Page;
use process::Error;

/// Between two status lines.
const LINE_EVERY: Duration = Duration::from_secs(15);

/// The player whose points are counted, and its opponent.
pub type Duel = [Arc<Params>; 2];

/// A tuner's run, as its folder keeps it.
pub trait Tuner: Manifest {
    /// State learned from games.
    type Learned;

    /// The match of the base against itself over all pairs of the run.
    fn plan(&self) -> &Plan;

    /// The confirmation match.
    fn confirm(&self) -> Option<Confirm>;

    /// The number of tuned parameters.
    fn parameters(&self) -> usize;

    /// The run in `dir` before its first game. Fails when the engine no longer has a parameter, or
    /// the folder is damaged.
    fn begin(&self, dir: &Path) -> Result<Self::Learned, TuneError>;

    /// Numbers of the next pairs; empty at the end.
    fn next_pairs(&self, learned: &Self::Learned) -> Range<u64>;

    /// Who plays the next pairs, one duel a pair.
    fn propose(&self, learned: &mut Self::Learned) -> Result<Vec<Duel>, TuneError>;

    /// Saves the proposal in `dir` before it is played.
    fn keep(&self, _dir: &Path, _learned: &Self::Learned) -> Result<(), TuneError> {
        Ok(())
    }

    /// Learns from the proposed pairs: half points of each, 0 to 4.
    fn learn(&self, learned: &mut Self::Learned, half_points: &[u8]);

    /// Status in one line.
    fn line(&self, learned: &Self::Learned) -> String;

    /// Writes all files made from the run; returns the summary for people and for programs.
    fn render(
        &self,
        dir: &Path,
        sitting: &Sitting<Self::Learned>,
        confirmation: Option<&Summary>,
    ) -> Result<(Page, Value), TuneError>;
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
pub struct Sitting<L> {
    pub learned: L,
    pub is_over: bool,
    /// Faults that force the run to stop.
    pub faults: Option<String>,
}

/// Replays the journal of `dir`, without playing on.
pub fn replay<T: Tuner>(dir: &Path, file: &T) -> Result<Sitting<T::Learned>, Error> {
    let mut learned = file.begin(dir)?;
    let points = Points::recorded(dir)?;
    loop {
        let pairs = file.next_pairs(&learned);
        if pairs.is_empty() {
            return Ok(Sitting { learned, is_over: true, faults: None });
        }
        let Some(results) = pairs.map(|pair| points.of_pair(pair)).collect::<Option<Vec<u8>>>()
        else {
            return Ok(Sitting { learned, is_over: false, faults: None });
        };
        file.propose(&mut learned)?;
        file.learn(&mut learned, &results);
    }
}

/// Goes on with the run in `dir` until it is over or stopped.
pub async fn play<T: Tuner>(
    dir: &Path,
    file: &T,
    width: &WidthOverrides,
    resources: &mut Resources,
    stops: &Stops,
    listeners: Listeners<'_>,
) -> Result<Sitting<T::Learned>, Error> {
    let plan = file.plan().clone().with_width(width).recheck()?;
    let mut learned = file.begin(dir)?;
    let mut table = games::Table::open(dir, T::KIND.file(), &plan, resources, stops.clone())?;
    let mut shown = Instant::now();
    let mut faults = None;
    let is_over = loop {
        if file.next_pairs(&learned).is_empty() {
            break true;
        }
        let duels = file.propose(&mut learned)?;
        file.keep(dir, &learned)?;
        match table.play(&duels, listeners.trouble).await? {
            Some(results) => file.learn(&mut learned, &results),
            None => break false,
        }
        if let Some(fault) = table.fault() {
            faults = Some(fault.to_owned());
            break false;
        }
        if shown.elapsed() >= LINE_EVERY {
            shown = Instant::now();
            (listeners.line)(&file.line(&learned));
        }
    };
    table.close()?;
    Ok(Sitting { learned, is_over, faults })
}
