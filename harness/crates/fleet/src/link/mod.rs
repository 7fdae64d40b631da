//! A connection to the broker. It reconnects by itself. While it is away, calls fail, and the
//! caller repeats them.

mod chunks;
mod consumers;
mod greet;
mod pinned;
mod told;

pub use greet::greet;
pub use told::Told;

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;
use std::time::Duration;

use async_nats::client::Request;
use async_nats::jetstream::ErrorCode;
use async_nats::jetstream::context::GetStreamErrorKind;
use async_nats::jetstream::message::PublishMessage;
use async_nats::jetstream::stream::{DirectGetErrorKind, Stream};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event, Message, RequestErrorKind, Subscriber};
use futures_util::StreamExt as _;
use futures_util::stream::FuturesUnordered;
use serde::Serialize;
use serde::de::DeserializeOwned;
use tokio::sync::watch;
use wire::names::{self, WorkerName};
use wire::token::{Fingerprint, Token};

/// How long to wait until the broker has stored a message.
const STORE_WITHIN: Duration = Duration::from_secs(10);
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// A key that was invited just now is let in when the broker has read its new list. While it reads
/// one, it may refuse others, too.
const REFUSED: u32 = 4;
const REFUSED_PAUSE: Duration = Duration::from_millis(500);
const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// After two pings without an answer a connection counts as lost: a router has forgotten it.
const PING_EVERY: Duration = Duration::from_secs(10);
/// How long the broker may refuse a key that it takes: it reads its list of keys again.
const REFUSED_FOR: Duration = Duration::from_secs(3);
/// A broker that is away for less is not told of.
const AWAY_FOR: Duration = Duration::from_secs(3);
/// Requests that wait for an answer at the same time.
pub(crate) const AT_ONCE: usize = 32;
/// Messages that a subscription may queue.
const WAITING: usize = 4096;

/// Address of the broker, and the key for it.
#[derive(Clone)]
pub struct Access {
    /// `nats://HOST:PORT`, `tls://…` or `wss://…`.
    pub url: String,
    /// The secret key. Never show it.
    pub seed: String,
    /// Certificate authority of the server; `None`: no TLS.
    pub authority: Option<Fingerprint>,
    /// Prefix of reply subjects; nobody else may subscribe to them.
    pub inbox: String,
}

impl Access {
    /// From an invitation, for one process of its name.
    pub fn of(token: &Token, who: &WorkerName) -> Access {
        let scheme = match (token.web_socket, token.fingerprint) {
            (false, None) => "nats",
            (false, Some(_)) => "tls",
            (true, None) => "ws",
            (true, Some(_)) => "wss",
        };
        Access {
            url: format!("{scheme}://{}", token.address()),
            seed: token.seed.reveal().to_owned(),
            authority: token.fingerprint,
            inbox: names::inbox(who),
        }
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum LinkState {
    Connected,
    /// It tries to reconnect.
    Away,
    /// The broker does not accept the key any more.
    Refused,
}

/// Result of storing a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stored {
    New {
        /// Its number in the stream.
        number: u64,
    },
    /// The broker already has a message with this id.
    Copy,
}

pub struct Link {
    client: Client,
    broker: Context,
    state: watch::Receiver<LinkState>,
}

impl Link {
    /// Connects once; a refusal is believed when it was said several times. Later losses are mended
    /// without end.
    pub async fn connect(access: &Access) -> Result<Link, Told> {
        for _ in 0..REFUSED {
            match Link::connect_now(access).await {
                Err(Told::Refused(_)) => tokio::time::sleep(REFUSED_PAUSE).await,
                done => return done,
            }
        }
        Link::connect_now(access).await
    }

    async fn connect_now(access: &Access) -> Result<Link, Told> {
        let (tell, state) = watch::channel(LinkState::Connected);
        let tell = Arc::new(tell);
        let options = ConnectOptions::with_nkey(access.seed.clone())
            .custom_inbox_prefix(&access.inbox)
            .connection_timeout(CONNECT_WITHIN)
            .ignore_discovered_servers()
            .subscription_capacity(WAITING)
            .ping_interval(PING_EVERY)
            .reconnect_delay_callback(pause)
            .event_callback(move |event| {
                let tell = Arc::clone(&tell);
                async move {
                    let state = match event {
                        Event::Connected => LinkState::Connected,
                        Event::Disconnected | Event::Closed => LinkState::Away,
                        Event::ServerError(error) if told::is_refusal(&error.to_string()) => {
                            LinkState::Refused
                        }
                        // Reported when it tries to reconnect.
                        Event::ClientError(error) if told::is_refusal(&error.to_string()) => {
                            LinkState::Refused
                        }
                        _ => return,
                    };
                    // After a refusal the broker also closes the connection.
                    tell.send_if_modified(|now| {
                        let is_new = *now != state
                            && !(*now == LinkState::Refused && state == LinkState::Away);
                        if is_new {
                            *now = state;
                        }
                        is_new
                    });
                }
            });
        let options = match access.authority {
            Some(authority) => {
                options.tls_client_config(pinned::config(authority).map_err(Told::defect)?)
            }
            None => options,
        };
        let client = options
            .connect(&access.url)
            .await
            .map_err(|error| Told::of_connecting(&access.url, &error))?;
        let broker = jetstream::context::ContextBuilder::new()
            .timeout(STORE_WITHIN)
            .ack_timeout(STORE_WITHIN)
            .build(client.clone());
        Ok(Link { client, broker, state })
    }

    /// JetStream, for managing streams and consumers.
    pub fn broker(&self) -> &Context {
        &self.broker
    }

    pub fn state(&self) -> watch::Receiver<LinkState> {
        self.state.clone()
    }

    /// Stores a message, and waits for the acknowledgement. With an `id`, the broker drops a second
    /// copy within two minutes.
    pub async fn store(
        &self,
        subject: String,
        id: Option<&str>,
        body: Vec<u8>,
    ) -> Result<Stored, Told> {
        let message = PublishMessage::build().payload(body.into());
        let message = match id {
            Some(id) => message.message_id(id),
            None => message,
        };
        let said = self.broker.send_publish(subject, message).await;
        let stored = said.map_err(Told::of_storing)?.await.map_err(Told::of_storing)?;
        let number = stored.sequence;
        Ok(if stored.duplicate { Stored::Copy } else { Stored::New { number } })
    }

    /// Sends a message to current subscribers, without storing it.
    pub async fn say(&self, subject: String, body: Vec<u8>) -> Result<(), Told> {
        self.client.publish(subject, body.into()).await.map_err(Told::away)
    }

    /// Replies to a message.
    pub async fn answer(&self, question: &Message, body: Vec<u8>) -> Result<(), Told> {
        match &question.reply {
            Some(reply) => {
                self.client.publish(reply.clone(), body.into()).await.map_err(Told::away)
            }
            None => Ok(()),
        }
    }

    /// Waits until all messages have been sent.
    pub async fn flush(&self) -> Result<(), Told> {
        self.client.flush().await.map_err(Told::away)
    }

    pub async fn hear(&self, subject: String) -> Result<Subscriber, Told> {
        self.client.subscribe(subject).await.map_err(Told::away)
    }

    /// Sends a request; `None` if no reply comes in time.
    pub async fn ask<T: Serialize, R: DeserializeOwned>(
        &self,
        subject: String,
        question: &T,
        within: Duration,
    ) -> Result<Option<R>, Told> {
        let question = serde_json::to_vec(question).map_err(Told::defect)?;
        let answer = self.ask_bytes(subject, question, within).await?;
        answer.map(|answer| serde_json::from_slice(&answer).map_err(Told::foreign)).transpose()
    }

    /// As [`Link::ask`], with bytes.
    pub async fn ask_bytes(
        &self,
        subject: String,
        question: Vec<u8>,
        within: Duration,
    ) -> Result<Option<Vec<u8>>, Told> {
        let request = Request::new().payload(question.into()).timeout(Some(within));
        match self.client.send_request(subject, request).await {
            Ok(answer) => Ok(Some(answer.payload.to_vec())),
            Err(error) => match error.kind() {
                RequestErrorKind::TimedOut | RequestErrorKind::NoResponders => Ok(None),
                _ => Err(Told::away(error)),
            },
        }
    }

    /// The last message on a subject, with its number in the stream.
    pub async fn last(&self, stream: &str, subject: &str) -> Result<Option<(u64, Vec<u8>)>, Told> {
        let stream = self.broker.get_stream_no_info(stream).await.map_err(Told::away)?;
        match stream.direct_get_last_for_subject(subject).await {
            Ok(message) => Ok(Some((message.sequence, message.payload.to_vec()))),
            Err(error) if matches!(error.kind(), DirectGetErrorKind::NotFound) => Ok(None),
            Err(error) => Err(Told::away(error)),
        }
    }

    /// The first message with a number of at least `from` and a matching subject.
    pub async fn next(
        &self,
        stream: &str,
        subject: &str,
        from: u64,
    ) -> Result<Option<(u64, String, Vec<u8>)>, Told> {
        let stream = self.broker.get_stream_no_info(stream).await.map_err(Told::away)?;
        match stream.direct_get_next_for_subject(subject, Some(from)).await {
            Ok(message) => {
                let subject = message.subject.to_string();
                Ok(Some((message.sequence, subject, message.payload.to_vec())))
            }
            Err(error) if matches!(error.kind(), DirectGetErrorKind::NotFound) => Ok(None),
            Err(error) => Err(Told::away(error)),
        }
    }

    /// The bodies of all messages of a subject, which may have wildcards, in their order. A broker far
    /// away answers late, so several are asked for at once: each answer halves what is left of its range.
    pub async fn all(&self, stream: &str, subject: &str) -> Result<Vec<Vec<u8>>, Told> {
        let whole = self.stream_now(stream).await?;
        let state = &whole.cached_info().state;
        let mut ranges = vec![Range { start: state.first_sequence, end: state.last_sequence + 1 }];
        let (mut found, mut asked) = (BTreeMap::new(), FuturesUnordered::new());
        loop {
            while asked.len() < AT_ONCE
                && let Some(Range { start, end }) = ranges.pop()
            {
                asked.push(async move { (self.next(stream, subject, start).await, end) });
            }
            let Some((next, end)) = asked.next().await else {
                return Ok(found.into_values().collect());
            };
            if let Some((number, _, body)) = next?.filter(|(number, ..)| *number < end) {
                found.insert(number, body);
                let middle = number + 1 + (end - number) / 2;
                let halves = [middle..end, number + 1..middle];
                ranges.extend(halves.into_iter().filter(|half| half.start < half.end));
            }
        }
    }

    /// A stream and its present state. A broker that reads its list of keys again has no streams for a
    /// moment.
    async fn stream_now(&self, name: &str) -> Result<Stream, Told> {
        for _ in 0..REFUSED {
            match self.broker.get_stream(name).await {
                Err(error) if is_reading_keys(&error.kind()) => {
                    tokio::time::sleep(REFUSED_PAUSE).await;
                }
                found => return found.map_err(Told::away),
            }
        }
        self.broker.get_stream(name).await.map_err(Told::away)
    }

    /// Returns when the broker does not accept the key any more.
    pub async fn refused(&self) {
        self.refused_for(REFUSED_FOR).await;
    }

    /// Returns when the broker has refused the key, or a message, for this time.
    pub(crate) async fn refused_for(&self, time: Duration) {
        let mut state = self.state();
        loop {
            if state.wait_for(|state| *state == LinkState::Refused).await.is_err() {
                // The connection has ended for another reason, which is told where it is used.
                std::future::pending::<()>().await;
            }
            let back = state.wait_for(|state| *state == LinkState::Connected);
            if tokio::time::timeout(time, back).await.is_err() {
                return;
            }
        }
    }

    /// Tells when the broker has been away for a moment, and when it is back. Does not end.
    pub(crate) async fn tell_outages(&self, tell: &(dyn Fn(&str) + Send + Sync)) {
        let mut state = self.state();
        // A connection that has ended is told where it is used.
        while state.wait_for(|state| *state == LinkState::Away).await.is_ok() {
            let back = state.wait_for(|state| *state != LinkState::Away);
            if tokio::time::timeout(AWAY_FOR, back).await.is_ok() {
                continue;
            }
            tell("the broker is away; what is played is kept, and it is waited for");
            match state.wait_for(|state| *state != LinkState::Away).await.map(|state| state.clone())
            {
                Ok(LinkState::Connected) => tell("the broker is back"),
                _ => continue,
            }
        }
        std::future::pending().await
    }

    /// Removes all messages of a subject from a stream.
    pub async fn purge(&self, stream: &str, subject: &str) -> Result<(), Told> {
        let stream = self.broker.get_stream_no_info(stream).await.map_err(Told::away)?;
        stream.purge().filter(subject).await.map(drop).map_err(Told::away)
    }

    /// Sends what is left and closes the connection.
    pub async fn close(self) {
        // It does not matter whether the broker is still there.
        let _ = self.client.drain().await;
    }
}

fn is_reading_keys(error: &GetStreamErrorKind) -> bool {
    matches!(error, GetStreamErrorKind::JetStream(error)
        if error.error_code() == ErrorCode::JETSTREAM_NOT_ENABLED_FOR_ACCOUNT)
}

/// Exponential back-off with jitter.
fn pause(attempts: usize) -> Duration {
    let doublings = u32::try_from(attempts).unwrap_or(u32::MAX).min(5);
    let longest = (SHORTEST_PAUSE * 2_u32.pow(doublings)).min(LONGEST_PAUSE);
    longest.mul_f64(0.5 + 0.5 * jitter())
}

/// 0 to 1, taken from the clock; that is random enough.
fn jitter() -> f64 {
    let nanoseconds = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .map_or(0, |since| since.subsec_nanos());
    f64::from(nanoseconds % 1_000_003) / 1_000_003.0
}

#[cfg(test)]
mod tests;
