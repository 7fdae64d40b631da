//! A match of this process: its collector's games become states for the page.

use std::collections::VecDeque;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use arena::collector::MatchObserver;
use arena::game::LiveGame;
use arena::record::{Brief, GamePage, GameRecord, JournalIndex, MatchState, RunFile, run_name};
use arena::report::{self, RunResults};
use arena::runner::LiveGames;
use process::{Context as _, Error, lock};

use crate::fleet::FleetState;
use crate::site::Site;
use crate::source::{Answer, Charts, RunSource, beside, run_id};
use crate::state::{Phase, RunState};

/// Shortest time between two states, and between two drawings of the charts.
const STATE_EVERY: Duration = Duration::from_millis(500);
const CHARTS_EVERY: Duration = Duration::from_secs(2);
/// At most one part in 50 of a processor's time is spent on states and charts.
const COST: u32 = 50;
/// Capacity of the channel to the page.
const CHANNEL: usize = 1024;
/// How many warnings are kept.
const WARNINGS: usize = 20;

/// Describes a match in one line. The number is games/s, 0 if not known.
pub type LineOf = fn(&MatchState<Brief>, f64) -> String;

enum Note {
    Game(Box<GameRecord>),
    Struck,
    Warning(String),
}

/// Sends every game to the page. Dropping it ends the session of this run.
pub struct WebObserver {
    notes: SyncSender<Note>,
    fleet: FleetTeller,
}

/// Sends the state of the run's fleet to the page.
#[derive(Clone)]
pub struct FleetTeller {
    shared: Arc<Shared>,
    site: Site,
}

impl FleetTeller {
    pub fn tell(&self, fleet: FleetState) {
        let mut state = lock(&self.shared.state);
        *state = Arc::new(RunState { fleet: Some(fleet), ..(**state).clone() });
        drop(state);
        self.site.changed();
    }
}

impl MatchObserver for WebObserver {
    fn game(&mut self, record: &GameRecord, _: &MatchState) {
        // Fails only if the page's thread has ended.
        let _ = self.notes.send(Note::Game(Box::new(record.clone())));
    }

    fn warning(&mut self, what: &str) {
        let _ = self.notes.send(Note::Warning(what.to_owned()));
    }

    fn struck(&mut self) {
        let _ = self.notes.send(Note::Struck);
    }

    fn stands(&mut self, record: &GameRecord) {
        let _ = self.notes.send(Note::Game(Box::new(record.clone())));
    }
}

impl WebObserver {
    /// Shows the run in `dir` on the site, with the games that are recorded already. The thread
    /// ends after the observer was dropped and the last state was published.
    pub fn begin(
        dir: &Path,
        run: RunFile,
        line: LineOf,
        live: Option<Arc<LiveGames>>,
        site: &Site,
    ) -> Result<(WebObserver, JoinHandle<()>), Error> {
        let name = run_name(dir);
        let results = RunResults::new(dir, &name, run)?.with_games(dir)?;
        let before = results.match_state().finished_games();
        let known = Known { id: run_id(dir), name, line, before, begun: Instant::now() };
        let state = known.state(&results, Phase::Playing, Vec::new());
        let shared = Arc::new(Shared {
            version: AtomicU64::new(state.charts_version),
            state: Mutex::new(Arc::new(state)),
            results: Mutex::new(results),
            drawn: Mutex::new(None),
            index: Mutex::new(JournalIndex::new(dir)),
            live,
        });
        site.add(Arc::new(LocalRun { shared: Arc::clone(&shared) }));
        let fleet = FleetTeller { shared: Arc::clone(&shared), site: site.clone() };
        let (sender, notes) = sync_channel(CHANNEL);
        let site = site.clone();
        let thread = std::thread::Builder::new()
            .name("page".to_owned())
            .spawn(move || follow(&shared, &known, &notes, &site))
            .context("cannot start the page's thread")?;
        Ok((WebObserver { notes: sender, fleet }, thread))
    }

    /// For a run on many machines.
    pub fn fleet(&self) -> FleetTeller {
        self.fleet.clone()
    }
}

/// What does not change during a session.
struct Known {
    id: String,
    name: String,
    line: LineOf,
    /// Games of earlier sessions.
    before: u64,
    begun: Instant,
}

impl Known {
    fn state(&self, results: &RunResults, phase: Phase, warnings: Vec<String>) -> RunState {
        let counted = results.match_state();
        let finished = counted.finished_games();
        let played = finished.saturating_sub(self.before);
        let rate = played as f64 / self.begun.elapsed().as_secs_f64().max(1e-9);
        RunState {
            id: self.id.clone(),
            name: self.name.clone(),
            phase,
            line: (self.line)(counted, rate),
            summary: Arc::new(results.summary()),
            finished,
            total_games: counted.total_games(),
            prefix: counted.gap_free_pairs(),
            games_per_s: (played > 0).then_some(rate),
            charts_version: finished,
            warnings,
            fleet: None,
        }
    }
}

/// Receives games and publishes states.
fn follow(shared: &Shared, known: &Known, notes: &Receiver<Note>, site: &Site) {
    let mut warnings: VecDeque<String> = VecDeque::new();
    let (mut is_new, mut due) = (false, Instant::now());
    let mut is_over = false;
    while !is_over {
        let wait =
            if is_new { due.saturating_duration_since(Instant::now()) } else { Duration::MAX };
        // An endless wait would overflow the clock.
        match notes.recv_timeout(wait.min(Duration::from_secs(3600))) {
            Ok(note) => {
                is_new = true;
                shared.take(note, &mut warnings);
                notes.try_iter().take(CHANNEL).for_each(|note| shared.take(note, &mut warnings));
            }
            Err(RecvTimeoutError::Timeout) => (),
            Err(RecvTimeoutError::Disconnected) => is_over = true,
        }
        let now = Instant::now();
        if is_over || (is_new && now >= due) {
            let state = {
                let results = lock(&shared.results);
                let phase = match (is_over, results.ruling().verdict) {
                    (false, _) => Phase::Playing,
                    (true, Some(_)) => Phase::Finished,
                    (true, None) => Phase::Stopped,
                };
                known.state(&results, phase, warnings.iter().cloned().collect())
            };
            shared.version.store(state.charts_version, Ordering::Relaxed);
            let mut shown = lock(&shared.state);
            *shown = Arc::new(RunState { fleet: shown.fleet.clone(), ..state });
            drop(shown);
            site.changed();
            is_new = false;
            due = Instant::now() + STATE_EVERY.max(COST * now.elapsed());
        }
    }
}

/// A match of this process, as a source of the page.
struct LocalRun {
    shared: Arc<Shared>,
}

struct Shared {
    results: Mutex<RunResults>,
    state: Mutex<Arc<RunState>>,
    version: AtomicU64,
    drawn: Mutex<Option<Drawn>>,
    index: Mutex<JournalIndex>,
    live: Option<Arc<LiveGames>>,
}

struct Drawn {
    charts: Charts,
    /// Charts are not drawn again before this time.
    until: Instant,
}

impl Shared {
    fn take(&self, note: Note, warnings: &mut VecDeque<String>) {
        let warning = match note {
            Note::Warning(what) => what,
            Note::Struck => match lock(&self.results).begin_again() {
                Ok(()) => return,
                Err(error) => error.to_string(),
            },
            Note::Game(record) => match lock(&self.results).add(&record) {
                Ok(()) => return,
                Err(error) => error.to_string(),
            },
        };
        if warnings.len() == WARNINGS {
            warnings.pop_front();
        }
        warnings.push_back(warning);
    }

    /// All concurrent requests share one drawing.
    fn draw(&self) -> Charts {
        let mut drawn = lock(&self.drawn);
        let version = self.version.load(Ordering::Relaxed);
        let is_over = lock(&self.state).phase != Phase::Playing;
        if let Some(Drawn { charts, until }) = &*drawn
            && (charts.version == version || (!is_over && Instant::now() < *until))
        {
            return charts.clone();
        }
        let begun = Instant::now();
        let html = report::fragment(&lock(&self.results)).into();
        let charts = Charts { version, html };
        let until = Instant::now() + CHARTS_EVERY.max(COST * begun.elapsed());
        *drawn = Some(Drawn { charts: charts.clone(), until });
        charts
    }
}

impl RunSource for LocalRun {
    fn state(&self) -> Arc<RunState> {
        Arc::clone(&lock(&self.shared.state))
    }

    fn charts(&self) -> Answer<'_, Charts> {
        let shared = Arc::clone(&self.shared);
        Box::pin(beside(move || Ok(shared.draw())))
    }

    fn games(&self, from: Option<u64>, count: usize) -> Answer<'_, GamePage> {
        let shared = Arc::clone(&self.shared);
        Box::pin(beside(move || lock(&shared.index).page(from, count)))
    }

    fn game(&self, number: u64) -> Answer<'_, Option<GameRecord>> {
        let shared = Arc::clone(&self.shared);
        Box::pin(beside(move || lock(&shared.index).game(number)))
    }

    fn live(&self) -> Answer<'_, Vec<LiveGame>> {
        let games = self.shared.live.as_ref().map(|live| live.look()).unwrap_or_default();
        Box::pin(async { Ok(games) })
    }
}
