//! A worker: joins a fleet, plays chunks of its runs, sends the results.

mod choose;
mod clock;
mod declines;
mod holding;
mod intake;
mod join;
mod log;
mod play;
mod pulse;
mod ready;
mod results;
mod room;
mod signatures;

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arena::runner::{Pin, Stops};
use charts::numbers::counted;
use futures_util::StreamExt as _;
use process::Error;
use wire::message::{RunCard, RunState, VERSION, WorkerCard, WorkerState, decode};
use wire::names::{self, RunId, WorkerName};

use self::choose::next_run;
use self::clock::{Lateness, Speed};
use self::declines::Declines;
use self::holding::Holding;
pub use self::log::{KEPT_LINES, Log};
use self::play::{Played, RunPlay};
use self::pulse::Pulse;
use self::ready::{Declined, Ready};
use crate::files::{Again, Equipment, Provisions};
use crate::link::{Access, Link, LinkState, Told};

/// How long games under way may take when the worker leaves.
const LEAVE_WITHIN: Duration = Duration::from_secs(90);

/// How long the broker may take to hear that a worker leaves: it may be away.
const FAREWELL_WITHIN: Duration = Duration::from_secs(5);

pub struct WorkerSettings {
    pub access: Access,
    pub name: WorkerName,
    pub slots: NonZeroUsize,
    pub pin: Pin,
    pub provisions: Provisions,
    /// Drain: finish games under way and leave. Stop: leave at once.
    pub stops: Stops,
    pub log: Arc<Log>,
}

/// Plays until it is stopped or its key is removed.
pub async fn work(settings: WorkerSettings) -> Result<(), Error> {
    let WorkerSettings { access, name, slots, pin, provisions, stops, log } = settings;
    let tried = tokio::task::spawn_blocking(move || Equipment::of(&provisions));
    let equipment = tried.await.map_err(Error::fault)??;
    let Some(link) = join::connect(&access, &stops, &log).await? else { return Ok(()) };
    let link = Arc::new(link);
    let pulse = Pulse::new(Arc::clone(&link), name.clone(), slots_u32(slots), Arc::clone(&log));
    pulse.equip(&equipment);
    let speed = Arc::new(Speed::default());
    let strange = AtomicU64::new(0);
    let worker = Worker {
        link: Arc::clone(&link),
        name,
        slots,
        pin,
        equipment,
        stops,
        log,
        pulse,
        speed,
        lateness: Lateness::default(),
        strange,
    };
    if !join::hello(&worker).await? {
        return Ok(());
    }
    let sandbox = match &worker.equipment.sandbox {
        Ok(sandbox) => format!("sandbox {}", sandbox.kind()),
        Err(why) => format!(
            "no sandbox ({why}), so programs of others are declined; expected bubblewrap (apt-get install \
             bubblewrap), or --sandbox off"
        ),
    };
    let slots = counted(slots.get() as u64, "slot");
    let words = format!("{} joined {} with {slots}, {sandbox}", worker.name, access.url);
    worker.log.say(&words);
    worker.pulse.change(|_| ()).await;
    let say = |words: &str| worker.log.say(words);
    let done = tokio::select! {
        done = worker.play_runs() => done,
        never = worker.pulse.run() => match never {},
        () = link.tell_outages(&say) => Ok(()),
        refused = worker.refused() => Err(refused),
    };
    if *link.state().borrow() == LinkState::Refused {
        return done;
    }
    let farewell = async {
        worker.pulse.change(|card| card.state = WorkerState::Leaving).await;
        let _ = worker.pulse.beat(true).await;
        let _ = link.flush().await;
        drop(worker);
        if let Ok(link) = Arc::try_unwrap(link) {
            link.close().await;
        }
    };
    // If this is lost, others notice its silence.
    let _ = tokio::time::timeout(FAREWELL_WITHIN, farewell).await;
    done
}

fn slots_u32(slots: NonZeroUsize) -> u32 {
    u32::try_from(slots.get()).unwrap_or(u32::MAX)
}

/// State that all runs of a worker share.
struct Worker {
    link: Arc<Link>,
    name: WorkerName,
    slots: NonZeroUsize,
    pin: Pin,
    equipment: Equipment,
    stops: Stops,
    log: Arc<Log>,
    pulse: Pulse,
    speed: Arc<Speed>,
    lateness: Lateness,
    /// The protocol of a run that was told of as another one; 0: none was.
    strange: AtomicU64,
}

impl Worker {
    /// Plays one run after another until the worker leaves.
    async fn play_runs(&self) -> Result<(), Error> {
        let mut declined = Declines::default();
        let mut said = String::new();
        while !self.stops.no_new_games() {
            self.pulse.idles(None);
            let card = tokio::select! {
                () = self.stops.drained() => break,
                () = results::sleep_until(declined.next(tokio::time::Instant::now())) => continue,
                card = self.next_run(&declined) => card,
            };
            let card = match card {
                Ok(card) => card,
                Err(told) => {
                    let now = told.to_string();
                    if now != said {
                        self.log.say(&now);
                        said = now;
                    }
                    self.link.pause().await;
                    continue;
                }
            };
            said.clear();
            let (id, name) = (card.run, card.name.clone());
            self.pulse.idles(None);
            let prepares = |card: &mut WorkerCard| {
                (card.state, card.run) = (WorkerState::Preparing, Some(id));
            };
            self.pulse.change(prepares).await;
            let stops = self.stops.part();
            let prepared = tokio::select! {
                () = self.stops.drained() => {
                    // The preparation is abandoned.
                    stops.stop_now();
                    break;
                }
                () = self.until_ended(id) => {
                    stops.stop_now();
                    self.pulse.plays(None, None).await;
                    continue;
                }
                prepared = Ready::of(card, self, stops.clone()) => prepared,
            };
            self.pulse.idles(None);
            match prepared {
                // The run ended meanwhile, so its files were removed.
                Err(Declined { again: Again::Soon | Again::Later, .. })
                    if !self.is_played(id).await => {}
                Err(Declined { why, again, bench }) => {
                    if declined.note(id, &why, again, tokio::time::Instant::now()) {
                        self.log.say(&format!("{name} is not played here: {why}"));
                    }
                    self.pulse.declines(id, why, bench).await;
                }
                Ok((ready, bench)) => {
                    declined.forget(id);
                    if let Some(signed) = signatures::told(&bench) {
                        self.log.say(&format!("{name}: signatures as expected: {signed}"));
                    }
                    if let Some(nps) = self.speed.known() {
                        self.pulse.measured(nps.get());
                    }
                    self.pulse.accepts(id, bench).await;
                    self.log.say(&format!("{}: playing", ready.card.name));
                    let holding: Arc<Mutex<Holding>> = Arc::default();
                    let live = ready.contest.live.clone();
                    self.pulse.plays(Some((id, Arc::clone(&holding))), live).await;
                    let Played { games, leaves } =
                        RunPlay::new(self, ready, holding).play().await?;
                    self.log.say(&format!("{name}: {} played here", counted(games, "game")));
                    if let Some(why) = leaves {
                        self.log.say(&format!("{name} is no longer played here: {why}"));
                        declined.note(id, &why, Again::Never, tokio::time::Instant::now());
                        self.pulse.declines(id, why, None).await;
                    }
                }
            }
            self.pulse.plays(None, None).await;
        }
        Ok(())
    }

    async fn next_run(&self, declined: &Declines) -> Result<RunCard, Told> {
        let is_declined = |run| declined.covers(run, tokio::time::Instant::now());
        let is_strange = |protocol: u64| {
            let why = format!(
                "a run is played by protocol {protocol}, and this verdict has {VERSION}; build the commit of its \
                 coordinator"
            );
            self.pulse.idles(Some(&why));
            if self.strange.swap(protocol, Ordering::Relaxed) != protocol {
                self.log.say(&why);
            }
        };
        next_run(&self.link, &self.name, &is_declined, &is_strange).await
    }

    /// Waits until a run has ended.
    async fn until_ended(&self, run: RunId) {
        loop {
            if let Ok(mut cards) = self.link.hear(names::run_subject(run)).await {
                // It may have ended before the subscription.
                while self.is_played(run).await {
                    if cards.next().await.is_none() {
                        break;
                    }
                }
                if !self.is_played(run).await {
                    return;
                }
            }
            self.link.pause().await;
        }
    }

    /// Whether a run is still being played. True if the broker cannot be asked.
    async fn is_played(&self, run: RunId) -> bool {
        let card = self.link.last(names::KV_RUNS, &names::run_subject(run)).await;
        let Ok(Some((_, card))) = card else { return true };
        decode::<RunCard>(&card).is_ok_and(|card| card.state == RunState::Playing)
    }

    /// Returns when the broker does not accept the key any more.
    async fn refused(&self) -> Error {
        self.link.refused().await;
        Error::usage(format!(
            "the broker no longer takes the key of {}; expected a new invitation",
            self.name
        ))
    }
}
