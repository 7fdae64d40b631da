//! The file of labels: whole chunks, and beside it how far it is.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};

use arena::record::atomic;
use process::{Context as _, Error};
use serde::{Deserialize, Serialize};

use super::{LabelCounts, LabelPlan};

/// Appended to the file's name while it is not finished.
const PROGRESS: &str = "progress.json";

/// What lies beside an unfinished file.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
struct LabelProgress {
    /// What it is made of: another plan does not go on with it.
    plan: BTreeMap<String, String>,
    chunks: u64,
    /// Of the file.
    bytes: u64,
    counts: LabelCounts,
}

pub(super) struct LabelFile {
    file: File,
    path: PathBuf,
    progress: LabelProgress,
}

impl LabelFile {
    /// A new file, or one that an earlier call with the same plan has begun.
    ///
    /// # Errors
    /// There is a file of another plan, or a finished one.
    pub(super) fn open(plan: &LabelPlan) -> Result<LabelFile, Error> {
        let path = plan.out.clone();
        let place = path.display();
        let beside = beside(&path);
        let wanted = plan_words(plan);
        let progress = match std::fs::read_to_string(&beside) {
            Ok(text) => {
                let found: LabelProgress = serde_json::from_str(&text).map_err(|error| {
                    Error::input_output(format!(
                        "{}:{}: expected how far the labelling is: {error}",
                        beside.display(),
                        error.line()
                    ))
                })?;
                if let Some((name, value)) =
                    wanted.iter().find(|(name, value)| found.plan.get(*name) != Some(value))
                {
                    let was = found.plan.get(name).map_or("nothing", String::as_str);
                    return Err(Error::usage(format!(
                        "{place}: begun with {name} {was}, now {value}: expected the same, or another \
                         --out"
                    )));
                }
                found
            }
            Err(_) if path.exists() => {
                return Err(Error::usage(format!(
                    "{place}: exists and is finished: expected the name of a new file"
                )));
            }
            Err(_) => LabelProgress { plan: wanted, ..LabelProgress::default() },
        };
        let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let mut file = file.context(format!("{place}: cannot create"))?;
        let length = file.metadata().context(place.to_string())?.len();
        if length < progress.bytes {
            return Err(Error::input_output(format!(
                "{place}: expected at least {} bytes, found {length}; remove it and {} to begin again",
                progress.bytes,
                beside.display()
            )));
        }
        // What a kill has left behind the last whole chunk is labelled again.
        file.set_len(progress.bytes).context(place.to_string())?;
        file.seek(SeekFrom::End(0)).context(place.to_string())?;
        Ok(LabelFile { file, path, progress })
    }

    pub(super) fn counts(&self) -> LabelCounts {
        self.progress.counts
    }

    /// Batches that need not be labelled again.
    pub(super) fn chunks(&self) -> u64 {
        self.progress.chunks
    }

    /// Adds a chunk's lines; `counts` are those of all chunks up to it.
    pub(super) fn append(
        &mut self,
        text: &str,
        counts: LabelCounts,
        chunks: u64,
    ) -> Result<(), Error> {
        let place = self.path.display().to_string();
        self.file.write_all(text.as_bytes()).context(format!("{place}: cannot write"))?;
        self.file.sync_data().context(format!("{place}: cannot write"))?;
        self.progress.bytes += text.len() as u64;
        (self.progress.chunks, self.progress.counts) = (chunks, counts);
        let text = serde_json::to_string(&self.progress).unwrap_or_default() + "\n";
        Ok(atomic::replace_by(&beside(&self.path), text)?)
    }

    /// Nothing is left to do.
    pub(super) fn finish(self) -> Result<(), Error> {
        let beside = beside(&self.path);
        match std::fs::remove_file(&beside) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                Err(error).context(beside.display().to_string())
            }
            _ => Ok(()),
        }
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(".");
    name.push(PROGRESS);
    name.into()
}

/// What changes the lines.
fn plan_words(plan: &LabelPlan) -> BTreeMap<String, String> {
    let LabelPlan { sources, teacher, settings, limit, sampling, per_game, seed, .. } = plan;
    let sources: Vec<_> = sources.iter().map(|path| path.display().to_string()).collect();
    let per_game = per_game.map_or("all".to_owned(), |most| most.to_string());
    let hash = settings.hash_mib.map_or("the engine's".to_owned(), |mib| format!("{mib} MiB"));
    [
        ("sources", sources.join(" ")),
        ("teacher", teacher.command_line()),
        ("hash", hash),
        ("limit", format!("{limit:?}")),
        ("margin", sampling.margin.to_string()),
        ("decided", sampling.decided.to_string()),
        ("positions a game", per_game),
        ("seed", seed.to_string()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .into()
}
