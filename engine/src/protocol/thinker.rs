//! The thread that owns the engine: jobs in, in the order given; each protocol hears of its
//! searches in its own [`Voice`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use super::console::say;
use super::count::CountJob;
use crate::engine::{Engine, SearchReport};
use crate::eval::ImbalanceTable;
use crate::params::Params;
use crate::position::Position;
use crate::search::{HashSize, IterationInfo, Limits, Observer, OpeningTable, SearchStatistics};
use crate::tablebase::Probing;
use crate::types::Move;

/// Tells of one search in a protocol's words. All of it is called on the searching thread.
pub(super) trait Voice: Send {
    /// A new best move or a finished iteration.
    fn iteration(&self, info: &IterationInfo<'_>);

    /// A score outside the window of the root.
    fn root_fail(&self, _info: &IterationInfo<'_>) {}

    /// What the search counted about itself, if it was asked to.
    fn statistics(&self, _statistics: &SearchStatistics) {}

    /// The root move now being searched, its number from 1, and the time so far.
    fn root_move(&self, mv: Move, number: usize, time: Duration);

    /// The search is over, and the next job may begin.
    fn done(&self, report: SearchReport);
}

/// What the thread can be asked to do.
pub(super) enum Job {
    /// Forget everything.
    NewGame,
    /// Play by these parameters and these tables, or none.
    PlayBy {
        params: Arc<Params>,
        imbalance: Option<Arc<ImbalanceTable>>,
        opening: Option<Arc<OpeningTable>>,
        probing: Probing,
    },
    /// Use a hash table of this size.
    Hash(HashSize),
    /// Search with so many threads.
    Threads(usize),
    /// Print a line: all before it is done.
    Say(String),
    /// Say this in place of a search's answer, when one would be due.
    Answer { text: &'static str, infinite: bool, signals: Arc<Signals> },
    /// Search.
    Search(Box<SearchJob>, Arc<Signals>),
    /// Make a count and print it.
    Count(CountJob, Arc<Signals>),
}

/// One search.
pub(super) struct SearchJob {
    pub(super) position: Position,
    pub(super) limits: Limits,
    /// The answer waits for [`Thinker::stop`], even when the search has nothing more to find.
    pub(super) infinite: bool,
    /// The search counts about itself.
    pub(super) counted: bool,
    pub(super) voice: Box<dyn Voice>,
}

/// What one search is told while it runs. Each has its own: a search that was told to stop stays
/// told, whatever comes after it.
#[derive(Debug, Default)]
pub(super) struct Signals {
    stop: AtomicBool,
    /// The search runs on the opponent's time.
    ponder: AtomicBool,
    /// Cleared before its end is told.
    searching: AtomicBool,
}

impl Signals {
    /// Waits on the thinking thread until an answer is due: an infinite search's only after `stop`, that of
    /// one on the opponent's time only after `stop` or `ponderhit`.
    fn wait(&self, infinite: bool) {
        while !self.stop() && (infinite || self.pondering()) {
            thread::park();
        }
    }
}

impl Observer for Signals {
    fn stop(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    fn pondering(&self) -> bool {
        self.ponder.load(Ordering::Relaxed)
    }
}

/// Handle to the thread.
pub(super) struct Thinker {
    /// Those of the last search; every earlier one has been told to stop.
    signals: Arc<Signals>,
    /// When the last job was begun, if it is a count.
    count_begun: Option<Instant>,
    /// How long a count may take when the session ends, from its beginning.
    patience: Duration,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
    /// Closed when the thread has ended; nothing comes from it.
    ended: Receiver<()>,
}

/// Scripts ask for a count and end at once, and want the count. A program that has gone away wants nothing,
/// but its end looks the same: what is begun is not waited for without bound.
const PATIENCE: Duration = Duration::from_secs(60);

impl Thinker {
    /// Starts the thread with a new engine. What it has to remark goes to `remark`.
    pub(super) fn start(params: Arc<Params>, hash: HashSize, remark: fn(&str)) -> Thinker {
        let (jobs, inbox) = mpsc::channel();
        let (alive, ended) = mpsc::channel();
        let thread = thread::spawn(move || {
            let _alive: Sender<()> = alive;
            work(&inbox, &params, hash, remark);
        });
        Thinker {
            signals: Arc::default(),
            count_begun: None,
            patience: PATIENCE,
            jobs: Some(jobs),
            thread: Some(thread),
            ended,
        }
    }

    /// Queues a job.
    pub(super) fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The thread lives as long as the sender.
            let _ = jobs.send(job);
        }
    }

    /// Whether a search is under way that nobody has told to stop.
    pub(super) fn is_searching(&self) -> bool {
        let Signals { stop, searching, .. } = &*self.signals;
        searching.load(Ordering::Acquire) && !stop.load(Ordering::Relaxed)
    }

    /// Queues a search, in place of the last one.
    pub(super) fn search(&mut self, job: SearchJob) {
        let signals = self.signals(job.limits.ponder);
        self.send(Job::Search(Box::new(job), signals));
    }

    /// Queues an answer without a search, in place of the last one. It is given when a search's would be.
    pub(super) fn answer(&mut self, text: &'static str, infinite: bool, ponder: bool) {
        let signals = self.signals(ponder);
        self.send(Job::Answer { text, infinite, signals });
    }

    /// Queues a count, in place of the last search: to the outside it is one.
    pub(super) fn count(&mut self, count: CountJob) {
        let signals = self.signals(false);
        self.count_begun = Some(Instant::now());
        self.send(Job::Count(count, signals));
    }

    /// Stops the last search; the signals of the next.
    fn signals(&mut self, ponder: bool) -> Arc<Signals> {
        self.stop();
        self.signals = Arc::new(Signals {
            stop: AtomicBool::new(false),
            ponder: AtomicBool::new(ponder),
            searching: AtomicBool::new(true),
        });
        self.count_begun = None;
        Arc::clone(&self.signals)
    }

    /// Ends the search; its answer follows.
    pub(super) fn stop(&self) {
        self.signals.stop.store(true, Ordering::Relaxed);
        self.wake();
    }

    /// The opponent played the expected move: the clock runs now.
    pub(super) fn ponderhit(&self) {
        self.signals.ponder.store(false, Ordering::Relaxed);
        self.wake();
    }

    fn wake(&self) {
        if let Some(thread) = &self.thread {
            thread.thread().unpark();
        }
    }
}

impl Drop for Thinker {
    /// Stops the search, or a count that takes longer than [`PATIENCE`], and waits for the thread.
    fn drop(&mut self) {
        self.jobs = None;
        if let Some(begun) = self.count_begun {
            let _ = self.ended.recv_timeout(self.patience.saturating_sub(begun.elapsed()));
        }
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(inbox: &Receiver<Job>, params: &Arc<Params>, hash: HashSize, remark: fn(&str)) {
    let mut engine = Engine::new(params, hash);
    while let Ok(job) = inbox.recv() {
        match job {
            Job::NewGame => engine.new_game(),
            Job::PlayBy { params, imbalance, opening, probing } => {
                engine.play_by(&params, imbalance, opening, probing);
            }
            Job::Hash(size) => {
                engine.set_hash(size);
                if engine.hash_size() < size {
                    let mib = engine.hash_size().bytes() >> 20;
                    remark(&format!("not enough memory: the hash table has {mib} MiB"));
                }
            }
            Job::Threads(threads) => {
                engine.set_threads(threads);
                let there_are = engine.threads();
                if there_are < threads {
                    remark(&format!("option Threads: the system has only {there_are} threads"));
                }
            }
            Job::Say(text) => say(&text),
            Job::Answer { text, infinite, signals } => {
                signals.wait(infinite);
                signals.searching.store(false, Ordering::Release);
                say(text);
            }
            Job::Search(job, signals) => think(&mut engine, &job, &signals, remark),
            Job::Count(count, signals) => {
                let text = count(&*signals);
                signals.searching.store(false, Ordering::Release);
                say(&text);
            }
        }
    }
}

fn think(engine: &mut Engine, job: &SearchJob, signals: &Signals, remark: fn(&str)) {
    let watcher = Watcher { signals, voice: &*job.voice };
    let (report, statistics) = if job.counted {
        let (report, statistics) = engine.search_counted(&job.position, &job.limits, &watcher);
        (report, Some(statistics))
    } else {
        (engine.search(&job.position, &job.limits, &watcher), None)
    };
    if let Some(fault) = engine.table_fault() {
        remark(&fault);
    }
    signals.wait(job.infinite);
    if let Some(statistics) = statistics {
        job.voice.statistics(&statistics);
    }
    signals.searching.store(false, Ordering::Release);
    job.voice.done(report);
}

/// The search's view of signals and voice.
struct Watcher<'a> {
    signals: &'a Signals,
    voice: &'a dyn Voice,
}

impl Observer for Watcher<'_> {
    fn stop(&self) -> bool {
        self.signals.stop()
    }

    fn pondering(&self) -> bool {
        self.signals.pondering()
    }

    fn iteration(&self, info: &IterationInfo<'_>) {
        self.voice.iteration(info);
    }

    fn root_fail(&self, info: &IterationInfo<'_>) {
        self.voice.root_fail(info);
    }

    fn root_move(&self, mv: Move, number: usize, time: Duration) {
        self.voice.root_move(mv, number, time);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Ends a session of so much patience while `count` is made; what `count` says: whether it was stopped.
    fn is_stopped(patience: Duration, count: fn(&dyn Observer) -> bool) -> bool {
        let mut thinker =
            Thinker::start(Arc::new(Params::standard()), HashSize::from_mib(1), |_| ());
        thinker.patience = patience;
        let (told, stopped) = mpsc::channel();
        thinker.count(Box::new(move |observer| {
            let _ = told.send(count(observer));
            String::new()
        }));
        drop(thinker);
        stopped.recv().expect("a count that is queued is begun")
    }

    #[test]
    fn a_session_ends_although_a_count_does_not() {
        let endless = |observer: &dyn Observer| {
            while !observer.stop() {
                thread::yield_now();
            }
            true
        };
        assert!(is_stopped(Duration::ZERO, endless));
        assert!(is_stopped(Duration::from_millis(1), endless));
    }

    #[test]
    fn a_session_waits_for_a_count_that_ends() {
        // Long enough to be stopped by an end that does not wait.
        let short = |observer: &dyn Observer| {
            (0..20_000).any(|_| {
                thread::yield_now();
                observer.stop()
            })
        };
        assert!(!is_stopped(Duration::MAX, short));
    }
}
