//! Answers workers that want to join. Two workers of one name would take each other's chunks, and
//! an invitation may limit the slots.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_nats::Message;
use futures_util::StreamExt as _;
use wire::message::{Beat, Hello, Refused, VERSION, Welcome, decode, encode};
use wire::names::{self, Subject, WorkerName};

use super::Keys;
use crate::link::{Link, Told};

/// A worker that was silent for this time has left.
const SILENCE: Duration = Duration::from_secs(25);
/// When a worker whose name is taken may ask again, in seconds.
const AGAIN_S: u64 = 10;

struct Present {
    host: String,
    slots: u32,
    heard: Instant,
}

pub struct Greeter {
    keys: Keys,
    workers: BTreeMap<WorkerName, Present>,
    tell: Box<dyn Fn(&str) + Send + Sync>,
}

impl Greeter {
    /// `tell`: for the user who runs the broker.
    pub fn new(keys: Keys, tell: impl Fn(&str) + Send + Sync + 'static) -> Greeter {
        Greeter { keys, workers: BTreeMap::new(), tell: Box::new(tell) }
    }

    /// Answers until the connection ends.
    pub async fn run(mut self, link: &Link) -> Result<(), Told> {
        let mut hellos = link.hear("v1.hello.>".to_owned()).await?;
        let mut beats = link.hear("v1.beat.>".to_owned()).await?;
        loop {
            tokio::select! {
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
            return Welcome::refused(
                format!(
                    "the invitation of {} is for {limit} slots, {others} are taken; expected --slots {} or less",
                    worker.name,
                    limit.saturating_sub(others)
                ),
                Some(AGAIN_S),
            );
        }
        let host = hello.card.host.clone();
        self.workers.insert(worker.clone(), Present { host, slots, heard: now });
        Welcome::of(worker.clone())
    }
}
