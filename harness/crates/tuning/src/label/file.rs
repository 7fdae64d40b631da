//! The file of labels. While it grows it is called `NAME.partial`, and `NAME.progress.json` says how
//! far it is; when all is labelled it gets its name. Games that are played for it are kept in
//! `NAME.games` until then.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{ErrorKind, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use arena::record::atomic;
use process::locked::Locked;
use process::{Context as _, Error};
use serde::{Deserialize, Serialize};

use super::{LabelCounts, mixed};

/// Endings of files beside it.
const PARTIAL: &str = "partial";
const PROGRESS: &str = "progress.json";
const GAMES: &str = "games";

/// How long lines wait to be written together.
const WAIT: Duration = Duration::from_secs(1);

/// What changes the lines, by name.
pub(super) type PlanWords = BTreeMap<&'static str, String>;

/// How far an unfinished file is.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct LabelProgress {
    /// What it is made of: another plan does not go on with it.
    plan: BTreeMap<String, String>,
    /// Positions that the teacher was asked about, in their order.
    searched: u64,
    /// A digest of them.
    digest: u64,
    /// Of the file.
    bytes: u64,
    counts: LabelCounts,
}

pub(super) struct LabelFile {
    file: Locked,
    path: PathBuf,
    /// With `waiting` written.
    progress: LabelProgress,
    /// Lines that are not in the file yet.
    waiting: String,
    written: Instant,
}

impl LabelFile {
    /// A new file, or one that an earlier call with the same plan has begun.
    ///
    /// # Errors
    /// There is a finished file, or one of another plan, or another process writes it.
    pub(super) fn open(path: &Path, plan: PlanWords) -> Result<LabelFile, Error> {
        let place = path.display();
        if path.exists() {
            return Err(Error::usage(format!(
                "{place}: exists and is finished: expected the name of a new file"
            )));
        }
        let (partial, beside) = (with(path, PARTIAL), with(path, PROGRESS));
        let file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(&partial);
        let file = file.context(format!("{}: cannot create", partial.display()))?;
        let file = Locked::attempt(file).context(partial.display())?;
        let mut file = file
            .map_err(|_| Error::usage(format!("{place}: another verdict is labelling into it")))?;
        let progress = match read_progress(&beside, &plan, path)? {
            Some(progress) => progress,
            None => {
                // Whatever games they are, they are not this plan's.
                remove(&with(path, GAMES))?;
                let plan = plan.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
                LabelProgress { plan, ..LabelProgress::default() }
            }
        };
        let length = file.file().metadata().context(partial.display())?.len();
        if length < progress.bytes {
            return Err(Error::input_output(format!(
                "{}: expected at least {} bytes, found {length}; remove it and {} to begin again",
                partial.display(),
                progress.bytes,
                beside.display()
            )));
        }
        // What a kill has left behind the last whole block is labelled again.
        file.file().set_len(progress.bytes).context(partial.display())?;
        file.file().seek(SeekFrom::End(0)).context(partial.display())?;
        let (path, waiting, written) = (path.to_owned(), String::new(), Instant::now());
        Ok(LabelFile { file, path, progress, waiting, written })
    }

    pub(super) fn counts(&self) -> LabelCounts {
        self.progress.counts
    }

    /// Positions that need not be searched again.
    pub(super) fn searched(&self) -> u64 {
        self.progress.searched
    }

    /// Whether these are the positions that were searched so far, by their digest.
    pub(super) fn continues(&self, digest: u64) -> bool {
        self.progress.digest == digest
    }

    /// Adds the lines of so many positions with these keys.
    pub(super) fn append(
        &mut self,
        lines: &str,
        keys: impl Iterator<Item = u64>,
        counts: LabelCounts,
    ) -> Result<(), Error> {
        self.waiting.push_str(lines);
        for key in keys {
            self.progress.searched += 1;
            self.progress.digest = digest(self.progress.digest, key);
        }
        self.progress.counts = counts;
        if self.written.elapsed() < WAIT { Ok(()) } else { self.write() }
    }

    /// Writes what waits; a call that is killed now goes on from here.
    pub(super) fn write(&mut self) -> Result<(), Error> {
        let place = with(&self.path, PARTIAL);
        let place = || format!("{}: cannot write", place.display());
        let file = self.file.file();
        file.write_all(self.waiting.as_bytes()).context(place())?;
        file.sync_data().context(place())?;
        self.progress.bytes += self.waiting.len() as u64;
        self.waiting.clear();
        self.written = Instant::now();
        let text = serde_json::to_string(&self.progress).unwrap_or_default() + "\n";
        Ok(atomic::replace_by(&with(&self.path, PROGRESS), text)?)
    }

    /// Nothing is left to do.
    pub(super) fn finish(mut self) -> Result<(), Error> {
        self.write()?;
        fs::rename(with(&self.path, PARTIAL), &self.path).context(self.path.display())?;
        remove(&with(&self.path, PROGRESS))?;
        remove(&self.games())
    }

    /// After an error or an interruption: the next call goes on from what is written. What says
    /// nothing is removed.
    pub(super) fn leave(mut self) -> Result<(), Error> {
        let games = self.games();
        if self.progress.searched > 0 || fs::metadata(&games).is_ok_and(|games| games.len() > 0) {
            return self.write();
        }
        [with(&self.path, PARTIAL), with(&self.path, PROGRESS), games].iter().try_for_each(remove)
    }

    /// Where games are kept until all is labelled.
    pub(super) fn games(&self) -> PathBuf {
        with(&self.path, GAMES)
    }
}

/// Adds a position's key to the digest of those before it.
pub(super) fn digest(before: u64, key: u64) -> u64 {
    mixed(before.rotate_left(1) ^ key)
}

/// The name with an ending more.
fn with(path: &Path, ending: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(ending);
    name.into()
}

fn remove(path: &PathBuf) -> Result<(), Error> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error).context(path.display()),
        _ => Ok(()),
    }
}

/// How far the file of `path` is, whose plan has to be this one; `None` of a new file.
fn read_progress(
    beside: &Path,
    plan: &PlanWords,
    path: &Path,
) -> Result<Option<LabelProgress>, Error> {
    let text = match fs::read_to_string(beside) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        read => read.context(beside.display())?,
    };
    let found: LabelProgress = serde_json::from_str(&text).map_err(|error| {
        Error::input_output(format!(
            "{}:{}: expected how far the labelling is: {error}; remove it to begin again",
            beside.display(),
            error.line()
        ))
    })?;
    for (name, value) in plan {
        let was = found.plan.get(*name).map_or("nothing", String::as_str);
        if was != value {
            return Err(Error::usage(format!(
                "{}: begun with {name} {was}, now {value}: expected the same, or another --out",
                path.display()
            )));
        }
    }
    Ok(Some(found))
}
