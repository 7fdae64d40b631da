//! Which run a worker plays next.

use futures_util::StreamExt as _;
use wire::message::{RunCard, RunState, decode};
use wire::names::{KV_RUNS, RunId};

use crate::link::{Link, Told};

/// Subjects of all cards.
const CARDS: &str = "$KV.runs.*";

/// The run of the largest weight that plays and is not declined; waits until there is one.
pub(super) async fn next_run(
    link: &Link,
    is_declined: &dyn Fn(RunId) -> bool,
) -> Result<RunCard, Told> {
    // Heard from now on, so that no card is missed between reading and waiting.
    let mut news = link.hear(CARDS.to_owned()).await?;
    loop {
        let mut found: Option<RunCard> = None;
        let mut from = 1;
        while let Some((number, _, body)) = link.next(KV_RUNS, CARDS, from).await? {
            from = number + 1;
            // A card of a later version is of no use here.
            let Ok(card) = decode::<RunCard>(&body) else { continue };
            let may = card.state == RunState::Playing && !is_declined(card.run);
            if may && found.as_ref().is_none_or(|best| card.weight > best.weight) {
                found = Some(card);
            }
        }
        if let Some(card) = found {
            return Ok(card);
        }
        if news.next().await.is_none() {
            return Err(Told::Away("the connection was closed".to_owned()));
        }
    }
}
