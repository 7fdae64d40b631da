//! The page's content as JSON.

use axum::extract::{Path, State};
use axum::http::Uri;
use serde_json::{Value, json};

use crate::answer::{Handled, Refusal, as_json};
use crate::query::Query;
use crate::shown::Shown;

/// Most games in an answer.
pub(crate) const GAMES: usize = 100;

pub(crate) async fn runs(State(shown): State<Shown>) -> Handled {
    let live = shown.site.runs();
    let mut rows: Vec<Value> = live.iter().map(|run| run.state().row("live")).collect();
    let ids: Vec<String> = live.iter().map(|run| run.state().id.clone()).collect();
    let recorded = shown.site.recorded().list().await;
    let others = recorded.iter().filter(|run| !ids.contains(&run.id));
    rows.extend(others.map(|run| run.row()));
    as_json(&rows)
}

pub(crate) async fn workers(State(shown): State<Shown>) -> Handled {
    as_json(&shown.site.workers().map(|workers| workers.to_vec()).unwrap_or_default())
}

pub(crate) async fn summary(State(shown): State<Shown>, Path(id): Path<String>) -> Handled {
    let run = shown.site.run(&id).await?.ok_or_else(|| Refusal::not_found("that run"))?;
    as_json(&*run.summary().await?)
}

pub(crate) async fn games(State(shown): State<Shown>, Path(id): Path<String>, uri: Uri) -> Handled {
    let run = shown.site.run(&id).await?.ok_or_else(|| Refusal::not_found("that run"))?;
    as_json(&run.games(Query::of(&uri).number("from"), GAMES).await?)
}

pub(crate) async fn live(State(shown): State<Shown>, Path(id): Path<String>) -> Handled {
    let run = shown.site.run(&id).await?.ok_or_else(|| Refusal::not_found("that run"))?;
    as_json(&json!({"games": run.live().await?}))
}
