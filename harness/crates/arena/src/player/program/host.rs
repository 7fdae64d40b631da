//! What all engine processes of a run share: their settings, the threads that start and bury them,
//! and the watch over those that do not answer.

use std::collections::HashSet;
use std::future::poll_fn;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, Weak, mpsc};
use std::time::{Duration, Instant};

use ::process::{Context as _, Error, lock};
use tokio::process::{Child, ChildStderr, Command};
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

use super::ProgramSpec;
use super::shared::SharedProcess;
use process::children::{
    Confinement, Mark, OwnChild, Signal, adopted, guard, start_program, without_shell,
};
use process::{limits, sched};

/// How often overdue engines are looked for; a hang is noticed this much late.
const WATCH_PERIOD: Duration = Duration::from_millis(100);

/// How long the pipes of an ended process are read on, when something still holds them.
const LAST_WORDS: Duration = Duration::from_millis(50);

/// The descriptors that a running process takes: its input, its output, its messages twice, itself.
pub const DESCRIPTORS: u64 = 5;
/// Descriptors that processes leave for everything else: those of a start for a moment, files.
pub const SPARE: u64 = 16;

/// Times granted to engine processes, and bounds of what is kept of them.
#[derive(Debug, Clone)]
pub struct ProgramSettings {
    /// From the start of the process to `uciok`.
    pub startup: Duration,
    /// From `isready` to `readyok`; a large hash table may have to be cleared.
    pub ready: Duration,
    /// For a move limited by nodes or depth.
    pub hang: Duration,
    /// For a move limited by time, after that time has run out.
    pub margin: Duration,
    /// After `stop`, after `quit` and after SIGTERM, before the next harder means.
    pub grace: Duration,
    /// Of the traffic of one game, in bytes.
    pub transcript: usize,
    /// `Hash` in MiB where the engine has the option and its spec does not set it; moved into
    /// the option's range.
    pub hash_mib: Option<u64>,
    /// `Threads`, likewise.
    pub threads: Option<u64>,
    /// Nodes that count as a millisecond, where a clock is to count nodes.
    pub nodes_per_ms: Option<u64>,
    pub ponder: bool,
    /// Whether an engine that can list more options than usual is to list all.
    pub all_options: bool,
    /// Whether all that it says of a move is kept.
    pub details: bool,
    /// A folder in which each process has a file with all that was said to it and by it.
    pub traffic: Option<PathBuf>,
    /// Where its processes run; `None`: as this one does.
    pub confinement: Option<Arc<Confinement>>,
}

impl Default for ProgramSettings {
    fn default() -> ProgramSettings {
        ProgramSettings {
            startup: Duration::from_secs(20),
            ready: Duration::from_secs(30),
            hang: Duration::from_secs(60),
            margin: Duration::from_secs(5),
            grace: Duration::from_secs(1),
            transcript: 1 << 20,
            hash_mib: None,
            threads: None,
            nodes_per_ms: None,
            ponder: false,
            all_options: false,
            details: false,
            traffic: None,
            confinement: None,
        }
    }
}

/// Shared by all players of a run; keep it as long as they live.
pub struct ProgramHost {
    pub settings: ProgramSettings,
    pub(super) runtime: Handle,
    spawner: mpsc::Sender<StartJob>,
    pub(super) undertaker: mpsc::Sender<Grave>,
    watched: Mutex<Vec<Weak<SharedProcess>>>,
    beat: Mutex<Beat>,
    /// Programs that say nothing before their first move, by their command lines.
    silent: Mutex<HashSet<String>>,
    /// The error in place of the next start.
    #[cfg(test)]
    refusal: Mutex<Option<io::Error>>,
}

struct StartJob {
    command: Command,
    reply: mpsc::SyncSender<io::Result<(Child, OwnChild)>>,
}

/// An engine that has ended, with what it may have left behind.
pub(super) struct Grave {
    pub(super) mark: Mark,
    /// Dropped when nothing is left.
    pub(super) closed: Option<oneshot::Sender<()>>,
}

/// The watch's own heartbeat, by which we notice that we stood still ourselves.
struct Beat {
    last: Instant,
    /// The last time that a beat came far too late: when it came, and how late.
    stall: Option<(Instant, Duration)>,
}

impl ProgramHost {
    /// Starts the watch on `runtime`, which has to be multi-threaded, with workers that never
    /// block. When `stop` is cancelled the processes are killed that a player waits for, which then
    /// returns a fault that is not the engine's doing; the others are their owners' to end. Raises
    /// this process's limit of open files as far as it may.
    pub fn new(
        settings: ProgramSettings,
        runtime: Handle,
        stop: CancellationToken,
    ) -> Result<Arc<ProgramHost>, Error> {
        const CANNOT: &str = "cannot start the threads that watch over engines";
        limits::raise_open_files();
        guard::start();
        let host = Arc::new(ProgramHost {
            spawner: start_spawner(runtime.clone()).context(CANNOT)?,
            undertaker: start_undertaker().context(CANNOT)?,
            watched: Mutex::default(),
            beat: Mutex::new(Beat { last: Instant::now(), stall: None }),
            silent: Mutex::default(),
            #[cfg(test)]
            refusal: Mutex::default(),
            settings,
            runtime: runtime.clone(),
        });
        runtime.spawn(watch(Arc::downgrade(&host), stop));
        Ok(host)
    }

    pub(super) fn spawn(&self, command: Command) -> io::Result<(Child, OwnChild)> {
        #[cfg(test)]
        if let Some(error) = lock(&self.refusal).take() {
            return Err(error);
        }
        let (reply, answer) = mpsc::sync_channel(1);
        let gone = || io::Error::other("the thread that starts processes has ended");
        self.spawner.send(StartJob { command, reply }).map_err(|_| gone())?;
        answer.recv().map_err(|_| gone())?
    }

    #[cfg(test)]
    pub(super) fn refuse_next_start(&self, error: io::Error) {
        *lock(&self.refusal) = Some(error);
    }

    /// Whether the program was found to say nothing before its first move.
    pub(crate) fn is_silent(&self, spec: &ProgramSpec) -> bool {
        lock(&self.silent).contains(&spec.command_line())
    }

    pub(crate) fn note_silent(&self, spec: &ProgramSpec) {
        lock(&self.silent).insert(spec.command_line());
    }

    /// Has `process` watched until it is dropped.
    pub(super) fn watch(&self, process: &Arc<SharedProcess>) {
        guard::charge(process.pid);
        lock(&self.watched).push(Arc::downgrade(process));
    }

    /// For how long, at most, this whole program stood still since `since` (stopped by a signal,
    /// or starved of processors), if that was long enough to be noticed.
    pub(super) fn stalled(&self, since: Instant) -> Duration {
        let beat = lock(&self.beat);
        let now = beat.last.elapsed();
        let stall = match beat.stall {
            _ if now > 3 * WATCH_PERIOD => now,
            Some((end, length)) if end >= since => length,
            _ => Duration::ZERO,
        };
        stall.min(since.elapsed())
    }

    /// How long this program stood still, if it did.
    fn beat(&self) -> Duration {
        let mut beat = lock(&self.beat);
        let (now, gap) = (Instant::now(), beat.last.elapsed());
        beat.last = now;
        if gap <= 3 * WATCH_PERIOD {
            return Duration::ZERO;
        }
        beat.stall = Some((now, gap));
        gap
    }

    /// Looks after all processes; none answers for the time in which we were `stalled`.
    fn sweep(&self, stop: bool, stalled: Duration) {
        let mut watched = lock(&self.watched);
        watched.retain(|process| {
            let process = process.upgrade();
            if let Some(process) = &process {
                if stop {
                    process.end_wait();
                }
                process.postpone(stalled);
                process.check(self.settings.grace);
            }
            process.is_some()
        });
    }
}

async fn watch(host: Weak<ProgramHost>, stop: CancellationToken) {
    let mut ticks = tokio::time::interval(WATCH_PERIOD);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    loop {
        ticks.tick().await;
        let Some(host) = host.upgrade() else { return };
        adopted::look();
        let stalled = host.beat();
        host.sweep(stop.is_cancelled(), stalled);
    }
}

/// Engines ask the kernel to be killed when the thread that started them ends, so that none
/// survives us however we end. That thread has to live as long as we do, hence one of its own.
fn start_spawner(runtime: Handle) -> io::Result<mpsc::Sender<StartJob>> {
    let (sender, jobs) = mpsc::channel::<StartJob>();
    std::thread::Builder::new().name("uci-spawner".to_owned()).spawn(move || {
        let _context = runtime.enter();
        // Engines inherit this thread's scheduling.
        sched::set_patience(false);
        for mut job in jobs {
            // The asker may be gone by now; then the child is dropped, and killed by that.
            let _ = job.reply.send(start_program(&mut job.command, Signal::Kill));
        }
    })?;
    Ok(sender)
}

/// The thread that looks for what engines leave behind, started before it is needed.
fn start_undertaker() -> io::Result<mpsc::Sender<Grave>> {
    let (sender, graves) = mpsc::channel::<Grave>();
    std::thread::Builder::new().name("uci-undertaker".to_owned()).spawn(move || {
        for Grave { mark, closed } in graves {
            mark.kill();
            adopted::end();
            drop(closed);
        }
    })?;
    Ok(sender)
}

/// Follows a child to its end: reads its stderr, reaps it, kills what is left of its group and what
/// has left its group.
///
/// `by_another`: whether what runs it tells its signals as a shell does.
pub(super) async fn supervise(
    (mut child, own): (Child, OwnChild),
    by_another: bool,
    shared: Arc<SharedProcess>,
    mark: Mark,
    undertaker: mpsc::Sender<Grave>,
) {
    let mut stderr = child.stderr.take();
    let status = loop {
        tokio::select! {
            biased;
            status = child.wait() => {
                break status.ok().map(|it| if by_another { without_shell(it) } else { it });
            }
            () = copy_stderr(&mut stderr, &shared) => stderr = None,
        }
    };
    shared.kill_rest_of_group();
    guard::dismiss(shared.pid);
    drop((child, own));
    let (closed, over) = oneshot::channel();
    // Looks at all processes of the machine: some milliseconds.
    if undertaker.send(Grave { mark, closed: Some(closed) }).is_ok() {
        let _ = over.await;
    }
    if stderr.is_some() {
        // A grandchild that was not found may hold it open for ever.
        let _ = tokio::time::timeout(LAST_WORDS, copy_stderr(&mut stderr, &shared)).await;
    }
    drop(stderr);
    shared.set_ended(status);
    // Whoever waits for its end may need its descriptors now.
    let reader = Arc::downgrade(&shared);
    drop(shared);
    loop {
        tokio::time::sleep(LAST_WORDS).await;
        if reader.upgrade().is_none_or(|reader| reader.wake_reader()) {
            return;
        }
    }
}

/// Reads to the end; never returns if there is nothing (more) to read from.
async fn copy_stderr(stderr: &mut Option<ChildStderr>, shared: &SharedProcess) {
    let Some(stderr) = stderr else { return std::future::pending().await };
    while let Ok(1..) = poll_fn(|cx| shared.poll_stderr(cx, stderr)).await {}
}
