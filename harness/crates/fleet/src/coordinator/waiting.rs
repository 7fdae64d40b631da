//! Says which workers are there when a session begins, what it waits for if they alone play it, and who
//! declines it.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use charts::numbers::counted;
use process::lock;
use tokio::time::sleep;
use wire::message::WorkerCard;
use wire::names::RunId;

use super::desk::Desk;
use crate::link::Link;
use crate::status::{FleetLook, FleetStatus, WorkerStatus};

const LOOK_EVERY: Duration = Duration::from_secs(5);
/// How many looks pass while it is played until who declines it is looked for.
const DECLINED_EVERY: u32 = 6;
/// Workers that are named at most.
const NAMED: usize = 5;

pub(super) struct Waiting {
    pub(super) desks: Vec<Arc<Desk>>,
    pub(super) link: Arc<Link>,
    /// Whether this machine's slots play, too.
    pub(super) plays_here: bool,
    /// The command that invites a worker.
    pub(super) invite: String,
    pub(super) tell: Arc<dyn Fn(&str) + Send + Sync>,
    /// What was said last, also of an earlier match.
    pub(super) said: Arc<Mutex<String>>,
}

impl Waiting {
    /// Does not end.
    pub(super) async fn run(self) {
        let mut told = BTreeSet::new();
        for looks in 0_u32.. {
            let is_over = self.desks.iter().all(|desk| desk.is_over());
            let is_played = || self.desks.iter().any(|desk| !lock(&desk.present).is_empty());
            let waits = looks == 0 || !self.plays_here && !is_played();
            if !is_over
                && (waits || looks % DECLINED_EVERY == 1)
                && let Ok(look) = FleetLook::ask(&self.link).await
            {
                let workers = FleetStatus::of(&look).workers;
                if looks == 0 {
                    self.say(beginning(&workers, self.plays_here, &self.invite));
                } else if waits {
                    self.say(waiting(&workers, &self.invite));
                } else {
                    for desk in &self.desks {
                        let new = declining(&look, desk.id, &desk.name);
                        let new = new.filter(|words| told.insert(words.clone()));
                        new.for_each(|words| (self.tell)(&words));
                    }
                }
            }
            sleep(LOOK_EVERY).await;
        }
    }

    fn say(&self, words: String) {
        let mut said = lock(&self.said);
        if *said != words {
            (self.tell)(&words);
            *said = words;
        }
    }
}

fn there(workers: &[WorkerStatus]) -> impl Iterator<Item = &WorkerStatus> {
    workers.iter().filter(|worker| worker.is_there())
}

fn beginning(workers: &[WorkerStatus], plays_here: bool, invite: &str) -> String {
    let slots = there(workers).map(|worker| u64::from(worker.slots)).sum();
    match (there(workers).count() as u64, plays_here) {
        (0, true) => format!(
            "no worker is there, only this machine plays; {invite} prints what to type on another"
        ),
        (0, false) => format!(
            "waits for workers, 0 are there; {invite} prints what to type on the machine that is to play"
        ),
        (some, _) => {
            format!("workers: {some} with {}", counted(slots, "slot"))
        }
    }
}

/// Which idle workers do not play this run, and why.
fn declining(look: &FleetLook, run: RunId, name: &str) -> impl Iterator<Item = String> {
    let is_idle =
        |card: &&WorkerCard| look.beats.get(&card.name).is_some_and(|it| it.run.is_none());
    look.workers.iter().filter(is_idle).filter_map(move |card| {
        let declined = card.declined.iter().find(|it| it.run == run)?;
        Some(format!("{} does not play {name}: {}", card.name, declined.why))
    })
}

/// Workers are there, or not, and none of them plays.
fn waiting(workers: &[WorkerStatus], invite: &str) -> String {
    let count = there(workers).count();
    if count == 0 {
        return beginning(workers, false, invite);
    }
    let named = there(workers).take(NAMED).map(|worker| {
        let WorkerStatus { name, state, run, why, .. } = worker;
        let run = run.as_ref().filter(|_| state == "playing");
        let run = run.map_or_else(String::new, |run| format!(" {run}"));
        let why = why.as_ref().map_or_else(String::new, |why| format!(" ({why})"));
        format!("{name} is {state}{run}{why}")
    });
    let mut words = format!(
        "waits for workers, {count} {} there: {}",
        if count == 1 { "is" } else { "are" },
        named.collect::<Vec<_>>().join("; ")
    );
    if count > NAMED {
        words += &format!("; and {} more, see verdict status", count - NAMED);
    }
    words
}

#[cfg(test)]
mod tests {
    use wire::message::Beat;

    use super::*;

    fn worker(name: &str, state: &str, why: Option<&str>) -> WorkerStatus {
        let games = (state != "away").then_some(0);
        let (name, state, why) = (name.to_owned(), state.to_owned(), why.map(str::to_owned));
        WorkerStatus { name, state, why, games, slots: 1, ..WorkerStatus::default() }
    }

    #[test]
    fn who_is_there_and_what_is_waited_for() {
        let away = worker("bob.1", "away", None);
        for workers in [&[][..], std::slice::from_ref(&away)] {
            for (here, words) in [(true, "only this machine plays"), (false, "0 are there")] {
                let said = beginning(workers, here, "INVITE");
                assert!(said.contains(words) && said.contains("; INVITE prints"), "{said}");
            }
            assert_eq!(waiting(workers, "INVITE"), beginning(workers, false, "INVITE"));
        }
        let idle = worker("alice.1", "idle", Some("run is declined: no sandbox"));
        let workers = [idle.clone(), away.clone()];
        assert_eq!(beginning(&workers, true, ""), "workers: 1 with 1 slot");
        assert_eq!(
            waiting(&workers, ""),
            "waits for workers, 1 is there: alice.1 is idle (run is declined: no sandbox)"
        );
        let many: Vec<WorkerStatus> = (0..7).map(|_| idle.clone()).collect();
        assert_eq!(beginning(&many, false, ""), "workers: 7 with 7 slots");
        assert!(waiting(&many, "").ends_with("; and 2 more, see verdict status"));
    }

    #[test]
    fn who_plays_nothing_of_it() {
        let [ours, other]: [RunId; 2] = ["a", "b"].map(|it| it.repeat(16).parse().unwrap());
        let card = |name: &str, run: RunId| -> WorkerCard {
            let declined = serde_json::json!([{"run": run, "why": "no sandbox"}]);
            serde_json::from_value(serde_json::json!({
                "v": 1, "name": name, "host": "", "cpu": "", "cores": 1, "slots": 1,
                "memory_mb": 1, "target": "", "level": "", "verdict": "", "sandbox": "",
                "state": "idle", "joined_at": "", "declined": declined,
            }))
            .unwrap()
        };
        let workers = [("away.1", ours), ("busy.1", ours), ("idle.1", ours), ("other.1", other)];
        let workers = workers.map(|(name, run)| card(name, run)).to_vec();
        let beat = |run| Beat { run, ..Beat::new(1) };
        let beats = [("busy.1", Some(other)), ("idle.1", None), ("other.1", None)];
        let beats = beats.map(|(name, run)| (name.parse().unwrap(), beat(run))).into();
        let look = FleetLook { workers, beats, ..FleetLook::default() };
        let said: Vec<String> = declining(&look, ours, "night").collect();
        assert_eq!(said, ["idle.1 does not play night: no sandbox"]);
    }
}
