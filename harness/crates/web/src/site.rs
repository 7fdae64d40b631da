//! What the page shows: runs of this process or of others, workers, recorded runs.

use std::sync::{Arc, Mutex};
use std::time::SystemTime;

use process::{Error, lock};
use tokio::sync::{Semaphore, watch};

use crate::fleet::{BrokerState, WorkerState};
use crate::recorded::RecordedRuns;
use crate::source::RunSource;

/// Most browsers that receive events at once. A further one is told to try later.
const SUBSCRIBERS: usize = 128;

/// What the page shows. Clones share it.
#[derive(Clone)]
pub struct Site(Arc<Inner>);

struct Inner {
    /// Distinguishes this server from earlier ones.
    epoch: String,
    runs: Mutex<Vec<Arc<dyn RunSource>>>,
    /// Number of changes, and the workers.
    workers: Mutex<Option<(u64, Arc<Vec<WorkerState>>)>>,
    broker: Mutex<Option<BrokerState>>,
    recorded: RecordedRuns,
    /// Number of changes.
    bell: watch::Sender<u64>,
    subscribers: Arc<Semaphore>,
}

impl Site {
    pub fn new(recorded: RecordedRuns) -> Site {
        let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        Site(Arc::new(Inner {
            epoch: format!("{:x}-{:x}", since.as_micros(), std::process::id()),
            runs: Mutex::default(),
            workers: Mutex::default(),
            broker: Mutex::default(),
            recorded,
            bell: watch::Sender::new(0),
            subscribers: Arc::new(Semaphore::new(SUBSCRIBERS)),
        }))
    }

    /// Shows a run. It replaces a run with the same id.
    pub fn add(&self, run: Arc<dyn RunSource>) {
        let id = run.state().id.clone();
        let mut runs = lock(&self.0.runs);
        runs.retain(|other| other.state().id != id);
        runs.push(run);
        drop(runs);
        self.changed();
    }

    pub fn remove(&self, id: &str) {
        lock(&self.0.runs).retain(|run| run.state().id != id);
        self.changed();
    }

    /// Sets the workers. From then on there is a page of workers.
    pub fn set_workers(&self, workers: Vec<WorkerState>) {
        let mut shown = lock(&self.0.workers);
        let version = shown.as_ref().map_or(0, |(version, _)| version + 1);
        *shown = Some((version, Arc::new(workers)));
        drop(shown);
        self.changed();
    }

    pub fn set_broker(&self, broker: BrokerState) {
        *lock(&self.0.broker) = Some(broker);
        self.changed();
    }

    /// To be called when a run's state has changed. Browsers are told at most twice a second.
    pub fn changed(&self) {
        self.0.bell.send_modify(|changes| *changes += 1);
    }

    pub(crate) fn runs(&self) -> Vec<Arc<dyn RunSource>> {
        lock(&self.0.runs).clone()
    }

    /// A run under way.
    pub fn find(&self, id: &str) -> Option<Arc<dyn RunSource>> {
        lock(&self.0.runs).iter().find(|run| run.state().id == id).cloned()
    }

    /// A run under way or a recorded one.
    pub(crate) async fn run(&self, id: &str) -> Result<Option<Arc<dyn RunSource>>, Error> {
        match self.find(id) {
            Some(run) => Ok(Some(run)),
            None => self.0.recorded.run(id).await,
        }
    }

    pub(crate) fn workers(&self) -> Option<Arc<Vec<WorkerState>>> {
        Some(self.workers_now()?.1)
    }

    pub(crate) fn workers_now(&self) -> Option<(u64, Arc<Vec<WorkerState>>)> {
        lock(&self.0.workers).clone()
    }

    pub(crate) fn broker(&self) -> Option<BrokerState> {
        lock(&self.0.broker).clone()
    }

    pub(crate) fn recorded(&self) -> &RecordedRuns {
        &self.0.recorded
    }

    pub(crate) fn bell(&self) -> watch::Receiver<u64> {
        self.0.bell.subscribe()
    }

    pub(crate) fn epoch(&self) -> &str {
        &self.0.epoch
    }

    pub(crate) fn subscribers(&self) -> &Arc<Semaphore> {
        &self.0.subscribers
    }
}
