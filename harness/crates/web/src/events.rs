//! `/events`: the state, then what changes, as server-sent events.
//!
//! Nothing is queued for a browser. When it can take an event, it gets all changes since its last
//! one. A slow browser therefore gets the latest state and no backlog.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::time::Duration;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use serde_json::{Map, Value, json};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{Instant, sleep_until};
use tokio_util::sync::CancellationToken;

use crate::answer::Refusal;
use crate::fleet::WorkersTotal;
use crate::query::Query;
use crate::shown::Shown;
use crate::site::Site;

/// Shortest time between two events.
const PAUSE: Duration = Duration::from_millis(500);
const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// When a browser reconnects after a lost connection.
const RETRY: Duration = Duration::from_secs(2);

pub(crate) async fn events(State(shown): State<Shown>, headers: HeaderMap, uri: Uri) -> Response {
    let Shown { site, stop } = shown;
    let Ok(permit) = site.subscribers().clone().try_acquire_owned() else {
        let words = "too many browsers are listening; reload later";
        return Refusal::new(StatusCode::SERVICE_UNAVAILABLE, words).into_response();
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    let run = Query::of(&uri).get("run").map(str::to_owned);
    let subscriber = Subscriber::new(site, stop, run, last, permit);
    let events = stream::unfold(subscriber, |mut subscriber| async move {
        let event = subscriber.next().await?;
        Some((Ok::<_, Infallible>(event), subscriber))
    });
    let keep_alive = KeepAlive::new().interval(KEEP_ALIVE).text("keep-alive");
    Sse::new(events).keep_alive(keep_alive).into_response()
}

/// One browser.
struct Subscriber {
    site: Site,
    stop: CancellationToken,
    bell: watch::Receiver<u64>,
    /// The run whose details it shows.
    run: Option<String>,
    /// What it was sent; `None`: nothing yet.
    told: Option<Told>,
    /// The number of the change that it was sent last.
    version: u64,
    next_at: Instant,
    is_over: bool,
    _permit: OwnedSemaphorePermit,
}

/// What a browser knows.
#[derive(Debug, Clone, PartialEq)]
struct Told {
    /// By the run's id.
    runs: BTreeMap<String, Value>,
    run: Option<Value>,
    workers: Option<Value>,
}

/// A summary of all workers, with the number of changes. A list of hundreds of workers is too long
/// to be sent twice a second.
fn of_workers(site: &Site) -> Option<Value> {
    let (version, workers) = site.workers_now()?;
    let WorkersTotal { workers, slots, games_per_s } = WorkersTotal::of(&workers);
    Some(json!({
        "workers": workers, "slots": slots, "games_per_s": games_per_s, "version": version,
    }))
}

impl Told {
    fn of(site: &Site, run: Option<&str>) -> Told {
        let states: Vec<_> = site.runs().iter().map(|run| run.state()).collect();
        let shown = run.and_then(|id| states.iter().find(|state| state.id == id));
        Told {
            run: shown.map(|state| state.details()),
            runs: states.iter().map(|state| (state.id.clone(), state.row("live"))).collect(),
            workers: of_workers(site),
        }
    }

    fn whole(&self) -> Value {
        let mut all = Map::new();
        all.insert("runs".to_owned(), self.runs.values().cloned().collect());
        all.extend(self.run.clone().map(|run| ("run".to_owned(), run)));
        all.extend(self.workers.clone().map(|workers| ("workers".to_owned(), workers)));
        Value::Object(all)
    }

    /// The changes since `before`; `None`: none. If a run was added or removed, the whole state is
    /// returned.
    fn since(&self, before: &Told) -> Option<(&'static str, Value)> {
        if self == before {
            return None;
        }
        if !self.runs.keys().eq(before.runs.keys()) {
            return Some(("state", self.whole()));
        }
        let mut changed = Map::new();
        let rows: Vec<&Value> = self
            .runs
            .iter()
            .filter(|(id, row)| before.runs.get(*id) != Some(*row))
            .map(|(_, row)| row)
            .collect();
        if !rows.is_empty() {
            changed.insert("runs".to_owned(), json!(rows));
        }
        for (name, now, before) in
            [("run", &self.run, &before.run), ("workers", &self.workers, &before.workers)]
        {
            if let Some(now) = now.as_ref().filter(|_| now != before) {
                changed.insert(name.to_owned(), now.clone());
            }
        }
        Some(("change", Value::Object(changed)))
    }
}

impl Subscriber {
    fn new(
        site: Site,
        stop: CancellationToken,
        run: Option<String>,
        last: Option<&str>,
        permit: OwnedSemaphorePermit,
    ) -> Subscriber {
        let bell = site.bell();
        let version = *bell.borrow();
        let mut subscriber = Subscriber {
            version,
            bell,
            told: None,
            next_at: Instant::now(),
            is_over: false,
            run,
            site,
            stop,
            _permit: permit,
        };
        // The browser has reconnected, and nothing has changed.
        if last.is_some_and(|last| last == subscriber.id()) {
            subscriber.told = Some(subscriber.look());
        }
        subscriber
    }

    /// Identifies this server and the change that was sent last.
    fn id(&self) -> String {
        format!("{}.{}", self.site.epoch(), self.version)
    }

    fn look(&mut self) -> Told {
        // Read before the states, so that a change in between is sent next time.
        self.version = *self.bell.borrow_and_update();
        Told::of(&self.site, self.run.as_deref())
    }

    fn event(&self, name: &str, data: &Value) -> Event {
        Event::default().event(name).id(self.id()).retry(RETRY).data(data.to_string())
    }

    async fn next(&mut self) -> Option<Event> {
        if self.is_over {
            return None;
        }
        let Some(mut before) = self.told.take() else {
            let now = self.look();
            let event = self.event("state", &now.whole());
            self.told = Some(now);
            self.next_at = Instant::now() + PAUSE;
            return Some(event);
        };
        loop {
            let has_ended = tokio::select! {
                rung = self.bell.changed() => rung.is_err(),
                () = self.stop.cancelled() => true,
            };
            if !has_ended {
                tokio::select! {
                    () = sleep_until(self.next_at) => (),
                    () = self.stop.cancelled() => (),
                }
            }
            let now = self.look();
            let change = now.since(&before);
            if has_ended {
                self.is_over = true;
                return Some(self.event("end", &now.whole()));
            }
            if let Some((name, data)) = change {
                let event = self.event(name, &data);
                self.told = Some(now);
                self.next_at = Instant::now() + PAUSE;
                return Some(event);
            }
            before = now;
        }
    }
}
