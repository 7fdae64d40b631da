//! Prepares a run from its card. The worker must have the same players and book as the coordinator,
//! and the players must have the same signatures here.

use std::sync::{Arc, Mutex};

use arena::plan::{Plan, default_concurrency};
use arena::record::{BookIdentity, Identity, RunFile, Side};
use arena::runner::{Contest, Pin, Stops};
use arena::schedule::Schedule;
use arena::session::Resources;
use arena::varied::VariedPlayers;
use process::{Error, lock, machine as own_machine};
use wire::message::{BenchNodes, ChunkMessage, RunCard, RunIdentities, VERSION};
use wire::names::WorkerName;

use super::Worker;
use super::clock::Times;
use super::signatures::{Signed, compare};
use crate::files::{Again, Arrived, Missing, Places, arrive, options_with_marks};
use crate::machine;

pub(super) struct Ready {
    pub(super) card: RunCard,
    pub(super) contest: Arc<Contest>,
    pub(super) schedule: Schedule,
    /// The contest has an undrained part of these, so that a pair that was begun can end.
    pub(super) stops: Stops,
    /// What the times of its plan are worth here.
    pub(super) times: Times,
    pub(super) places: Places,
    /// The players of a tuner.
    varied: Option<Mutex<VariedPlayers>>,
}

/// Why this worker declines a run.
pub(super) struct Declined {
    pub(super) why: String,
    pub(super) again: Again,
    /// Signatures of the players on this machine.
    pub(super) bench: Option<BenchNodes>,
}

impl From<Error> for Declined {
    fn from(error: Error) -> Declined {
        Declined { why: error.to_string(), again: Again::Never, bench: None }
    }
}

impl From<Missing> for Declined {
    fn from(Missing { error, again }: Missing) -> Declined {
        Declined { again, ..error.into() }
    }
}

impl Ready {
    /// Returns the run with its signatures here. Dropping the future abandons the preparation.
    pub(super) async fn of(
        card: RunCard,
        worker: &Worker,
        stops: Stops,
    ) -> Result<(Ready, BenchNodes), Declined> {
        fits(&card, &worker.name, worker.slots.get())?;
        let sent: Plan = serde_json::from_value(card.plan.clone())
            .map_err(|error| Error::usage(format!("its plan cannot be read: {error}")))?;
        let (slots, equipment) = (worker.slots, &worker.equipment);
        worker.pulse.idles(Some("fetches its files, and builds what came as sources"));
        let arrived = arrive(&worker.link, &card, sent.clone(), equipment, slots.get()).await?;
        let Arrived { plan, confinement, built, places } = arrived;
        let concurrency = default_concurrency(slots, [&plan.base, &plan.test]);
        let mut plan = Plan { slots, concurrency, pin: Pin::Off, ..plan };
        let confinement = confinement.map(Arc::new);
        worker.pulse.idles(Some(match plan.scale {
            Some(_) => "measures its speed, and checks the players",
            None => "checks the players",
        }));
        // Programs are waited for: that is no work for a thread that others need.
        let speed = Arc::clone(&worker.speed);
        let prepare = move || {
            let times = speed.suit(&mut plan, &card, slots.get())?;
            let mut resources = Resources::new(stops.clone());
            resources.show();
            if let Some(confinement) = &confinement {
                resources = resources.confined(Arc::clone(confinement));
            }
            let (run, contest) =
                resources.ready(&plan, stops.undrained_part()).map_err(Error::from)?;
            same(&card.identities, &run, &sent, &built)?;
            let Signed { bench, differs } =
                compare(&plan, &card.signatures, confinement.as_ref(), slots.get(), &stops)?;
            if let Some(why) = differs {
                return Err(Declined { why, again: Again::Never, bench: Some(bench) });
            }
            let order = plan.openings.order(plan.seed);
            let schedule = Schedule::new(&contest.book, order, plan.openings.offset, plan.pairs);
            let varied = card.varied.clone();
            let varied = varied.map(|it| VariedPlayers::new(&plan, it, Arc::clone(&contest)));
            let varied = varied.transpose()?.map(Mutex::new);
            Ok((Ready { card, contest, schedule, stops, times, places, varied }, bench))
        };
        tokio::task::spawn_blocking(prepare).await.map_err(Error::fault)?
    }

    /// Who plays a chunk. Fails where its values are missing, or are none of these players.
    pub(super) fn contest_of(&self, chunk: &ChunkMessage) -> Result<Arc<Contest>, Error> {
        match (&self.varied, &chunk.values) {
            (None, None) => Ok(Arc::clone(&self.contest)),
            (Some(players), Some(values)) => lock(players).contest(values),
            (Some(_), None) => Err(Error::usage("a pair of a tuner has no values")),
            (None, Some(_)) => Err(Error::usage("a pair of a match has values")),
        }
    }
}

/// Whether this verdict and this machine may play it.
fn fits(card: &RunCard, name: &WorkerName, slots: usize) -> Result<(), Error> {
    if let Some(barred) = card.bars(name) {
        return Err(Error::usage(format!(
            "{barred}; if its machine is in order, look at its memory and at what else is different there"
        )));
    }
    let (needs, RunIdentities { base, test, .. }) = (&card.needs, &card.identities);
    if needs.protocol != VERSION {
        return Err(Error::usage(format!(
            "it needs protocol {}, this verdict speaks {VERSION}; update verdict",
            needs.protocol
        )));
    }
    let embedded: Vec<&Identity> = [base, test].into_iter().filter(|it| is_embedded(it)).collect();
    let here = machine::commit();
    if !embedded.is_empty() && needs.verdict != here {
        return Err(Error::usage(format!(
            "it needs verdict {}, this is {here}; build that commit",
            needs.verdict
        )));
    }
    let memory = own_machine::memory().map_or(u64::MAX, |bytes| bytes >> 20);
    let needed = needs.memory_mb.saturating_mul(slots as u64);
    if needed > memory {
        return Err(Error::usage(format!(
            "its players need {needed} MB of memory on {slots} slots, here are {memory} MB; expected \
             fewer --slots"
        )));
    }
    Ok(())
}

fn is_embedded(player: &Identity) -> bool {
    player.spec.starts_with("embedded")
}

/// Checks that players and book are those of the coordinator.
fn same(begun: &RunIdentities, here: &RunFile, sent: &Plan, built: &[Side]) -> Result<(), Error> {
    for side in [Side::Base, Side::Test] {
        let begun = side.choose(&begun.base, &begun.test);
        let marked = options_with_marks(sent.player(side));
        let mut here = here.identity(side).clone();
        if built.contains(&side) {
            // Sources without a repository may not know their commit, which is part of some
            // engines' names.
            here.name.clone_from(&begun.name);
        }
        if let Some(what) = difference(begun, &here, &marked) {
            return Err(Error::usage(format!("{side} is another player here: {what}")));
        }
    }
    let hash = |book: Option<&BookIdentity>| book.map(|book| book.sha256.clone());
    if hash(begun.book.as_ref()) != hash(here.book.as_ref()) {
        return Err(Error::usage("its book is another one here"));
    }
    Ok(())
}

/// How two players differ. `marked`: options that name files, whose paths differ here.
fn difference(begun: &Identity, here: &Identity, marked: &[String]) -> Option<String> {
    let is_marked = |name: &str| marked.iter().any(|known| known.eq_ignore_ascii_case(name));
    if is_embedded(begun) {
        // The commit of a changed work tree does not identify its contents.
        let is_dirty = begun.commit.as_ref().is_none_or(|commit| commit.contains('+'));
        if is_dirty && begun.build != here.build {
            return Some(
                "its verdict was built from changed sources, expected the same file of verdict"
                    .to_owned(),
            );
        }
    } else if begun.name != here.name {
        return Some(format!("its name is {}, expected {}", here.own_name(), begun.own_name()));
    }
    let names = begun.options.keys().chain(here.options.keys());
    let differs = |name: &&String| begun.options.get(*name) != here.options.get(*name);
    if let Some(name) = names.filter(|name| !is_marked(name)).find(differs) {
        let value = |player: &Identity| {
            player.options.get(name).map_or_else(|| "nothing".to_owned(), ToString::to_string)
        };
        return Some(format!("{name} is {}, expected {}", value(here), value(begun)));
    }
    let names = begun.files.keys().chain(here.files.keys());
    let mut changed = names.filter(|name| begun.files.get(*name) != here.files.get(*name));
    changed.next().map(|name| format!("the file of its option {name} has another hash"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn player(name: &str, book: &str, hash: &str) -> Identity {
        let mut player = Identity { name: name.to_owned(), ..Identity::default() };
        player.options.insert("Book".to_owned(), book.into());
        player.files.insert("Book".to_owned(), hash.to_owned());
        player
    }

    #[test]
    fn files_may_be_elsewhere_and_nothing_else_may_differ() {
        let begun = player("x", "/here/b", "12");
        let marked = ["book".to_owned()];
        assert_eq!(difference(&begun, &player("x", "/there/b", "12"), &marked), None);
        assert!(difference(&begun, &player("x", "/there/b", "12"), &[]).is_some());
        assert!(difference(&begun, &player("x", "/there/b", "13"), &marked).is_some());
        assert!(difference(&begun, &player("y", "/there/b", "12"), &marked).is_some());
    }

    #[test]
    fn changed_sources_of_the_embedded_engine_need_the_same_file() {
        let own = |commit: &str, build: &str| Identity {
            spec: "embedded:default".to_owned(),
            commit: Some(commit.to_owned()),
            build: Some(build.to_owned()),
            ..Identity::default()
        };
        assert_eq!(difference(&own("a", "1"), &own("a", "2"), &[]), None);
        assert!(difference(&own("a+dirty", "1"), &own("a+dirty", "2"), &[]).is_some());
        assert_eq!(difference(&own("a+dirty", "1"), &own("a+dirty", "1"), &[]), None);
    }
}
