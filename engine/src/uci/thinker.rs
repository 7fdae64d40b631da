//! The thread that owns the engine: jobs in, `bestmove` out.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use super::output::{Reporter, Signals, say};
use crate::engine::Engine;
use crate::eval::ImbalanceTable;
use crate::params::Params;
use crate::position::Position;
use crate::search::{HashSize, Limits, OpeningTable};

/// What the thread can be asked to do, in the order asked.
pub(super) enum Job {
    /// Search, then print `bestmove`.
    Search(Box<SearchJob>),
    /// Forget everything.
    NewGame,
    /// Play by these parameters.
    Params(Arc<Params>),
    /// Use this material imbalance table, or none.
    Imbalance(Option<Arc<ImbalanceTable>>),
    /// Use this table of openings, or none.
    Opening(Option<Arc<OpeningTable>>),
    /// Use a hash table of this size.
    Hash(HashSize),
    /// Print `readyok`: all before it is done.
    Ready,
}

/// One `go`.
pub(super) struct SearchJob {
    pub(super) position: Position,
    pub(super) limits: Limits,
    pub(super) chess960: bool,
    /// `bestmove` waits for `stop`, even when the search has nothing more to find.
    pub(super) infinite: bool,
}

/// Handle to the thread.
pub(super) struct Thinker {
    pub(super) signals: Arc<Signals>,
    jobs: Option<Sender<Job>>,
    thread: Option<JoinHandle<()>>,
}

impl Thinker {
    /// Starts the thread with a new engine.
    pub(super) fn start(params: Arc<Params>, hash: HashSize) -> Thinker {
        let signals = Arc::new(Signals::default());
        let (jobs, inbox) = mpsc::channel();
        let for_thread = Arc::clone(&signals);
        let thread = thread::spawn(move || work(&inbox, &params, hash, &for_thread));
        Thinker { signals, jobs: Some(jobs), thread: Some(thread) }
    }

    /// Queues a job.
    pub(super) fn send(&self, job: Job) {
        if let Some(jobs) = &self.jobs {
            // The thread lives as long as the sender.
            let _ = jobs.send(job);
        }
    }

    /// Whether a search is under way.
    pub(super) fn is_searching(&self) -> bool {
        self.signals.searching.load(Ordering::Acquire)
    }

    /// Starts a search.
    pub(super) fn search(&self, job: SearchJob) {
        self.signals.stop.store(false, Ordering::Relaxed);
        self.signals.ponder.store(job.limits.ponder, Ordering::Relaxed);
        self.signals.searching.store(true, Ordering::Release);
        self.send(Job::Search(Box::new(job)));
    }

    /// Ends a search; `bestmove` follows.
    pub(super) fn stop(&self) {
        self.signals.stop.store(true, Ordering::Relaxed);
        self.signals.ponder.store(false, Ordering::Relaxed);
        self.wake();
    }

    /// If the search was told to stop, waits until it has, which takes it a thousand nodes; false
    /// when it was not told.
    pub(super) fn finish_if_stopped(&self) -> bool {
        let stopping = self.signals.stop.load(Ordering::Relaxed);
        while stopping && self.is_searching() {
            thread::sleep(Duration::from_micros(100));
        }
        stopping
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
    /// Stops the search and waits for the thread.
    fn drop(&mut self) {
        self.stop();
        self.jobs = None;
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn work(inbox: &Receiver<Job>, params: &Arc<Params>, hash: HashSize, signals: &Arc<Signals>) {
    let mut engine = Engine::new(params, hash);
    while let Ok(job) = inbox.recv() {
        match job {
            Job::Search(job) => think(&mut engine, &job, signals),
            Job::NewGame => engine.new_game(),
            Job::Params(params) => engine.set_params(&params),
            Job::Imbalance(table) => engine.set_imbalance(table),
            Job::Opening(table) => engine.set_opening(table),
            Job::Hash(size) => {
                engine.set_hash(size);
                if engine.hash_size() < size {
                    let mib = engine.hash_size().bytes() >> 20;
                    say(&format!("info string not enough memory: the hash table has {mib} MiB"));
                }
            }
            Job::Ready => say("readyok"),
        }
    }
}

fn think(engine: &mut Engine, job: &SearchJob, signals: &Arc<Signals>) {
    let reporter = Reporter { signals: Arc::clone(signals), chess960: job.chess960 };
    let report = engine.search(&job.position, &job.limits, &reporter);
    let must_wait = || {
        !signals.stop.load(Ordering::Relaxed)
            && (job.infinite || signals.ponder.load(Ordering::Relaxed))
    };
    while must_wait() {
        thread::park();
    }
    let text = |mv: crate::Move| mv.to_uci(job.chess960).to_string();
    let mut line = match report.best {
        Some(best) => format!("bestmove {}", text(best)),
        None => format!("info depth 0 score {}\nbestmove (none)", report.score),
    };
    if let Some(ponder) = report.ponder {
        line.push_str(" ponder ");
        line.push_str(&text(ponder));
    }
    signals.searching.store(false, Ordering::Release);
    say(&line);
}
