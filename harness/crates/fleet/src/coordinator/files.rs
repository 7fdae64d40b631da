//! A run's files at the broker: put there before it begins, kept while it is played, removed when
//! no run needs them.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::Duration;

use jiff::{SignedDuration, Timestamp};
use process::Error;
use wire::message::{RunCard, RunState, decode};
use wire::names::{FileHash, KV_RUNS, RUN_CARDS, RunId};

use crate::files::{self, SentFile};
use crate::link::{Link, Told};

/// How often to check that they are there: a broker may have lost its store.
const LOOK_EVERY: Duration = Duration::from_secs(30);
/// A file that no run needs is removed after this time.
const ABANDONED: SignedDuration = SignedDuration::from_hours(1);

pub(super) async fn put_all(link: &Link, files: &[SentFile]) -> Result<(), Error> {
    for file in files {
        files::put(link, &file.card.sha256, &file.path).await?;
    }
    Ok(())
}

/// Puts missing files again, without end.
pub(super) async fn keep(
    link: Arc<Link>,
    files: Vec<SentFile>,
    tell: Arc<dyn Fn(&str) + Send + Sync>,
) {
    let mut said = String::new();
    loop {
        tokio::time::sleep(LOOK_EVERY).await;
        if let Err(error) = put_all(&link, &files).await {
            // Workers that need no files go on.
            let error = error.to_string();
            if error != said {
                tell(&format!("the run's files: {error}"));
                said = error;
            }
        }
    }
}

/// Removes the files of a run that has ended, and old files of runs that were never ended, except
/// those that another run needs.
pub(super) async fn remove_unused(link: &Link, run: RunId, files: &[SentFile]) -> Result<(), Told> {
    let there = files::all(link).await?;
    if there.is_empty() {
        return Ok(());
    }
    let (needed, now) = (needed(link, run).await?, Timestamp::now());
    for (file, put) in there.into_iter().filter(|(file, _)| !needed.contains(file)) {
        let is_own = files.iter().any(|own| own.card.sha256 == file);
        // A run that is just beginning has files here, but no card yet.
        if is_own || now.duration_since(put) > ABANDONED {
            files::remove(link, &file).await?;
        }
    }
    Ok(())
}

/// Files of all runs that are being played, except one.
async fn needed(link: &Link, except: RunId) -> Result<HashSet<FileHash>, Told> {
    let mut needed = HashSet::new();
    for body in link.all(KV_RUNS, RUN_CARDS).await? {
        let Ok(card) = decode::<RunCard>(&body) else { continue };
        if card.state == RunState::Playing && card.run != except {
            needed.extend(card.files.into_iter().map(|file| file.sha256));
        }
    }
    Ok(needed)
}
