//! One sitting of a run: from a checked plan to players, files and a played match.
//!
//! [`Session::begin`] starts a new run, [`Session::resume`] goes on with one; [`Session::play`]
//! plays until the schedule, the rule or the user ends it, and renders what the journal holds.

mod player;

pub(crate) use self::player::settings;

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
    sync::Arc,
};

use tokio::sync::mpsc;

use crate::{
    collector::{CollectError, Collector, Recorded, SYNC_EVERY, Standing, TooManyFaults, Watch},
    opening::{Book, BookError},
    plan::{Plan, PlanError, WidthFlags},
    player::{seat::Source, spec::SpecError},
    record::{
        BookIdentity, Difference, Durability, Journal, Judged, RecordError, RunFile, Side, Summary,
        Tally, pgn, run_name,
    },
    runner::{RunError, Runner, Stops},
    schedule::Schedule,
    stats::{Defined, Statistics, Verdict},
};

/// Finished games on their way to the collector.
const CHANNEL: usize = 256;
/// The book of a match that names none, part of this program so that it plays from anywhere.
const SHIPPED_BOOK: &str = "openings/balanced_8ply.epd";
const SHIPPED_BYTES: &[u8] = include_bytes!("../../../openings/balanced_8ply.epd");
/// Folders of one name that are tried before giving up.
const MOST_NAMESAKES: u32 = 1000;

/// Why a sitting did not begin or did not end well.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The plan cannot be played.
    #[error(transparent)]
    Plan(#[from] PlanError),
    /// A player cannot play.
    #[error(transparent)]
    Player(#[from] SpecError),
    /// A program refuses its options, or what it is to play.
    #[error("--{side} {reason}")]
    Options {
        /// Which flag.
        side: Side,
        /// What it refuses, with the nearest real name.
        reason: String,
    },
    /// The threads that watch over programs.
    #[error("cannot start the threads that watch over engines: {0}")]
    Host(std::io::Error),
    /// The book cannot be used.
    #[error(transparent)]
    Book(#[from] BookError),
    /// The run's files.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// The plan in `run.json` is not one.
    #[error("{dir}: run.json does not hold a plan of this version: {source}")]
    RecordedPlan {
        /// The run's folder.
        dir: PathBuf,
        /// What is wrong.
        source: serde_json::Error,
    },
    /// The run cannot be continued here.
    #[error("{dir} cannot be resumed: {difference}")]
    Different {
        /// The run's folder.
        dir: PathBuf,
        /// What has changed.
        difference: Difference,
    },
    /// Results could not be kept.
    #[error(transparent)]
    Collect(#[from] CollectError),
    /// Games could not be played.
    #[error(transparent)]
    Run(#[from] RunError),
}

/// How a sitting ended.
pub struct Played {
    /// The run's folder.
    pub dir: PathBuf,
    /// Why, if the rule has decided.
    pub reason: Option<String>,
    /// Everything that `summary.json` says.
    pub summary: Summary,
    /// What the rule decided, if it did.
    pub verdict: Option<Verdict>,
    /// Why the run was stopped, if by faults.
    pub too_many_faults: Option<TooManyFaults>,
}

/// A run that is ready to play.
pub struct Session {
    dir: PathBuf,
    plan: Plan,
    run: RunFile,
    book: Book,
    base: Arc<Source>,
    test: Arc<Source>,
    journal: Journal,
    recorded: Recorded,
    stops: Stops,
}

impl Session {
    /// Begins a new run in `dir`, or in a new folder under `results/`.
    ///
    /// # Errors
    /// When the plan cannot be played, or its files not be written.
    pub fn begin(plan: Plan, dir: Option<PathBuf>, stops: Stops) -> Result<Session, SessionError> {
        let Ready { book, base, test, run } = Ready::new(&plan, &stops)?;
        let (dir, journal) = match dir {
            Some(dir) => {
                let journal = Journal::create(&dir, Durability::Every(SYNC_EVERY))?;
                (dir, journal)
            }
            None => new_folder(&run, &plan)?,
        };
        run.write(&dir)?;
        let recorded = Recorded::new(Standing::new(plan.rule, plan.pairs));
        Ok(Session { dir, plan, run, book, base, test, journal, recorded, stops })
    }

    /// Goes on with the run in `dir`, the work spread as `width` says.
    ///
    /// # Errors
    /// When there is no run, or it would not go on as the same one.
    pub fn resume(dir: &Path, width: &WidthFlags, stops: Stops) -> Result<Session, SessionError> {
        let run = RunFile::read(dir)?;
        let plan: Plan = serde_json::from_value(run.plan.clone())
            .map_err(|source| SessionError::RecordedPlan { dir: dir.to_owned(), source })?;
        let plan = plan.with_width(width).recheck()?;
        let ready = Ready::new(&plan, &stops)?;
        run.same_run(&ready.run)
            .map_err(|difference| SessionError::Different { dir: dir.to_owned(), difference })?;
        let mut recorded = Recorded::new(Standing::new(plan.rule, plan.pairs));
        let mut added = Ok(());
        let durability = Durability::Every(SYNC_EVERY);
        let (journal, _) = Journal::open_for_resume(dir, durability, |game| {
            if added.is_ok() {
                added = recorded.add(&game);
            }
        })?;
        added.map_err(CollectError::from)?;
        let Ready { book, base, test, .. } = ready;
        Ok(Session { dir: dir.to_owned(), plan, run, book, base, test, journal, recorded, stops })
    }

    /// The run's folder.
    #[must_use]
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The plan.
    #[must_use]
    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// What is recorded so far.
    #[must_use]
    pub fn standing(&self) -> &Standing {
        self.recorded.standing()
    }

    /// What is played, by whom.
    #[must_use]
    pub fn run_file(&self) -> &RunFile {
        &self.run
    }

    /// Plays what is left and renders the run's files.
    ///
    /// # Errors
    /// When results cannot be kept; what is in the journal then is whole.
    pub async fn play(self, watch: impl Watch) -> Result<Played, SessionError> {
        let Session { dir, plan, run, book, base, test, journal, recorded, stops } = self;
        let schedule = Schedule::new(&book, plan.seed, plan.pairs);
        let done = recorded.games().clone();
        let games = schedule.filter(move |pairing| !done.contains(&pairing.game));
        let (sender, receiver) = mpsc::channel(CHANNEL);
        let collector =
            Collector::new(journal, &dir, recorded, plan.max_faults, stops.clone(), watch);
        let runner = Runner {
            book: Arc::new(book),
            rules: plan.rules(),
            base,
            test,
            width: plan.width(),
            stops,
            meter: None,
        };
        let collecting = tokio::spawn(collector.run(receiver));
        let ran = runner.run(games, sender).await;
        let collected = collecting.await;
        let (standing, too_many_faults) =
            collected.unwrap_or_else(|panic| std::panic::resume_unwind(panic.into_panic()))?;
        // After the collector, so that its files are closed and its error comes first.
        ran?;
        let statistics = standing.statistics();
        let summary = conclude(&dir, &run, &standing, &statistics)?;
        let verdict = standing.judgement().verdict();
        Ok(Played { dir, reason: standing.reason(), summary, verdict, too_many_faults })
    }
}

/// Renders everything that is rendered from the journal.
fn conclude(
    dir: &Path,
    run: &RunFile,
    standing: &Standing,
    statistics: &Statistics,
) -> Result<Summary, SessionError> {
    let counting = standing.judgement().verdict().map(|_| standing.pairs());
    let tally = Tally::read(dir, counting)?;
    let summary = Summary::new(&run_name(dir), run, &tally, judged(statistics));
    summary.write(dir)?;
    pgn::render(dir, run)?;
    Ok(summary)
}

/// A number, or nothing and the reason in `why`.
fn keep<T>(why: &mut BTreeMap<String, String>, name: &str, value: Defined<T>) -> Option<T> {
    value.map_err(|reason| why.insert(name.to_owned(), reason.to_string())).ok()
}

/// The statistics in the words of `summary.json`.
fn judged(statistics: &Statistics) -> Judged {
    let mut why = BTreeMap::new();
    Judged {
        elo: keep(&mut why, "elo", statistics.elo.elo),
        elo_error95: keep(&mut why, "elo_error95", statistics.elo.error95),
        nelo: keep(&mut why, "nelo", statistics.nelo.nelo),
        nelo_error95: keep(&mut why, "nelo_error95", statistics.nelo.error95),
        los: keep(&mut why, "los", statistics.los),
        llr: keep(&mut why, "llr", statistics.llr),
        llr_bounds: keep(&mut why, "llr_bounds", statistics.llr_bounds),
        elo_unbiased: keep(&mut why, "elo_unbiased", statistics.unbiased.map(|it| it.elo)),
        elo_unbiased_ci95: keep(
            &mut why,
            "elo_unbiased_ci95",
            statistics.unbiased.map(|it| [it.low95, it.high95]),
        ),
        verdict: keep(&mut why, "verdict", statistics.verdict).map(|verdict| verdict.to_string()),
        why,
    }
}

/// Makes `results/<date>-<slug>`, with a number behind it where that exists.
fn new_folder(run: &RunFile, plan: &Plan) -> Result<(PathBuf, Journal), RecordError> {
    let date = run.created.get(..10).unwrap_or("run");
    let name = format!("results/{date}-{}", plan.slug());
    let mut tries = 2;
    let mut dir = PathBuf::from(&name);
    loop {
        match Journal::create(&dir, Durability::Every(SYNC_EVERY)) {
            Err(RecordError::Exists { .. } | RecordError::InUse { .. })
                if tries < MOST_NAMESAKES =>
            {
                dir = PathBuf::from(format!("{name}-{tries}"));
                tries += 1;
            }
            created => return created.map(|journal| (dir, journal)),
        }
    }
}

/// The book of a match that names none.
///
/// # Errors
/// None, as long as the book in this program is a good one.
pub fn shipped_book() -> Result<Book, BookError> {
    Book::from_bytes(SHIPPED_BOOK, SHIPPED_BYTES)
}

/// A plan with its players and its book.
struct Ready {
    book: Book,
    base: Arc<Source>,
    test: Arc<Source>,
    run: RunFile,
}

impl Ready {
    fn new(plan: &Plan, stops: &Stops) -> Result<Ready, SessionError> {
        let book = match &plan.book {
            Some(path) => Book::read(path)?,
            None => shipped_book()?,
        };
        let identity = BookIdentity {
            path: plan.book.as_ref().map_or(SHIPPED_BOOK.into(), |path| path.display().to_string()),
            sha256: book.sha256().to_owned(),
            openings: book.len() as u64,
        };
        let (base, base_identity) = player::ready(plan, Side::Base, &book, stops)?;
        let (test, test_identity) = player::ready(plan, Side::Test, &book, stops)?;
        let value = serde_json::to_value(plan).unwrap_or_default();
        let run = RunFile::new(value, plan.seed, base_identity, test_identity, Some(identity));
        Ok(Ready { book, base: Arc::new(base), test: Arc::new(test), run })
    }
}
