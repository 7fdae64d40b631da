//! Says which workers are there when a session begins, and what it waits for if they alone play it.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use charts::numbers::counted;
use process::lock;
use tokio::time::sleep;

use super::desk::Desk;
use crate::link::Link;
use crate::status::{FleetLook, FleetStatus, WorkerStatus};

const LOOK_EVERY: Duration = Duration::from_secs(5);
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
        let mut is_first = true;
        loop {
            let is_over = self.desks.iter().all(|desk| desk.is_over());
            let is_played = || self.desks.iter().any(|desk| !lock(&desk.present).is_empty());
            if !is_over
                && (is_first || !self.plays_here && !is_played())
                && let Ok(look) = FleetLook::ask(&self.link).await
            {
                self.say(match is_first {
                    true => {
                        beginning(&FleetStatus::of(&look).workers, self.plays_here, &self.invite)
                    }
                    false => waiting(&FleetStatus::of(&look).workers, &self.invite),
                });
            }
            is_first = false;
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
}
