//! Selects the run that a worker plays next.

use std::time::Duration;

use futures_util::StreamExt as _;
use serde::Deserialize;
use wire::chunk::Chunk;
use wire::message::{Missing, Need, Refused, RunCard, RunState, decode};
use wire::names::{self, KV_RUNS, RUN_CARDS, RunId, WorkerName};

use crate::link::{Link, Told};

/// How long a coordinator may take to answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// How often coordinators that did not answer are asked again.
const ASK_EVERY: Duration = Duration::from_secs(10);

/// The part of a run's card that every protocol version has.
#[derive(Deserialize)]
struct AnyCard {
    state: String,
}

/// The run with the largest weight that is being played and not declined, and whose coordinator
/// answers. Waits until there is one. `is_strange` is told the protocol of a run that cannot be read.
pub(super) async fn next_run(
    link: &Link,
    worker: &WorkerName,
    is_declined: &dyn Fn(RunId) -> bool,
    is_strange: &dyn Fn(u64),
) -> Result<RunCard, Told> {
    // Subscribed before reading, so that no card is missed.
    let mut news = link.hear(RUN_CARDS.to_owned()).await?;
    loop {
        let mut found: Vec<RunCard> = Vec::new();
        for body in link.all(KV_RUNS, RUN_CARDS).await? {
            let card = match decode::<RunCard>(&body) {
                Ok(card) => card,
                Err(Refused::Version(version)) => {
                    let card = serde_json::from_slice::<AnyCard>(&body);
                    if card.is_ok_and(|card| card.state == "playing") {
                        is_strange(version);
                    }
                    continue;
                }
                Err(_) => continue,
            };
            if card.state == RunState::Playing && !is_declined(card.run) {
                found.push(card);
            }
        }
        found.sort_by(|one, other| other.weight.total_cmp(&one.weight));
        for card in found {
            if is_coordinated(link, worker, card.run).await? {
                return Ok(card);
            }
        }
        tokio::select! {
            told = news.next() => if told.is_none() {
                return Err(Told::Away("the connection was closed".to_owned()));
            },
            () = tokio::time::sleep(ASK_EVERY) => {}
        }
    }
}

/// Whether the coordinator of a run answers. A coordinator that was killed cannot say that its run
/// has ended, which may go on elsewhere without the fleet.
pub(super) async fn is_coordinated(
    link: &Link,
    worker: &WorkerName,
    run: RunId,
) -> Result<bool, Told> {
    let any = Need::of(Chunk { first: 0, pairs: 1, round: 0 });
    let subject = names::need_subject(run, worker);
    Ok(link.ask::<_, Missing>(subject, &any, ANSWER_WITHIN).await?.is_some())
}
