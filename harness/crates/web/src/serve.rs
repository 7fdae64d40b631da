//! The HTTP server and its routes.

use std::future::IntoFuture as _;
use std::sync::Arc;
use std::time::Duration;

use axum::routing::get;
use axum::{Router, middleware};
use tokio::net::TcpListener;
use tokio_util::sync::CancellationToken;

use crate::answer::Refusal;
use crate::connections::Limited;
use crate::guard::{Access, guard};
use crate::shown::Shown;
use crate::site::Site;
use crate::{api, events, metrics, pages};

/// How long the end waits for browsers that do not read.
const LAST: Duration = Duration::from_millis(500);

/// Answers requests until `stop`. Before the end, browsers get the last changes.
pub async fn serve(listener: TcpListener, site: Site, access: Access, stop: CancellationToken) {
    let routes = routes(Shown { site, stop: stop.clone() }, access);
    let served = axum::serve(Limited::new(listener), routes)
        .with_graceful_shutdown(stop.clone().cancelled_owned());
    tokio::select! {
        // It ends only by `stop`; failed accepts are repeated.
        _ = served.into_future() => (),
        () = async { stop.cancelled().await; tokio::time::sleep(LAST).await } => (),
    }
}

async fn nothing() -> Refusal {
    Refusal::not_found("such a page")
}

fn routes(shown: Shown, access: Access) -> Router {
    let guarded = middleware::from_fn_with_state(Arc::new(access), guard);
    Router::new()
        .route("/", get(pages::runs::page))
        .route("/workers", get(pages::workers::page))
        .route("/run/{id}", get(pages::run::page))
        .route("/run/{id}/charts", get(pages::run::charts))
        .route("/run/{id}/games", get(pages::games::page))
        .route("/run/{id}/live", get(pages::live::page))
        .route("/run/{id}/live/boards", get(pages::live::boards))
        .route("/run/{id}/game", get(pages::game::go_to))
        .route("/run/{id}/game/{game}", get(pages::game::page))
        .route("/run/{id}/game/{game}/board", get(pages::game::board_only))
        .route("/api/runs", get(api::runs))
        .route("/api/workers", get(api::workers))
        .route("/api/run/{id}/summary", get(api::summary))
        .route("/api/run/{id}/games", get(api::games))
        .route("/api/run/{id}/live", get(api::live))
        .route("/events", get(events::events))
        .route("/metrics", get(metrics::metrics))
        .route("/assets/{name}", get(pages::asset))
        .fallback(nothing)
        .with_state(shown)
        .layer(guarded)
}

#[cfg(test)]
mod fleet_tests;
#[cfg(test)]
mod tests;
