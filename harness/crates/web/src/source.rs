//! Sources of figures and games of a run.

use std::path::Path;
use std::sync::Arc;

use arena::game::LiveGame;
use arena::record::{GamePage, GameRecord, Summary};
use futures_util::future::BoxFuture;
use process::Error;
use sha2::{Digest as _, Sha256};

use crate::state::RunState;

pub type Answer<'a, T> = BoxFuture<'a, Result<T, Error>>;

/// A run under way or recorded.
pub trait RunSource: Send + Sync + 'static {
    fn state(&self) -> Arc<RunState>;

    /// Figures, charts and tables as HTML. They may be a little older than the state.
    fn charts(&self) -> Answer<'_, Charts>;

    /// `count` recorded games in the order in which they finished, from index `from`; by default
    /// the last ones.
    fn games(&self, from: Option<u64>, count: usize) -> Answer<'_, GamePage>;

    /// The recorded game with this number.
    fn game(&self, number: u64) -> Answer<'_, Option<GameRecord>>;

    /// The games under way, as far as known. They are followed for some seconds more.
    fn live(&self) -> Answer<'_, Vec<LiveGame>>;

    /// Contents of `summary.json`.
    fn summary(&self) -> Answer<'_, Arc<Summary>> {
        Box::pin(async { Ok(Arc::clone(&self.state().summary)) })
    }
}

/// The fragment of [`arena::report`], and the version of the state that it shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charts {
    pub version: u64,
    pub html: Arc<str>,
}

/// Id of the run in a folder: 16 hexadecimal digits, the same in every process.
pub fn run_id(dir: &Path) -> String {
    let whole = dir.canonicalize().or_else(|_| std::path::absolute(dir));
    let path = whole.as_deref().unwrap_or(dir);
    hex::encode(&Sha256::digest(path.as_os_str().as_encoded_bytes())[..8])
}

/// Runs blocking work on another thread.
pub(crate) async fn beside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> Result<T, Error> {
    let done = tokio::task::spawn_blocking(work).await;
    done.unwrap_or_else(|panic| Err(Error::fault(format!("the page's own error: {panic}"))))
}
