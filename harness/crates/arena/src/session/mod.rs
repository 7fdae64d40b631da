//! One session of a run: from a checked plan to players, files and a played match.
//!
//! [`Session::begin`] starts a new run, [`Session::resume`] continues one that [`OpenRun`] has opened.
//! [`Session::play`] plays until the schedule, the rule or the user ends it, then renders the run's
//! files. [`play_together`] does so with several runs that share processors and players ([`Resources`]), a pair of each in turn.

mod ask;
mod error;
mod load;
mod player;
mod preflight;
mod resources;
mod settings;
mod shared;

pub use ask::{AskedProgram, ask};
pub use error::{SessionError, expect_same};
pub use resources::{Resources, openings};
pub use settings::settings;
pub use shared::VariedOption;

use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::Value;
use tokio::sync::mpsc;

use crate::build::Cache;
use crate::collector::{
    Collected, Collector, MatchObserver, Recorded, Ruling, StrikeSender, TooManyFaults,
};
use crate::hands::{Hands, Here, Work};
use crate::output_folder::{self, Owner};
use crate::plan::{Plan, WidthOverrides};
use crate::record::lock::{FolderLock, RUN_LOCK};
use crate::record::pgn::{self, GrowingPgn};
use crate::record::{
    FinalVerdict, FleetFacts, GAMES_FILE, GAMES_ZST_FILE, GameRecord, Journal, MatchState,
    RecordError, RunFile, Summary, run_name,
};
use crate::report::{self, RunResults};
use crate::runner::{Contest, LiveGames, RunError, Stops, Width};
use crate::verify::{self, Verified, VerifyScope};

const CHANNEL: usize = 256;
/// Folder names to try.
const MOST_NAMESAKES: u32 = 1000;

pub struct PlayedMatch {
    pub dir: PathBuf,
    /// Why it is decided, if it is.
    pub reason: Option<String>,
    /// Everything that `summary.json` says.
    pub summary: Summary,
    pub verdict: Option<FinalVerdict>,
    pub too_many_faults: Option<TooManyFaults>,
}

pub struct Session {
    pub dir: PathBuf,
    pub plan: Plan,
    pub run: RunFile,
    contest: Arc<Contest>,
    hands: Arc<dyn Hands>,
    journal: Journal,
    recorded: Recorded,
}

impl Session {
    /// Begins a new run in `dir`, or in a new folder under `results/`.
    pub fn begin(
        plan: Plan,
        dir: Option<PathBuf>,
        resources: &mut Resources,
        stops: Stops,
    ) -> Result<Session, SessionError> {
        let (run, contest) = resources.ready(&plan, stops)?;
        let (dir, journal) = match dir {
            Some(dir) => {
                let journal = Journal::create(&dir)?;
                (dir, journal)
            }
            None => new_folder(&run, &plan)?,
        };
        run.write(&dir)?;
        let recorded = Recorded::new(MatchState::new(plan.rule, plan.pairs));
        Ok(Session { dir, plan, run, contest, hands: resources.hands(), journal, recorded })
    }

    /// Begins the run that was planned for `dir` and has no folder yet.
    pub fn begin_planned(
        plan: &Value,
        dir: &Path,
        width: &WidthOverrides,
        resources: &mut Resources,
        stops: Stops,
    ) -> Result<Session, SessionError> {
        let plan = again(plan_of(plan, dir)?, width)?;
        Session::begin(plan, Some(dir.to_owned()), resources, stops)
    }

    /// Goes on with a run, the work spread as `width` says; with `changed_files` even though files
    /// have changed that options of programs name, which is told.
    pub fn resume(
        begun: OpenRun,
        width: &WidthOverrides,
        changed_files: bool,
        resources: &mut Resources,
        stops: Stops,
    ) -> Result<Session, SessionError> {
        let OpenRun { dir, recorded, results: RunResults { file: run, .. }, journal, .. } = begun;
        let plan = again(plan_of(&run.plan, &dir)?, width)?;
        let (mut now, contest) = resources.ready(&plan, stops)?;
        if changed_files {
            now.overlook_changes(&run);
        }
        expect_same(&dir, &run, &now)?;
        let journal = journal.ok_or_else(|| RecordError::NoGames { dir: dir.clone() })?;
        Ok(Session { dir, plan, run, contest, hands: resources.hands(), journal, recorded })
    }

    pub fn match_state(&self) -> &MatchState {
        &self.recorded.match_state
    }

    /// Its games under way, after [`Resources::show`].
    pub fn live(&self) -> Option<Arc<LiveGames>> {
        self.contest.live.clone()
    }

    /// Said before it is played: that both are the same player, that processors are too few.
    pub fn warnings(&self) -> [Option<String>; 2] {
        let run = &self.run;
        let warning = load::warning(&self.plan, [&run.base, &run.test]);
        [run.same_players().then(|| run.base.aa_test()), warning]
    }

    /// A remark on its openings, before they are played.
    pub fn note(&self) -> Option<String> {
        let book = self.run.book.as_ref()?;
        self.plan.openings.beyond(book.openings)
    }

    /// Plays what is left and renders the run's files. After an error what is in the journal is
    /// whole.
    pub async fn play(self, observer: impl MatchObserver) -> Result<PlayedMatch, SessionError> {
        let (width, stops) = (self.plan.width(), self.contest.stops.clone());
        let mut played = play_together(vec![(self, observer)], width, stops).await?;
        // One was given.
        played.pop().unwrap_or_else(|| Err(RunError::Lost(0).into()))
    }
}

/// An existing run, verified and counted. It holds the run's lock.
pub struct OpenRun {
    dir: PathBuf,
    recorded: Recorded,
    results: RunResults,
    /// `None` where it is packed: then nothing can be recorded.
    journal: Option<Journal>,
    _lock: Option<FolderLock>,
}

impl OpenRun {
    /// Takes the lock, cuts off a torn line and adds missing digests, also if the run is then refused
    /// as different.
    pub fn open(dir: &Path) -> Result<OpenRun, SessionError> {
        let run = RunFile::read(dir)?;
        // A tuner's games are no match to go on with.
        if let Some(file) = run.games_of {
            return Err(SessionError::GamesOf { dir: dir.to_owned(), file });
        }
        let mut results = RunResults::new(dir, &run_name(dir), run.clone())?;
        let terms = results.terms;
        let mut recorded = Recorded::new(MatchState::new(terms.rule, terms.pairs));
        let on_game = |game: &GameRecord| {
            recorded.add(game)?;
            results.add(game)
        };
        let is_packed = !dir.join(GAMES_FILE).exists() && dir.join(GAMES_ZST_FILE).exists();
        let (journal, lock) = if is_packed {
            let lock = FolderLock::acquire(dir, RUN_LOCK)?;
            print_remarks(dir, &verify::run(dir, VerifyScope::Sample, on_game)?);
            (None, Some(lock))
        } else {
            (Some(open_verified(dir, &run, on_game)?), None)
        };
        Ok(OpenRun { dir: dir.to_owned(), recorded, results, journal, _lock: lock })
    }

    /// Whether nothing of it is left to play.
    pub fn is_finished(&self) -> bool {
        self.results.is_decided() && !self.results.is_doubted()
    }

    /// How many pairs are still to be compared with what other machines play.
    pub fn unaudited_pairs(&self) -> u64 {
        self.results.fleet().map_or(0, |fleet| fleet.unaudited_pairs)
    }

    /// Renders a finished run again, without its players, which may be gone.
    pub fn conclude(self) -> Result<PlayedMatch, SessionError> {
        let collected = Collected { too_many_faults: None, not_begun: 0, has_pgn: false };
        conclude(self.dir.clone(), &self.results, collected)
    }
}

/// Plays what is left of several runs on the same processors and renders their files. `stops` ends
/// them all; each may end before by its own. What is wrong with one run is with its result.
pub async fn play_together<W: MatchObserver>(
    runs: Vec<(Session, W)>,
    width: Width,
    stops: Stops,
) -> Result<Vec<Result<PlayedMatch, SessionError>>, SessionError> {
    // A session has the hands of its resources, and all are of one.
    let hands =
        runs.first().map_or_else(|| Arc::new(Here) as _, |(first, _)| Arc::clone(&first.hands));
    let mut matches = Vec::new();
    let mut collecting = Vec::new();
    for (session, observer) in runs {
        let (finished, receiver) = mpsc::channel(CHANNEL);
        let Session { dir, plan, run, contest, journal, recorded, .. } = session;
        let games = recorded.games.clone();
        let (strikes, struck) = StrikeSender::new(FleetFacts::read(&dir)?.doubted_from());
        let stops = (contest.stops.clone(), struck);
        let collector = Collector::new(journal, &dir, recorded, plan.max_faults, stops, observer);
        let collector = collector.with_pgn(GrowingPgn::open(&dir, &run));
        collecting.push((dir.clone(), run.clone(), tokio::spawn(collector.run(receiver))));
        matches.push(Work { dir, plan, run, contest, recorded: games, finished, strikes });
    }
    let ran = hands.play(matches, width, stops).await;
    let mut played = Vec::with_capacity(collecting.len());
    for (dir, run, collected) in collecting {
        let collected =
            collected.await.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()));
        let concluded = collected.map_err(SessionError::from).and_then(|collected| {
            let results = RunResults::new(&dir, &run_name(&dir), run)?.with_games(&dir)?;
            conclude(dir, &results, collected)
        });
        played.push(concluded);
    }
    // After the collectors, so that their files are closed and their errors come first.
    if played.iter().all(Result::is_ok) {
        ran?;
    }
    Ok(played)
}

fn conclude(
    dir: PathBuf,
    results: &RunResults,
    collected: Collected,
) -> Result<PlayedMatch, SessionError> {
    let Collected { too_many_faults, not_begun, has_pgn } = collected;
    let ruling = results.ruling();
    let mut summary = results.summary();
    summary.faults.not_begun = not_begun;
    if let (Some(TooManyFaults(why)), None) = (&too_many_faults, ruling.verdict) {
        // What stopped the run need not be recorded: games that did not begin are not.
        summary.judged.why.insert("verdict".to_owned(), why.clone());
    }
    summary.write(&dir)?;
    if !has_pgn {
        pgn::render(&dir, &results.file)?;
    }
    report::write_run(&dir, results)?;
    // What was played to its end is judged as a whole.
    let too_many_faults = match ruling.verdict {
        Some(_) => ruling.void().map(|why| TooManyFaults(why.to_owned())),
        None => too_many_faults,
    };
    let Ruling { verdict, reason } = ruling;
    let reason = reason.filter(|_| verdict.is_some());
    Ok(PlayedMatch { dir, reason, summary, verdict, too_many_faults })
}

/// Opens the journal of a run to go on with it, refusing what cannot be true, and tells what else
/// is wrong with its files.
pub fn open_verified(
    dir: &Path,
    run: &RunFile,
    on_game: impl FnMut(&GameRecord) -> Result<(), RecordError>,
) -> Result<Journal, RecordError> {
    let (journal, verified) = verify::open(dir, run, on_game)?;
    print_remarks(dir, &verified);
    Ok(journal)
}

fn print_remarks(dir: &Path, verified: &Verified) {
    verified.remarks.iter().for_each(|remark| status!("warning: {}: {remark}", dir.display()));
}

/// What the journal of the run in `dir` says, without writing anything.
pub fn recorded(dir: &Path) -> Result<Summary, SessionError> {
    Ok(RunResults::read(dir, &run_name(dir))?.summary())
}

/// A recorded plan made ready to play: players whose builds are gone are built again.
pub fn again(plan: Plan, width: &WidthOverrides) -> Result<Plan, SessionError> {
    let plan = plan.with_width(width).rebuilt(&Cache::of_user(), &|line| status!("{line}"))?;
    Ok(plan.recheck()?)
}

fn plan_of(recorded: &Value, dir: &Path) -> Result<Plan, SessionError> {
    serde_json::from_value(recorded.clone())
        .map_err(|source| SessionError::RecordedPlan { dir: dir.to_owned(), source })
}

/// Makes `results/<date>-<slug>`, with a number appended if that exists.
fn new_folder(run: &RunFile, plan: &Plan) -> Result<(PathBuf, Journal), RecordError> {
    let date = run.created.get(..10).unwrap_or("run");
    let name = format!("results/{date}-{}", plan.slug());
    let numbered = (2..MOST_NAMESAKES).map(|number| format!("{name}-{number}"));
    let mut dirs = iter::once(name.clone()).chain(numbered).map(PathBuf::from).peekable();
    while let Some(dir) = dirs.next() {
        let is_last = dirs.peek().is_none();
        if !is_last && output_folder::refuse(&dir, Owner::New).is_err() {
            continue;
        }
        match Journal::create(&dir) {
            Err(RecordError::Exists { .. } | RecordError::InUse { .. }) if !is_last => {}
            created => return created.map(|journal| (dir, journal)),
        }
    }
    Err(RecordError::Exists { dir: name.into() })
}
