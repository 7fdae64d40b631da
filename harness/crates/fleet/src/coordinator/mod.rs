//! Plays the matches of a session on workers and on this machine's slots. The collector stays the
//! only owner of results; the journal is the only record that counts.

mod asking;
mod auditor;
mod capsules;
mod card;
mod desk;
mod doubts;
mod errands;
mod files;
mod gather;
mod hand_out;
mod hearing;
mod looker;
mod own;
mod referees;
mod roster;
mod run_audits;
mod views;
mod waiting;

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use arena::hands::{Asked, Hands, Playing, Work, pools};
use arena::runner::{RunError, Runner, Stops, Width};
use process::{Error, lock};
use tokio::sync::mpsc;
use tokio::task::JoinSet;
use wire::names::WorkerName;

use self::asking::{Asking, Further};
use self::auditor::Auditor;
use self::capsules::Capsules;
use self::card::{Carded, Known};
use self::desk::{Changes, Desk};
use self::files::{keep, remove_unused};
use self::gather::{Gather, Taken};
use self::hand_out::HandOut;
use self::hearing::{Hearing, Strangers};
pub use self::looker::LineOf;
use self::looker::Looker;
use self::own::OwnGames;
use self::referees::Referees;
use self::views::Views;
use self::waiting::Waiting;
use crate::files::Builds;
use crate::link::{Access, Link, LinkState};

/// Capacity of a channel of finished games.
const CHANNEL: usize = 256;

/// How long to wait until the broker knows that a run has ended.
const END_WITHIN: Duration = Duration::from_secs(10);

/// How to use a fleet.
#[derive(Clone)]
pub struct FleetSettings {
    pub access: Access,
    /// The coordinator: the name of its key, and of this process.
    pub name: WorkerName,
    /// Whether this machine's slots play, too.
    pub plays_here: bool,
    /// Pairs of a chunk; `None`: computed from the limits.
    pub chunk: Option<u32>,
    /// Share of the chunks that are played twice, 0 to 1; `None`: 0.02 where no clock counts.
    pub audit: Option<f64>,
    /// How they are typed after another command: `--fleet AT` with a space before.
    pub flags: String,
    /// The command that invites a worker.
    pub invite: String,
    pub line: LineOf,
    pub builds: Builds,
}

/// Plays matches on a fleet.
pub struct Fleet {
    settings: FleetSettings,
    tell: Arc<dyn Fn(&str) + Send + Sync>,
    known: Arc<Known>,
    /// Which workers were said to be there.
    said: Arc<Mutex<String>>,
}

impl Fleet {
    pub fn new(settings: FleetSettings, tell: impl Fn(&str) + Send + Sync + 'static) -> Fleet {
        Fleet { settings, tell: Arc::new(tell), known: Arc::default(), said: Arc::default() }
    }

    async fn play_all(
        &self,
        matches: Vec<Work>,
        asked: Option<(Asking, Further)>,
        width: Width,
        stops: Stops,
    ) -> Result<(), RunError> {
        let link = Link::connect(&self.settings.access).await.map_err(Error::from)?;
        let link = Arc::new(link);
        let own_slots = if self.settings.plays_here { width.slots.get() } else { 0 };
        let changes = Changes::new();
        let pools = pools(&matches);
        let (mut asking, further) = asked.unzip();
        let open = |work| {
            let work = (work, asking.take());
            Desk::open(work, &self.settings, own_slots, changes.clone(), stops.clone())
                .map(Arc::new)
        };
        let desks = matches.into_iter().map(open).collect::<Result<Vec<Arc<Desk>>, Error>>()?;
        let (audits, audited) = mpsc::unbounded_channel();
        let mut tasks: JoinSet<Result<(), Error>> = JoinSet::new();
        let mut gathering: JoinSet<Taken> = JoinSet::new();
        let mut viewing: JoinSet<()> = JoinSet::new();
        let mut keeping = JoinSet::new();
        let mut sent = Vec::new();
        let unplayed: Arc<Mutex<Vec<String>>> = Arc::default();
        let strangers = Strangers::default();
        if let (Some(further), [desk]) = (further, &*desks) {
            let passed_on = further.pass_on(Arc::clone(desk));
            tasks.spawn(async {
                passed_on.await;
                Ok(())
            });
        }
        for desk in &desks {
            let Carded { card, files, places, strays } = self.card(desk, &link).await?;
            strays.into_iter().for_each(|why| desk.end_audits(why));
            let capsules = Capsules::of(&desk.plan, places)?;
            let referees = Referees::of(desk)?;
            let (desk, link, tell) = (Arc::clone(desk), Arc::clone(&link), Arc::clone(&self.tell));
            tasks.spawn(
                Auditor {
                    desk: Arc::clone(&desk),
                    link: Arc::clone(&link),
                    queue: audits.clone(),
                    tell: Arc::clone(&tell),
                }
                .run(),
            );
            let gather = Gather {
                desk: Arc::clone(&desk),
                link: Arc::clone(&link),
                referees,
                capsules,
                tell: Arc::clone(&tell),
                said: BTreeMap::new(),
            };
            link.renew_results(desk.id).await.map_err(Error::from)?;
            let looker = Looker::new(&desk.dir, &desk.run, self.settings.line)?;
            let views =
                Views::new(Arc::clone(&desk), Arc::clone(&link), looker, &self.settings.name);
            viewing.spawn(views.run());
            keeping.spawn(keep(Arc::clone(&link), files.clone(), Arc::clone(&tell)));
            sent.push((desk.id, files));
            let heard = (Arc::clone(&desk), Arc::clone(&link));
            let hearing =
                Hearing::begin(heard, own_slots, Arc::clone(&tell), Arc::clone(&strangers)).await;
            tasks.spawn(hearing.map_err(Error::from)?.run());
            tasks.spawn(
                HandOut {
                    desk,
                    link,
                    card,
                    own_slots,
                    restless_until: None,
                    stored: 0,
                    tell,
                    unplayed: Arc::clone(&unplayed),
                }
                .run(),
            );
            gathering.spawn(gather.run());
        }
        keeping.spawn(
            Waiting {
                desks: desks.clone(),
                link: Arc::clone(&link),
                plays_here: self.settings.plays_here,
                invite: self.settings.invite.clone(),
                tell: Arc::clone(&self.tell),
                said: Arc::clone(&self.said),
            }
            .run(),
        );
        let (told, away) = (Arc::clone(&self.tell), Arc::clone(&link));
        keeping.spawn(async move { away.tell_outages(&*told).await });
        // A stop is a change, too.
        let stopped = {
            let (stops, changes) = (stops.clone(), changes.clone());
            tokio::spawn(async move {
                stops.drained().await;
                changes.tell();
            })
        };
        let own = self.settings.name.clone();
        let plays_here = self.settings.plays_here;
        let is_judge = desks.iter().any(|desk| desk.audits.is_some());
        let (games, receivers) = OwnGames::of(&desks, audited, plays_here, &changes);
        drop((desks, audits));
        for (desk, finished) in receivers {
            tasks.spawn({
                let own = own.clone();
                async move {
                    own::pass_on(desk, finished, own).await;
                    Ok(())
                }
            });
        }
        let playing = async {
            if !plays_here && !is_judge {
                return Ok(());
            }
            let one = NonZeroUsize::MIN;
            let width = match plays_here {
                true => width,
                false => Width { concurrency: one, slots: one, ..width },
            };
            let runner = Runner { width, stops: stops.clone(), pools, meter: None };
            runner.run(games).await
        };
        let stop = |error: &Error| {
            (self.tell)(&format!("stops: {error}"));
            stops.stop_now();
            changes.tell();
        };
        let (ran, failed) = tokio::join!(playing, watched(tasks, &link, &self.settings.name, stop));
        stopped.abort();
        // The end must not wait for a broker that is away, or refuses the key.
        let wait = match *link.state().borrow() {
            LinkState::Refused => Duration::ZERO,
            LinkState::Connected | LinkState::Away => END_WITHIN,
        };
        let told = async { while viewing.join_next().await.is_some() {} };
        let _ = tokio::time::timeout(wait, told).await;
        drop(viewing);
        drop(keeping);
        for (run, files) in sent {
            // Files that are left are removed by the next run.
            let _ = tokio::time::timeout(wait, remove_unused(&link, run, &files)).await;
        }
        while let Some(taken) = gathering.join_next().await {
            let taken = match taken {
                Ok(taken) => taken,
                Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
            };
            let run = taken.run;
            match tokio::time::timeout(wait, taken.end(&link)).await {
                Ok(Ok(())) => {}
                // What is left is taken or dropped when the run is resumed.
                Ok(Err(told)) => (self.tell)(&format!("{run}: {told}")),
                Err(_) if wait.is_zero() => {}
                Err(_) => (self.tell)(&format!("{run}: the broker does not answer any more")),
            }
        }
        if let Ok(link) = Arc::try_unwrap(link) {
            link.close().await;
        }
        ran?;
        failed?;
        let unplayed = std::mem::take(&mut *lock(&unplayed));
        if unplayed.is_empty() { Ok(()) } else { Err(Error::fault(unplayed.join("\n")).into()) }
    }
}

/// Waits until all tasks have ended. The first error stops all others at once; so does a broker that no
/// longer takes the key.
async fn watched(
    mut tasks: JoinSet<Result<(), Error>>,
    link: &Link,
    own: &WorkerName,
    stop: impl Fn(&Error),
) -> Result<(), Error> {
    let mut watched = Ok(());
    loop {
        let failed = tokio::select! {
            ended = tasks.join_next() => match ended {
                None => return watched,
                Some(Ok(Ok(()))) => continue,
                Some(Ok(Err(error))) => error,
                Some(Err(panicked)) => std::panic::resume_unwind(panicked.into_panic()),
            },
            () = link.refused(), if watched.is_ok() => Error::usage(format!(
                "the broker no longer takes the key of {}; what is recorded is safe. Expected a new invitation \
                 (verdict serve invite NAME --coordinator), then verdict resume with it",
                own.name
            )),
        };
        stop(&failed);
        watched = watched.and(Err(failed));
    }
}

impl Hands for Fleet {
    fn play(&self, matches: Vec<Work>, width: Width, stops: Stops) -> Playing<'_> {
        Box::pin(self.play_all(matches, None, width, stops))
    }

    fn pairs(&self, work: Work, asked: Asked, width: Width, stops: Stops) -> Playing<'_> {
        Box::pin(async move {
            match asking::begin(asked).await {
                Some(asked) => self.play_all(vec![work], Some(asked), width, stops).await,
                None => Ok(()),
            }
        })
    }
}
