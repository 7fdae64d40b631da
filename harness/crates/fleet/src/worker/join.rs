//! Connecting and joining.

use std::time::{Duration, Instant};

use arena::runner::Stops;
use process::Error;
use wire::message::{Hello, VERSION, Welcome};
use wire::names;

use super::{Log, Worker};
use crate::link::{Access, Link, LinkState, Told, greet};

const ANSWER_WITHIN: Duration = Duration::from_secs(2);
const SHORTEST_WAIT: Duration = Duration::from_millis(500);
const LONGEST_WAIT: Duration = Duration::from_secs(30);
/// A broker that reads its list of keys again may refuse a key that it takes.
const REFUSED_FOR: Duration = Duration::from_millis(500);
/// Questions to a fleet that does not answer.
const ATTEMPTS: u32 = 3;

/// Waits until the broker can be reached; `None`: the worker was told to leave.
pub(super) async fn connect(
    access: &Access,
    stops: &Stops,
    log: &Log,
) -> Result<Option<Link>, Error> {
    let (mut wait, mut said) = (SHORTEST_WAIT, String::new());
    while !stops.no_new_games() {
        let told = match attempt(access).await? {
            Ok(link) => return Ok(Some(link)),
            Err(told) => told,
        };
        if told != said {
            log.say(&format!("{told}; it is tried again until it answers"));
            said = told;
        }
        tokio::select! {
            () = stops.drained() => (),
            () = tokio::time::sleep(wait) => (),
        }
        wait = (2 * wait).min(LONGEST_WAIT);
    }
    Ok(None)
}

/// The connection, or why there is none yet.
async fn attempt(access: &Access) -> Result<Result<Link, String>, Error> {
    let at = access.clone();
    let greeted = tokio::task::spawn_blocking(move || greet(&at)).await.map_err(Error::fault)?;
    if let Err(error) = greeted {
        return Ok(Err(error.to_string()));
    }
    match Link::connect(access).await {
        Ok(link) => Ok(Ok(link)),
        Err(told @ Told::Away(_)) => Ok(Err(told.to_string())),
        Err(told) => Err(told.into()),
    }
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
        let asked = tokio::select! {
            asked = worker.link.ask::<_, Welcome>(subject.clone(), &hello, ANSWER_WITHIN) => asked,
            () = worker.link.refused_for(REFUSED_FOR) => Ok(None),
        };
        let welcome = match asked {
            Ok(Some(welcome)) => welcome,
            _ if *worker.link.state().borrow() == LinkState::Refused => {
                return Err(not_let_in(worker).await);
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

/// Why the broker does not let it in.
async fn not_let_in(worker: &Worker) -> Error {
    let Worker { link, name, .. } = worker;
    let coordinates = tokio::time::timeout(ANSWER_WITHIN, link.coordinates()).await;
    Error::usage(match coordinates {
        Ok(Ok(())) => format!(
            "{} is invited to play matches on this fleet (--fleet), not as a worker; expected a worker's \
             invitation, which this prints at the broker: verdict serve invite NAME",
            name.name
        ),
        _ => format!(
            "the broker does not let {name} in: the name is not that of the key, or the key was taken back; copy \
             the whole invitation, or ask for a new one"
        ),
    })
}
