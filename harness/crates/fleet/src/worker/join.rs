//! Connecting and joining.

use std::time::{Duration, Instant};

use arena::runner::Stops;
use process::Error;
use wire::message::{Hello, VERSION, Welcome};
use wire::names;

use super::{Log, Worker};
use crate::link::{Access, Link, LinkState, Told};

const ANSWER_WITHIN: Duration = Duration::from_secs(2);
const SHORTEST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// Questions to a fleet that does not answer.
const ATTEMPTS: u32 = 3;

/// Waits until the broker can be reached; `None`: the worker was told to leave.
pub(super) async fn connect(
    access: &Access,
    stops: &Stops,
    log: &Log,
) -> Result<Option<Link>, Error> {
    let (mut wait, mut said) = (SHORTEST_WAIT, false);
    while !stops.no_new_games() {
        let told = match Link::connect(access).await {
            Ok(link) => return Ok(Some(link)),
            Err(told @ Told::Away(_)) => told,
            Err(told) => return Err(told.into()),
        };
        if !said {
            log.say(&format!("{told}; it is tried again until it answers"));
            said = true;
        }
        tokio::select! {
            () = stops.drained() => (),
            () = tokio::time::sleep(wait) => (),
        }
        wait = (2 * wait).min(LONGEST_WAIT);
    }
    Ok(None)
}

/// Asks to join; `false`: the worker was told to leave. If nobody answers, it plays: the broker has
/// accepted its key.
pub(super) async fn hello(worker: &Worker) -> Result<bool, Error> {
    let began = Instant::now();
    let subject = names::hello_subject(&worker.name);
    let (mut attempts, mut said) = (0, String::new());
    while !worker.stops.no_new_games() {
        let since_ms = u64::try_from(began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let hello = Hello { v: VERSION, card: worker.pulse.card(), since_ms };
        let asked = worker.link.ask::<_, Welcome>(subject.clone(), &hello, ANSWER_WITHIN).await;
        let welcome = match asked {
            Ok(Some(welcome)) => welcome,
            _ if *worker.link.state().borrow() == LinkState::Refused => {
                return Err(Error::usage(format!(
                    "the broker does not let {} in: the name is not that of the key, or the key was taken back; \
                     copy the whole invitation, or ask for a new one",
                    worker.name
                )));
            }
            _ if attempts + 1 == ATTEMPTS => return Ok(true),
            _ => {
                attempts += 1;
                worker.link.pause().await;
                continue;
            }
        };
        if welcome.ok {
            return Ok(true);
        }
        let why = welcome.say.unwrap_or_else(|| "it does not say why".to_owned());
        let Some(again) = welcome.retry_s else {
            return Err(Error::usage(format!("the fleet refuses this worker: {why}")));
        };
        if why != said {
            worker.log.say(&format!("waits: {why}"));
            said = why;
        }
        tokio::select! {
            () = worker.stops.drained() => (),
            () = tokio::time::sleep(Duration::from_secs(again)) => (),
        }
    }
    Ok(false)
}
