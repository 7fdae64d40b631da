//! Answers workers that want to join. Two workers of one name would take each other's chunks, and
//! an invitation may limit the slots.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_nats::Message;
use charts::numbers::counted;
use futures_util::StreamExt as _;
use jiff::Timestamp;
use wire::message::{Beat, Hello, Refused, VERSION, Welcome, WorkerCard, decode, encode};
use wire::names::{self, Subject, WorkerName};

use super::{Invited, Keys};
use crate::link::{Link, Told};
use crate::status::worker_cards;

/// A worker that was silent for this time has left.
const SILENCE: Duration = Duration::from_secs(25);
/// When a worker whose name is taken may ask again, in seconds.
const AGAIN_S: u64 = 10;
/// How often to look whose invitation is no longer valid.
const LOOK_EVERY: Duration = Duration::from_secs(1);

struct Present {
    host: String,
    slots: u32,
    heard: Instant,
}

pub struct Greeter {
    keys: Keys,
    workers: BTreeMap<WorkerName, Present>,
    /// Whose invitations are no longer valid, and why; as their workers' cards say it.
    removed: BTreeMap<String, &'static str>,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl Greeter {
    /// `tell`: for the user who runs the broker.
    pub fn new(keys: Keys, tell: impl Fn(&str) + Send + Sync + 'static) -> Greeter {
        let (workers, removed) = (BTreeMap::new(), BTreeMap::new());
        Greeter { keys, workers, removed, tell: Box::new(tell) }
    }

    /// Answers until the connection ends.
    pub async fn run(mut self, link: &Link) -> Result<(), Told> {
        let mut hellos = link.hear("v1.hello.>".to_owned()).await?;
        let mut beats = link.hear("v1.beat.>".to_owned()).await?;
        let mut looks = tokio::time::interval(LOOK_EVERY);
        loop {
            tokio::select! {
                // If the broker is away, the next look will do.
                _ = looks.tick() => drop(self.note_removed(link).await),
                hello = hellos.next() => match hello {
                    Some(hello) => self.greet(link, &hello).await,
                    None => return Ok(()),
                },
                beat = beats.next() => match beat {
                    Some(beat) => self.beat(&beat),
                    None => return Ok(()),
                },
            }
        }
    }

    /// Notes in the cards of workers that their invitations are no longer valid: they cannot say it.
    async fn note_removed(&mut self, link: &Link) -> Result<(), Told> {
        // A list that cannot be read is told where it is applied.
        let removed = self.keys.list().map(|invited| removed(&invited)).unwrap_or_default();
        if removed == self.removed {
            return Ok(());
        }
        for card in worker_cards(link).await? {
            let why = removed.get(card.name.name.as_str()).map(|why| (*why).to_owned());
            if card.removed.is_none() && why.is_some() {
                let subject = names::worker_subject(&card.name);
                if let Ok(card) = encode(&WorkerCard { removed: why, ..card }) {
                    link.store(subject, None, card).await?;
                }
            }
        }
        self.removed = removed;
        Ok(())
    }

    fn beat(&mut self, heard: &Message) {
        let Some(Subject::Beat(worker)) = Subject::parse(&heard.subject) else { return };
        // An unreadable beat is one of a later version, which does not play here.
        let Ok(beat) = decode::<Beat>(&heard.payload) else { return };
        if beat.leaving {
            self.workers.remove(&worker);
            return;
        }
        let now = Instant::now();
        let known = self.workers.entry(worker);
        let present =
            known.or_insert_with(|| Present { host: String::new(), slots: 0, heard: now });
        (present.heard, present.slots) = (now, beat.slots);
    }

    async fn greet(&mut self, link: &Link, heard: &Message) {
        let Some(Subject::Hello(worker)) = Subject::parse(&heard.subject) else { return };
        let reply = heard.reply.as_ref().map(ToString::to_string).unwrap_or_default();
        // Otherwise a worker could make us send messages to others.
        if !names::is_own_reply(&reply, &worker) {
            return;
        }
        let welcome = match decode::<Hello>(&heard.payload) {
            Ok(hello) => self.welcome(&worker, &hello),
            Err(Refused::Version(version)) => {
                let why = format!(
                    "this fleet has protocol {VERSION}, the worker {version}; build the same commit of verdict"
                );
                (self.tell)(&format!("{worker} is refused: {why}"));
                Welcome::refused(why, None)
            }
            Err(refused) => {
                Welcome::refused(format!("the broker cannot read its hello: {refused}"), None)
            }
        };
        if let Ok(welcome) = encode(&welcome) {
            // A worker without an answer asks again.
            let _ = link.answer(heard, welcome).await;
        }
    }

    fn welcome(&mut self, worker: &WorkerName, hello: &Hello) -> Welcome {
        let now = Instant::now();
        self.workers.retain(|_, present| now.duration_since(present.heard) < SILENCE);
        if let Some(present) = self.workers.get(worker) {
            return Welcome::refused(
                format!(
                    "a worker named {worker} is playing{}; expected another --name",
                    if present.host.is_empty() {
                        String::new()
                    } else {
                        format!(" on {}", present.host)
                    }
                ),
                Some(AGAIN_S),
            );
        }
        let slots = hello.card.slots;
        let limit = self.keys.list().ok().and_then(|invited| {
            let name = worker.name.as_str();
            let mut own = invited.iter().filter(|it| it.name == name && it.removed_at.is_none());
            own.next_back()?.slots
        });
        let same = self.workers.iter().filter(|(other, _)| other.name == worker.name);
        let others: u32 = same.map(|(_, present)| present.slots).sum();
        if let Some(limit) = limit
            && others.saturating_add(slots) > limit
        {
            return Welcome::refused(full(worker, limit, others), Some(AGAIN_S));
        }
        let host = hello.card.host.clone();
        self.workers.insert(worker.clone(), Present { host, slots, heard: now });
        Welcome::of(worker.clone())
    }
}

/// Why a worker of an invitation for so many slots may not come yet.
fn full(worker: &WorkerName, limit: u32, taken: u32) -> String {
    let of = format!("the invitation of {} is for {}", worker.name, counted(limit.into(), "slot"));
    match limit.saturating_sub(taken) {
        0 => format!(
            "{of}, and other workers have all; until one leaves, expected another invitation"
        ),
        left => format!("{of}, and other workers have {taken}; expected --slots {left} or less"),
    }
}

/// The names whose invitations are no longer valid, and why.
fn removed(invited: &[Invited]) -> BTreeMap<String, &'static str> {
    let now = Timestamp::now();
    let mut removed = BTreeMap::new();
    // Oldest first: a removed name may be invited again.
    for one in invited {
        match (one.may_come(now), one.removed_at) {
            (true, _) => _ = removed.remove(&one.name),
            (false, Some(_)) => _ = removed.insert(one.name.clone(), "its invitation was removed"),
            (false, None) => {
                removed.insert(one.name.clone(), "the time of its invitation is over");
            }
        }
    }
    removed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::server::RoleKind;

    #[test]
    fn slots_that_are_left_are_told() {
        let pc = "alice.pc".parse().unwrap();
        assert!(
            full(&pc, 4, 1)
                .ends_with("4 slots, and other workers have 1; expected --slots 3 or less")
        );
        let none = full(&pc, 1, 1);
        assert!(none.contains("for 1 slot, and") && none.contains("another invitation"), "{none}");
    }

    #[test]
    fn whose_invitation_is_no_longer_valid() {
        let dir = tempfile::tempdir().unwrap();
        let keys = Keys::new(dir.path());
        let invite = |name, until| keys.invite(name, RoleKind::Worker, None, until).unwrap();
        for name in ["alice", "bob", "carol"] {
            invite(name, None);
        }
        invite("dave", Some(Timestamp::UNIX_EPOCH));
        ["alice", "bob"].iter().for_each(|name| keys.remove(name).unwrap());
        invite("alice", None);
        let found = removed(&keys.list().unwrap());
        let found: Vec<(&str, &str)> = found.iter().map(|(name, why)| (&**name, *why)).collect();
        assert_eq!(
            found,
            [("bob", "its invitation was removed"), ("dave", "the time of its invitation is over")]
        );
    }
}
