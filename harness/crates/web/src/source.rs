//! Where a run's figures and games come from.

use std::path::Path;
use std::sync::Arc;

use arena::game::LiveGame;
use arena::record::{GamePage, GameRecord, Summary};
use futures_util::future::BoxFuture;
use process::Error;
use sha2::{Digest as _, Sha256};

use crate::state::RunState;

pub type Answer<'a, T> = BoxFuture<'a, Result<T, Error>>;

/// A run whose figures may change.
pub trait RunSource: Send + Sync + 'static {
    fn state(&self) -> Arc<RunState>;

    /// Figures, charts and tables as HTML, perhaps a little older than the state.
    fn charts(&self) -> Answer<'_, Charts>;

    /// `count` recorded games in the order in which they finished, from that place on; without one
    /// the last of them.
    fn games(&self, from: Option<u64>, count: usize) -> Answer<'_, GamePage>;

    /// The game of that number, if it is recorded.
    fn game(&self, number: u64) -> Answer<'_, Option<GameRecord>>;

    /// The games under way, as far as they are known; they are followed from now on for a while.
    fn live(&self) -> Answer<'_, Vec<LiveGame>>;

    /// As in `summary.json`.
    fn summary(&self) -> Answer<'_, Arc<Summary>> {
        Box::pin(async { Ok(Arc::clone(&self.state().summary)) })
    }
}

/// `arena::report`'s part of a run, and the state that it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charts {
    pub version: u64,
    pub html: Arc<str>,
}

/// The id of the run in a folder, the same in every process: 16 hexadecimal digits.
pub fn run_id(dir: &Path) -> String {
    let whole = dir.canonicalize().or_else(|_| std::path::absolute(dir));
    let path = whole.as_deref().unwrap_or(dir);
    hex::encode(&Sha256::digest(path.as_os_str().as_encoded_bytes())[..8])
}

/// Work that reads files or takes long.
pub(crate) async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|panic| Err(Error::fault(format!("the page's own error: {panic}"))))
}
