//! State of a run for other machines: read from the journal while the match is played.

use std::path::Path;
use std::sync::{Arc, Mutex};

use arena::record::{Brief, GamePage, JournalIndex, MatchState, RunFile, WorkerResults, run_name};
use arena::report::{self, RunResults};
use process::{Error, lock};
use serde_json::Value;
use wire::message::{QueriedGames, ResidualRow};

/// Describes a match in one line. The number is games/s, 0 if not known.
pub type LineOf = fn(&MatchState<Brief>, f64) -> String;

/// Games that are read under one lock.
const AT_ONCE: usize = 500;

#[derive(Clone)]
pub(super) struct Looker(Arc<Mutex<Looked>>);

struct Looked {
    results: RunResults,
    index: JournalIndex,
    /// Strikes that the results know of.
    strikes: u64,
    line: LineOf,
}

/// State of a run up to some game.
pub(super) struct Said {
    pub(super) summary: Value,
    pub(super) line: String,
    pub(super) charts: String,
    pub(super) residuals: Vec<ResidualRow>,
    /// Recorded games that it counts.
    pub(super) games: u64,
}

impl Looker {
    pub(super) fn new(dir: &Path, run: &RunFile, line: LineOf) -> Result<Looker, Error> {
        let results = RunResults::new(dir, &run_name(dir), run.clone())?;
        let index = JournalIndex::new(dir);
        Ok(Looker(Arc::new(Mutex::new(Looked { results, index, strikes: 0, line }))))
    }

    /// The state after all games that are recorded now.
    pub(super) async fn look(&self, games_per_s: f64) -> Result<Said, Error> {
        let looked = Arc::clone(&self.0);
        beside(move || {
            let mut taken = lock(&looked).results.match_state().finished_games();
            loop {
                let Looked { results, index, strikes, .. } = &mut *lock(&looked);
                let page = index.page(Some(taken), AT_ONCE)?;
                if index.strikes() != *strikes {
                    // What was taken up may count for nothing.
                    results.begin_again()?;
                    (*strikes, taken) = (index.strikes(), 0);
                    continue;
                }
                page.games.iter().try_for_each(|game| results.add(game))?;
                taken += page.games.len() as u64;
                if page.games.is_empty() {
                    break;
                }
            }
            let Looked { results, line, .. } = &*lock(&looked);
            let workers = results.fleet().map(|fleet| fleet.workers).unwrap_or_default();
            Ok(Said {
                games: taken,
                residuals: workers.into_iter().filter_map(row).collect(),
                summary: serde_json::to_value(results.summary()).map_err(Error::fault)?,
                line: line(results.match_state(), games_per_s),
                charts: report::fragment(results),
            })
        })
        .await
    }

    pub(super) async fn games(&self, what: QueriedGames) -> Result<GamePage, Error> {
        let looked = Arc::clone(&self.0);
        beside(move || {
            let index = &mut lock(&looked).index;
            match what {
                QueriedGames::Page { from, count } => index.page(from, count as usize),
                QueriedGames::Game(number) => {
                    let games = index.game(number)?.into_iter().collect();
                    Ok(GamePage { games, ..GamePage::default() })
                }
                QueriedGames::Live => Ok(GamePage::default()),
            }
        })
        .await
    }
}

/// `None` of the coordinator itself.
fn row(results: WorkerResults) -> Option<ResidualRow> {
    let WorkerResults { worker, chi2, p, time_losses, average_plies, nodes_per_second, .. } =
        results;
    let nps = nodes_per_second.map(|speed| speed.round() as u64);
    let (worker, plies) = (worker.parse().ok()?, Some(average_plies));
    Some(ResidualRow { worker, chi2, p, time_losses, plies, nps })
}

/// Work that reads files and takes long.
async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|error| Err(Error::fault(format!("looking at the games failed: {error}"))))
}
