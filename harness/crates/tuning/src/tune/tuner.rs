//! What tuners by games have in common: settings proposed, pairs played, results learned, until the
//! end or the user.

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
    session::{Resources, SessionError},
};
use charts::page::Page;

/// Between two lines on the screen.
const LINE_EVERY: Duration = Duration::from_secs(15);

/// Who plays a pair: the player whose points are counted, and its opponent.
pub type Duel = [Arc<Params>; 2];

/// A tuner's run, as its folder keeps it.
pub trait Tuner: Manifest {
    /// What its games have taught.
    type Learned;

    /// The match of the base against itself over all pairs of the run.
    fn plan(&self) -> &Plan;

    /// The match at the end.
    fn confirm(&self) -> Option<Confirm>;

    /// How many parameters are tuned.
    fn parameters(&self) -> usize;

    /// The run in `dir` before its first game.
    ///
    /// # Errors
    /// When the engine no longer has a parameter, or the folder is damaged.
    fn begin(&self, dir: &Path) -> Result<Self::Learned, TuneError>;

    /// The numbers of the pairs to be played next; empty at the end.
    fn next_pairs(&self, learned: &Self::Learned) -> Range<u64>;

    /// Who plays the next pairs, one duel a pair.
    ///
    /// # Errors
    /// When the base cannot be had.
    fn propose(&self, learned: &mut Self::Learned) -> Result<Vec<Duel>, TuneError>;

    /// Keeps in `dir` what is proposed, before it is played.
    ///
    /// # Errors
    /// When it cannot be written.
    fn keep(&self, _dir: &Path, _learned: &Self::Learned) -> Result<(), TuneError> {
        Ok(())
    }

    /// Learns from what was proposed: half points of each pair, 0 to 4.
    fn learn(&self, learned: &mut Self::Learned, half_points: &[u8]);

    /// How the run stands, in a line.
    fn line(&self, learned: &Self::Learned) -> String;

    /// Writes all files that are made of the run; returns the summary for people and for programs.
    ///
    /// # Errors
    /// When one cannot be written.
    fn render(
        &self,
        dir: &Path,
        sitting: &Sitting<Self::Learned>,
        confirmation: Option<&Summary>,
    ) -> Result<(Page, Value), TuneError>;
}

/// Who hears of a run while it is played.
#[derive(Clone, Copy)]
pub struct Listeners<'a> {
    /// Is told now and then how the run stands.
    pub line: &'a dyn Fn(&str),
    /// Is told what goes wrong without stopping the run.
    pub trouble: &'a dyn Fn(&str),
}

/// A run as a sitting left it.
#[derive(Debug)]
pub struct Sitting<L> {
    /// What was learned.
    pub learned: L,
    /// Whether the run is at its end.
    pub is_over: bool,
    /// Why it must stop, if by faults.
    pub faults: Option<String>,
}

/// What the journal of `dir` has taught, without playing on.
///
/// # Errors
/// When the folder is damaged.
pub fn replay<T: Tuner>(dir: &Path, file: &T) -> anyhow::Result<Sitting<T::Learned>> {
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
///
/// # Errors
/// When games cannot be played or kept.
pub async fn play<T: Tuner>(
    dir: &Path,
    file: &T,
    width: &WidthOverrides,
    resources: &mut Resources,
    stops: &Stops,
    listeners: Listeners<'_>,
) -> anyhow::Result<Sitting<T::Learned>> {
    let plan = file.plan().clone().with_width(width).recheck().map_err(SessionError::from)?;
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
