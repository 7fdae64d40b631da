//! What happens at the workers.

use std::time::Duration;

use wire::message::BEAT_EVERY;

use crate::broker::{Delivery, Process};
use crate::fleet::{Event, Fleet, Request, Told};
use crate::worker::{FINISHED, Feeder};

/// `ANSWER_WITHIN` of `fleet::worker::play`.
const ANSWER_WITHIN: Duration = Duration::from_secs(1);
/// Of the moves of a pair, by which a batch is measured: `fleet::worker::results` counts 4 a ply.
const MOVES_BYTES: usize = 2 * 4 * 90;
/// When another machine comes in place of one that went.
const COMES_AFTER: Duration = Duration::from_secs(60);

impl Fleet<'_> {
    pub(crate) fn join(&mut self, worker: usize) {
        self.workers[worker] = self.workers[worker].started(self.now);
        // Machines do not beat in step.
        let offset = BEAT_EVERY.mul_f64(self.chance.uniform());
        self.after(offset, Event::BeatDue(self.workers[worker].process(worker)));
        self.beat(worker, false);
        self.fetch(worker);
    }

    fn beat(&mut self, worker: usize, leaving: bool) {
        let beat = self.workers[worker].beat(self.run, leaving);
        self.tally.most_held = self.tally.most_held.max(beat.chunks.len());
        self.request(worker, Request::Beat(beat));
    }

    pub(crate) fn beat_due(&mut self, by: Process) {
        self.after(BEAT_EVERY, Event::BeatDue(by));
        if self.workers[by.worker].is_stopped {
            return;
        }
        let held: Vec<u64> = self.workers[by.worker].holding.values().map(|it| it.number).collect();
        held.into_iter().for_each(|number| self.request(by.worker, Request::Progress(number)));
        self.beat(by.worker, false);
    }

    /// Asks for the next chunk.
    fn fetch(&mut self, worker: usize) {
        if !self.workers[worker].is_wanted() {
            self.workers[worker].feeder = Feeder::Off;
        } else {
            self.workers[worker].feeder = Feeder::Pulls;
            self.request(worker, Request::Pull);
        }
    }

    pub(crate) fn told(&mut self, to: Process, told: Told) {
        let at = to.worker;
        let is_wanted = self.workers[at].is_wanted();
        match (told, self.workers[at].feeder) {
            (Told::Stop, _) => self.stop(at),
            (Told::Stored(sender), _) => self.stored(at, sender),
            (Told::NoChunk, Feeder::Pulls) if is_wanted => self.fetch(at),
            (Told::Chunk(delivery), Feeder::Pulls) if is_wanted => self.given(at, delivery),
            (Told::Missing(pairs, answered), Feeder::AsksMissing(delivery, question))
                if is_wanted && question == answered =>
            {
                self.take(at, delivery, &pairs);
            }
            // Nobody waits for it any more.
            _ => {}
        }
    }

    fn given(&mut self, at: usize, delivery: Delivery) {
        let chunk = delivery.chunk;
        if delivery.is_first && chunk.round == 0 && !self.cell.design.asks_fresh {
            let all: Vec<u64> = chunk.range().collect();
            return self.take(at, delivery, &all);
        }
        let worker = &mut self.workers[at];
        worker.questions += 1;
        let question = worker.questions;
        worker.feeder = Feeder::AsksMissing(delivery, question);
        let process = worker.process(at);
        self.request(at, Request::Need(chunk, question));
        self.after(ANSWER_WITHIN, Event::QuestionOver(process, question));
    }

    pub(crate) fn question_over(&mut self, at: usize, question: u64) {
        let Feeder::AsksMissing(delivery, asked) = self.workers[at].feeder else { return };
        if asked == question && self.workers[at].is_wanted() {
            self.tally.unanswered += 1;
            let all: Vec<u64> = delivery.chunk.range().collect();
            self.take(at, delivery, &all);
        }
    }

    /// Queues the games of a chunk.
    fn take(&mut self, at: usize, delivery: Delivery, pairs: &[u64]) {
        let number = delivery.number;
        if let Some((since, is_death)) = self.gone.remove(&number) {
            let back = self.now - since;
            let samples = match is_death {
                true => &mut self.tally.back_after_death,
                false => &mut self.tally.back_after_leave,
            };
            samples.push(back);
        }
        if pairs.is_empty() {
            // Nobody need play it.
            self.request(at, Request::Ack(number));
            return self.fetch(at);
        }
        let worker = &mut self.workers[at];
        let (pairs, earlier) = worker.hold(delivery, pairs);
        worker.to_feed.extend(pairs.iter().flat_map(|pair| [2 * pair, 2 * pair + 1]));
        worker.feeder = Feeder::Feeds;
        earlier.into_iter().for_each(|number| self.request(at, Request::Ack(number)));
        self.beat(at, false);
        self.feed(at);
    }

    /// Games go to free slots and into the queue.
    fn feed(&mut self, at: usize) {
        let room = self.cell.games_ahead();
        loop {
            let worker = &mut self.workers[at];
            if !worker.is_wanted() {
                return;
            }
            while worker.fed.len() < room {
                let Some(game) = worker.to_feed.pop_front() else { break };
                worker.fed.push_back(game);
            }
            if !worker.has_free_slot() {
                break;
            }
            let Some(game) = worker.fed.pop_front() else { break };
            worker.playing.insert(game, self.now);
            worker.begun.insert(game / 2);
            let process = worker.process(at);
            let lasts = self.chance.game(self.cell.pair_s / 2.0);
            self.after(Duration::from_secs_f64(lasts), Event::GameEnded(process, game));
        }
        let worker = &self.workers[at];
        if worker.to_feed.is_empty() && matches!(worker.feeder, Feeder::Feeds) {
            self.fetch(at);
        }
    }

    pub(crate) fn game_ended(&mut self, at: usize, game: u64) {
        let worker = &mut self.workers[at];
        let Some(began) = worker.playing.remove(&game) else { return };
        self.tally.busy += self.now - began;
        if worker.finished.len() < FINISHED {
            worker.finished.push_back(game);
        } else {
            worker.blocked.push_back(game);
        }
        self.send_results(at);
        self.feed(at);
    }

    pub(crate) fn batch_due(&mut self, at: usize) {
        self.workers[at].due = None;
        self.send_results(at);
    }

    /// Takes finished games as long as a sender is free.
    fn send_results(&mut self, at: usize) {
        while let Some(sender) = self.workers[at].free_sender() {
            let worker = &mut self.workers[at];
            if worker.is_stopped {
                return;
            }
            let batch = match worker.finished.pop_front() {
                Some(game) => {
                    worker.finished.extend(worker.blocked.pop_front());
                    let pair = game / 2;
                    if worker.half.insert(pair) {
                        continue;
                    }
                    worker.half.remove(&pair);
                    worker.batcher.add(pair, MOVES_BYTES, self.now)
                }
                None => match worker.batcher.due(self.now) {
                    Some(batch) => Some(batch),
                    // The last games of a leaver.
                    None if worker.is_leaving && worker.playing.is_empty() => {
                        worker.batcher.flush(self.now)
                    }
                    None => None,
                },
            };
            match batch {
                Some(batch) => {
                    let sending = worker.grouped(batch);
                    worker.sending[sender] = Some(sending);
                    self.send_next(at, sender);
                }
                None if self.workers[at].finished.is_empty() => break,
                None => {}
            }
        }
        self.set_timer(at);
        self.leave_if_done(at);
    }

    fn set_timer(&mut self, at: usize) {
        let worker = &mut self.workers[at];
        let due = worker.batcher.due_at().filter(|due| *due > self.now);
        if let Some(due) = due
            && worker.due.is_none_or(|set| set > due)
        {
            worker.due = Some(due);
            let process = worker.process(at);
            self.at(due, Event::BatchDue(process));
        }
    }

    /// The next step of a batch on its way; frees its sender after the last.
    fn send_next(&mut self, at: usize, sender: usize) {
        let worker = &mut self.workers[at];
        let Some(sending) = worker.sending[sender].as_ref() else { return };
        if let Some((_, pairs)) = sending.front() {
            let pairs = pairs.clone();
            self.request(at, Request::Results(pairs, sender));
        } else {
            worker.sending[sender] = None;
        }
    }

    /// The broker has what was sent last.
    fn stored(&mut self, at: usize, sender: usize) {
        let worker = &mut self.workers[at];
        if worker.is_stopped {
            return;
        }
        let Some(mut sending) = worker.sending[sender].take() else { return };
        let pairs = sending.pop_front().map(|(_, pairs)| pairs).unwrap_or_default();
        let is_done = sending.is_empty();
        worker.sending[sender] = (!is_done).then_some(sending);
        let ended: Vec<u64> = pairs.into_iter().filter_map(|pair| worker.stored(pair)).collect();
        ended.into_iter().for_each(|number| self.request(at, Request::Ack(number)));
        if is_done {
            self.send_results(at);
            self.feed(at);
        } else {
            self.send_next(at, sender);
        }
    }

    fn stop(&mut self, at: usize) {
        let worker = &mut self.workers[at];
        if std::mem::replace(&mut worker.is_stopped, true) {
            return;
        }
        self.tally.vain += worker.begun.len() as u64;
        self.tally.busy += worker.playing.values().map(|began| self.now - *began).sum::<Duration>();
        worker.playing.clear();
        if let Some(decided) = self.coordinator.decided {
            self.tally.stops.push(self.now - decided);
        }
    }

    pub(crate) fn death(&mut self) {
        self.next_death();
        let Some(at) = self.any_worker() else { return };
        self.go(at, true);
        self.workers[at].is_alive = false;
        self.after(COMES_AFTER, Event::Join(at));
    }

    /// A machine has gone, or has been told to.
    fn go(&mut self, at: usize, is_death: bool) {
        let worker = &self.workers[at];
        for held in worker.holding.values() {
            self.gone.insert(held.number, (self.now, is_death));
        }
        if is_death {
            let (slot_time, busy) = worker.times(self.now);
            self.tally.slot_time += slot_time;
            self.tally.busy += busy;
            self.tally.redrawn += worker.begun.len() as u64;
        }
    }

    pub(crate) fn leave(&mut self) {
        self.next_leave();
        let Some(at) = self.any_worker() else { return };
        self.go(at, false);
        let process = self.workers[at].process(at);
        self.broker.drop_pulls(process);
        let worker = &mut self.workers[at];
        worker.is_leaving = true;
        worker.feeder = Feeder::Off;
        worker.fed.clear();
        worker.to_feed.clear();
        self.send_results(at);
    }

    /// Gives back what is left when the last results are stored.
    fn leave_if_done(&mut self, at: usize) {
        let worker = &mut self.workers[at];
        let is_sent = worker.sending.iter().all(Option::is_none) && worker.finished.is_empty();
        if !worker.is_leaving || !worker.is_alive || !worker.playing.is_empty() || !is_sent {
            return;
        }
        let held: Vec<u64> = worker.holding.values().map(|held| held.number).collect();
        let (slot_time, busy) = worker.times(self.now);
        self.tally.slot_time += slot_time;
        self.tally.busy += busy;
        self.tally.redrawn += worker.begun.len() as u64;
        worker.holding.clear();
        held.into_iter().for_each(|number| self.request(at, Request::Nak(number)));
        self.beat(at, true);
        self.workers[at].is_alive = false;
        self.after(COMES_AFTER, Event::Join(at));
    }

    fn any_worker(&mut self) -> Option<usize> {
        let wanted = self.workers.iter().enumerate().filter(|(_, worker)| worker.is_wanted());
        let wanted: Vec<usize> = wanted.map(|(at, _)| at).collect();
        let chosen = self.chance.below(wanted.len());
        wanted.get(chosen).copied()
    }

    pub(crate) fn next_death(&mut self) {
        if self.cell.churn.deaths > 0.0 {
            let wait = self.chance.until_next(self.cell.churn.deaths);
            self.after(Duration::from_secs_f64(wait), Event::Death);
        }
    }

    pub(crate) fn next_leave(&mut self) {
        if self.cell.churn.leaves > 0.0 {
            let wait = self.chance.until_next(self.cell.churn.leaves);
            self.after(Duration::from_secs_f64(wait), Event::Leave);
        }
    }
}
