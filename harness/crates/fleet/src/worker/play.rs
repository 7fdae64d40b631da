//! Plays one run: takes chunks, sends results.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use arena::runner::{Finished, QueuedGame, Runner, Stops, Width};
use arena::slots::Order;
use async_nats::jetstream::AckKind;
use futures_util::StreamExt as _;
use process::{Error, lock};
use tokio::sync::mpsc;
use wire::chunk::Chunk;
use wire::message::{BEAT_EVERY, ChunkMessage, Missing, Need, RunCard, RunState, decode};
use wire::names;

use super::choose::is_coordinated;
use super::holding::{Holding, TakenChunk};
use super::intake::{Intake, WholePairs};
use super::ready::Ready;
use super::results::Results;
use super::room::Room;
use super::{LEAVE_WITHIN, Worker};

/// How long to wait for the coordinator's answer about missing pairs.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// How long one request for a chunk waits.
const CHUNK_WITHIN: Duration = Duration::from_secs(5);
/// After so many questions without an answer, and without a chunk, a run is left.
const UNANSWERED: u32 = 3;
const CHANNEL: usize = 256;

/// What a worker did for a run.
pub(super) struct Played {
    pub(super) games: u64,
    /// Why it is not played here any more.
    pub(super) leaves: Option<String>,
}

pub(super) struct RunPlay<'a> {
    worker: &'a Worker,
    ready: Ready,
    holding: Arc<Mutex<Holding>>,
}

impl<'a> RunPlay<'a> {
    pub(super) fn new(
        worker: &'a Worker,
        ready: Ready,
        holding: Arc<Mutex<Holding>>,
    ) -> RunPlay<'a> {
        RunPlay { worker, ready, holding }
    }

    /// Until the run is over, the worker leaves, or it has to measure its speed again.
    pub(super) async fn play(self) -> Result<Played, Error> {
        let slots = self.worker.slots;
        let width = Width {
            concurrency: slots,
            slots,
            order: Order::LowestFirst,
            pin: self.worker.pin.clone(),
        };
        let contest = &self.ready.contest;
        let pools = vec![Arc::clone(&contest.base), Arc::clone(&contest.test)];
        let runner = Runner { width, stops: contest.stops.clone(), pools, meter: None };
        // One pair waits for each slot, so that the next chunk is asked for before a slot is idle
        // (results/fleet-model).
        let (feed, fed) = mpsc::channel(2 * slots.get());
        let stops = self.ready.stops.clone();
        let games = WholePairs::new(fed, stops.clone());
        let intake = Intake { feed, stops, until: self.ready.times.until.map(Into::into) };
        let (finished, receiver) = mpsc::channel(CHANNEL);
        let room = Room::new(self.ready.card.varied.as_ref().map(|_| slots.get()));
        let results = Results::new(self.worker, &self.ready, &self.holding, &room);
        let played = async {
            let played = tokio::join!(
                runner.run(games),
                self.feed(intake, finished, &room),
                results.send_all(receiver),
            );
            // No more results will come.
            let messages = lock(&self.holding).let_go();
            for message in messages {
                self.worker.link.give_back(&message).await;
            }
            played
        };
        let (ran, fed, played) = tokio::select! {
            played = played => played,
            never = self.watch() => match never {},
        };
        ran?;
        fed?;
        played
    }

    /// Requests chunks and queues their games.
    async fn feed(
        &self,
        intake: Intake,
        finished: mpsc::Sender<Finished>,
        room: &Room,
    ) -> Result<(), Error> {
        let mut chunks = self.worker.link.chunks(self.ready.card.run);
        let mut unanswered = 0;
        loop {
            let take = async {
                room.wait().await;
                chunks.next(CHUNK_WITHIN).await
            };
            let Some(taken) = intake.next(take).await else { return Ok(()) };
            let message = match taken {
                Ok(Some(message)) => message,
                Ok(None) if self.is_coordinated().await => {
                    unanswered = 0;
                    continue;
                }
                Ok(None) => {
                    unanswered += 1;
                    if unanswered < UNANSWERED {
                        continue;
                    }
                    self.worker.log.say(&format!(
                        "{}: its coordinator no longer answers; other runs are played until it does",
                        self.ready.card.name
                    ));
                    return Ok(());
                }
                Err(_) => {
                    // The link reports by itself that the broker is away.
                    self.worker.link.pause().await;
                    continue;
                }
            };
            let read = decode::<ChunkMessage>(&message.payload).map_err(|error| error.to_string());
            let read = read.and_then(|it| match self.ready.contest_of(&it) {
                Ok(contest) => Ok((it.chunk(), contest)),
                Err(error) => Err(error.to_string()),
            });
            let (chunk, contest) = match read {
                Ok(read) => read,
                Err(why) => {
                    // A chunk of a later version is left to other workers.
                    self.worker.log.say(&format!("a chunk is left to others: {why}"));
                    let _ = message.ack_with(AckKind::Nak(Some(BEAT_EVERY))).await;
                    continue;
                }
            };
            let missing = self.missing(chunk).await;
            if missing.is_empty() {
                // All its pairs are recorded.
                let _ = message.ack().await;
                continue;
            }
            let TakenChunk { pairs, earlier } = lock(&self.holding).take(chunk, message, &missing);
            if let Some(earlier) = earlier {
                let _ = earlier.ack().await;
            }
            self.worker.pulse.beat_now();
            let mut schedule = self.ready.schedule.clone();
            for game in pairs.into_iter().flat_map(|pair| [2 * pair, 2 * pair + 1]) {
                let Some(scheduled) = schedule.game(game) else { continue };
                let (contest, finished) = (Arc::clone(&contest), finished.clone());
                let queued = QueuedGame { contest, scheduled, place: game, finished };
                room.queued();
                if intake.feed.send(queued).await.is_err() {
                    return Ok(());
                }
            }
        }
    }

    /// Whether the coordinator answers, or cannot be asked.
    async fn is_coordinated(&self) -> bool {
        let Worker { link, name, .. } = self.worker;
        is_coordinated(link, name, self.ready.card.run).await.unwrap_or(true)
    }

    /// The pairs of a chunk that are missing; all of them if nobody answers.
    async fn missing(&self, chunk: Chunk) -> Vec<u64> {
        let subject = names::need_subject(self.ready.card.run, &self.worker.name);
        let need = Need::of(chunk);
        match self.worker.link.ask::<_, Missing>(subject, &need, ANSWER_WITHIN).await {
            Ok(Some(missing)) => missing.pairs(chunk),
            _ => chunk.range().collect(),
        }
    }

    /// Reports progress on the chunks, and follows the run's card.
    async fn watch(&self) -> std::convert::Infallible {
        let stops = &self.ready.stops;
        let subject = names::run_subject(self.ready.card.run);
        let mut beats = tokio::time::interval(BEAT_EVERY);
        let mut state = self.worker.link.state();
        let mut leaves_at = None;
        loop {
            let Ok(mut cards) = self.worker.link.hear(subject.clone()).await else {
                self.worker.link.pause().await;
                continue;
            };
            // The card may have changed before the subscription.
            if let Ok(Some((_, card))) = self.worker.link.last(names::KV_RUNS, &subject).await {
                self.heed(&card);
            }
            loop {
                tokio::select! {
                    card = cards.next() => match card {
                        Some(card) => self.heed(&card.payload),
                        None => break,
                    },
                    changed = state.changed() => {
                        if changed.is_ok() {
                            break;
                        }
                        std::future::pending().await
                    }
                    () = stops.drained(), if leaves_at.is_none() => {
                        leaves_at = Some(tokio::time::Instant::now() + LEAVE_WITHIN);
                    }
                    () = super::results::sleep_until(leaves_at), if leaves_at.is_some() => {
                        leaves_at = None;
                        stops.stop_now();
                    }
                    _ = beats.tick() => {
                        let messages = lock(&self.holding).messages();
                        for message in messages {
                            // Without this report the broker gives the chunk to another worker
                            // after 30 s.
                            let _ = message.ack_with(AckKind::Progress).await;
                        }
                    }
                }
            }
        }
    }

    /// Stops or drains as the run's card says.
    fn heed(&self, card: &[u8]) {
        let stops: &Stops = &self.ready.stops;
        // A card that cannot be read ends nothing.
        let Ok(card) = decode::<RunCard>(card) else { return };
        let is_barred = card.bars(&self.worker.name).is_some();
        match card.state {
            RunState::Stopped => stops.stop_now(),
            RunState::Playing if is_barred => stops.stop_now(),
            RunState::Draining => stops.drain(),
            RunState::Playing => {}
        }
    }
}
