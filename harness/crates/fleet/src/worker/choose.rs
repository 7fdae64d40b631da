//! Selects the run that a worker plays next.

use futures_util::StreamExt as _;
use wire::message::{RunCard, RunState, decode};
use wire::names::{KV_RUNS, RunId};

use crate::link::{Link, Told};

/// Subjects of all run cards.
const CARDS: &str = "$KV.runs.*";

/// The run with the largest weight that is being played and not declined. Waits until there is one.
pub(super) async fn next_run(
    link: &Link,
    is_declined: &dyn Fn(RunId) -> bool,
) -> Result<RunCard, Told> {
    // Subscribed before reading, so that no card is missed.
    let mut news = link.hear(CARDS.to_owned()).await?;
    loop {
        let mut found: Option<RunCard> = None;
        let mut from = 1;
        while let Some((number, _, body)) = link.next(KV_RUNS, CARDS, from).await? {
            from = number + 1;
            // Cards of a later version cannot be read.
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
