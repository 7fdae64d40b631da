//! A worker that says what a test wants it to say.

use std::thread::sleep;
use std::time::{Duration, Instant};

use arena::record::{GameRecord, Games};
use fleet::link::{Access, Link, Told};
use serde_json::{Value, json};
use tokio::runtime::Runtime;
use wire::chunk::Chunk;
use wire::message::{
    Beat, ChunkMessage, HeldChunk, Missing, Need, PairsBatch, VERSION, WireGame, WorkerStamp,
    decode,
};
use wire::names::{self, RunId, WorkerName};
use wire::token::Token;

use super::{Fleet, PATIENCE, Running};

pub(super) struct Liar {
    runtime: Runtime,
    link: Link,
    pub(super) name: WorkerName,
}

impl Liar {
    /// Logs in with an invitation; it says nothing yet.
    pub(super) fn join(token: &str, instance: &str) -> Liar {
        let token = Token::read(token).unwrap();
        let name = WorkerName { name: token.name.clone(), instance: instance.parse().unwrap() };
        let runtime = Runtime::new().unwrap();
        let link = runtime.block_on(Link::connect(&Access::of(&token, &name))).unwrap();
        Liar { runtime, link, name }
    }

    /// A batch of these games, as a real worker packs them.
    pub(super) fn batch(&self, run: RunId, games: &[GameRecord]) -> PairsBatch {
        PairsBatch {
            v: VERSION,
            run,
            first: games[0].pair,
            round: 0,
            games: games.iter().cloned().map(WireGame::new).collect(),
            worker: WorkerStamp {
                name: self.name.clone(),
                verdict: "none".to_owned(),
                slots: 1,
                nps: 0,
                scale: 1.0,
                seq: 0,
            },
        }
    }

    /// Sends games, without an id by which the broker could drop them.
    pub(super) fn send(&self, run: RunId, games: &[GameRecord]) {
        let packed = self.batch(run, games).pack().unwrap();
        packed.into_iter().for_each(|part| self.store(run, part.bytes).unwrap());
    }

    /// Sends a batch as JSON that may be no batch.
    pub(super) fn send_json(&self, run: RunId, batch: &Value) {
        let packed = zstd::encode_all(batch.to_string().as_bytes(), 3).unwrap();
        self.store(run, packed).unwrap();
    }

    /// Says that it plays pairs from `first` on, once.
    pub(super) fn hold(&self, run: RunId, first: u64, pairs: u32) {
        let chunks = vec![HeldChunk { first, pairs, round: 0, done: 0 }];
        let beat = Beat { run: Some(run), chunks, ..Beat::new(1) }.encode().unwrap();
        self.runtime.block_on(self.link.say(names::beat_subject(&self.name), beat)).unwrap();
        self.runtime.block_on(self.link.flush()).unwrap();
    }

    /// Says that another process of its invitation plays, too.
    pub(super) fn beat_as(&self, instance: &str, run: RunId) {
        let worker = WorkerName { instance: instance.parse().unwrap(), ..self.name.clone() };
        let beat = Beat { run: Some(run), ..Beat::new(1) }.encode().unwrap();
        self.runtime.block_on(self.link.say(names::beat_subject(&worker), beat)).unwrap();
    }

    /// Whether the coordinator says in time what is missing.
    pub(super) fn is_answered(&self, run: RunId, within: Duration) -> bool {
        let need = Need::of(Chunk { first: 0, pairs: 1, round: 0 });
        let asked =
            self.link.ask::<_, Missing>(names::need_subject(run, &self.name), &need, within);
        self.runtime.block_on(asked).unwrap().is_some()
    }

    pub(super) fn store(&self, run: RunId, bytes: Vec<u8>) -> Result<(), Told> {
        self.store_at(names::pairs_subject(run, &self.name), bytes)
    }

    /// Says something that a real one would say otherwise.
    pub(super) fn say(&self, subject: String, message: &Value) {
        let message = message.to_string().into_bytes();
        self.runtime.block_on(self.link.say(subject, message)).unwrap();
        self.runtime.block_on(self.link.flush()).unwrap();
    }

    /// Asks until somebody answers.
    pub(super) fn ask(&self, subject: &str, question: &Value) -> Value {
        let until = Instant::now() + PATIENCE;
        loop {
            let question = question.to_string().into_bytes();
            let answer = self.link.ask_bytes(subject.to_owned(), question, PATIENCE);
            if let Some(answer) = self.runtime.block_on(answer).unwrap() {
                return serde_json::from_slice(&answer).unwrap();
            }
            assert!(Instant::now() < until, "nobody answers {subject}");
            sleep(Duration::from_millis(50));
        }
    }

    /// Takes the next chunk of a run and gives it back; its first pair.
    pub(super) fn take_and_give_back(&self, run: RunId) -> u64 {
        self.runtime.block_on(async {
            let taken = self.link.chunks(run).next(PATIENCE).await.unwrap().unwrap();
            self.link.give_back(&taken).await;
            decode::<ChunkMessage>(&taken.payload).unwrap().first
        })
    }

    pub(super) fn store_at(&self, subject: String, bytes: Vec<u8>) -> Result<(), Told> {
        self.runtime.block_on(self.link.store(subject, None, bytes)).map(drop)
    }
}

/// The games of a run in a folder, by number.
pub(super) fn games(fleet: &Fleet, run: &str) -> Vec<GameRecord> {
    let mut games: Vec<GameRecord> =
        Games::open(&fleet.path(run)).unwrap().map(|game| game.unwrap()).collect();
    games.sort_by_key(|game| game.game);
    games
}

/// Waits until a match has begun: its run.
pub(super) fn wait_for_run(fleet: &Fleet, playing: &mut Running) -> RunId {
    let until = Instant::now() + PATIENCE;
    while fleet.status()["runs"].as_array().unwrap().is_empty() {
        assert!(Instant::now() < until, "{}", fleet.log("match.log"));
        assert!(playing.0.try_wait().unwrap().is_none(), "{}", fleet.log("match.log"));
        sleep(Duration::from_millis(50));
    }
    run_id(fleet)
}

/// The run that the fleet plays.
pub(super) fn run_id(fleet: &Fleet) -> RunId {
    let status = fleet.status();
    status["runs"][0]["run"].as_str().unwrap().parse().unwrap()
}

/// A batch as JSON, to be changed.
pub(super) fn as_json(batch: &PairsBatch) -> Value {
    json!(batch)
}
