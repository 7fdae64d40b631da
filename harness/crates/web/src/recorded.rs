//! Recorded runs: found by searching folders, and read on request.

use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant, SystemTime};

use arena::game::LiveGame;
use arena::record::{
    FinalVerdict, GAMES_FILE, GAMES_ZST_FILE, GamePage, GameRecord, JournalIndex, RUN_FILE,
    SUMMARY_FILE, Summary, has_games_of_a_tuner, inside, run_name,
};
use arena::report::{self, RunResults};
use process::{Error, lock};
use serde_json::{Value, json};
use tokio::sync::OnceCell;

use crate::source::{Answer, Charts, RunSource, beside, run_id};
use crate::state::{Phase, RunState};

/// Shortest time between two searches.
const SEARCH_EVERY: Duration = Duration::from_secs(10);
/// Depth of the search.
const DEPTH: usize = 4;
/// How many runs are kept in memory.
const KEPT: usize = 8;

/// The runs below a folder.
#[derive(Default)]
pub struct RecordedRuns {
    root: Option<PathBuf>,
    found: tokio::sync::Mutex<Found>,
    /// In order of use, the latest last.
    read: Mutex<Vec<Read>>,
}

#[derive(Default)]
struct Found {
    at: Option<Instant>,
    rows: Arc<Vec<RecordedRow>>,
}

/// A run that the search has found.
#[derive(Debug, Clone)]
pub(crate) struct RecordedRow {
    pub(crate) id: String,
    /// Path below the root.
    pub(crate) name: String,
    dir: PathBuf,
    stamp: Stamp,
    /// From `summary.json`; `None`: there is none.
    pub(crate) told: Option<RowTold>,
}

#[derive(Debug, Clone)]
pub(crate) struct RowTold {
    pub(crate) created: String,
    pub(crate) words: String,
    pub(crate) pairs: u64,
    pub(crate) verdict: Option<FinalVerdict>,
}

/// Length and modification time of a file; `None`: no such file.
type Stamp = Option<(u64, SystemTime)>;

struct Read {
    id: String,
    stamp: Stamp,
    begun: Instant,
    run: Arc<OnceCell<Arc<RecordedRun>>>,
}

impl RecordedRow {
    pub(crate) fn row(&self) -> Value {
        let told = self.told.as_ref();
        json!({
            "id": self.id,
            "name": self.name,
            "kind": "recorded",
            "state": if told.is_some_and(|told| told.verdict.is_some()) { Phase::Finished } else { Phase::Stopped },
            "line": told.map(|told| &told.words),
            "pairs": told.map(|told| told.pairs),
            "verdict": told.and_then(|told| told.verdict),
            "created": told.map(|told| &told.created),
        })
    }
}

impl RecordedRuns {
    /// No runs.
    pub fn none() -> RecordedRuns {
        RecordedRuns::default()
    }

    /// The runs in this folder and in its folders.
    pub fn under(root: PathBuf) -> RecordedRuns {
        RecordedRuns { root: Some(root), ..RecordedRuns::default() }
    }

    /// Newest first.
    pub(crate) async fn list(&self) -> Arc<Vec<RecordedRow>> {
        let Some(root) = self.root.clone() else { return Arc::default() };
        // One search at a time; other requests wait for its result.
        let mut found = self.found.lock().await;
        if found.at.is_none_or(|at| at.elapsed() >= SEARCH_EVERY) {
            let known = Arc::clone(&found.rows);
            let rows = beside(move || Ok(search(&root, &known))).await;
            found.rows = rows.map(Arc::new).unwrap_or_default();
            found.at = Some(Instant::now());
        }
        Arc::clone(&found.rows)
    }

    pub(crate) async fn run(&self, id: &str) -> Result<Option<Arc<dyn RunSource>>, Error> {
        let rows = self.list().await;
        let Some(row) = rows.iter().find(|row| row.id == id) else { return Ok(None) };
        let (dir, name, id) = (row.dir.clone(), row.name.clone(), row.id.clone());
        let run = self.kept(&id, journal_stamp(&dir));
        let read = || beside(move || RecordedRun::read(id, name, &dir).map(Arc::new));
        let run = run.get_or_try_init(read).await?;
        Ok(Some(Arc::clone(run) as Arc<dyn RunSource>))
    }

    /// The run as it was read before, or an empty cell for it.
    fn kept(&self, id: &str, stamp: Stamp) -> Arc<OnceCell<Arc<RecordedRun>>> {
        let mut read = lock(&self.read);
        if let Some(at) = read.iter().position(|read| read.id == id) {
            let kept = read.remove(at);
            // Another process may be playing the run. It is read again, but not more often than
            // folders are searched.
            if kept.stamp == stamp || kept.begun.elapsed() < SEARCH_EVERY {
                let run = Arc::clone(&kept.run);
                read.push(kept);
                return run;
            }
        }
        let run = Arc::new(OnceCell::new());
        let (id, begun) = (id.to_owned(), Instant::now());
        read.push(Read { id, stamp, begun, run: Arc::clone(&run) });
        if read.len() > KEPT {
            read.remove(0);
        }
        run
    }
}

fn stamp(path: &Path) -> Stamp {
    let metadata = fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

fn journal_stamp(dir: &Path) -> Stamp {
    stamp(&dir.join(GAMES_FILE)).or_else(|| stamp(&dir.join(GAMES_ZST_FILE)))
}

/// Finds the runs below `root`. A run that has not changed since `known` is not read again.
fn search(root: &Path, known: &[RecordedRow]) -> Vec<RecordedRow> {
    let known: HashMap<&Path, &RecordedRow> =
        known.iter().map(|row| (row.dir.as_path(), row)).collect();
    let mut rows = Vec::new();
    let mut folders = vec![(root.to_owned(), 0)];
    while let Some((dir, depth)) = folders.pop() {
        if depth < DEPTH {
            folders.extend(inside(&dir).into_iter().map(|dir| (dir, depth + 1)));
        }
        let has = |file: &str| dir.join(file).is_file();
        if !has(RUN_FILE) || !(has(GAMES_FILE) || has(GAMES_ZST_FILE)) {
            continue;
        }
        let stamp = stamp(&dir.join(SUMMARY_FILE));
        let same = known.get(dir.as_path()).filter(|row| row.stamp == stamp);
        if let Some(row) = same {
            rows.push((*row).clone());
        } else if !has_games_of_a_tuner(&dir) {
            let below = dir.strip_prefix(root).unwrap_or(&dir);
            let name = match below.as_os_str().is_empty() {
                true => run_name(&dir),
                false => below.display().to_string(),
            };
            let told = Summary::read(&dir).ok().map(|summary| RowTold {
                words: summary.judged.words(),
                pairs: summary.pairs,
                verdict: summary.judged.verdict,
                created: summary.details.created,
            });
            rows.push(RecordedRow { id: run_id(&dir), name, dir, stamp, told });
        }
    }
    let created = |row: &RecordedRow| row.told.as_ref().map(|told| told.created.clone());
    rows.sort_by(|a, b| created(b).cmp(&created(a)).then_with(|| a.name.cmp(&b.name)));
    rows
}

/// A recorded run in memory.
struct RecordedRun {
    state: Arc<RunState>,
    charts: Charts,
    index: Arc<Mutex<JournalIndex>>,
}

impl RecordedRun {
    fn read(id: String, name: String, dir: &Path) -> Result<RecordedRun, Error> {
        let results = RunResults::read(dir, &name)?;
        let summary = Arc::new(results.summary());
        let counted = results.match_state();
        let finished = counted.finished_games();
        let state = RunState {
            id,
            name,
            phase: match summary.judged.verdict {
                Some(_) => Phase::Finished,
                None => Phase::Stopped,
            },
            line: summary.judged.words(),
            finished,
            total_games: counted.total_games(),
            prefix: counted.gap_free_pairs(),
            games_per_s: None,
            charts_version: finished,
            warnings: Vec::new(),
            fleet: None,
            summary,
        };
        let charts = Charts { version: finished, html: report::fragment(&results).into() };
        let index = Arc::new(Mutex::new(JournalIndex::new(dir)));
        Ok(RecordedRun { state: Arc::new(state), charts, index })
    }
}

impl RunSource for RecordedRun {
    fn state(&self) -> Arc<RunState> {
        Arc::clone(&self.state)
    }

    fn charts(&self) -> Answer<'_, Charts> {
        let charts = self.charts.clone();
        Box::pin(async { Ok(charts) })
    }

    fn games(&self, from: Option<u64>, count: usize) -> Answer<'_, GamePage> {
        let index = Arc::clone(&self.index);
        Box::pin(beside(move || lock(&index).page(from, count)))
    }

    fn game(&self, number: u64) -> Answer<'_, Option<GameRecord>> {
        let index = Arc::clone(&self.index);
        Box::pin(beside(move || lock(&index).game(number)))
    }

    fn live(&self) -> Answer<'_, Vec<LiveGame>> {
        Box::pin(async { Ok(Vec::new()) })
    }
}
